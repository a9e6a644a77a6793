"""The clock, and the one format for timestamps."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)


def iso(moment: datetime) -> str:
    """Format a time as ISO 8601 in UTC with milliseconds and `Z`, like every timestamp in the API."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def iso_or_none(moment: datetime | None) -> str | None:
    return iso(moment) if moment is not None else None
