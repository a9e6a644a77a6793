"""Follow the audit log of all accounts durably: each entry is planned once, whatever happens to the worker.

One process follows at a time. The results of a batch of entries and the position after it are written in one
transaction, so a killed worker neither skips an entry nor handles one twice. If two ever follow at once, because one
lost the lock without noticing, the second finds that the position was moved, and writes nothing.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import asyncpg

from signoff.accounts.audit_log.writer import follow_audit_log
from signoff.notifications.log_subscriber.entries import EntryPlanner, read_entries
from signoff.platform.db import Database, Executor
from signoff.platform.event_log import LogEnd
from signoff.platform.jobs.runner import DATABASE_ERRORS
from signoff.platform.logs import get_logger
from signoff.platform.sql import Sql

log = get_logger("notifications")

BATCH: Final = 1_000
LOCK: Final = 4_811_903_272
"""The key of an advisory lock that nothing else uses."""
SMALLER: Final = 8
"""The factor by which the next batch is smaller after one that failed, down to a single entry."""
PATIENCE: Final = 5
"""How often a failing entry is tried before it's skipped, so that notifications for the others go on."""

# `due_at` is when someone's next mail is due. It's part of the query, so that an idle worker sends one query per poll.
_POLL: Final = """
    select log.highest, log.writers,
           least((select min(mail_at) from notified_people where mail_at is not null),
                 (select min(least(next_hourly_at, next_daily_at)) from notified_people)) as due_at
    from ({reading}) as log
"""

_OF_THE_MOMENT: Final = ("08", "40", "53", "55", "57", "58")
"""Prefixes of database error codes that are caused by its state, not by the statement."""


def is_transient(error: Exception) -> bool:
    """Whether it's a temporary database error, unrelated to the work."""
    if isinstance(error, asyncpg.PostgresError):
        code: Any = getattr(error, "sqlstate", None)
        return str(code).startswith(_OF_THE_MOMENT)
    return isinstance(error, DATABASE_ERRORS)


async def try_lock(connection: Any) -> bool:
    """Take the lock, which is held until the connection ends."""
    return await connection.fetchval("select pg_try_advisory_lock($1)", LOCK)


async def read_position(db: Executor) -> int:
    return await db.fetchval("select position from followed_log where one")


class AuditLogSubscriber:
    """Used only by the holder of the lock."""

    def __init__(self, db: Database, plans: Sequence[EntryPlanner], position: int) -> None:
        self._db = db
        self._plans = plans
        self._position = position
        self._log = follow_audit_log()
        self._poll = Sql(_POLL, reading=self._log.reading)
        self._end = LogEnd(settled=0, highest=0)
        self._most = BATCH
        self._failures = 0

    @property
    def is_behind(self) -> bool:
        """Whether something has been seen and not yet planned."""
        return self._position < self._end.highest

    async def poll(self, connection: Any) -> datetime | None:
        """Find the end of the log. Returns when someone's next mail is due."""
        row = await self._poll.fetch_one(connection)
        assert row is not None
        self.note_reading(row["highest"], row["writers"])
        return row["due_at"]

    def note_reading(self, highest: int, writers: Sequence[str]) -> None:
        self._end = self._log.note(highest, writers)

    async def plan_next(self) -> int:
        """Plan the next settled entries. Returns how many there were."""
        settled = self._end.settled
        if self._position >= settled:
            return 0
        try:
            planned, self._position = await self._plan(settled, self._most)
        except Exception as error:
            if is_transient(error):
                raise
            log.exception("cannot plan whom to tell", after=self._position, most=self._most, attempt=self._failures + 1)
            await self._shrink_batch(settled)
            return 0
        self._failures = 0
        self._most = min(BATCH, self._most * 2)
        return planned

    async def _shrink_batch(self, settled: int) -> None:
        """Continue with smaller batches, and skip an entry that keeps failing on its own."""
        if self._most > 1:
            self._most = max(1, self._most // SMALLER)
            return
        self._failures += 1
        if self._failures > PATIENCE:
            await self._leave_out_one(settled)

    async def _plan(self, settled: int, most: int) -> tuple[int, int]:
        async with self._db.transaction() as tx:
            held_position = await _hold_position(tx)
            if held_position != self._position:
                return 0, held_position  # another process has moved it
            entries = await read_entries(tx, held_position, settled, most)
            for plan in self._plans if entries else ():
                await plan(tx, entries)
            position = entries[-1].entry_id if len(entries) == most else settled
            await _move_position(tx, position)
            return len(entries), position

    async def _leave_out_one(self, settled: int) -> None:
        async with self._db.transaction() as tx:
            if await _hold_position(tx) == self._position:
                entries = await read_entries(tx, self._position, settled, 1)
                position = entries[0].entry_id if entries else settled
                await _move_position(tx, position)
                log.error("nobody is told of an entry, for nothing could be planned for it", entry=position)
                self._position = position
        self._failures = 0


async def _hold_position(tx: Executor) -> int:
    return await tx.fetchval("select position from followed_log where one for update")


async def _move_position(tx: Executor, position: int) -> None:
    await tx.execute("update followed_log set position = $1 where one", position)
