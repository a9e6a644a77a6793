"""Days of a time zone, grouped into buckets, across daylight saving and date lines."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.insights.period import EARLIEST, LATEST, MAX_DAYS, Period, parse_period
from signoff.platform.clock import iso
from signoff.platform.errors import InvalidQuery

NOW = datetime(2026, 11, 15, 23, 30, tzinfo=UTC)
BERLIN, UTC_ZONE = ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")
ZONES = sorted(available_timezones())

periods = st.builds(
    lambda first, days, zone: Period(first, first + timedelta(days=days - 1), ZoneInfo(zone)),
    st.dates(EARLIEST, LATEST - timedelta(days=MAX_DAYS)),
    st.integers(1, MAX_DAYS),
    st.sampled_from(ZONES),
)


def errors_of(error: InvalidQuery) -> list[tuple[str, str]]:
    return [(error.path, error.code) for error in error.errors]


class TestReading:
    @pytest.mark.parametrize(
        ("first", "last", "zone", "expected"),
        [
            (None, None, "UTC", ("2026-10-17", "2026-11-15")),
            (None, None, "Europe/Berlin", ("2026-10-18", "2026-11-16")),  # it's tomorrow there already
            (None, "2026-01-30", "UTC", ("2026-01-01", "2026-01-30")),
            ("2026-11-15", None, "UTC", ("2026-11-15", "2026-11-15")),
            ("2027-03-01", None, "UTC", ("2027-03-01", "2027-03-01")),  # in the future: a day without data
            ("2024-01-01", "2024-12-31", "UTC", ("2024-01-01", "2024-12-31")),
        ],
    )
    def test_defaults(self, first: str | None, last: str | None, zone: str, expected: tuple[str, str]) -> None:
        period = parse_period(first, last, ZoneInfo(zone), NOW)
        assert (period.first.isoformat(), period.last.isoformat()) == expected

    @pytest.mark.parametrize(
        ("first", "last", "errors"),
        [
            ("2026-11-15", "2026-11-14", [("to", "out_of_order")]),
            ("2025-11-14", "2026-11-15", [("from", "too_many_days")]),
            ("2020-01-01", None, [("from", "too_many_days")]),
            ("1999-12-31", "2000-01-01", [("from", "out_of_range")]),
            ("2199-12-31", "2200-01-01", [("to", "out_of_range")]),
            ("0001-01-01", "9999-12-31", [("from", "out_of_range"), ("to", "out_of_range")]),
            ("2026-02-29", "tomorrow", [("from", "bad_date"), ("to", "bad_date")]),
            *(
                (text, None, [("from", "bad_date")])
                for text in ("", "20261101", "2026-W46-7", "2026-11-01T00:00", " 2026-11-01", "٢٠٢٦-11-01", "x" * 100)
            ),
        ],
    )
    def test_refused(self, first: str, last: str | None, errors: list[tuple[str, str]]) -> None:
        with pytest.raises(InvalidQuery) as refusal:
            parse_period(first, last, UTC_ZONE, NOW)
        assert errors_of(refusal.value) == errors


class TestBuckets:
    @pytest.mark.parametrize(("days", "bucket"), [(1, "hour"), (3, "hour"), (4, "day"), (92, "day"), (93, "week")])
    def test_width(self, days: int, bucket: str) -> None:
        assert Period(date(2026, 1, 1), date(2026, 1, 1) + timedelta(days=days - 1), BERLIN).bucket == bucket

    @pytest.mark.parametrize(
        ("zone", "day", "hours"),
        [
            ("Europe/Berlin", date(2026, 3, 29), 23),
            ("Europe/Berlin", date(2026, 10, 25), 25),
            ("Europe/Berlin", date(2026, 7, 1), 24),
            ("UTC", date(2026, 3, 29), 24),
            ("America/Havana", date(2026, 11, 1), 25),  # midnight comes twice; the day starts at the first
            ("Africa/Cairo", date(2026, 4, 24), 23),  # there is no midnight; the day starts at one
            ("Australia/Lord_Howe", date(2026, 4, 5), 25),  # 24 and a half
            ("Australia/Lord_Howe", date(2026, 10, 4), 24),  # 23 and a half
        ],
    )
    def test_hours_of_a_day(self, zone: str, day: date, hours: int) -> None:
        assert len(Period(day, day, ZoneInfo(zone)).starts()) == hours

    @pytest.mark.parametrize(
        ("zone", "day", "begin"),
        [
            ("Europe/Berlin", date(2026, 3, 29), "2026-03-28T23:00:00.000Z"),
            ("Europe/Berlin", date(2026, 3, 30), "2026-03-29T22:00:00.000Z"),
            ("America/Havana", date(2026, 11, 1), "2026-11-01T04:00:00.000Z"),
            ("Africa/Cairo", date(2026, 4, 24), "2026-04-23T22:00:00.000Z"),
            ("Asia/Kathmandu", date(2026, 4, 24), "2026-04-23T18:15:00.000Z"),
        ],
    )
    def test_start_of_a_day(self, zone: str, day: date, begin: str) -> None:
        assert iso(Period(day, day, ZoneInfo(zone)).begin) == begin

    def test_day_skipped_by_a_time_zone(self) -> None:
        period = Period(date(2011, 12, 27), date(2012, 1, 2), ZoneInfo("Pacific/Apia"))
        assert len(period.starts()) == 6  # December 30 didn't exist

    def test_weeks_begin_on_mondays(self) -> None:
        period = Period(date(2026, 1, 1), date(2026, 4, 30), BERLIN)  # from a Thursday to a Thursday
        local = [start.astimezone(BERLIN) for start in period.starts()]
        assert local[0].date() == date(2026, 1, 1)
        assert {(start.weekday(), start.hour) for start in local[1:]} == {(0, 0)}
        assert local[-1].date() == date(2026, 4, 27)

    @given(periods)
    def test_cover_the_period(self, period: Period) -> None:
        starts = period.starts()
        assert starts[0] == period.begin
        assert starts == sorted(set(starts))
        assert starts[-1] < period.end
        assert len(starts) <= 3 * 26 + 92
        longest: dict[str, Any] = {"hour": timedelta(hours=1), "day": timedelta(hours=49), "week": timedelta(days=9)}
        following = [*starts[1:], period.end]
        assert all(end - start <= longest[period.bucket] for start, end in zip(starts, following, strict=True))

    @given(periods)
    def test_previous_period_ends_at_the_start(self, period: Period) -> None:
        assert period.previous.end == period.begin
        assert period.previous.days == period.days

    @given(periods)
    def test_quarter_hours_are_never_split(self, period: Period) -> None:
        assert all(start.timestamp() % 900 == 0 for start in period.starts())
