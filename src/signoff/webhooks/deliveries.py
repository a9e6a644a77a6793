"""Retry, cancel, release, and delete deliveries, one or many at once."""

from collections.abc import Awaitable, Callable, Sequence

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.platform.db import Executor
from signoff.platform.errors import ApiError
from signoff.platform.jobs.queue import enqueue_sql, wake_workers
from signoff.platform.pubsub import publish
from signoff.webhooks.delivery_order import enqueue_next_sql
from signoff.webhooks.errors import delivery_settled, delivery_under_way
from signoff.webhooks.events import DELIVER_JOB
from signoff.webhooks.queries import LIST_COLUMNS, get_delivery, to_delivery
from signoff.webhooks.schemas import Delivery, DeliveryError, DeliveryOutcome, DeliveryOutcomes


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
        wake_workers(tx)
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
        wake_workers(tx)
        publish(tx, caller.account_id)
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


async def retry_deliveries(caller: Caller, delivery_ids: Sequence[str]) -> DeliveryOutcomes:
    return await _each(caller, delivery_ids, retry_delivery)


async def cancel_deliveries(caller: Caller, delivery_ids: Sequence[str]) -> DeliveryOutcomes:
    return await _each(caller, delivery_ids, cancel_delivery)


async def _each(
    caller: Caller, delivery_ids: Sequence[str], act: Callable[[Caller, str], Awaitable[Delivery]]
) -> DeliveryOutcomes:
    """Handle a delivery that is named twice only once."""
    items = [await _one(caller, delivery_id, act) for delivery_id in dict.fromkeys(delivery_ids)]
    return DeliveryOutcomes(items=items)


async def _one(caller: Caller, delivery_id: str, act: Callable[[Caller, str], Awaitable[Delivery]]) -> DeliveryOutcome:
    try:
        await act(caller, delivery_id)
    except ApiError as problem:
        error = DeliveryError(code=problem.code, detail=problem.detail)
        return DeliveryOutcome(delivery_id=delivery_id, ok=False, error=error)
    return DeliveryOutcome(delivery_id=delivery_id, ok=True, error=None)
