"""When digests are due, by the clock on the wall of those who get them."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

QUARTER = timedelta(minutes=15)
"""Every zone is so many of these away from UTC."""


def next_hourly(zone: ZoneInfo, after: datetime) -> datetime:
    """The next full hour. An hour that the clocks skip is not there, one that comes twice is two hours."""
    whole = after.astimezone(UTC).replace(second=0, microsecond=0)
    moment = whole - timedelta(minutes=whole.minute % 15)
    while True:
        moment += QUARTER
        if moment.astimezone(zone).minute == 0:
            return moment


def next_daily(hour: int, zone: ZoneInfo, after: datetime) -> datetime:
    """The next time that it is `hour`, once for each date: the first time if the clocks come to it twice, and just
    after the gap if they skip it, which is early on the next date where they skip the last hour of one."""
    today = after.astimezone(zone).date()
    moments = (_at(today + timedelta(days=days), hour, zone) for days in (0, 1, 2, 3))
    return next(moment for moment in moments if moment > after)


def is_daily_hour(hour: int, zone: ZoneInfo, moment: datetime) -> bool:
    """Whether a full hour is the one of the day's digest."""
    return next_daily(hour, zone, moment - QUARTER) == moment


def _at(day: date, hour: int, zone: ZoneInfo) -> datetime:
    # Of a time that comes twice this is the first. One that does not come is reckoned with the offset before the gap,
    # which makes it as long after the gap's beginning as it would have been.
    return datetime.combine(day, time(hour), zone).astimezone(UTC)
