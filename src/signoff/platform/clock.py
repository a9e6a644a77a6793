"""Time as the service tells it: one clock, one spelling."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds and `Z`, the spelling of every timestamp we give out."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def iso_or_none(moment: datetime | None) -> str | None:
    return iso(moment) if moment is not None else None
