from typing import Annotated

from fastapi import APIRouter, Query

from signoff.accounts.access import Deliverer, Reader
from signoff.platform.http import JsonRoute
from signoff.platform.schemas import Cursor, Limit, Page, page
from signoff.webhooks import actions, queries
from signoff.webhooks.schemas import Delivery, DeliveryId, DeliveryRow, Status

router = APIRouter(route_class=JsonRoute, tags=["Deliveries"])


@router.get("/webhooks/deliveries", response_model_exclude_none=True)
async def list_deliveries(
    caller: Reader,
    review_id: Annotated[str | None, Query(alias="reviewId", max_length=128)] = None,
    status: Status | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[DeliveryRow]:
    """The account's webhook deliveries, newest first."""
    rows = await queries.list_deliveries(
        caller.db, caller.account_id, review_id=review_id, status=status, before=cursor, limit=limit + 1
    )
    return page(rows, limit, lambda row: row.delivery_id)


@router.get("/webhooks/deliveries/{deliveryId}", response_model_exclude_none=True)
async def get_delivery(caller: Reader, delivery_id: DeliveryId) -> Delivery:
    """One delivery with every attempt."""
    return await queries.get_delivery(caller.db, caller.account_id, delivery_id)


@router.post("/webhooks/deliveries/{deliveryId}/retry", response_model_exclude_none=True, responses={409: {}})
async def retry_delivery(caller: Deliverer, delivery_id: DeliveryId) -> Delivery:
    """Order one more attempt of a settled delivery. It is not counted in `attemptCount`."""
    return await actions.retry_delivery(caller, delivery_id)


@router.post("/webhooks/deliveries/{deliveryId}/cancel", response_model_exclude_none=True, responses={409: {}})
async def cancel_delivery(caller: Deliverer, delivery_id: DeliveryId) -> Delivery:
    """Stop the automatic attempts."""
    return await actions.cancel_delivery(caller, delivery_id)
