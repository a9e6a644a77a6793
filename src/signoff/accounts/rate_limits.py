"""The rate of an account's plan: counted for calls with an API key, told in every answer to one.

People and holders of links are not counted: what they do is bounded by their hands, and nobody's decision should fail
because a program of the same account was busy.
"""

from fastapi import Request

from signoff.accounts.errors import RateLimited
from signoff.platform.http import add_response_header
from signoff.platform.metrics import RATE_LIMITED
from signoff.platform.rate_limits import Rate, RateLimiter

POLICY = '"api"'


async def enforce_rate_limit(request: Request, rates: RateLimiter, account_id: str, rate: Rate) -> None:
    """Before anything is done. Tells the policy and what is left of it, whatever comes of the call."""
    outcome = await rates.take(account_id, rate)
    # As the draft "RateLimit header fields for HTTP" has it: `t` is the time in which no more than `r` can be used.
    add_response_header(request, "RateLimit-Policy", f"{POLICY};q={rate.burst};w={rate.burst // rate.per_second}")
    add_response_header(request, "RateLimit", f"{POLICY};r={outcome.remaining};t={outcome.seconds_to_next}")
    if not outcome.allowed:
        RATE_LIMITED.inc()
        raise RateLimited(rate, outcome.seconds_to_next)
