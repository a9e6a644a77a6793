"""Working hours: counting time only while people work, in their own time zone.

Whatever the clocks do, an hour is an hour: in the night when they change, `00:00` to `24:00` has 23 or 25 of them.
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
    """Of the week, Monday being 1. Never empty."""
    opens: int
    """Minutes after midnight, on the clock on the wall."""
    closes: int
    """The same; later than `opens`, and 1440 for midnight at the end of the day."""

    @property
    def minutes_a_week(self) -> int:
        return len(self.days) * (self.closes - self.opens)


def add_working_time(start: datetime, amount: timedelta, hours: WorkingHours | None) -> datetime:
    """The moment by which `amount` has passed within the hours; without hours, by the clock alone."""
    if hours is None or amount <= timedelta():
        return start + amount
    for opening, closing in _spans(start, hours):
        available = closing - max(opening, start)
        if available >= amount:
            return max(opening, start) + amount
        amount -= max(available, timedelta())
    raise AssertionError("the hours come again every week")


def working_time_between(start: datetime, end: datetime, hours: WorkingHours | None) -> timedelta:
    """How much of the time between two moments lies within the hours; nothing if `end` is not after `start`."""
    if hours is None:
        return max(end - start, timedelta())
    total = timedelta()
    for opening, closing in _spans(start, hours):
        if opening >= end:
            break
        total += max(min(closing, end) - max(opening, start), timedelta())
    return total


def _spans(start: datetime, hours: WorkingHours) -> Iterator[tuple[datetime, datetime]]:
    """Each day's hours in UTC, in order, from those that `start` may lie in. Without end."""
    day = start.astimezone(hours.zone).date()
    while True:
        if day.isoweekday() in hours.days:
            yield _moment(day, hours.opens, hours.zone, last=False), _moment(day, hours.closes, hours.zone, last=True)
        day += timedelta(days=1)


def _moment(day: date, minutes: int, zone: ZoneInfo, *, last: bool) -> datetime:
    """When the clock on the wall shows it: of two such moments the first or the `last`, of none the change itself."""
    if minutes == DAY_MINUTES:
        day, minutes = day + timedelta(days=1), 0
        last = False  # A midnight that comes twice ends this day when it comes first; the rest is the next day's.
    shown = datetime.combine(day, time(minutes // 60, minutes % 60), zone)
    first, second = shown.astimezone(UTC), shown.replace(fold=1).astimezone(UTC)
    if second < first:
        return _change_between(second, first, zone)
    return second if last else first


def _change_between(early: datetime, late: datetime, zone: ZoneInfo) -> datetime:
    """The moment at which the clocks were set forward."""
    after = late.astimezone(zone).utcoffset()
    while late - early > _SECOND:
        middle = early + (late - early) / 2
        if middle.astimezone(zone).utcoffset() == after:
            late = middle
        else:
            early = middle
    return late.replace(microsecond=0)
