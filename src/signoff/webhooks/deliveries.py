"""Retry, cancel, and delete deliveries, one or many at once."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Literal, get_args

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ApiError
from signoff.platform.outbox.messages import stop_attempts, try_again
from signoff.platform.pubsub import publish
from signoff.platform.sql import Sql
from signoff.webhooks.delivery_order import release_next
from signoff.webhooks.errors import delivery_settled, delivery_under_way
from signoff.webhooks.queries import get_delivery
from signoff.webhooks.schemas import Delivery, DeliveryError, DeliveryOutcome, DeliveryOutcomes
from signoff.webhooks.tool_waits import release_waiting

_THIS_DELIVERY: Final = """
    select delivery_id from deliveries where account_id = :account_id and delivery_id = :delivery_id
"""
_REQUEST_ATTEMPT: Final = try_again(_THIS_DELIVERY)
_STOP_ATTEMPTS: Final = stop_attempts(_THIS_DELIVERY)
_GO_ON_WITHOUT: Final = Sql(
    """
    with stopped as (
        select delivery_id, line, o.line_number, null as tool_result
        from deliveries join outgoing_messages o on o.message_id = delivery_id where delivery_id = :delivery_id
    ), {release_waiting}, next_in_order as (
        {release_next}
    )
    select true from stopped
    """,
    release_waiting=release_waiting("stopped"),
    release_next=release_next("stopped"),
)
Subject = Literal["review_id", "session_id", "agent_id"]
_DELETE_MESSAGES: Final[dict[Subject, Sql[Row]]] = {
    subject: Sql(
        """
        delete from outgoing_messages o using deliveries d
        where d.account_id = :account_id and d.{subject} = any(:ids::text[]) and o.message_id = d.delivery_id
        """,
        subject=subject,
    )
    for subject in get_args(Subject)
}
_DELETE: Final[dict[Subject, Sql[Row]]] = {
    subject: Sql(
        """
        with gone as (
            delete from deliveries where account_id = :account_id and {subject} = any(:ids::text[])
        )
        delete from events where account_id = :account_id and {subject} = any(:ids::text[])
        """,
        subject=subject,
    )
    for subject in get_args(Subject)
}


async def retry_delivery(caller: Caller, delivery_id: str) -> Delivery:
    """Request one more attempt for a finished delivery, whether it succeeded or failed."""
    ids = {"account_id": caller.account_id, "delivery_id": delivery_id}
    async with caller.db.transaction() as tx:
        is_requested = await _REQUEST_ATTEMPT.execute(tx, **ids) == "UPDATE 1"
        delivery = await get_delivery(tx, **ids)
        if not is_requested:
            raise delivery_under_way()
        await _record_audit(caller, tx, "delivery.retried", delivery)
    return delivery


async def cancel_delivery(caller: Caller, delivery_id: str) -> Delivery:
    """Stop the automatic attempts. An attempt in progress can't be undone: if it succeeds, the delivery has
    succeeded.
    """
    ids = {"account_id": caller.account_id, "delivery_id": delivery_id}
    async with caller.db.transaction() as tx:
        is_canceled = await _STOP_ATTEMPTS.execute(tx, **ids) == "UPDATE 1"
        delivery = await get_delivery(tx, **ids)
        if is_canceled:
            await _GO_ON_WITHOUT.execute(tx, delivery_id=delivery_id)
            await _record_audit(caller, tx, "delivery.cancelled", delivery)
            publish(tx, caller.account_id)
        elif not delivery.retries_cancelled:
            raise delivery_settled(delivery.status)
    return delivery


async def _record_audit(caller: Caller, tx: Executor, action: str, delivery: Delivery) -> None:
    subject = delivery.review_id or delivery.delivery_id
    await writer.record_audit(tx, caller.actor, action, subject, {"deliveryId": delivery.delivery_id})


async def delete_deliveries(tx: Executor, account_id: str, subject: Subject, ids: Sequence[str]) -> None:
    """Delete the events and deliveries of deleted objects. An attempt under way finds nothing to record."""
    await _DELETE_MESSAGES[subject].execute(tx, account_id=account_id, ids=ids)
    await _DELETE[subject].execute(tx, account_id=account_id, ids=ids)


async def retry_deliveries(caller: Caller, delivery_ids: Sequence[str]) -> DeliveryOutcomes:
    return _outcomes(await act_on_each(caller, delivery_ids, retry_delivery))


async def cancel_deliveries(caller: Caller, delivery_ids: Sequence[str]) -> DeliveryOutcomes:
    return _outcomes(await act_on_each(caller, delivery_ids, cancel_delivery))


def _outcomes(results: Sequence[tuple[str, DeliveryError | None]]) -> DeliveryOutcomes:
    return DeliveryOutcomes(
        items=[DeliveryOutcome(delivery_id=name, ok=error is None, error=error) for name, error in results]
    )


async def act_on_each(
    caller: Caller, ids: Sequence[str], act: Callable[[Caller, str], Awaitable[object]]
) -> list[tuple[str, DeliveryError | None]]:
    """Return each ID with why it was refused. One that is named twice is handled only once."""
    results = list[tuple[str, DeliveryError | None]]()
    for name in dict.fromkeys(ids):
        try:
            await act(caller, name)
        except ApiError as problem:
            results.append((name, DeliveryError(code=problem.code, detail=problem.detail)))
        else:
            results.append((name, None))
    return results
