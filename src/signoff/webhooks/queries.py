"""Read deliveries and events. Lists of deliveries have an index for each filter."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, reduce
from typing import Any, Final, Literal, LiteralString

from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.ids import id_at
from signoff.platform.messages import msg
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql, all_of
from signoff.webhooks.events import render_event, sign_event_urls
from signoff.webhooks.schemas import Delivery, DeliveryRow, Status, Target

LIST_COLUMNS: Final = """
    account_id, delivery_id, status, ok, coalesce(status_code, 0) as status_code,
    coalesce(status_text, case when status_code is null then 'No attempt yet' end) as status_text,
    event, target, url_source, url,
    review_id, form_id, form_name, agent_id, session_id, line_number, attempt_count, max_attempts,
    case when status = 'retrying' then next_retry_at end as next_retry_at,
    retries_cancelled, triggered_at, updated_at
"""


def delivery_members(row: Row) -> dict[str, Any]:
    members = dict(row)
    members["webhook"] = members.pop("url")
    for name in ("next_retry_at", "triggered_at", "updated_at"):
        if members[name] is not None:
            members[name] = iso(members[name])
    return members


_GET_DELIVERY: Final = Sql(
    """
    select {columns},
        (select attempts from outgoing_messages where message_id = :delivery_id) as attempts
    from deliveries where account_id = :account_id and delivery_id = :delivery_id
    """,
    columns=LIST_COLUMNS,
)


async def get_delivery(db: Executor, account_id: str, delivery_id: str) -> Delivery:
    row = await _GET_DELIVERY.fetch_one(db, account_id=account_id, delivery_id=delivery_id)
    if row is None:
        raise NotFound(msg("delivery"), delivery_id)
    return Delivery.model_validate({**delivery_members(row), "attempts": list(_show_attempts(row["attempts"]))})


def _show_attempts(attempts: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    is_first = True
    for number, attempt in enumerate(attempts, 1):
        is_manual, status_code = attempt.get("isManual", False), attempt.get("statusCode", 0)
        yield {
            **attempt,
            "attemptId": f"attempt-{number}",
            "statusCode": status_code,
            "scheduledBy": "manual" if is_manual else "inline" if is_first else "cloud-task",
            "statusText": attempt.get("statusText", attempt.get("error")),
            "error": None if status_code else attempt.get("error"),
        }
        is_first &= is_manual


async def get_event(settings: Settings, db: Executor, account_id: str, delivery_id: str) -> str:
    """Return the event of a delivery as it was or will be sent, as JSON text."""
    row = await db.fetchrow(
        """
        select e.payload::text, case when d.target = 'agent' then e.tool_result::text end as tool_result
        from deliveries d join events e using (account_id, event_id)
        where d.account_id = $1 and d.delivery_id = $2
        """,
        account_id,
        delivery_id,
    )
    if row is None:
        raise NotFound(msg("delivery"), delivery_id)
    return sign_event_urls(settings, account_id, render_event(row["payload"], delivery_id, row["tool_result"]))


@dataclass(frozen=True, slots=True)
class Filter:
    review_id: str | None = None
    agent_id: str | None = None
    form_id: str | None = None
    status: Status | Literal["queued"] | None = None
    """`queued`: those that wait for an attempt, whether or not it's the first."""
    target: Target | None = None
    event: str | None = None
    since: datetime | None = None
    until: datetime | None = None


