"""Read deliveries and events. Lists of deliveries have an index for each filter."""

from collections.abc import Iterator, Mapping
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
from signoff.platform.sql import Fragment, Sql, all_of
from signoff.webhooks.delivery_status import IS_CANCELED, OF_STATUS, STATUS
from signoff.webhooks.events import render_event, sign_event_urls
from signoff.webhooks.schemas import Delivery, DeliveryRow, Status, Target

_COLUMNS: Final = Sql(
    """
    d.account_id, d.delivery_id, {status} as status, coalesce((o.attempts -> -1 ->> 'ok')::boolean, false) as ok,
    coalesce((o.attempts -> -1 ->> 'statusCode')::integer, 0) as status_code,
    case when o.attempts = '[]' then 'No attempt yet'
        else coalesce(o.attempts -> -1 ->> 'statusText', o.attempts -> -1 ->> 'error', '') end as status_text,
    d.event, d.target, d.url_source, d.url, d.review_id, d.form_id, d.form_name, d.agent_id, d.session_id,
    d.line_number, o.attempt_count, o.max_attempts,
    case when {status} = 'retrying' then o.due_at end as next_retry_at,
    {is_canceled} as retries_cancelled, d.triggered_at, o.updated_at
    """,
    status=STATUS,
    is_canceled=IS_CANCELED,
)


def delivery_members(row: Row) -> dict[str, Any]:
    members = dict(row)
    members["webhook"] = members.pop("url")
    for name in ("next_retry_at", "triggered_at", "updated_at"):
        if members[name] is not None:
            members[name] = iso(members[name])
    return members


_GET_DELIVERY: Final = Sql(
    """
    select {columns}, o.attempts from deliveries d join outgoing_messages o on o.message_id = d.delivery_id
    where d.account_id = :account_id and d.delivery_id = :delivery_id
    """,
    columns=_COLUMNS,
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
COMMON: Final[Mapping[LiteralString, LiteralString]] = {"target": "agent", "event": "review.completed"}
_CONDITIONS: Final[Mapping[str, LiteralString]] = {
    "account_id": "d.account_id = :account_id",
    "review_id": "d.review_id = :review_id",
    "agent_id": "d.agent_id = :agent_id",
    "form_id": "d.form_id = :form_id",
    "target": "d.target = :target",
    "event": "d.event = :event",
    "since": "d.triggered_at >= :since",
    "until": "d.triggered_at < :until",
    "since_id": "{id} >= :since_id",
    "until_id": "{id} <= :until_id",
    "before": "{id} < :before",
}
# Where a list starts. Messages that aren't sent are few, and have an index by state. `offset 0` makes the planner look
# up each row by its ID, in the order of the index.
_DELIVERIES: Final = """
    deliveries d cross join lateral (select * from outgoing_messages where message_id = d.delivery_id offset 0) as o
    where true
"""
_UNSENT: Final = """
    outgoing_messages o cross join lateral (select * from deliveries where delivery_id = o.message_id offset 0) as d
    where o.account_id = :account_id and o.channel = 'webhook' and o.state <> 'sent'
"""
CLOCKS_DIFFER = 3600.0
"""Seconds, a generous margin: IDs have the time of the process that created them, `triggered_at` that of the
database.
"""


async def list_deliveries(
    db: Executor, account_id: str, only: Filter, before: str | None, limit: int
) -> list[DeliveryRow]:
    """Return the newest first."""
    rows = await _find_deliveries(db, _COLUMNS, account_id, only, before, limit)
    return [DeliveryRow.model_validate(delivery_members(row)) for row in rows]


async def list_delivery_ids(db: Executor, account_id: str, only: Filter, before: str | None, limit: int) -> list[str]:
    """Return the newest first."""
    rows = await _find_deliveries(db, "d.delivery_id", account_id, only, before, limit)
    return [row["delivery_id"] for row in rows]


async def _find_deliveries(
    db: Executor, columns: Fragment, account_id: str, only: Filter, before: str | None, limit: int
) -> list[Row]:
    """Return the newest first. The query only contains the given conditions, so that each combination gets a plan
    of its own.
    """
    values = {
        "account_id": account_id,
        "review_id": only.review_id,
        "agent_id": only.agent_id,
        "form_id": only.form_id,
        "target": only.target,
        "event": only.event,
        "since": only.since,
        "until": only.until,
        # Doesn't restrict the time further than the two above, but in the order of the scan.
        "since_id": id_at("whd", only.since, -CLOCKS_DIFFER) if only.since is not None else None,
        "until_id": id_at("whd", only.until, CLOCKS_DIFFER) if only.until is not None else None,
        "before": before,
    }
    status = only.status
    by_state = status is not None and status != "succeeded" and only.review_id is None
    newest = "o.message_id" if by_state else "d.delivery_id"
    given = {name: value for name, value in values.items() if value is not None}
    conditions = [_CONDITIONS[name].replace("{id}", newest) for name in given]
    conditions += [
        f"d.{column} <> '{common}'" for column, common in COMMON.items() if getattr(only, column) not in {None, common}
    ]
    query = _select_deliveries(columns, _UNSENT if by_state else _DELIVERIES, newest, tuple(conditions), status)
    return await query.fetch(db, limit=limit, **given)


@lru_cache(maxsize=1_000)
def _select_deliveries(
    columns: Fragment,
    tables: LiteralString,
    newest: LiteralString,
    conditions: tuple[LiteralString, ...],
    status: Status | Literal["queued"] | None,
) -> Sql[Row]:
    found = [
        Sql(
            "(select {columns} from {tables} and {conditions} order by {newest} desc limit :limit)",
            columns=columns,
            tables=tables,
            newest=newest,
            conditions=all_of((*conditions, condition)),
        )
        for condition in OF_STATUS[status]
    ]
    together = reduce(lambda left, right: Sql("{left} union all {right}", left=left, right=right), found)
    return Sql("select * from ({together}) as found order by delivery_id desc limit :limit", together=together)
