"""What can stand in the way of an action on people, keys and the account."""

import math
from datetime import datetime
from typing import Literal

from signoff.platform.clock import iso, now
from signoff.platform.errors import Conflict, Forbidden, Problem, TooManyRequests, Unauthenticated
from signoff.platform.rate_limits import Rate


class InvalidCredentials(Unauthenticated):
    """One answer for an unknown address, a wrong password and a disabled person: they must not be told apart."""

    code, title = "invalid_credentials", "The e-mail address or the password is wrong"

    def __init__(self) -> None:
        super().__init__("The e-mail address or the password is wrong.")


class TooManyFailures(TooManyRequests):
    code, title = "too_many_failures", "Too many failed sign-ins"


class TooManyResets(TooManyRequests):
    code, title = "too_many_resets", "Too many links were asked for"


class TooManyEmailChanges(TooManyRequests):
    code, title = "too_many_email_changes", "Too many changes of the email address"


class RateLimited(TooManyRequests):
    code, title = "rate_limited", "Too many requests for the plan"

    def __init__(self, rate: Rate, retry_after: int) -> None:
        super().__init__(
            f"The plan allows {rate.per_second} request a second with an API key, {rate.burst} at once after a rest.",
            retry_after,
        )


class FairUseExceeded(TooManyRequests):
    code, title = "fair_use_exceeded", "The month's fair use is used up"

    def __init__(
        self, limit: Literal["reviewRequests", "dataBytes"], used: int, included: int, until: datetime
    ) -> None:
        what = "review requests" if limit == "reviewRequests" else "bytes"
        super().__init__(
            f"The plan includes {included} {what} this month, and {used} are used. A new month begins at {iso(until)}.",
            max(1, math.ceil((until - now()).total_seconds())),
            limit=limit,
            used=used,
            included=included,
        )


class LinkInvalid(Unauthenticated):
    code, title = "link_invalid", "The sign-in link is not valid"


class LinkUsed(LinkInvalid):
    code, title = "link_used", "The sign-in link was used before"


class LinkExpired(LinkInvalid):
    code, title = "link_expired", "The sign-in link has expired"


class ReviewLinkEnded(Problem):
    """The link of an external reviewer was good once. Each way to end says so by its own code."""

    status, code, title = 410, "link_ended", "The link does not work any more"


class ReviewLinkAnswered(ReviewLinkEnded):
    code, title = "link_answered", "The review is decided"


class ReviewLinkDeleted(ReviewLinkEnded):
    code, title = "link_deleted", "The review was deleted"


class ReviewLinkReassigned(ReviewLinkEnded):
    code, title = "link_reassigned", "Others are asked now"


class ReviewLinkExpired(ReviewLinkEnded):
    code, title = "link_expired", "The link has expired"


class KeyNeeded(Forbidden):
    code, title = "key_needed", "Only for API keys"


class PersonNeeded(Forbidden):
    code, title = "person_needed", "Only a signed-in person can do this"


class OwnerNeeded(Forbidden):
    code, title = "owner_needed", "Only an owner can do this"


class NotYourself(Forbidden):
    code, title = "not_yourself", "Nobody changes their own rights"


class LastOwner(Conflict):
    code, title = "last_owner", "An account keeps at least one owner"


class EmailTaken(Conflict):
    code, title = "email_taken", "The e-mail address is taken"

    def __init__(self, email: str) -> None:
        super().__init__(f"There is a person with the e-mail address {email!r} already.")


class EmailChangeInvalid(Conflict):
    code, title = "email_change_invalid", "The confirmation link is not valid"


class UserDisabled(Conflict):
    code, title = "user_disabled", "The person is disabled"


class InvitationHeld(Conflict):
    code, title = "invitation_held", "The invitation waits for approval"


class InvitationNotHeld(Conflict):
    code, title = "invitation_not_held", "The member isn't waiting for approval"


class ProfileChanged(Conflict):
    code, title = "profile_changed", "The profile was changed at the same moment"


class GroupNameTaken(Conflict):
    code, title = "group_name_taken", "The group's name is taken"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is a group named {name!r} already.")


class GroupInUse(Conflict):
    code, title = "group_in_use", "Reviews wait for the group"


class KeyRevoked(Conflict):
    code, title = "key_revoked", "The API key was revoked"


class AlreadySetUp(Conflict):
    code, title = "already_set_up", "There is a workspace already"
