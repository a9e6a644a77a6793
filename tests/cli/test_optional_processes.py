"""A process that the service can run without: the demo's agent."""

import os
import time

import pytest

from signoff.processes import backoff
from signoff.processes.children import MAX_OPTIONAL_FAILURES, OptionalChild


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    """Processes due for a restart are started at the next call."""
    monkeypatch.setattr(backoff, "MIN_BACKOFF", 0)


def ended_guest(module: str) -> OptionalChild:
    """An optional process that has ended."""
    guest = OptionalChild("guest", os.environ, module=module)
    wait_until_ended(guest)
    return guest


def wait_until_ended(guest: OptionalChild) -> None:
    while guest.running:
        time.sleep(0.01)


def test_stopped_process_is_not_restarted(capfd: pytest.CaptureFixture[str]) -> None:
    guest = ended_guest("this")
    for _ in range(3):
        guest.keep_running()
    assert not guest.running
    assert capfd.readouterr().out.count("The Zen of Python") == 1


def test_gives_up_on_repeated_failures(capfd: pytest.CaptureFixture[str]) -> None:
    guest = ended_guest("no_such_module")
    for _ in range(MAX_OPTIONAL_FAILURES):
        guest.backoff.fail()
    guest.keep_running()
    guest.backoff.failures = 0
    guest.keep_running()  # it stays stopped, even if a restart were due now
    assert not guest.running
    assert capfd.readouterr().err.count("No module named no_such_module") == 1


def test_restarts_after_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    guest = ended_guest("no_such_module")
    guest.keep_running()  # notices that it failed
    guest.keep_running()
    wait_until_ended(guest)
    assert guest.backoff.failures == 1
    assert capfd.readouterr().err.count("No module named no_such_module") == 2
