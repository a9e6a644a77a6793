"""The processes that `signoff serve` keeps running."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from signoff.platform.heartbeat import HEARTBEAT
from signoff.platform.logs import get_logger
from signoff.serve.backoff import Backoff

log = get_logger("serve")

START_TIMEOUT = 120.0
"""Seconds that a process gets until its first heartbeat."""
LONGEST_ROUND = 1.0
"""Most seconds of silence that one look can add. A supervisor that was paused itself learns nothing from the gap."""
MAX_OPTIONAL_FAILURES = 5


class Child:
    """A process that is kept running: if it ends or stops responding, it's started again after a pause."""

    def __init__(
        self,
        name: str,
        environment: Mapping[str, str],
        *,
        module: str = "signoff",
        descriptors: Sequence[int] = (),
        liveness_timeout: float = 0,
    ) -> None:
        """It inherits `descriptors`. With a `liveness_timeout` it has to send heartbeats."""
        self.backoff = Backoff()
        self._name = name
        self._command = [module, name] if module == "signoff" else [module]
        self._environment = environment
        self._descriptors = descriptors
        self._liveness_timeout = liveness_timeout
        self._heartbeats = -1
        self._looked = time.monotonic()
        self._ended = False
        self._start()

    def _start(self) -> None:
        self.backoff.begin()
        self._ended = False
        self.responded = False
        self.silence = 0.0
        ours, theirs = os.pipe()
        if self._heartbeats >= 0:
            os.close(self._heartbeats)
        self._heartbeats = ours
        os.set_blocking(ours, False)
        os.set_blocking(theirs, False)
        try:
            # `-P`: a folder that happens to be named like us must not be taken for the program.
            # A session of its own keeps the terminal's Ctrl-C away: stopping is for its parent to ask.
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-P", "-m", *self._command],
                env={**self._environment, HEARTBEAT: str(theirs)},
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=(theirs, *self._descriptors),
            )
        finally:
            os.close(theirs)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    @property
    def serving(self) -> bool:
        """Whether it has started, and was heard from lately."""
        return self.running and self.responded and not self._is_silent(self._liveness_timeout / 4)

    def listen(self) -> None:
        """Take note of the heartbeats that have come."""
        now = time.monotonic()
        passed, self._looked = now - self._looked, now
        try:
            heard = os.read(self._heartbeats, 65_536)
        except BlockingIOError:
            heard = b""
        if heard:
            self.responded = True
            self.silence = 0.0
        else:
            self.silence += min(passed, LONGEST_ROUND)

    def _is_silent(self, seconds: float) -> bool:
        return bool(self._liveness_timeout) and self.silence > seconds

    def keep_running(self) -> None:
        self.listen()
        if self._ended:
            if self.backoff.is_due:
                self._try_to_start()
        elif not self.running:
            self.kill()
            self._wait_before_next_start("process exited unexpectedly; restarting")
        elif self._is_silent(self._liveness_timeout if self.responded else START_TIMEOUT):
            self.kill()
            self._wait_before_next_start("process stopped responding; restarting", silent_seconds=self.silence)

    def _try_to_start(self) -> None:
        try:
            self._start()
        except OSError as error:  # The machine is out of processes, memory or descriptors.
            self._ended = True
            self.backoff.fail()
            log.error(
                "process couldn't be started", process=self._name, error=str(error), pause_seconds=self.backoff.pause
            )

    def _wait_before_next_start(self, what: str, **details: float) -> None:
        self.backoff.fail()
        log.error(
            what,
            process=self._name,
            exit_code=self._process.returncode,
            pause_seconds=self.backoff.pause,
            **{name: round(value, 1) for name, value in details.items()},
        )

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        """Leave nothing of it behind, neither itself nor what it started."""
        if self._ended:
            return  # Done before, and its number may be another's by now.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._ended = True


class OptionalChild(Child):
    """A process that the service does without. Ending with 0, it ends for good; failing every time, it is let go."""

    _gone = False

    def keep_running(self) -> None:
        if self._gone:
            return
        if self._process.poll() == 0:
            self._let_go()
            return
        if self.running and self.backoff.is_steady:
            self.backoff.failures = 0
        if self.backoff.failures < MAX_OPTIONAL_FAILURES:
            super().keep_running()
        else:
            self._let_go()
            log.error("process keeps failing; giving up", process=self._name)

    def _let_go(self) -> None:
        """What it left behind goes with it, once: its number may be another's by the next round."""
        self.kill()
        self._gone = True
