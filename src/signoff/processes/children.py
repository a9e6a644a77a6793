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
from signoff.processes.backoff import Backoff

log = get_logger("supervisor")

START_TIMEOUT = 120.0
"""Seconds that a process gets until its first heartbeat."""
MAX_SILENCE_PER_CHECK = 1.0
"""Maximum seconds of silence that one check can add: if the supervisor itself was paused, the gap means nothing."""
PROMPT_WITHIN = 3.0
"""Seconds of silence until new connections go to other processes. Two heartbeats may be late."""
SUBSTITUTE_AFTER = 5.0
"""Seconds that a process has to respond before it counts as a substitute for one that doesn't: after a pause of the
whole machine, some processes respond a moment earlier than others.
"""
MAX_OPTIONAL_FAILURES = 5


class Child:
    """A process that is kept running: if it exits or stops responding, it's restarted after a pause."""

    def __init__(
        self,
        name: str,
        environment: Mapping[str, str],
        *,
        module: str = "signoff",
        command: str | None = None,
        descriptors: Sequence[int] = (),
        liveness_timeout: float = 0,
    ) -> None:
        """The process runs the `command`, which is its name by default, and inherits `descriptors`. With a
        `liveness_timeout` it has to send heartbeats.
        """
        self.backoff = Backoff()
        self.name = name
        self._command = [module, command or name] if module == "signoff" else [module]
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
        self._served_seconds = 0.0
        ours, theirs = os.pipe()
        if self._heartbeats >= 0:
            os.close(self._heartbeats)
        self._heartbeats = ours
        os.set_blocking(ours, False)
        os.set_blocking(theirs, False)
        try:
            # `-P` ignores a folder in the working directory that happens to have our name. A new session keeps the
            # terminal's Ctrl-C away: only the parent stops it.
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
        """Whether it has started, and has recently sent a heartbeat."""
        return self.running and self.responded and not self._is_silent(self._serving_timeout)

    @property
    def is_prompt(self) -> bool:
        """Whether it's serving, and its heartbeats aren't late."""
        return self.serving and not self._is_silent(PROMPT_WITHIN)

    @property
    def is_substitute(self) -> bool:
        """Whether it can be relied on in place of another process."""
        return self.serving and self._served_seconds > SUBSTITUTE_AFTER

    @property
    def _serving_timeout(self) -> float:
        return self._liveness_timeout / 4

    def listen(self) -> None:
        """Read the heartbeats that have arrived."""
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
            self.silence += min(passed, MAX_SILENCE_PER_CHECK)
        self._served_seconds = self._served_seconds + min(passed, MAX_SILENCE_PER_CHECK) if self.serving else 0.0

    def _is_silent(self, seconds: float) -> bool:
        return bool(self._liveness_timeout) and self.silence > seconds

    def keep_running(self, *, has_substitute: bool = False) -> None:
        """Restart it if necessary. With a substitute, it gets less time to respond: it may still accept connections,
        which the substitute would answer.
        """
        self.listen()
        patience = self._serving_timeout if has_substitute else self._liveness_timeout
        if self._ended:
            if self.backoff.is_due:
                self._try_to_start()
        elif not self.running:
            self.kill()
            self._wait_before_next_start("process exited unexpectedly; restarting")
        elif self._is_silent(patience if self.responded else START_TIMEOUT):
            self.kill()
            self._wait_before_next_start("process stopped responding; restarting", silent_seconds=self.silence)

    def _try_to_start(self) -> None:
        try:
            self._start()
        except OSError as error:  # The machine is out of processes, memory, or descriptors.
            self._ended = True
            self.backoff.fail()
            log.error(
                "process couldn't be started", process=self.name, error=str(error), pause_seconds=self.backoff.pause
            )

    def _wait_before_next_start(self, what: str, **details: float) -> None:
        self.backoff.fail()
        log.error(
            what,
            process=self.name,
            exit_code=self._process.returncode,
            pause_seconds=self.backoff.pause,
            **{name: round(value, 1) for name, value in details.items()},
        )

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        """Kill it and everything it started."""
        if self._ended:
            return  # Already done, and its ID may have been reused.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._ended = True


class OptionalChild(Child):
    """An optional process. If it exits with 0, or fails every time, it isn't restarted."""

    _gone = False

    def keep_running(self, *, has_substitute: bool = False) -> None:
        if self._gone:
            return
        if self._process.poll() == 0:
            self._release()
            return
        if self.running and self.backoff.is_steady:
            self.backoff.failures = 0
        if self.backoff.failures < MAX_OPTIONAL_FAILURES:
            super().keep_running(has_substitute=has_substitute)
        else:
            self._release()
            log.error("process keeps failing; giving up", process=self.name)

    def _release(self) -> None:
        """Kill its descendants once: its process group ID may be reused by the next check."""
        self.kill()
        self._gone = True
