"""Read a log: entries in order and once, from a position, as soon as they can be seen.

`event_log.py` knows up to where a log is settled, so that no reader misses an entry that's committed late. `follow`
reads when something is written, and now and then in case a message was lost.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Generic, Protocol, TypeVar

import asyncpg

from signoff.platform.db import DATABASE_ERRORS, Database, Executor
from signoff.platform.event_log import EventLog, LogEnd
from signoff.platform.logs import get_logger
from signoff.platform.metrics import LOG_BEHIND, LOG_ENTRIES, LOG_READ_FAILURES
from signoff.platform.pubsub import Subscription
from signoff.platform.sql import Sql

log = get_logger("log reader")

BATCH: Final = 1_000
SMALLER: Final = 8
"""The factor by which the next batch is smaller after one that failed, down to a single entry."""
MAX_TRIES: Final = 5
"""How often a failing entry is tried before it's skipped, so that the others are handled."""
UNSETTLED_PAUSE: Final = 0.05
"""Seconds until the next read while entries aren't settled: most transactions end within milliseconds."""
FAILURE_PAUSE: Final = 0.25
"""Seconds until the next read after one whose entries couldn't be handled."""
MAX_BACKOFF: Final = 2.0

_OF_THE_MOMENT: Final = ("08", "40", "53", "55", "57", "58")
"""Prefixes of database error codes that are caused by its state, not by the statement."""


class NumberedEntry(Protocol):
    @property
    def entry_id(self) -> int: ...


E = TypeVar("E", bound=NumberedEntry)
Fetch = Callable[[Executor, int, int, int], Awaitable[list[E]]]
"""Returns the entries after a number and up to another one, in order, and at most so many."""
FetchNewest = Callable[[Executor, int, int], Awaitable[list[E]]]
"""Returns the entries after a number, in order, but only so many of the newest."""
Handle = Callable[[Executor, Sequence[E]], Awaitable[None]]
"""Writes what follows from the entries, in the transaction that moves the position past them."""
Read = Callable[[], Awaitable[float | None]]
"""Reads once. Returns the seconds until there may be more to read; None if that isn't known."""


async def follow(
    reader: str,
    subscription: Subscription,
    open_reader: Callable[[], AbstractAsyncContextManager[Read]],
    *,
    interval: float,
    rest: float,
    retry_on: tuple[type[Exception], ...] = DATABASE_ERRORS,
) -> None:
    """Read now, whenever the subscription is notified, and every `interval` seconds, until the process stops.

    Changes within `rest` seconds are read together. After an error, the reader is opened again, each time later.
    """
    failures = 0
    while not subscription.is_over:
        try:
            async with open_reader() as read:
                pause: float | None = 0
                while await subscription.wait(interval if pause is None else min(pause, interval)):
                    pause, failures = await read(), 0
                    await subscription.rest(0 if pause == 0 else rest)
        except retry_on as error:
            failures += 1
            LOG_READ_FAILURES.labels(reader).inc()
            report = log.warning if isinstance(error, DATABASE_ERRORS) else log.exception
            report("cannot read the log; trying again", reader=reader, error=str(error))
            await subscription.rest(min(interval * 2.0 ** (failures - 1), MAX_BACKOFF))


def is_transient(error: Exception) -> bool:
    """Whether it's a temporary database error, unrelated to the work."""
    if isinstance(error, asyncpg.PostgresError):
        code: Any = getattr(error, "sqlstate", None)
        return str(code).startswith(_OF_THE_MOMENT)
    return isinstance(error, DATABASE_ERRORS)


_READ_POSITION: Final = Sql("select position from log_cursors where reader = :reader")
_LOCK_POSITION: Final = Sql("{read} for update", read=_READ_POSITION)
_MOVE_POSITION: Final = Sql("update log_cursors set position = :position where reader = :reader")


async def read_position(db: Executor, reader: str) -> int:
    return await _READ_POSITION.fetch_value(db, reader=reader)


