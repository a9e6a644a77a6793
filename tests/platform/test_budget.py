"""What fails an otherwise successful run: slow tests."""

import os
from types import SimpleNamespace
from typing import Any, cast

import pytest
from support import budget
from support.budget import LIMIT, OTHERS_MAKE, RUN_MAKES, Budget, measure_slowness


def run_one(seconds: float, *, counts: bool = True, slowness: float = 1.0, slow: bool = False) -> int:
    """The exit status of a run with one test."""
    plugin = Budget(counts=counts, slowness=slowness)
    report: Any = SimpleNamespace(when="call", duration=seconds, nodeid="test", keywords={"slow": True} if slow else {})
    session = SimpleNamespace(exitstatus=pytest.ExitCode.OK)
    plugin.pytest_runtest_logreport(report)
    plugin.pytest_sessionfinish(cast("pytest.Session", session))
    return session.exitstatus


@pytest.fixture(autouse=True)
def load(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    of_a_processor = {"load": 1.0}
    monkeypatch.setattr(os, "getloadavg", lambda: (of_a_processor["load"] * (os.cpu_count() or 1), 0.0, 0.0))
    return of_a_processor


@pytest.mark.parametrize("slowness", [0.5, 1.0])
def test_test_may_take_five_seconds(slowness: float) -> None:
    """A fast machine doesn't get less."""
    assert run_one(LIMIT, slowness=slowness) == pytest.ExitCode.OK
    assert run_one(LIMIT + 0.1, slowness=slowness) == pytest.ExitCode.TESTS_FAILED


def test_slow_machine_gets_proportionally_more() -> None:
    assert run_one(1.5 * LIMIT, slowness=1.5) == pytest.ExitCode.OK
    assert run_one(1.5 * LIMIT + 0.1, slowness=1.5) == pytest.ExitCode.TESTS_FAILED


def test_busy_machine_gets_proportionally_more(load: dict[str, float]) -> None:
    load["load"] = 1.5 * RUN_MAKES
    assert run_one(1.5 * LIMIT) == pytest.ExitCode.OK
    assert run_one(1.5 * LIMIT + 0.1) == pytest.ExitCode.TESTS_FAILED


def test_budget_is_ignored_on_an_overloaded_machine(load: dict[str, float]) -> None:
    load["load"] = OTHERS_MAKE
    assert run_one(100 * LIMIT) == pytest.ExitCode.OK


def test_slow_tests_and_long_runs_have_no_limit() -> None:
    assert run_one(100 * LIMIT, slow=True) == pytest.ExitCode.OK
    assert run_one(100 * LIMIT, counts=False) == pytest.ExitCode.OK


def test_slowness_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the machine's fastest try."""
    tries = iter([0.09, 0.0675, 0.18, 0.09, 0.09])
    with monkeypatch.context() as patch:
        patch.setattr(budget, "_time_additions", lambda: next(tries))
        assert measure_slowness() == pytest.approx(1.5)
    assert 0.05 < measure_slowness() < 50
