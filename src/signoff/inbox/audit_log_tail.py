"""Follow an account's audit log without missing an entry.

Entries are numbered when they're written but become visible when their transaction commits, which is a different order:
an entry can appear below one that was read before. So the reader continues from a position below which nothing can
appear anymore. Transaction IDs show which one: once every transaction that was in progress at one read has ended,
everything numbered until then is visible at the next.
"""

import time
from collections import deque
from dataclasses import dataclass
from typing import Final

from signoff.platform.db import Executor, Row

MAX_ENTRIES: Final = 1_000
"""The maximum number of entries sent individually; a client that missed more reloads everything."""
MAX_WAIT_SECONDS: Final = 30.0
"""Seconds. A transaction that lasts longer isn't waited for: its entry may be missed."""

# The row without an entry provides the snapshot's transaction IDs even if there are no entries.
READ: Final = """
    select pg_snapshot_xmin(now_seen.s)::text::bigint as under_way, pg_snapshot_xmax(now_seen.s)::text::bigint as next,
           e.entry_id, e.action, e.object_id, e.actor_id
    from (select pg_current_snapshot() as s) as now_seen
    left join lateral (
        select entry_id, action, object_id, actor_id from audit_log
        where account_id = $1 and entry_id > $2 order by entry_id desc limit $3
    ) as e on true
    order by e.entry_id
"""


@dataclass(frozen=True, slots=True)
class Entry:
    entry_id: int
    action: str
    object_id: str
    actor_id: str


@dataclass(frozen=True, slots=True)
class _Reading:
    highest: int
    """The highest entry seen."""
    next: int
    """The ID of the next transaction: those in progress have lower ones."""
    at: float


class LogReader:
    def __init__(self, account_id: str) -> None:
        self._account_id = account_id
        self._seen: set[int] = set()
        self._looks: deque[_Reading] = deque()
        self.position = 0
        """Everything up to here has been read. A client that reconnects continues from here."""

    async def begin(self, db: Executor) -> None:
        """Start from now: existing entries aren't read."""
        rows = await db.fetch(READ, self._account_id, 0, MAX_ENTRIES)
        entries = _entries(rows)
        self._looks.clear()
        self._seen = {entry.entry_id for entry in entries}
        self.position = entries[0].entry_id - 1 if len(entries) == MAX_ENTRIES else 0
        self._advance(rows[0], entries)

    async def read(self, db: Executor) -> list[Entry] | None:
        """Return what's new, oldest first. None means there's too much to send individually."""
        rows = await db.fetch(READ, self._account_id, self.position, MAX_ENTRIES + len(self._seen) + 1)
        entries = _entries(rows)
        new = [entry for entry in entries if entry.entry_id not in self._seen]
        if len(new) > MAX_ENTRIES:
            await self.begin(db)
            return None
        self._seen.update(entry.entry_id for entry in new)
        self._advance(rows[0], entries)
        return new

    def _advance(self, snapshot: Row, entries: list[Entry]) -> None:
        highest = max(entries[-1].entry_id if entries else 0, self.position)
        now = time.monotonic()
        if not self._looks or self._looks[-1].highest != highest:
            self._looks.append(_Reading(highest, snapshot["next"], now))
        while self._looks and (
            self._looks[0].next <= snapshot["under_way"] or now - self._looks[0].at > MAX_WAIT_SECONDS
        ):
            self.position = max(self.position, self._looks.popleft().highest)
        self._seen = {number for number in self._seen if number > self.position}


async def entries_after(db: Executor, account_id: str, after: int) -> list[Entry] | None:
    """Return what a client that knows everything up to `after` has missed. None means there's too much, or that it
    knows entries that don't exist, such as after restoring a backup.
    """
    entries = _entries(await db.fetch(READ, account_id, after, MAX_ENTRIES + 1))
    if len(entries) > MAX_ENTRIES:
        return None
    if not entries and after > await db.fetchval(
        "select coalesce(max(entry_id), 0) from audit_log where account_id = $1", account_id
    ):
        return None
    return entries


def _entries(rows: list[Row]) -> list[Entry]:
    return [
        Entry(row["entry_id"], row["action"], row["object_id"], row["actor_id"])
        for row in rows
        if row["entry_id"] is not None
    ]
