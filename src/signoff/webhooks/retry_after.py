"""The `Retry-After` header."""

from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final

MAX_RETRY_AFTER: Final = 24 * 3600.0
STATUSES: Final = frozenset({429, 503})
"""Those with which the header says when to retry."""


def parse_retry_after(status_code: int, header: str | None, now: datetime) -> float | None:
    """Return the seconds until the next attempt, at most a day. Invalid values count as absent."""
    if header is None or status_code not in STATUSES:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:10]), MAX_RETRY_AFTER)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # the second one for numbers that no date has
        return None
    if date.tzinfo is None:
        return None
    return min(max(0.0, (date - now).total_seconds()), MAX_RETRY_AFTER)
