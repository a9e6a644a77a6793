"""Pure functions: when digests are due, when mails are sent, which entries are settled."""

from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from signoff.notifications.review_mails.digest_schedule import is_daily_hour, next_daily, next_hourly
from signoff.notifications.review_mails.mail_throttle import MAX_PAUSE, MailPace, next_mail

BERLIN, NEW_YORK, LORD_HOWE = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("Australia/Lord_Howe")
KOLKATA, KATHMANDU, BEIRUT = ZoneInfo("Asia/Kolkata"), ZoneInfo("Asia/Kathmandu"), ZoneInfo("Asia/Beirut")
zones = st.sampled_from(sorted(available_timezones())).map(ZoneInfo)
moments = st.integers(0, 13 * 366 * 86_400).map(lambda seconds: utc("2024-01-01T00:00") + timedelta(seconds=seconds))


def utc(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


def days(hour: int, zone: ZoneInfo, after: str, count: int) -> list[str]:
    moment, found = utc(after), []
    for _ in range(count):
        moment = next_daily(hour, zone, moment)
        found.append(f"{moment:%Y-%m-%dT%H:%M}")
    return found


class TestDaily:
    @pytest.mark.parametrize(
        ("hour", "zone", "after", "expected"),
        [
            # The clocks go from 2 to 3: there is no 2 o'clock, and the mail comes at 3.
            (2, BERLIN, "2027-03-26T12:00", ["2027-03-27T01:00", "2027-03-28T01:00", "2027-03-29T00:00"]),
            (8, BERLIN, "2027-03-26T12:00", ["2027-03-27T07:00", "2027-03-28T06:00", "2027-03-29T06:00"]),
            # From 3 back to 2: 2 o'clock comes twice, the mail once, the first time.
            (2, BERLIN, "2026-10-23T12:00", ["2026-10-24T00:00", "2026-10-25T00:00", "2026-10-26T01:00"]),
            (8, BERLIN, "2026-10-23T12:00", ["2026-10-24T06:00", "2026-10-25T07:00", "2026-10-26T07:00"]),
            (1, NEW_YORK, "2026-10-30T12:00", ["2026-10-31T05:00", "2026-11-01T05:00", "2026-11-02T06:00"]),
            # At midnight, so that a whole date starts late.
            (0, BEIRUT, "2027-03-26T12:00", ["2027-03-26T22:00", "2027-03-27T22:00", "2027-03-28T21:00"]),
            # By half an hour.
            (2, LORD_HOWE, "2026-10-02T12:00", ["2026-10-02T15:30", "2026-10-03T15:30", "2026-10-04T15:00"]),
            (9, KATHMANDU, "2026-10-02T12:00", ["2026-10-03T03:15", "2026-10-04T03:15"]),
        ],
    )
    def test_across_dst_changes(self, hour: int, zone: ZoneInfo, after: str, expected: list[str]) -> None:
        assert days(hour, zone, after, len(expected)) == expected

    @given(st.integers(0, 23), zones, moments)
    @example(23, ZoneInfo("America/Nuuk"), utc("2025-03-28T12:00"))  # from 23 to 0: on Saturday there is no 23
    def test_once_per_date(self, hour: int, zone: ZoneInfo, moment: datetime) -> None:
        dates: list[date] = []
        for _ in range(4):
            following = next_daily(hour, zone, moment)
            assert moment < following
            moment = following
            late = timedelta(hours=2 if hour >= 12 else 0)
            dates.append((moment - late).astimezone(zone).date())
            assert is_daily_hour(hour, zone, moment)
        assert dates == [dates[0] + timedelta(days=number) for number in range(4)]


class TestHourly:
    def test_repeated_hour_counts_twice(self) -> None:
        moment, found = utc("2026-10-24T23:30"), []
        for _ in range(4):
            moment = next_hourly(BERLIN, moment)
            found.append(moment.astimezone(BERLIN).strftime("%H:%M%z"))
        assert found == ["02:00+0200", "02:00+0100", "03:00+0100", "04:00+0100"]

    def test_skipped_hour_does_not_count(self) -> None:
        moment, found = utc("2027-03-27T23:30"), []
        for _ in range(3):
            moment = next_hourly(BERLIN, moment)
            found.append(moment.astimezone(BERLIN).strftime("%H:%M%z"))
        assert found == ["01:00+0100", "03:00+0200", "04:00+0200"]

    @given(zones, moments)
    @example(KOLKATA, utc("2026-01-01T00:00"))
    @example(LORD_HOWE, utc("2027-04-03T14:45"))
    def test_next_full_hour(self, zone: ZoneInfo, moment: datetime) -> None:
        following = next_hourly(zone, moment)
        assert moment < following <= moment + timedelta(minutes=90)
        local = following.astimezone(zone)
        assert (local.minute, local.second, local.microsecond) == (0, 0, 0)


PACE = MailPace(timedelta(seconds=30), timedelta(seconds=300))


def mails_for(news: list[float], pace: MailPace = PACE) -> list[float]:
    """When the mails are sent, in seconds, for news at these times."""
    begin = utc("2026-11-16T09:00")
    due: datetime | None = None
    mailed_at: datetime | None = None
    streak, sent = 0, list[float]()

    def send(moment: datetime) -> None:
        nonlocal due, mailed_at, streak
        due, mailed_at, streak = None, moment, streak + 1
        sent.append((moment - begin).total_seconds())

    for at in news:
        moment = begin + timedelta(seconds=at)
        if due is not None and due <= moment:
            send(due)
        if due is None:
            following = next_mail(pace, mailed_at, streak, moment)
            due, streak = following.at, following.streak
    if due is not None:
        send(due)
    return sent


class TestPace:
    def test_one_review_one_mail(self) -> None:
        assert mails_for([0]) == [30]

    def test_two_mails_for_a_thousand_reviews_in_a_minute(self) -> None:
        """The figures in `docs/notifications.md`."""
        assert mails_for([number * 0.06 for number in range(1000)]) == [30, 330]

    def test_busy_day(self) -> None:
        """One per minute for eight hours. The figures in `docs/notifications.md`."""
        sent = mails_for([60 * minute for minute in range(8 * 60)])
        assert [round(at / 60) for at in sent[:6]] == [0, 6, 16, 30, 50, 76]
        assert len(sent) == 15

    def test_fast_again_after_a_quiet_time(self) -> None:
        assert mails_for([0, 40, 4000]) == [30, 330, 4030]

    @given(st.lists(st.floats(0, 86_400), min_size=1, max_size=60).map(sorted), st.integers(0, 3600))
    def test_never_two_within_the_pause_and_no_long_wait(self, news: list[float], pause: int) -> None:
        pace = MailPace(timedelta(seconds=30), timedelta(seconds=pause))
        sent = mails_for(news, pace)
        assert all(later - earlier >= min(30, pause) for earlier, later in pairwise(sent))
        longest = max(30, MAX_PAUSE.total_seconds())
        assert all(any(at < mail <= at + longest + 1e-3 or mail == at for mail in sent) for at in news)
