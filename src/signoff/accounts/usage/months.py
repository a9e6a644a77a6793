"""Calendar months in UTC, each represented by its first day."""

from datetime import UTC, date, datetime


def month_start(at: datetime) -> date:
    return at.astimezone(UTC).date().replace(day=1)


def parse_month(text: str) -> date:
    """Parse `2026-11`."""
    return date.fromisoformat(f"{text}-01")


def format_month(month: date) -> str:
    return month.isoformat()[:7]


def add_months(month: date, by: int) -> date:
    """Return the month `by` months later, or earlier if it's negative."""
    years, index = divmod(month.month - 1 + by, 12)
    return date(month.year + years, index + 1, 1)


def month_end(month: date) -> datetime:
    """Return the first moment after the month."""
    following = add_months(month, 1)
    return datetime(following.year, following.month, 1, tzinfo=UTC)
