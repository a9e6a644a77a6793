from typing import Any

from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.settings import Settings
from signoff.webhooks.event_text import render_event, sign_event_urls
from signoff.webhooks.schemas import Delivery

LIST_COLUMNS = """
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
    for moment in ("next_retry_at", "triggered_at", "updated_at"):
        if members[moment] is not None:
            members[moment] = iso(members[moment])
    return members


def to_delivery(row: Row) -> Delivery:
    return Delivery.model_validate(delivery_members(row))


async def get_delivery(db: Executor, account_id: str, delivery_id: str) -> Delivery:
    row = await db.fetchrow(
        f"select {LIST_COLUMNS}, attempts from deliveries where account_id = $1 and delivery_id = $2",  # noqa: S608
        account_id,
        delivery_id,
    )
    if row is None:
        raise NotFound(msg("delivery"), delivery_id)
    return to_delivery(row)


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
