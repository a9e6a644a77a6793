"""The copies that were made of a review's media, and those that are still to come."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from signoff.media.urls import stored_media_url
from signoff.platform.db import Executor
from signoff.platform.settings import Settings

UNFINISHED = (
    "This file was still being copied when the event was sent. The review has it in `fileCache` once it's copied."
)


@dataclass(frozen=True, slots=True)
class ReviewCopies:
    file_cache: dict[str, str]
    """Original address to stored address, plain."""
    notices: list[dict[str, str]]
    """Why an address isn't in `file_cache`."""
    in_progress: bool
    """A copy may still be made before the time is over."""

    def members(self) -> dict[str, Any]:
        """What an event says about them."""
        return {"fileCache": self.file_cache, **({"mediaNotices": self.notices} if self.notices else {})}


NO_COPIES = ReviewCopies({}, [], in_progress=False)


async def read_review_copies(
    tx: Executor, settings: Settings, account_id: str, review_id: str, until: datetime
) -> ReviewCopies:
    """Locks the rows until `tx` ends: a copy that ends at this moment is made for us, or sees what `tx` writes."""
    rows = await tx.fetch(
        """
        select url, media_id, state, error, state = 'pending' and coalesce(next_try_at <= $3, true) as in_progress
        from media_copies where account_id = $1 and review_id = $2
        order by copy_id for share
        """,
        account_id,
        review_id,
        until,
    )
    return ReviewCopies(
        {
            row["url"]: stored_media_url(settings, account_id, row["media_id"])
            for row in rows
            if row["state"] == "copied"
        },
        [
            {"url": row["url"], "message": row["error"] if row["state"] == "failed" else UNFINISHED}
            for row in rows
            if row["state"] != "copied"
        ],
        in_progress=any(row["in_progress"] for row in rows),
    )
