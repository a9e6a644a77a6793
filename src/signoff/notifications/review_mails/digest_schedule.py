"""When digests are due, in their recipients' local time."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

QUARTER = timedelta(minutes=15)
"""The UTC offset of every time zone is a multiple of this."""


def next_hourly(zone: ZoneInfo, after: datetime) -> datetime:
    """Return the next full hour. A skipped hour doesn't exist when clocks change; a repeated one counts as two."""
    whole = after.astimezone(UTC).replace(second=0, microsecond=0)
    at = whole - timedelta(minutes=whole.minute % 15)
    while True:
        at += QUARTER
        if at.astimezone(zone).minute == 0:
            return at


def next_daily(hour: int, zone: ZoneInfo, after: datetime) -> datetime:
    """Return the next time it's `hour`, once per date: the first time if the hour is repeated, and right after the
    gap if it's skipped, which is early on the next date if the skipped hour is the last of a day.
    """
    today = after.astimezone(zone).date()
    moments = (_at(today + timedelta(days=days), hour, zone) for days in (0, 1, 2, 3))
    return next(moment for moment in moments if moment > after)


def is_daily_hour(hour: int, zone: ZoneInfo, at: datetime) -> bool:
    """Whether a full hour is the one of the daily digest."""
    return next_daily(hour, zone, at - QUARTER) == at


def _at(day: date, hour: int, zone: ZoneInfo) -> datetime:
    # For a repeated time this is the first. A skipped one is computed with the offset before the gap, which puts it as
    # far after the start of the gap as it would have been.
    return datetime.combine(day, time(hour), zone).astimezone(UTC)
