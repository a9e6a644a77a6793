from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, LiteralString

from signoff.accounts.audit_log.schemas import Entry, EntryActor
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import InvalidQuery
from signoff.platform.messages import msg
from signoff.platform.sql import Sql, all_of

KEY_ID = "key_"
"""Only API key IDs start with this."""
ENTRY_COLUMNS = "entry_id, at, actor_kind, actor_id, actor_name, action, object_id, details, ip, request_id"

CONDITIONS: Final[dict[str, LiteralString]] = {
    "before": "entry_id < :before",
    "action": "action = :action",
    "actor_id": "actor_id = :actor_id",
    "actor_kind": "actor_kind = :actor_kind",
    "object_id": "object_id = :object_id",
    "since": "at >= :since",
    "until": "at < :until",
}
"""By the parameter that each needs."""


@dataclass(frozen=True, slots=True)
class Filter:
    action: str | None = None
    actor_id: str | None = None
    actor_kind: str | None = None
    object_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def to_entry(row: Row) -> Entry:
    return Entry(
        entry_id=str(row["entry_id"]),
        at=iso(row["at"]),
        actor=EntryActor(kind=row["actor_kind"], id=row["actor_id"], name=row["actor_name"]),
        action=row["action"],
        object_id=row["object_id"],
        details=row["details"],
        ip=row["ip"],
        request_id=row["request_id"],
    )


async def list_entries(db: Executor, account_id: str, only: Filter, before: str | None, limit: int) -> list[Entry]:
    given_values: dict[str, Any] = {
        "before": _entry_number(before) if before is not None else None,
        **{name: getattr(only, name) for name in CONDITIONS if name != "before"},
    }
    values = {name: value for name, value in given_values.items() if value is not None}
    statement = _select_entries((*(CONDITIONS[name] for name in values), *_index_conditions(only)), limit)
    rows = await statement.fetch(db, account_id=account_id, **values)
    return [to_entry(row) for row in rows]


@lru_cache(maxsize=1_000)
def _select_entries(conditions: tuple[LiteralString, ...], limit: int) -> Sql[Row]:
    """Return the statement. It contains only the given conditions, so that each combination gets a plan of its own."""
    return Sql(
        """
        select {columns} from audit_log where account_id = :account_id and {conditions}
        order by entry_id desc limit {limit}
        """,
        columns=ENTRY_COLUMNS,
        conditions=all_of(conditions),
        limit=limit,
    )


def _index_conditions(only: Filter) -> Iterator[LiteralString]:
    """Add conditions that follow from the others, so that the planner can use the partial indexes.

    None of those indexes has requests made with a key: nearly all entries are of that kind, and scanning the log soon
    finds one.
    """
    if only.action is not None and only.action != "review.requested":
        yield "action <> 'review.requested'"
    if only.actor_kind not in {None, "key"} or (only.actor_id is not None and not only.actor_id.startswith(KEY_ID)):
        yield "actor_kind <> 'key'"


def _entry_number(cursor: str) -> int:
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 18:
        raise InvalidQuery(msg("cursor: isn't a valid cursor for this list. Use `nextCursor` from the previous page."))
    return int(cursor)
