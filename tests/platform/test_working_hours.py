"""Working hours: compared with a clock that is read minute by minute, also in nights with a clock change."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from signoff.platform.working_hours import WorkingHours, add_working_time, working_time_between

MINUTE = timedelta(minutes=1)
ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Havana",  # changes its clocks at midnight
    "America/Asuncion",  # changed them from midnight back to 23:00
    "Australia/Lord_Howe",  # by half an hour
    "Asia/Kathmandu",  # at a quarter past
    "Pacific/Apia",  # skipped a whole day, 2011-12-30
]
# The critical days of each zone.
CHANGES = {
    "UTC": date(2026, 3, 29),
    "Europe/Berlin": date(2026, 3, 29),
    "America/New_York": date(2026, 11, 1),
    "America/Havana": date(2026, 3, 8),
    "America/Asuncion": date(2023, 3, 26),
    "Australia/Lord_Howe": date(2026, 4, 5),
    "Asia/Kathmandu": date(2026, 1, 1),
    "Pacific/Apia": date(2011, 12, 30),
}


@st.composite
def hours(draw: st.DrawFn, least: int = 60) -> WorkingHours:
    opens = draw(st.integers(0, 1440 - least))
    return WorkingHours(
        zone=ZoneInfo(draw(st.sampled_from(ZONES))),
        days=frozenset(draw(st.sets(st.integers(1, 7), min_size=1))),
        opens=opens,
        closes=draw(st.integers(opens + least, 1440)),
    )


@st.composite
def around_a_change(draw: st.DrawFn) -> tuple[WorkingHours, datetime]:
    of = draw(hours(least=1))
    change = CHANGES[of.zone.key]
    start = datetime(change.year, change.month, change.day, tzinfo=UTC)
    return of, start + draw(st.integers(-3 * 1440, 2 * 1440)) * MINUTE


MOMENTS = st.integers(1_577_836_800, 1_893_456_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
AMOUNTS = st.integers(1, 5000).map(lambda minutes: minutes * MINUTE)


def wall_clock(of: WorkingHours, start: datetime, days: int) -> set[datetime]:
    """The working minutes, found by reading the clock in each of them: on each day, from the first within the hours to
    the last."""
    by_day: dict[date, list[datetime]] = {}
    moment = start - timedelta(days=2)
    while moment < start + timedelta(days=days):
        shown = moment.astimezone(of.zone)
        if shown.isoweekday() in of.days and of.opens <= shown.hour * 60 + shown.minute < of.closes:
            by_day.setdefault(shown.date(), []).append(moment)
        moment += MINUTE
    counted: set[datetime] = set()
    for minutes in by_day.values():
        first, last = min(minutes), max(minutes)
        counted |= {first + n * MINUTE for n in range((last - first) // MINUTE + 1)}
    return {minute for minute in counted if minute >= start}


class TestAgainstAWallClock:
    @given(around_a_change(), st.integers(1, 2 * 1440))
    @settings(max_examples=examples(60), deadline=None)
    def test_same_minutes_count(self, case: tuple[WorkingHours, datetime], span: int) -> None:
        of, start = case
        end = start + span * MINUTE
        counted = {minute for minute in wall_clock(of, start, days=4) if minute < end}
        assert working_time_between(start, end, of) == len(counted) * MINUTE

    @given(around_a_change(), st.integers(1, 300))
    @settings(max_examples=examples(60), deadline=None)
    def test_deadline_is_after_as_many_minutes(self, case: tuple[WorkingHours, datetime], amount: int) -> None:
        of, start = case
        minutes = sorted(wall_clock(of, start, days=4))
        if len(minutes) > amount:
            assert add_working_time(start, amount * MINUTE, of) == minutes[amount - 1] + MINUTE


class TestProperties:
    @given(hours(), MOMENTS, AMOUNTS)
    @settings(deadline=None)
    def test_between_undoes_adding(self, of: WorkingHours, start: datetime, amount: timedelta) -> None:
        assert working_time_between(start, add_working_time(start, amount, of), of) == amount

    @given(hours(), MOMENTS, AMOUNTS, AMOUNTS)
    @settings(deadline=None)
    def test_adding_in_two_parts(self, of: WorkingHours, start: datetime, first: timedelta, second: timedelta) -> None:
        at_once = add_working_time(start, first + second, of)
        assert add_working_time(add_working_time(start, first, of), second, of) == at_once

    @given(hours(), MOMENTS, AMOUNTS)
    @settings(deadline=None)
    def test_never_earlier_than_elapsed_time(self, of: WorkingHours, start: datetime, amount: timedelta) -> None:
        assert add_working_time(start, amount, of) >= start + amount

    @given(hours(), MOMENTS, AMOUNTS, AMOUNTS)
    @settings(deadline=None)
    def test_later_starts_end_later(
        self, of: WorkingHours, start: datetime, wait: timedelta, amount: timedelta
    ) -> None:
        assert add_working_time(start, amount, of) <= add_working_time(start + wait, amount, of)

    @given(MOMENTS, AMOUNTS)
    @settings(deadline=None)
    def test_around_the_clock(self, start: datetime, amount: timedelta) -> None:
        always = WorkingHours(ZoneInfo("Europe/Berlin"), frozenset(range(1, 8)), 0, 1440)
        assert add_working_time(start, amount, always) == add_working_time(start, amount, None) == start + amount

    @given(hours(), MOMENTS)
    @settings(deadline=None)
    def test_nothing(self, of: WorkingHours, start: datetime) -> None:
        assert add_working_time(start, timedelta(), of) == start
        assert working_time_between(start, start, of) == timedelta()
        assert working_time_between(start, start - timedelta(days=3), of) == timedelta()
        assert working_time_between(start, start - timedelta(days=3), None) == timedelta()


def berlin(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Berlin")).astimezone(UTC)


class TestExamples:
    OFFICE = WorkingHours(ZoneInfo("Europe/Berlin"), frozenset({1, 2, 3, 4, 5}), 9 * 60, 17 * 60)

    @pytest.mark.parametrize(
        ("start", "minutes", "end"),
        [
            ("2026-11-16T10:00", 60, "2026-11-16T11:00"),
            ("2026-11-16T16:30", 60, "2026-11-17T09:30"),
            ("2026-11-16T16:00", 60, "2026-11-16T17:00"),  # at closing time, not at the next opening
            ("2026-11-16T07:00", 60, "2026-11-16T10:00"),
            ("2026-11-16T23:00", 60, "2026-11-17T10:00"),
            ("2026-11-20T16:30", 60, "2026-11-23T09:30"),  # over the weekend
            ("2026-11-21T12:00", 480, "2026-11-23T17:00"),
            ("2026-11-16T09:00", 5 * 480, "2026-11-20T17:00"),
            ("2026-03-27T16:00", 120, "2026-03-30T10:00"),  # the clocks go forward on the Sunday
            ("2026-10-23T16:00", 120, "2026-10-26T10:00"),  # and back
        ],
    )
    def test_office_hours(self, start: str, minutes: int, end: str) -> None:
        assert add_working_time(berlin(start), minutes * MINUTE, self.OFFICE) == berlin(end)

    def test_dst_night(self) -> None:
        nights = WorkingHours(ZoneInfo("Europe/Berlin"), frozenset({7}), 0, 360)
        before = berlin("2026-03-28T12:00")
        assert add_working_time(before, timedelta(hours=5), nights) == berlin("2026-03-29T06:00")
        assert add_working_time(before, timedelta(hours=6), nights) == berlin("2026-04-05T01:00")
