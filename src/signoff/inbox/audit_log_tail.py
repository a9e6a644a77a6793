"""An account's new audit log entries, as soon as they can be seen, also while an earlier one is still being written.

`platform/event_log.py` knows up to where the log is settled. What was read above that is remembered and skipped, and a
browser that reconnects reads from there.
"""

from dataclasses import dataclass
from typing import Final

from signoff.platform.db import Database
from signoff.platform.event_log import EventLog
from signoff.platform.sql import Sql

MAX_ENTRIES: Final = 1_000
"""The maximum number of entries sent individually; a client that missed more reloads everything."""


@dataclass(frozen=True, slots=True)
class Entry:
    entry_id: int
    action: str
    object_id: str
    actor_id: str


_READ_NEWEST: Final = Sql(
    """
    select * from (
        select entry_id, action, object_id, actor_id from audit_log
        where account_id = :account_id and entry_id > :after order by entry_id desc limit :most
    ) as e
    order by entry_id
    """,
    Entry,
)


class LogReader:
    def __init__(self, log: EventLog, account_id: str) -> None:
        self._log = log
        self._account_id = account_id
        self._seen: set[int] = set()
        """Entries above the position."""
        self.position = 0
        """Everything up to here has been read. A client that reconnects continues from here."""

    async def begin(self, db: Database) -> None:
        """Start from now: existing entries aren't read."""
        end = await self._log.find_end(db)
        entries = await self._read_newest(db, end.settled, MAX_ENTRIES)
        self._seen = {entry.entry_id for entry in entries}
        # A transaction that has been writing since before as many later entries isn't waited for.
        self.position = entries[0].entry_id - 1 if len(entries) == MAX_ENTRIES else end.settled

    async def read(self, db: Database) -> list[Entry] | None:
        """Return what's new, oldest first. None means there's too much to send individually."""
        end = await self._log.find_end(db)
        if end.highest == self.position:
            return []  # everything that has a number has been read
        entries = await self._read_newest(db, self.position, MAX_ENTRIES + len(self._seen) + 1)
        new = [entry for entry in entries if entry.entry_id not in self._seen]
        if len(new) > MAX_ENTRIES:
            await self.begin(db)
            return None
        self._seen.update(entry.entry_id for entry in new)
        self.position = max(self.position, end.settled)
        self._seen = {number for number in self._seen if number > self.position}
        return new

    async def _read_newest(self, db: Database, after: int, most: int) -> list[Entry]:
        return await _READ_NEWEST.fetch(db, account_id=self._account_id, after=after, most=most)


async def entries_after(db: Database, log: EventLog, account_id: str, after: int) -> list[Entry] | None:
    """Return what a client that knows everything up to `after` has missed. None means there's too much, or that it
    knows entries that don't exist, such as after restoring a backup.
    """
    entries = await _READ_NEWEST.fetch(db, account_id=account_id, after=after, most=MAX_ENTRIES + 1)
    is_known = bool(entries) or after <= (await log.find_end(db)).highest
    return entries if is_known and len(entries) <= MAX_ENTRIES else None
