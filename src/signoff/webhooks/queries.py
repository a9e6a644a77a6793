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
    """Newest first."""
    rows = await db.fetch(
        f"""
        select {NARROW} from deliveries
        where account_id = $1
          and ($2::text is null or review_id = $2)
          and ($3::text is null or status = $3)
          and ($4::text is null or delivery_id < $4)
        order by delivery_id desc limit $5
        """,  # noqa: S608
        account_id,
        review_id,
        status,
        before,
        limit,
    )
    return [DeliveryRow.model_validate(_members(row)) for row in rows]
