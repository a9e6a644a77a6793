"""The decoder processes: started when needed, limited in number, memory, and time, and replaced often.

A process that crashes, hangs, or answers with nonsense is killed. That's the file's fault, unless the process decoded
other files before: then the job is repeated once in a new process.
"""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from signoff.media.decoder.files import READY, Problem, Undecodable
from signoff.platform.logs import get_logger
from signoff.platform.storage import StorageUnavailable, storage_unavailable

log = get_logger("media")

MAX_PROCESSES: Final = 3
"""Files that are decoded at once."""
MAX_JOBS: Final = 100
MAX_PEAK_BYTES: Final = 128 * 1024 * 1024
"""A process that needed more than this is replaced, so that all its memory is returned."""
SPARE_BYTES: Final = 256 * 1024 * 1024
"""What a job may allocate in addition to what the image needs by its header: buffers, metadata, and rounding."""
IDLE_SECONDS: Final = 10.0
START_SECONDS: Final = 60.0

_INHERITED: Final = ("PATH", "HOME", "TMPDIR", "TZ", "VIRTUAL_ENV")
_INHERITED_PREFIXES: Final = ("PYTHON", "LD_", "DYLD_", "VIPS_")

Result = TypeVar("Result")


class _Failed(Exception):
    """The process didn't answer, or not properly. The text is the reason, for the log."""

    repeatable = True


class _TimedOut(_Failed):
    repeatable = False


@dataclass(eq=False, slots=True)
class _Decoder:
    process: Process
    jobs: int = 0
    timer: asyncio.TimerHandle | None = None
    """Ends it if it stays idle."""


class DecoderPool:
    def __init__(self, job_seconds: float, *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._job_seconds = job_seconds
        self._idle_seconds = idle_seconds
        self._slots = asyncio.Semaphore(MAX_PROCESSES)
        self._idle: list[_Decoder] = []
        self._running = set[_Decoder]()
        self._ending = set[asyncio.Task[None]]()
        self._closed = False

    async def run(self, call: str, read: Callable[[Any], Result], *, memory: int = 0, **arguments: Any) -> Result:
        """Run a call and return what `read` makes of its result. `memory` is what it needs by the file's header.

        Raises `Undecodable`, or `StorageUnavailable` if the disk is full or no process can be started.
        """
        job = json.dumps({"call": call, "arguments": arguments, "memory": memory + SPARE_BYTES}).encode() + b"\n"
        async with self._slots:
            if self._idle:
                try:
                    return await self._ask(self._take_idle(), job, read)
                except _Failed as failure:
                    self._report(failure, call, again=failure.repeatable)
                    if not failure.repeatable:
                        raise Undecodable from None
            try:
                return await self._ask(await self._start(), job, read)
            except _Failed as failure:
                self._report(failure, call, again=False)
                raise Undecodable from None

    async def close(self) -> None:
        """End all processes, including those that are busy: their callers get `StorageUnavailable`."""
        self._closed = True
        for decoder in list(self._running):
            self._end(decoder)
        while self._ending:
            await asyncio.gather(*self._ending)

    def _report(self, failure: _Failed, call: str, *, again: bool) -> None:
        if self._closed:
            raise storage_unavailable(OSError("the process is shutting down")) from None
        log.warning("decoder process failed", call=call, reason=str(failure), again=again)

    async def _start(self) -> _Decoder:
        try:
            process = await asyncio.create_subprocess_exec(
                # `-P` ignores a folder in the working directory that happens to have our name.
                *(sys.executable, "-P", "-m", "signoff.media.decoder", str(os.getpid())),
                stdin=PIPE,
                stdout=PIPE,
                env=_environment(),
            )
        except OSError as error:  # The machine is out of processes, memory, or descriptors.
            raise storage_unavailable(error) from error
        decoder = _Decoder(process)
        self._running.add(decoder)
        try:
            async with asyncio.timeout(START_SECONDS):
                ready = await _stdout(decoder).readline()
            if ready != READY:
                raise OSError(f"the decoder process didn't start: {await self._exit_reason(decoder)}")
        except OSError as error:  # including the timeout
            self._end(decoder)
            raise storage_unavailable(error) from error
        except BaseException:
            self._end(decoder)
            raise
        return decoder

    async def _ask(self, decoder: _Decoder, job: bytes, read: Callable[[Any], Result]) -> Result:
        is_reusable = False
        decoder.jobs += 1
        try:
            try:
                async with asyncio.timeout(self._job_seconds):
                    answer = await self._exchange(decoder, job)
            except TimeoutError:
                raise _TimedOut(f"no answer after {self._job_seconds:g} seconds") from None
            try:
                result = _read_answer(answer, read)
                is_reusable = decoder.jobs < MAX_JOBS and answer["peak"] <= MAX_PEAK_BYTES
            except (ValueError, KeyError, TypeError) as error:
                raise _Failed(f"invalid answer: {error!r}") from None
        finally:
            if is_reusable:
                self._keep(decoder)
            else:  # Also if the caller was canceled.
                self._end(decoder)
        if isinstance(result, Exception):
            raise result
        return result

    async def _exchange(self, decoder: _Decoder, job: bytes) -> dict[str, Any]:
        stdin = decoder.process.stdin
        assert stdin is not None
        try:
            stdin.write(job)
            line = await _stdout(decoder).readline()
            if not line.endswith(b"\n"):
                raise _Failed(await self._exit_reason(decoder))
            return dict(json.loads(line))
        except (OSError, RuntimeError) as error:  # uvloop raises the latter if the process has ended.
            raise _Failed(str(error)) from None
        except (ValueError, TypeError) as error:
            raise _Failed(f"invalid answer: {error!r}") from None

    async def _exit_reason(self, decoder: _Decoder) -> str:
        code = await decoder.process.wait()
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def _take_idle(self) -> _Decoder:
        decoder = self._idle.pop()
        assert decoder.timer is not None
        decoder.timer.cancel()
        return decoder

    def _keep(self, decoder: _Decoder) -> None:
        self._idle.append(decoder)
        decoder.timer = asyncio.get_running_loop().call_later(self._idle_seconds, self._end, decoder)

    def _end(self, decoder: _Decoder) -> None:
        """Kill the process, unless that's done already."""
        if decoder not in self._running:
            return
        self._running.remove(decoder)
        if decoder in self._idle:
            self._idle.remove(decoder)
            assert decoder.timer is not None
            decoder.timer.cancel()
        with suppress(ProcessLookupError):
            decoder.process.kill()
        ending = asyncio.create_task(_wait(decoder.process))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


async def _wait(process: Process) -> None:
    await process.wait()


def _stdout(decoder: _Decoder) -> asyncio.StreamReader:
    assert decoder.process.stdout is not None
    return decoder.process.stdout


def _environment() -> dict[str, str]:
    """Return the environment without secrets: a file that takes over the process must not find any."""
    inherited = {
        name: value for name, value in os.environ.items() if name in _INHERITED or name.startswith(_INHERITED_PREFIXES)
    }
    # Errors in English, and all memory in one arena: the process works on one thread.
    return inherited | {"LC_ALL": "C", "MALLOC_ARENA_MAX": "1"}


def _read_answer(answer: dict[str, Any], read: Callable[[Any], Result]) -> Result | Undecodable | StorageUnavailable:
    if "problem" in answer:
        return Undecodable(Problem(answer["problem"]))
    if "disk_error" in answer:
        return storage_unavailable(OSError(str(answer["disk_error"])))
    return read(answer["result"])
