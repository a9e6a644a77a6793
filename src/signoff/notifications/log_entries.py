"""Audit log entries of all accounts, as code that notifies people reads them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from signoff.platform.db import Executor
from signoff.platform.sql import Sql


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
        """Return the ID of the member who acted; empty for a key, an external reviewer, or the system."""
        return self.actor_id if self.actor_kind == "user" else ""


EntryPlanner = Callable[[Executor, Sequence[LogEntry]], Awaitable[None]]
"""Writes what follows from the entries, in the transaction that moves the position past them. It sends nothing."""

# The log's key starts with the account. Searching each account's entries takes a few index steps, and saves every
# request the cost of updating another index.
_READ: Final = Sql(
    """
    select e.* from accounts
    cross join lateral (
        select l.account_id, l.entry_id, l.actor_kind, l.actor_id, l.actor_name, l.action, l.object_id, l.details
        from audit_log l
        where l.account_id = accounts.account_id and l.entry_id > :after and l.entry_id <= :until
        order by l.entry_id limit :most
    ) as e
    order by e.entry_id limit :most
    """,
    LogEntry,
)


async def read_entries(db: Executor, after: int, until: int, most: int) -> list[LogEntry]:
    return await _READ.fetch(db, after=after, until=until, most=most)
