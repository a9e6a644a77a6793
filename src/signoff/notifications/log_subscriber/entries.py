"""An entry of the audit log, as those read it who tell people of what happened."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from signoff.platform.db import Executor, Row


@dataclass(frozen=True, slots=True)
class LogEntry:
    account_id: str
    entry_id: int
    actor_kind: str
    actor_id: str
    actor_name: str
    action: str
    object_id: str
    details: dict[str, Any] | None

    @property
    def person(self) -> str:
        """The ID of the member who acted; empty when it was a key, somebody outside, or the service itself."""
        return self.actor_id if self.actor_kind == "user" else ""


EntryPlanner = Callable[[Executor, Sequence[LogEntry]], Awaitable[None]]
"""Writes down what follows from the entries, in the transaction that moves the position past them. It sends nothing."""

# The log's key begins with the account. To look for each account's own is a handful of steps down an index, and saves
# every request the upkeep of another one.
READ = """
    select e.* from accounts
    cross join lateral (
        select l.account_id, l.entry_id, l.actor_kind, l.actor_id, l.actor_name, l.action, l.object_id, l.details
        from audit_log l
        where l.account_id = accounts.account_id and l.entry_id > $1 and l.entry_id <= $2
        order by l.entry_id limit $3
    ) as e
    order by e.entry_id limit $3
"""


async def read_entries(db: Executor, after: int, until: int, most: int) -> list[LogEntry]:
    return [_to_entry(row) for row in await db.fetch(READ, after, until, most)]


def _to_entry(row: Row) -> LogEntry:
    return LogEntry(**row)
