"""The position of a review in an export. Its text is the cursor, which stays valid if the review is deleted."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

CURSOR_PATTERN = "^[0-9]{1,17}_rev_[0-9a-f]{28}$"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a review. Reviews are sorted by decision time."""

    responded_at: datetime
    review_id: str

    @property
    def cursor(self) -> str:
        return f"{(self.responded_at - _EPOCH) // timedelta(microseconds=1)}_{self.review_id}"


START = Position(_EPOCH, "")


def read_cursor(cursor: str) -> Position:
    """Parse a cursor."""
    at, _, review_id = cursor.partition("_")
    return Position(_EPOCH + timedelta(microseconds=int(at)), review_id)
