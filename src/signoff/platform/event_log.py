"""Follow a log, whose entries are numbered when they're written, without missing one that's committed late.

Transactions don't commit in the order in which they take numbers from a sequence, so an entry can appear below one that
was read before. A reader that stores only a number therefore has to know up to which number the log is settled: no
entry can appear there anymore, and statements that start now see all that there are.

**Why nothing is missed.** A statement that writes to a table first takes the table's row-exclusive lock, and only then
numbers. Its transaction keeps the lock until it has ended and what it wrote is visible to everyone. One reading gets
the highest number N that was taken, and after that the transactions that have the lock. A transaction that took a
number up to N is one of them, or it ended before, and statements that start now see its entries. A transaction that has
ended never has the lock again, and its ID isn't used again. So when a later reading finds none of these transactions
anymore, the log is settled up to N. Numbers taken after the first reading are above N.

That doesn't depend on any time limit, and unlike transaction IDs, it isn't affected by transactions that write to other
tables, belong to another database, or ran before a backup was restored. A transaction that writes to the log and then
stalls would stop its readers, so the database ends idle transactions (`Database.connect`).
"""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, LiteralString

from signoff.platform.db import Database
from signoff.platform.sql import Sql

FIRST_PAUSE, MAX_PAUSE = 0.002, 0.1
SETTLE_SECONDS: Final = 1.0
"""Most transactions end within milliseconds. Readers that wait don't wait longer than this for one that doesn't."""


@dataclass(frozen=True, slots=True)
class LogEnd:
    settled: int
    """No entry can appear up to here anymore, and statements that start now see all that there are."""
    highest: int
    """The highest number that was taken."""

    @property
    def is_settled(self) -> bool:
        return self.settled == self.highest


@dataclass(frozen=True, slots=True)
class Reading:
    highest: int
    writers: Sequence[str]
    """The transactions that may have taken a number up to `highest`, and that hadn't ended afterward."""


@dataclass(slots=True)
class _Unsettled:
    highest: int
    writers: set[str]
    """Those that a later reading has found each time since."""


# The lateral join reads the locks after the number: it depends on it.
_READ: Final = """
    select taken.highest, holding.writers
    from (select case when is_called then last_value else 0 end as highest from {sequence}) as taken
    cross join lateral (
        select coalesce(array_agg(virtualtransaction), '{}') as writers from pg_locks
        where locktype = 'relation' and relation = {table}::regclass and mode = 'RowExclusiveLock' and granted
          and database = (select oid from pg_database where datname = current_database())
          and taken.highest is not null
    ) as holding
"""


class EventLog:
    """What a process knows about the end of a log, for all its readers."""

    def __init__(self, table: LiteralString, sequence: LiteralString) -> None:
        """`sequence` gives the entries' numbers, to whatever writes to `table`."""
        self.reading = Sql(_READ, Reading, table=f"'{table}'", sequence=sequence)
        """Takes a reading. Readings are noted in the order in which they're taken."""
        self._settled = 0
        self._unsettled: deque[_Unsettled] = deque()

    def note(self, highest: int, writers: Sequence[str]) -> LogEnd:
        """Note a reading."""
        present = set(writers)
        for earlier in self._unsettled:
            earlier.writers &= present
        if not self._unsettled or self._unsettled[-1].highest < highest:
            self._unsettled.append(_Unsettled(highest, present))
        # Whoever is missing for an entry is also missing for those before it, so these are settled first.
        while self._unsettled and not self._unsettled[0].writers:
            self._settled = self._unsettled.popleft().highest
        return LogEnd(self._settled, highest)

    async def find_end(self, db: Database) -> LogEnd:
        """Take a reading. All who ask at the same time share one."""
        return await db.batched(self._take_readings, None)

    async def wait_until_settled(self, db: Database) -> LogEnd:
        """Return the end as soon as everything that's committed now is settled. If a transaction takes longer than
        `SETTLE_SECONDS`, what comes after its first entry isn't.
        """
        end = await self.find_end(db)
        wanted, until, pause = end.highest, time.monotonic() + SETTLE_SECONDS, FIRST_PAUSE
        while end.settled < wanted and time.monotonic() < until:
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE)
            end = await self.find_end(db)
        return end

    async def _take_readings(self, db: Database, asked: Sequence[None]) -> Sequence[LogEnd]:
        reading = await self.reading.fetch_one(db)
        assert reading is not None
        return [self.note(reading.highest, reading.writers)] * len(asked)
