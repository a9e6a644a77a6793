"""The requested days, divided into buckets. Days are those of a time zone, and may have 23 or 25 hours."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from signoff.platform.errors import ErrorDetail, InvalidQuery, summarize_errors
from signoff.platform.messages import msg, msgs

BEFORE_FROM = msg("can't be before `from`")

Bucket = Literal["hour", "day", "week"]

DEFAULT_DAYS, MAX_DAYS = 30, 366
MAX_DAYS_BY_HOUR, MAX_DAYS_BY_DAY = 3, 92
EARLIEST, LATEST = date(2000, 1, 1), date(2199, 12, 31)
"""Nothing is outside of these dates, and inside of them the UTC offset of every time zone is a multiple of a
quarter of an hour.
"""

_DAY_FORMAT = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Period:
    first: date
    last: date
    """Inclusive."""
    zone: ZoneInfo

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def bucket(self) -> Bucket:
        if self.days <= MAX_DAYS_BY_HOUR:
            return "hour"
        return "day" if self.days <= MAX_DAYS_BY_DAY else "week"

    @property
    def begin(self) -> datetime:
        return self._midnight(self.first)

    @property
    def end(self) -> datetime:
        """Return the first moment after the period."""
        return self._midnight(self.last + DAY)

    @property
    def previous(self) -> "Period":
        """The same number of days before this period."""
        return Period(self.first - timedelta(days=self.days), self.first - DAY, self.zone)

    def starts(self) -> list[datetime]:
        """Return when each bucket starts, in order; it lasts until the next. Weeks start on Mondays, so the first
        and the last can be shorter than seven days.
        """
        return list(dict.fromkeys(self._starts()))  # a zone that moved across the date line skipped a day

    def _starts(self) -> Iterator[datetime]:
        for day in (self.first + timedelta(days=number) for number in range(self.days)):
            if self.bucket == "week" and day != self.first and day.weekday() != 0:
                continue
            start = self._midnight(day)
            yield start
            if self.bucket == "hour":
                following = self._midnight(day + DAY)
                while (start := start + HOUR) < following:
                    yield start

    def _midnight(self, day: date) -> datetime:
        """Return when the day starts: at the first midnight if there are two, and at the clock change if midnight
        is skipped.
        """
        return datetime.combine(day, time.min, self.zone).astimezone(UTC)


def parse_period(first: str | None, last: str | None, zone: ZoneInfo, now: datetime) -> Period:
    """Read the period; by default the last 30 days up to `last`, and today for `last`. Raises all errors together."""
    errors: list[ErrorDetail] = []
    begin, end = _read_day(first, "from", errors), _read_day(last, "to", errors)
    if not errors:
        end = end or max(now.astimezone(zone).date(), begin or EARLIEST)
        begin = begin or end - timedelta(days=DEFAULT_DAYS - 1)
        if begin > end:
            errors.append(ErrorDetail("to", "out_of_order", BEFORE_FROM))
        elif (end - begin).days >= MAX_DAYS:
            errors.append(
                ErrorDetail(
                    "from",
                    "too_many_days",
                    msgs("must be within {count} day of `to`", "must be within {count} days of `to`", count=MAX_DAYS),
                )
            )
        else:
            return Period(begin, end, zone)
    raise InvalidQuery(summarize_errors(errors), errors)


def _read_day(text: str | None, path: str, errors: list[ErrorDetail]) -> date | None:
    if text is None:
        return None
    try:
        day = date.fromisoformat(text if _DAY_FORMAT.fullmatch(text) else "")
    except ValueError:
        errors.append(ErrorDetail(path, "bad_date", msg("must be a date such as 2026-03-31")))
        return None
    if not EARLIEST <= day <= LATEST:
        errors.append(
            ErrorDetail(
                path, "out_of_range", msg("must be between {least} and {most}", least=str(EARLIEST), most=str(LATEST))
            )
        )
    return day
