from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from signoff.webhooks.retry_after import MAX_RETRY_AFTER, parse_retry_after

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def test_seconds_and_dates() -> None:
    assert parse_retry_after(429, "120", NOW) == 120
    assert parse_retry_after(503, "1000000000", NOW) == MAX_RETRY_AFTER
    assert parse_retry_after(503, "Sun, 15 Nov 2099 12:01:00 GMT", NOW) == MAX_RETRY_AFTER
    assert parse_retry_after(503, "Sun, 15 Nov 2026 12:01:00 GMT", NOW) == 60
    assert parse_retry_after(503, "Sun, 15 Nov 2020 12:01:00 GMT", NOW) == 0


@pytest.mark.parametrize("status", [200, 301, 400, 500])
def test_is_ignored_for_other_statuses(status: int) -> None:
    assert parse_retry_after(status, "120", NOW) is None


@given(st.text())
@example("Mon, 01 Jan 2000 00:00:00 +99999999999999999999")
@example("1 Jan 99999999999999999999 00:00:00 GMT")
def test_any_value_is_handled(text: str) -> None:
    seconds = parse_retry_after(429, text, NOW)
    assert seconds is None or 0 <= seconds <= MAX_RETRY_AFTER
