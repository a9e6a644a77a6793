"""What a run may cost: a test that takes too long has to say so, and the slowest are named at the end."""

import os

import pytest

LIMIT = 5.0
"""Seconds that a test may take without the marker `slow`, on a machine that isn't busier than a run makes it."""
SHOWN = 10
RUN_MAKES, OTHERS_MAKE = 2.0, 4.5
"""The load of a processor up to which it's the run's own, and from which on others make the tests slow."""


class Budget:
    """Sits where all reports come together: in the process that starts the others."""

    def __init__(self, *, counts: bool) -> None:
        """`counts`: whether a test over the limit fails the run."""
        self._counts = counts
        self._took: list[tuple[float, str]] = []
        self._over: list[str] = []
        self._excused = 0

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call":
            return
        self._took.append((report.duration, report.nodeid))
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
        limit = LIMIT * max(1.0, load / RUN_MAKES)
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


def pytest_configure(config: pytest.Config) -> None:
    config.option.randomly_reset_seed = False  # only the order is random: two tests must not draw the same names
    if not hasattr(config, "workerinput"):
        # Long runs draw more examples.
        config.pluginmanager.register(Budget(counts=config.option.markexpr == "not slow"), "budget")
