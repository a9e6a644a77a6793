"""An account's audit log entries, as live streams read them: those that are new, and those that a browser missed."""

from dataclasses import dataclass
from typing import Final

from signoff.platform.db import Database, Executor
from signoff.platform.event_log import EventLog
from signoff.platform.log_reader import LiveReader
from signoff.platform.sql import Sql

LIVE: Final = "live"
"""The reader's name in metrics."""
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


def open_live_reader(log: EventLog, account_id: str) -> LiveReader[Entry]:
    """Return a reader of the account's new entries."""

    async def fetch_newest(db: Executor, after: int, most: int) -> list[Entry]:
        return await _READ_NEWEST.fetch(db, account_id=account_id, after=after, most=most)

    return LiveReader(LIVE, log, fetch_newest, MAX_ENTRIES)


async def entries_after(db: Database, log: EventLog, account_id: str, after: int) -> list[Entry] | None:
    """Return what a client that knows everything up to `after` has missed. None means there's too much, or that it
    knows entries that don't exist, such as after restoring a backup.
    """
    entries = await _READ_NEWEST.fetch(db, account_id=account_id, after=after, most=MAX_ENTRIES + 1)
    is_known = bool(entries) or after <= (await log.find_end(db)).highest
    return entries if is_known and len(entries) <= MAX_ENTRIES else None
