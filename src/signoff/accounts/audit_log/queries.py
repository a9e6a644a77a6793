from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from signoff.accounts.audit_log.schemas import Entry, EntryActor
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import InvalidQuery
from signoff.platform.messages import msg

KEY_ID = "key_"
"""Only API key IDs start with this."""
COLUMNS = "entry_id, at, actor_kind, actor_id, actor_name, action, object_id, details, ip, request_id"


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
    conditions = {
        "account_id = ": account_id,
        "entry_id < ": _entry_number(before) if before is not None else None,
        "action = ": only.action,
        "actor_id = ": only.actor_id,
        "actor_kind = ": only.actor_kind,
        "object_id = ": only.object_id,
        "at >= ": only.since,
        "at < ": only.until,
    }
    # The statement contains only the given conditions, so that each combination gets a plan of its own.
    given_values: dict[str, Any] = {name: value for name, value in conditions.items() if value is not None}
    conditions_sql = [f"{name}${position}" for position, name in enumerate(given_values, 1)]
    where = " and ".join([*conditions_sql, *_names_of_indexes(only)])
    rows = await db.fetch(
        f"select {COLUMNS} from audit_log where {where} order by entry_id desc limit {limit:d}",  # noqa: S608
        *given_values.values(),
    )
    return [to_entry(row) for row in rows]


def _names_of_indexes(only: Filter) -> Iterator[str]:
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
