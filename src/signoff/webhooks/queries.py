from typing import Any

from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.webhooks.schemas import Delivery, DeliveryRow

NARROW = """
    account_id, delivery_id, status, ok, status_code, status_text, event, target, url_source, url,
    review_id, form_id, form_name, agent_id, session_id, attempt_count, max_attempts,
    case when status = 'retrying' then next_retry_at end as next_retry_at,
    retries_cancelled, triggered_at, updated_at
"""


def _members(row: Row) -> dict[str, Any]:
    members = dict(row)
    members["webhook"] = members.pop("url")
    for moment in ("next_retry_at", "triggered_at", "updated_at"):
        if members[moment] is not None:
            members[moment] = iso(members[moment])
    return members


def to_delivery(row: Row) -> Delivery:
    return Delivery.model_validate(_members(row))


async def get_delivery(db: Executor, account_id: str, delivery_id: str) -> Delivery:
    row = await db.fetchrow(
        f"select {NARROW}, attempts from deliveries where account_id = $1 and delivery_id = $2",  # noqa: S608
        account_id,
        delivery_id,
    )
    if row is None:
        raise NotFound("delivery", delivery_id)
    return to_delivery(row)


async def list_deliveries(
    db: Executor, account_id: str, *, review_id: str | None, status: str | None, before: str | None, limit: int
) -> list[DeliveryRow]:
    """Newest first. Only the conditions that were asked for are in the query, so that each has an index to walk."""
    conditions, values = ["account_id = $1"], [account_id]
    for condition, value in (("review_id =", review_id), ("status =", status), ("delivery_id <", before)):
        if value is not None:
            values.append(value)
            conditions.append(f"{condition} ${len(values)}")
    if status is not None and status != "succeeded":
        conditions.append("status <> 'succeeded'")  # names the partial index
    rows = await db.fetch(
        f"select {NARROW} from deliveries where {' and '.join(conditions)} "  # noqa: S608
        f"order by delivery_id desc limit ${len(values) + 1}",
        *values,
        limit,
    )
    return [DeliveryRow.model_validate(_members(row)) for row in rows]
