"""The time budget of a run: slow tests have to be marked, and the slowest are listed at the end."""

import os
import time

import pytest

LIMIT = 5.0
"""Seconds that a test may take without the marker `slow`, on a usual machine that isn't busier than a run makes it."""
USUAL = 0.045
"""Seconds in which a usual machine adds up a million numbers. A slower machine gets more time for a test."""
SHOWN = 10
RUN_MAKES, OTHERS_MAKE = 2.0, 4.5
"""The load of a processor up to which it's the run's own, and from which on others make the tests slow."""


class Budget:
    """Runs where all reports arrive: in the process that starts the others."""

    def __init__(self, *, counts: bool, slowness: float) -> None:
        """`counts`: whether a slow test fails the run; `slowness`: the machine's, 1 for a usual one."""
        self._counts = counts
        self._limit = LIMIT * max(1.0, slowness)
        self._took: list[tuple[float, str]] = []
        self._over: list[str] = []
        self._excused = 0

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call":
            return
        self._took.append((report.duration, report.nodeid))
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
        limit = self._limit * max(1.0, load / RUN_MAKES)
        if not self._counts or report.duration <= limit or "slow" in report.keywords:
            return
        if load >= OTHERS_MAKE:
            self._excused += 1
        else:
            self._over.append(f"{report.nodeid}: {report.duration:.1f} s, more than {limit:.1f} s")

    @pytest.hookimpl
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._over and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
        slowest = sorted(self._took, reverse=True)[:SHOWN]
        if len(self._took) > SHOWN:
            terminalreporter.section(f"slowest {len(slowest)} tests")
            for seconds, name in slowest:
                terminalreporter.write_line(f"{seconds:6.2f} s  {name}")
        if (seed := config.getoption("randomly_seed", None)) is not None:
            terminalreporter.write_line(f"In random order; the same once more: --randomly-seed={seed}")
        if self._excused:
            terminalreporter.write_line(
                f"{self._excused} tests were over budget while the machine was busy with others."
            )
        if self._over:
            terminalreporter.section("over budget", red=True, bold=True)
            for line in self._over:
                terminalreporter.write_line(line)
            terminalreporter.write_line("Make them quicker, or mark them `slow`: then they run in `make test-all`.")


def measure_slowness() -> float:
    """How much slower than a usual machine this one is. The fastest of five tries, because other processes may be
    running."""
    return min(_time_additions() for _ in range(5)) / USUAL


def _time_additions() -> float:
    start = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number
    return time.process_time() - start


def pytest_configure(config: pytest.Config) -> None:
    config.option.randomly_reset_seed = False  # only the order is random: two tests must not draw the same names
    if not hasattr(config, "workerinput"):
        # Long runs draw more examples.
        counts = config.option.markexpr == "not slow"
        config.pluginmanager.register(Budget(counts=counts, slowness=measure_slowness()), "budget")
