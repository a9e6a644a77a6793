"""Retry or cancel many deliveries in one call: each separately, with a result of its own."""

from collections.abc import Awaitable, Callable, Sequence

from signoff.accounts.context import Caller
from signoff.platform.errors import ApiError
from signoff.webhooks.actions import cancel_delivery, retry_delivery
from signoff.webhooks.schemas import Delivery, DeliveryError, DeliveryOutcome, DeliveryOutcomes


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
