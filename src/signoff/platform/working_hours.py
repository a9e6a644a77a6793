"""Working hours: counts time only while people work, in their own time zone.

An hour is always an hour: on the days when clocks change, `00:00` to `24:00` has 23 or 25 of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

DAY_MINUTES: Final = 24 * 60
_SECOND: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class WorkingHours:
    zone: ZoneInfo
    days: frozenset[int]
    """Days of the week, with Monday as 1. Never empty."""
    opens: int
    """Minutes after midnight, local time."""
    closes: int
    """Minutes after midnight, later than `opens`; 1440 is midnight at the end of the day."""

    @property
    def minutes_a_week(self) -> int:
        return len(self.days) * (self.closes - self.opens)


def add_working_time(start: datetime, amount: timedelta, hours: WorkingHours | None) -> datetime:
    """Return the time at which `amount` has passed within the hours; without hours, by the clock alone."""
    if hours is None or amount <= timedelta():
        return start + amount
    for opening, closing in _spans(start, hours):
        available = closing - max(opening, start)
        if available >= amount:
            return max(opening, start) + amount
        amount -= max(available, timedelta())
    raise AssertionError("the hours come again every week")


def working_time_between(start: datetime, end: datetime, hours: WorkingHours | None) -> timedelta:
    """Return how much of the time between two points is within the hours; zero if `end` isn't after `start`."""
    if hours is None:
        return max(end - start, timedelta())
    total = timedelta()
    for opening, closing in _spans(start, hours):
        if opening >= end:
            break
        total += max(min(closing, end) - max(opening, start), timedelta())
    return total


def _spans(start: datetime, hours: WorkingHours) -> Iterator[tuple[datetime, datetime]]:
    """Yield each day's hours in UTC, in order, starting with those that may contain `start`. Never ends."""
    day = start.astimezone(hours.zone).date()
    while True:
        if day.isoweekday() in hours.days:
            yield (
                _local_time(day, hours.opens, hours.zone, last=False),
                _local_time(day, hours.closes, hours.zone, last=True),
            )
        day += timedelta(days=1)


def _local_time(day: date, minutes: int, zone: ZoneInfo, *, last: bool) -> datetime:
    """Return when the local clock shows this time: the first or the `last` if it occurs twice, the change itself if
    it's skipped.
    """
    if minutes == DAY_MINUTES:
        day, minutes = day + timedelta(days=1), 0
        last = False  # If midnight occurs twice, this day ends at the first; the rest belongs to the next day.
    shown = datetime.combine(day, time(minutes // 60, minutes % 60), zone)
    first, second = shown.astimezone(UTC), shown.replace(fold=1).astimezone(UTC)
    if second < first:
        return _find_clock_change(second, first, zone)
    return second if last else first


def _find_clock_change(early: datetime, late: datetime, zone: ZoneInfo) -> datetime:
    """Return when the clocks were set forward."""
    after = late.astimezone(zone).utcoffset()
    while late - early > _SECOND:
        middle = early + (late - early) / 2
        if middle.astimezone(zone).utcoffset() == after:
            late = middle
        else:
            early = middle
    return late.replace(microsecond=0)
