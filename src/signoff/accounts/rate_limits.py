"""Enforce the rate of an account's plan for calls with an API key, and report it in every response to one.

People and external reviewers aren't counted: they can't click that fast, and a decision must not fail because a program
of the same account was busy.
"""

from fastapi import Request

from signoff.accounts.errors import RateLimited
from signoff.platform.http.middleware import add_response_header
from signoff.platform.metrics import RATE_LIMITED
from signoff.platform.rate_limits import Rate, RateLimiter

POLICY = '"api"'


async def enforce_rate_limit(request: Request, rates: RateLimiter, account_id: str, rate: Rate) -> None:
    """Check the rate before anything else. The response always has the policy and what's left of it."""
    outcome = await rates.take(account_id, rate)
    # As in the draft "RateLimit header fields for HTTP": `t` is the time in which no more than `r` can be used.
    add_response_header(request, "RateLimit-Policy", f"{POLICY};q={rate.burst};w={rate.burst // rate.per_second}")
    add_response_header(request, "RateLimit", f"{POLICY};r={outcome.remaining};t={outcome.seconds_to_next}")
    if not outcome.allowed:
        RATE_LIMITED.inc()
        raise RateLimited(rate, outcome.seconds_to_next)
