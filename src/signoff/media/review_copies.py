"""The copies made of a review's media, and the pending ones."""

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
    """Original URL to stored URL, without signature."""
    notices: list[dict[str, str]]
    """Why a URL isn't in `file_cache`."""
    in_progress: bool
    """Whether a copy may still be finished within the time limit."""

    def members(self) -> dict[str, Any]:
        """Return the members for an event."""
        return {"fileCache": self.file_cache, **({"mediaNotices": self.notices} if self.notices else {})}


NO_COPIES = ReviewCopies({}, [], in_progress=False)


async def read_review_copies(
    tx: Executor, settings: Settings, account_id: str, review_id: str, until: datetime
) -> ReviewCopies:
    """Read the copies and lock their rows until `tx` ends: a copy that finishes at this moment is either included,
    or sees what `tx` writes.
    """
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
