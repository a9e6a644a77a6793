"""`signoff serve` when a start takes long or is canceled. `test_serve.py` tests it from outside."""

import signal
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import structlog

from signoff.platform.settings import load_settings
from signoff.processes import supervisor
from signoff.processes.process_plan import ProcessPlan
from signoff.processes.supervisor import SLOW_START, StopRequests, Supervisor


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> StopRequests:
    """Stop requests that leave the signals of this process alone."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    return StopRequests()


@pytest.fixture
def starting(requests: StopRequests, tmp_path: Path) -> Supervisor:
    """A supervisor that has started nothing."""
    others: Any = SimpleNamespace(answer=lambda _: None)
    return Supervisor(load_settings(data_dir=tmp_path), ProcessPlan(1, 1, 20), others, others, others, requests, {})


def test_same_stop_signal_twice(requests: StopRequests) -> None:
    for _ in range(2):
        requests._notice(signal.SIGINT, None)
    assert (requests.stop, requests.hurry) == (True, False)


def test_second_stop_signal(requests: StopRequests, monkeypatch: pytest.MonkeyPatch) -> None:
    requests._notice(signal.SIGINT, None)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 2)
    requests._notice(signal.SIGINT, None)
    assert requests.hurry


def test_stopped_while_the_database_starts(
    starting: Supervisor, requests: StopRequests, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start() -> str:
        requests._notice(signal.SIGTERM, None)
        return "postgresql://nowhere"

    monkeypatch.setattr(starting, "_start_postgres", start)
    starting.run()  # or it would fail: nothing is prepared in a database that doesn't exist
    assert starting._children == ()


def test_slow_start_is_reported(starting: Supervisor, monkeypatch: pytest.MonkeyPatch) -> None:
    starting._apis = (SimpleNamespace(serving=False, backoff=SimpleNamespace(failures=0)),)  # pyright: ignore
    starting._slow_at = time.monotonic() - 1
    with structlog.testing.capture_logs() as lines:
        monkeypatch.setattr(supervisor, "log", structlog.get_logger())
        assert [starting._has_started() for _ in range(3)] == [False] * 3
    assert [line["event"] for line in lines] == ["not ready yet; run `signoff doctor` to see why"]
    assert starting._slow_at > time.monotonic() + SLOW_START - 10
