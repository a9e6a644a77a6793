"""The worker's loop: starts what's due, as soon as it's notified of it or at the next poll."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from signoff.platform.db import DATABASE_ERRORS, Database, DatabaseUnavailable
from signoff.platform.jobs.queue import WORK_CHANNEL
from signoff.platform.logs import Throttle, get_logger
from signoff.platform.settings import Settings

log = get_logger("worker")
database_lost = Throttle(log, "database unreachable; retrying")

Cleanup = Callable[[], Awaitable[None]]

CLEANUP_INTERVAL = 600.0
MIN_PAUSE = 0.001


class WorkSource(Protocol):
    """Work that's due at some time: jobs, outgoing messages."""

    async def start_due(self, notice: Callable[[], None]) -> float | None:
        """Start what's due and fits. Returns the seconds until more is due, if anything is. Calls `notice` whenever
        there may be more to start.
        """
        ...


class WorkLoop:
    def __init__(
        self, db: Database, settings: Settings, sources: Sequence[WorkSource], cleanups: Sequence[Cleanup] = ()
    ) -> None:
        """Start the work of `sources` when it's due, and run `cleanups` from time to time."""
        self._db = db
        self._poll_interval = settings.poll_interval
        self._sources = sources
        self._cleanups = cleanups
        self._something_new = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop`, also while the database is away. What was started goes on."""
        cleaning = asyncio.create_task(self._clean_up())
        try:
            while not stop.is_set():
                try:
                    await self._listen_and_start(stop)
                except DATABASE_ERRORS as error:
                    database_lost(error=str(error))
                    await _wait_for_any(stop, self._poll_interval)
        finally:
            cleaning.cancel()

    async def _listen_and_start(self, stop: asyncio.Event) -> None:
        stopping = asyncio.create_task(stop.wait())
        async with self._db.own_connection() as connection:
            await connection.add_listener(WORK_CHANNEL, self._notice)
            connection.add_termination_listener(self._notice)
            try:
                while not stop.is_set() and not connection.is_closed():
                    self._something_new.clear()
                    pause = await self._start_due()
                    if pause > 0:
                        await _wait_for_any(self._something_new, pause, stopping)
            finally:
                stopping.cancel()

    def _notice(self, *_: object) -> None:
        self._something_new.set()

    async def _start_due(self) -> float:
        """Start what's due and fits. Returns the seconds to wait before checking again."""
        due = [await source.start_due(self._notice) for source in self._sources]
        pause = min((seconds for seconds in due if seconds is not None), default=self._poll_interval)
        return 0.0 if pause <= 0 else min(max(pause, MIN_PAUSE), self._poll_interval)

    async def _clean_up(self) -> None:
        while True:
            for clean_up in self._cleanups:
                try:
                    await clean_up()
                except DatabaseUnavailable as error:
                    database_lost(error=str(error))
                except Exception:
                    log.exception("cleanup failed; retrying later")
            await asyncio.sleep(CLEANUP_INTERVAL)


async def _wait_for_any(event: asyncio.Event, seconds: float, *tasks: asyncio.Task[object]) -> None:
    """Wait until the event is set, one of the tasks is done, or the time is over."""
    waiting = asyncio.create_task(event.wait())
    try:
        await asyncio.wait({waiting, *tasks}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
