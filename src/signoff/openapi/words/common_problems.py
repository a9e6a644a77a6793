"""Errors that operations of several tags share."""

from signoff.accounts import errors as accounts
from signoff.openapi import story
from signoff.platform.idempotency import key_reused

FAIR_USE_EXCEEDED = accounts.FairUseExceeded("reviewRequests", 20_000, 20_000, story.MONTH_ENDS)
KEY_REUSED = key_reused()
