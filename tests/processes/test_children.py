"""A process that stops responding, as the supervisor sees it."""

import os
import subprocess
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from signoff.platform.heartbeat import HEARTBEAT
from signoff.processes import children
from signoff.processes.children import Child

BEATS_ONCE = f"import os, time; os.write(int(os.environ[{HEARTBEAT!r}]), b'.'); time.sleep(600)"


def start_program(command: list[str], **options: Any) -> Any:
    return subprocess.Popen([command[0], "-c", BEATS_ONCE], **options)


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    """It sends one heartbeat and is then silent, while each check takes a second of a clock that we set."""
    monkeypatch.setattr(children, "subprocess", SimpleNamespace(Popen=start_program, DEVNULL=subprocess.DEVNULL))
    started = Child("api-1", os.environ, command="api", liveness_timeout=40)
    while not started.responded:
        started.listen()
        time.sleep(0.01)
    clock = iter(range(10_000_000, 20_000_000))
    monkeypatch.setattr(children, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    started.listen()
    yield started
    started.kill()


def check(child: Child, seconds: int, *, has_substitute: bool = False) -> None:
    for _ in range(seconds):
        child.keep_running(has_substitute=has_substitute)


def test_late_heartbeats(child: Child) -> None:
    check(child, 1)
    assert child.is_prompt
    check(child, 4)
    assert (child.is_prompt, child.serving) == (False, True)
    check(child, 10)
    assert not child.serving


def test_is_replaced_after_the_timeout(child: Child) -> None:
    check(child, 30)
    assert child.backoff.failures == 0
    check(child, 15)
    assert child.backoff.failures == 1


def test_is_replaced_sooner_with_a_substitute(child: Child) -> None:
    check(child, 5, has_substitute=True)
    assert child.backoff.failures == 0
    check(child, 10, has_substitute=True)
    assert child.backoff.failures == 1


def test_becomes_a_substitute_after_some_seconds(child: Child) -> None:
    child._served_seconds = 0.0  # pyright: ignore[reportPrivateUsage]
    check(child, 2)
    assert not child.is_substitute
    check(child, 5)
    assert child.is_substitute
    check(child, 10)
    assert not child.is_substitute
