"""Processes of the cluster: none outlives the run, and those of the service are restarted when they end."""

import asyncio
import ctypes
import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

STARTS_WITHIN = 90.0
PR_SET_PDEATHSIG = 1


class StartFailed(Exception):
    """A process did not start; the text has the end of its log."""


_ports = itertools.count(20_000 + os.getpid() * 97 % 12_000)


def free_port() -> int:
    """A port to bind later: below the ephemeral ports, and never the same one twice."""
    for port in _ports:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError


def die_with_parent(number: signal.Signals) -> Callable[[], None] | None:
    """For `preexec_fn`: if the run is killed, the system sends the process this signal. Linux only."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(PR_SET_PDEATHSIG, number)


def spawn(command: list[Any], log: Path, *, death: signal.Signals = signal.SIGKILL, **more: Any) -> Any:
    """A process in a session of its own, so that Ctrl-C reaches the run alone."""
    with log.open("ab") as output:
        return subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=die_with_parent(death),
            **more,
        )


async def wait_until(reached: Callable[[], bool], what: str, log: Path | None = None) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while not await asyncio.to_thread(reached):
        if time.monotonic() > deadline:
            raise StartFailed(f"{what} did not start within {STARTS_WITHIN:.0f} s. {_tail(log)}")
        await asyncio.sleep(0.05)


def _tail(log: Path | None) -> str:
    return "" if log is None else log.read_text(errors="replace")[-3000:]


def listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class SupervisedProcess:
    """A process of the service, restarted after a moment whenever it ends."""

    def __init__(self, name: str, command: list[Any], env: dict[str, str], log: Path, pause: float = 0.5) -> None:
        self.name, self.log = name, log
        self.starts = 0
        self._command, self._env, self._pause = command, env, pause
        self._supervisor: asyncio.Task[None] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, keep: bool = True) -> None:
        """`keep=False`: it is not restarted."""
        self._start()
        if keep:
            self._supervisor = asyncio.create_task(self._supervise())

    @property
    def has_ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def _start(self) -> None:
        self.starts += 1
        self._process = spawn(self._command, self.log, env=self._env)

    async def _supervise(self) -> None:
        while True:
            assert self._process is not None
            if self._process.poll() is None:
                await asyncio.sleep(0.05)
                continue
            self._signal_all(signal.SIGKILL)
            await asyncio.sleep(self._pause)
            self._start()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def processes(self) -> list[psutil.Process]:
        """The process and what it started."""
        with suppress(psutil.NoSuchProcess):
            main = psutil.Process(self.pid)
            return [main, *main.children(recursive=True)]
        return []

    def _signal_all(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def kill(self) -> None:
        """Kill the process and its children at once, as if its machine failed."""
        self._signal_all(signal.SIGKILL)

    def kill_one(self, last: bool) -> None:
        """Kill only the main process, or only the one that serves requests."""
        found = self.processes()
        if found:
            with suppress(psutil.NoSuchProcess):
                found[-1 if last else 0].kill()

    def freeze(self) -> None:
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal_all(signal.SIGCONT)

    async def stop(self, grace: float = 30.0) -> bool:
        """True if it ended within the grace period."""
        if self._supervisor is not None:
            self._supervisor.cancel()
        if self._process is None:
            return True
        self.thaw()
        self._process.terminate()
        deadline = time.monotonic() + grace
        while self._process.poll() is None and time.monotonic() < deadline:  # noqa: ASYNC110 - nobody could tell us
            await asyncio.sleep(0.05)
        peaceful = self._process.poll() is not None
        self._signal_all(signal.SIGKILL)
        await asyncio.to_thread(self._process.wait)
        return peaceful
