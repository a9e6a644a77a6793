from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from signoff.webhooks.retry_policy import (
    MAX_RETRY_AFTER,
    AttemptOutcome,
    RetryDecision,
    decide_retry,
    parse_retry_after,
)

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
SCHEDULE = (5.0, 300.0, 1800.0, 7200.0, 18000.0, 36000.0)


def after(outcome: AttemptOutcome, attempt: int = 1, manual: bool = False, chance: float = 0.5) -> RetryDecision:
    return decide_retry(outcome, attempt=attempt, last=7, manual=manual, schedule=SCHEDULE, jitter=0.2, chance=chance)


class TestDecide:
    @pytest.mark.parametrize("status", [200, 201, 204, 299])
    def test_any_2xx_succeeds(self, status: int) -> None:
        assert after(AttemptOutcome(status)) == RetryDecision("succeeded")

    @pytest.mark.parametrize(("attempt", "pause"), list(enumerate(SCHEDULE, 1)))
    def test_pauses_follow_the_schedule(self, attempt: int, pause: float) -> None:
        assert after(AttemptOutcome(500), attempt) == RetryDecision("retrying", pause)

    def test_seventh_failure_is_the_last(self) -> None:
        assert after(AttemptOutcome(500), 7) == RetryDecision("dead")

    @given(chance=st.floats(0, 1), attempt=st.integers(1, 6))
    def test_jitter_is_at_most_a_fifth(self, chance: float, attempt: int) -> None:
        pause = after(AttemptOutcome(500), attempt, chance=chance).pause
        assert 0.8 * SCHEDULE[attempt - 1] <= pause <= 1.2 * SCHEDULE[attempt - 1] + 1e-9

    @pytest.mark.parametrize(("chance", "pause"), [(0.0, 4.0), (0.5, 5.0), (0.75, 5.5), (1.0, 6.0)])
    def test_higher_random_value_is_a_longer_pause(self, chance: float, pause: float) -> None:
        assert after(AttemptOutcome(500), chance=chance).pause == pytest.approx(pause)

    def test_gone_stops(self) -> None:
        assert after(AttemptOutcome(410)) == RetryDecision("dead")

    def test_failed_manual_attempt_is_final(self) -> None:
        assert after(AttemptOutcome(500), manual=True) == RetryDecision("dead")

    def test_lost_attempt_is_repeated_immediately(self) -> None:
        assert after(AttemptOutcome(error="lost", at_once=True)) == RetryDecision("retrying", 0)
        assert after(AttemptOutcome(error="lost", at_once=True), manual=True) == RetryDecision("retrying", 0)
        assert after(AttemptOutcome(error="lost", at_once=True), 7) == RetryDecision("dead")
        assert after(AttemptOutcome(error="lost", at_once=True), 8, manual=True) == RetryDecision("retrying", 0)

    def test_shorter_schedule_keeps_attempts_of_older_deliveries(self) -> None:
        late = decide_retry(
            AttemptOutcome(500), attempt=5, last=7, manual=False, schedule=(1.0, 2.0), jitter=0, chance=0
        )
        assert late == RetryDecision("retrying", 2.0)

    def test_retry_after_replaces_the_pause_up_to_a_day(self) -> None:
        assert after(AttemptOutcome(429, retry_after=1)) == RetryDecision("retrying", 1)
        assert after(AttemptOutcome(503, retry_after=1e9)) == RetryDecision("retrying", MAX_RETRY_AFTER)


class TestRetryAfter:
    def test_seconds_and_dates(self) -> None:
        assert parse_retry_after(429, "120", NOW) == 120
        assert parse_retry_after(503, "Sun, 15 Nov 2026 12:01:00 GMT", NOW) == 60
        assert parse_retry_after(503, "Sun, 15 Nov 2020 12:01:00 GMT", NOW) == 0

    @pytest.mark.parametrize("status", [200, 301, 400, 500])
    def test_is_ignored_for_other_statuses(self, status: int) -> None:
        assert parse_retry_after(status, "120", NOW) is None

    @given(st.text())
    @example("Mon, 01 Jan 2000 00:00:00 +99999999999999999999")
    @example("1 Jan 99999999999999999999 00:00:00 GMT")
    def test_any_value_is_handled(self, text: str) -> None:
        seconds = parse_retry_after(429, text, NOW)
        assert seconds is None or 0 <= seconds <= timedelta(days=4_000_000).total_seconds()