class StoredReader(Generic[E]):
    """Handles each entry once, whatever happens to the process.

    The results of a batch and the position after it are written in one transaction, so a killed process neither skips
    an entry nor handles one twice. If two ever read at once, the second finds that the position was moved, and writes
    nothing.
    """

    def __init__(self, name: str, db: Database, fetch: Fetch[E], handle: Handle[E], position: int) -> None:
        self._name = name
        self._db = db
        self._fetch = fetch
        self._handle = handle
        self._position = position
        self._most = BATCH
        self._failures = 0

    async def read(self, end: LogEnd) -> float | None:
        """Handle the next settled entries. Returns when to read again."""
        pause = 0.0
        if self._position < end.settled:
            try:
                await self._read_batch(end.settled, self._handle)
            except Exception as error:
                if is_transient(error):
                    raise
                LOG_READ_FAILURES.labels(self._name).inc()
                log.exception("couldn't handle log entries", reader=self._name, after=self._position, most=self._most)
                await self._shrink_batch(end.settled)
                pause = FAILURE_PAUSE
        LOG_BEHIND.labels(self._name).set(max(0, end.highest - self._position))
        if self._position < end.settled:
            return pause
        return UNSETTLED_PAUSE if self._position < end.highest else None

    async def _read_batch(self, settled: int, handle: Handle[E]) -> None:
        async with self._db.transaction() as tx:
            position = await _LOCK_POSITION.fetch_value(tx, reader=self._name)
            entries = list[E]()
            if position == self._position:  # otherwise another process has moved it
                entries = await self._fetch(tx, position, settled, self._most)
                if entries:
                    await handle(tx, entries)
                position = entries[-1].entry_id if len(entries) == self._most else settled
                await _MOVE_POSITION.execute(tx, reader=self._name, position=position)
        LOG_ENTRIES.labels(self._name).inc(len(entries))
        self._position = position
        self._failures = 0
        self._most = min(BATCH, self._most * 2)

    async def _shrink_batch(self, settled: int) -> None:
        """Continue with smaller batches, and skip an entry that keeps failing on its own."""
        if self._most > 1:
            self._most = max(1, self._most // SMALLER)
            return
        self._failures += 1
        if self._failures > MAX_TRIES:
            await self._read_batch(settled, _skip)
            self._most = 1
            log.error("log entry skipped: couldn't be handled", reader=self._name, entry=self._position)


async def _skip(_tx: Executor, _entries: Sequence[NumberedEntry]) -> None: ...


class LiveReader(Generic[E]):
    """Reads new entries as soon as they're committed, also while an earlier one is still being written.

    So they can be in another order. What was read above where the log is settled is remembered and skipped.
    """

    def __init__(self, name: str, log: EventLog, fetch_newest: FetchNewest[E], most: int) -> None:
        self._name = name
        self._log = log
        self._fetch_newest = fetch_newest
        self._most = most
        self._seen: set[int] = set()
        """Entries above the position."""
        self.position = 0
        """Everything up to here has been read. A client that reconnects continues from here."""

    async def begin(self, db: Database) -> None:
        """Start from now: existing entries aren't read."""
        end = await self._log.find_end(db)
        entries = await self._fetch_newest(db, end.settled, self._most)
        self._seen = {entry.entry_id for entry in entries}
        # A transaction that has been writing since before as many later entries isn't waited for.
        self.position = entries[0].entry_id - 1 if len(entries) == self._most else end.settled

    async def read(self, db: Database) -> list[E] | None:
        """Return what's new, oldest first. None means there's more than `most`."""
        end = await self._log.find_end(db)
        if end.highest == self.position:
            return []  # everything that has a number has been read
        entries = await self._fetch_newest(db, self.position, self._most + len(self._seen) + 1)
        new = [entry for entry in entries if entry.entry_id not in self._seen]
        LOG_ENTRIES.labels(self._name).inc(len(new))
        if len(new) > self._most:
            await self.begin(db)
            return None
        self._seen.update(entry.entry_id for entry in new)
        self.position = max(self.position, end.settled)
        self._seen = {number for number in self._seen if number > self.position}
        return new