# Common values are found by scanning all deliveries, rare ones with an index of the others. Adding that a value isn't
# the common one selects that index.
COMMON: Final[Mapping[LiteralString, LiteralString]] = {
    "status": "succeeded",
    "target": "agent",
    "event": "review.completed",
}
# The indexes by agent and by review type only have finished deliveries: a delivery in progress changes its status
# several times, and each change would be written to them. Those in progress are few, and have an index by status.
SETTLED: Final = "status in ('succeeded', 'dead')"
UNDER_WAY: Final[Sequence[LiteralString]] = (
    "status <> 'succeeded' and status = 'pending'",
    "status <> 'succeeded' and status = 'delivering'",
    "status <> 'succeeded' and status = 'retrying'",
)
END: Final = "order by delivery_id desc limit :limit"
_CONDITIONS: Final[Mapping[str, LiteralString]] = {
    "account_id": "account_id = :account_id",
    "review_id": "review_id = :review_id",
    "agent_id": "agent_id = :agent_id",
    "form_id": "form_id = :form_id",
    "status": "status = :status",
    "target": "target = :target",
    "event": "event = :event",
    "since": "triggered_at >= :since",
    "until": "triggered_at < :until",
    "since_id": "delivery_id >= :since_id",
    "until_id": "delivery_id <= :until_id",
    "before": "delivery_id < :before",
}
CLOCKS_DIFFER = 3600.0
"""Seconds, a generous margin: IDs have the time of the process that created them, `triggered_at` that of the
database.
"""


async def list_deliveries(
    db: Executor, account_id: str, only: Filter, before: str | None, limit: int
) -> list[DeliveryRow]:
    """Return the newest first."""
    rows = await _find_deliveries(db, LIST_COLUMNS, account_id, only, before, limit)
    return [DeliveryRow.model_validate(delivery_members(row)) for row in rows]


async def list_delivery_ids(db: Executor, account_id: str, only: Filter, before: str | None, limit: int) -> list[str]:
    """Return the newest first."""
    rows = await _find_deliveries(db, "delivery_id", account_id, only, before, limit)
    return [row["delivery_id"] for row in rows]


async def _find_deliveries(
    db: Executor, columns: LiteralString, account_id: str, only: Filter, before: str | None, limit: int
) -> list[Row]:
    """Return the newest first. The query only contains the given conditions, so that each combination gets a plan
    of its own.
    """
    values = {
        "account_id": account_id,
        "review_id": only.review_id,
        "agent_id": only.agent_id,
        "form_id": only.form_id,
        "status": only.status if only.status != "queued" else None,
        "target": only.target,
        "event": only.event,
        "since": only.since,
        "until": only.until,
        # Doesn't restrict the time further than the two above, but in the order of the scan.
        "since_id": id_at("whd", only.since, -CLOCKS_DIFFER) if only.since is not None else None,
        "until_id": id_at("whd", only.until, CLOCKS_DIFFER) if only.until is not None else None,
        "before": before,
    }
    given = {name: value for name, value in values.items() if value is not None}
    conditions = [_CONDITIONS[name] for name in given]
    conditions += [
        f"{column} <> '{common}'" for column, common in COMMON.items() if getattr(only, column) not in {None, common}
    ]
    return await _select_deliveries(columns, tuple(conditions), _list_scans(only)).fetch(db, limit=limit, **given)


@lru_cache(maxsize=1_000)
def _select_deliveries(
    columns: LiteralString, conditions: tuple[LiteralString, ...], scans: tuple[LiteralString, ...]
) -> Sql[Row]:
    found = [
        Sql(
            "(select {columns} from deliveries where {conditions} {end})",
            columns=columns,
            conditions=all_of((*conditions, scan)),
            end=END,
        )
        for scan in scans
    ]
    together = reduce(lambda left, right: Sql("{left} union all {right}", left=left, right=right), found)
    return Sql("select * from ({together}) as found {end}", together=together, end=END)


def _list_scans(only: Filter) -> tuple[LiteralString, ...]:
    """Return the additional condition of each index scan: one scan, or one for finished deliveries and several for
    the others.
    """
    if only.status == "queued":
        return tuple(scan for scan in UNDER_WAY if "delivering" not in scan)
    if only.review_id is not None or (only.agent_id is None and only.form_id is None):
        return ("true",)
    if only.status is not None:
        return (SETTLED,) if only.status in {"succeeded", "dead"} else ("true",)
    return (SETTLED, *UNDER_WAY)
