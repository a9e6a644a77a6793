"""Write events, and create, retry, and cancel their deliveries. Nothing here makes HTTP calls: workers do."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.media.copy_jobs import RELEASE
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor
from signoff.platform.ids import new_id
from signoff.platform.jobs.queue import enqueue_sql
from signoff.webhooks.delivery_order import enqueue_next_sql
from signoff.webhooks.errors import delivery_settled, delivery_under_way
from signoff.webhooks.queries import LIST_COLUMNS, get_delivery, to_delivery
from signoff.webhooks.schemas import Delivery, Target

DELIVER_JOB = "webhooks.deliver"


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    event: str
    account_id: str
    agent_id: str
    session_id: str
    members: dict[str, Any]
    """The members of this type of event, in addition to the common ones."""
    review_id: str | None = None
    form_id: str | None = None
    form_name: str | None = None
    line_number: int | None = None
    """The position of its deliveries in their session's order; None if they can be sent in any order."""

    def payload(self, event_id: str, at: datetime) -> dict[str, Any]:
        """Return the event as it's stored and sent."""
        return {
            "event": self.event,
            "eventId": event_id,
            "accountId": self.account_id,
            "agentId": self.agent_id,
            "sessionId": self.session_id,
            "createdAt": iso(at),
            **self.members,
        }


@dataclass(frozen=True, slots=True)
class Destination:
    target: Target
    url_source: Literal["request", "form", "agent", "account"]
    url: str
    delivery_id: str = field(default_factory=lambda: new_id("whd"))


async def emit_event(
    tx: Executor,
    event: WebhookEvent,
    destinations: Sequence[Destination],
    max_attempts: int,
    media_until: datetime | None = None,
) -> None:
    """Write the event, its deliveries, and their jobs, in the transaction of the change it reports.

    If there is a tool webhook, the event and the agent's delivery wait for its first attempt, to include its response.
    With `media_until`, everything waits for copies of the review's media, at most until then (`media_waits.py`).
    """
    tool = next((d.delivery_id for d in destinations if d.target == "tool"), None)
    event_id = new_id("evt")
    await tx.execute(
        f"""
        with event as (
            insert into events
                (account_id, event_id, event, agent_id, session_id, review_id, payload, delivery_id, waits_for,
                 media_until)
            values ($1, $2, $3, $4, $5, $6, $7, $16, $17, $19::timestamptz)
        ), made as (
            insert into deliveries
                (account_id, event_id, event, agent_id, session_id, review_id, form_id, form_name, max_attempts,
                 line_number, delivery_id, target, url_source, url, waits_for)
            select $1, $2, $3, $4, $5, $6, $8, $9, $10, $18, delivery_id, target, url_source, url, waits_for
            from unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
                as d (delivery_id, target, url_source, url, waits_for)
            returning delivery_id, waits_for
        ), release as (
            {enqueue_sql(RELEASE, "select $1 || '/' || $2, $19 where $19 is not null")}
        )
        {enqueue_sql(DELIVER_JOB, "select delivery_id, now() from made where waits_for is null and $19 is null")}
        """,  # noqa: S608
        event.account_id,
        event_id,
        event.event,
        event.agent_id,
        event.session_id,
        event.review_id,
        event.payload(event_id, now()),
        event.form_id,
        event.form_name,
        max_attempts,
        [d.delivery_id for d in destinations],
        [d.target for d in destinations],
        [d.url_source for d in destinations],
        [d.url for d in destinations],
        [tool if d.target == "agent" else None for d in destinations],
        next((d.delivery_id for d in destinations if d.target == "agent"), None),
        tool,
        event.line_number,
        media_until,
    )


async def retry_delivery(caller: Caller, delivery_id: str) -> Delivery:
    """Request one more attempt for a finished delivery, whether it succeeded or failed."""
    async with caller.db.transaction() as tx:
        row = await tx.fetchrow(
            f"""
            with ordered as (
                update deliveries set
                    status = 'pending', attempt_ordered = 'manual', retries_cancelled = false, next_retry_at = null,
                    updated_at = now()
                where account_id = $1 and delivery_id = $2 and status in ('succeeded', 'dead')
                returning {LIST_COLUMNS}, attempts
            ), job as (
                {enqueue_sql(DELIVER_JOB, "select delivery_id, now() from ordered")}
            )
            select * from ordered
            """,  # noqa: S608
            caller.account_id,
            delivery_id,
        )
        if row is None:
            await get_delivery(tx, caller.account_id, delivery_id)
            raise delivery_under_way()
        await writer.record_audit(
            tx, caller.actor, "delivery.retried", row["review_id"] or delivery_id, {"deliveryId": delivery_id}
        )
    caller.context.wake()
    return to_delivery(row)


async def cancel_delivery(caller: Caller, delivery_id: str) -> Delivery:
    """Stop the automatic attempts. An attempt in progress can't be undone: if it succeeds, the delivery has
    succeeded.
    """
    async with caller.db.transaction() as tx:
        row = await tx.fetchrow(
            f"""
            with stopped as (
                update deliveries set
                    status = 'dead', retries_cancelled = true, next_retry_at = null, updated_at = now()
                where account_id = $1 and delivery_id = $2 and status in ('pending', 'delivering', 'retrying')
                returning {LIST_COLUMNS}, attempts
            ), released as (
                {RELEASE_WAITING_SQL.format(finished="stopped")}
            ), event as (
                {RELEASE_EVENT.format(finished="stopped", tool_result="null")}
            ), job as (
                {DELIVER_RELEASED}
            ), next_in_line as (
                {enqueue_next_sql("stopped")}
            )
            select * from stopped
            """,  # noqa: S608
            caller.account_id,
            delivery_id,
        )
        if row is None:
            delivery = await get_delivery(tx, caller.account_id, delivery_id)
            if delivery.retries_cancelled:
                return delivery
            raise delivery_settled(delivery.status)
        await writer.record_audit(
            tx, caller.actor, "delivery.cancelled", row["review_id"] or delivery_id, {"deliveryId": delivery_id}
        )
    caller.context.wake()
    caller.context.pubsub.publish(caller.account_id)
    return to_delivery(row)


# Release what waited for a tool: the agent's delivery, and the event for those who pull it, with the tool's response.
# `finished` names the rows of the tools' deliveries.
RELEASE_WAITING_SQL = """
    update deliveries w set waits_for = null, updated_at = now()
    from {finished} f where w.waits_for = f.delivery_id
    returning w.delivery_id, w.status
"""
RELEASE_EVENT = """
    update events e set waits_for = null, tool_result = {tool_result}
    from {finished} f where e.waits_for = f.delivery_id
"""
DELIVER_RELEASED = enqueue_sql(DELIVER_JOB, "select delivery_id, now() from released where status = 'pending'")


async def delete_review_deliveries(tx: Executor, account_id: str, review_id: str) -> None:
    """Delete the events and deliveries of a deleted review. Remaining jobs find nothing to do."""
    await tx.execute("delete from deliveries where account_id = $1 and review_id = $2", account_id, review_id)
    await tx.execute("delete from events where account_id = $1 and review_id = $2", account_id, review_id)
