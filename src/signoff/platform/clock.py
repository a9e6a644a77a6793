"""The clock, and the one format for timestamps."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)


def iso(at: datetime) -> str:
    """Format a time as ISO 8601 in UTC with milliseconds and `Z`, like every timestamp in the API."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def iso_or_none(at: datetime | None) -> str | None:
    return iso(at) if at is not None else None
