"""Wait for a review to change, for agents that poll rather than receive webhooks."""

import time
from typing import Any

from signoff.accounts.context import Caller
from signoff.reviews.queries import get_review

ABOUT_MEDIA = frozenset({"fileCache", "mediaNotices"})
"""Copies of media are made in the background; nobody made these changes."""


async def wait_for_change(caller: Caller, review_id: str, wait: float) -> dict[str, Any]:
    """Return the review as soon as it's decided or anything about it changes, or its state after `wait` seconds.

    Raises `NotFound` as soon as it's deleted.
    """
    until = time.monotonic() + wait
    first: dict[str, Any] | None = None
    with caller.context.pubsub.subscribe(review_id) as subscription:
        while True:
            review = await get_review(caller.db, caller.settings, caller.actor, review_id)
            first = first or review
            left = until - time.monotonic()
            if review["state"] == "responded" or _differ(first, review):
                return review
            if left <= 0 or not await subscription.wait(left):
                return review


def _differ(before: dict[str, Any], now: dict[str, Any]) -> bool:
    return any(before.get(name) != now.get(name) for name in (before.keys() | now.keys()) - ABOUT_MEDIA)
