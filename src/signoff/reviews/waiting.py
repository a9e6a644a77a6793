"""Waiting for a review's response, for agents that would rather ask than be called."""

import time
from typing import Any

from signoff.accounts.access import Caller
from signoff.reviews.queries import get_review


async def get_when_responded(caller: Caller, review_id: str, wait: float) -> dict[str, Any]:
    """The review as soon as it is responded, or as it is after `wait` seconds."""
    until = time.monotonic() + wait
    with caller.service.live.follow(review_id) as follower:
        while True:
            review = await get_review(caller.db, caller.settings, caller.actor, review_id)
            left = until - time.monotonic()
            if review["state"] == "responded" or left <= 0 or not await follower.news(left):
                return review
