from typing import Annotated

from fastapi import APIRouter, Query, Response

from signoff.accounts.access import Deliverer, Reader
from signoff.platform.http import JsonRoute
from signoff.platform.schemas import Limit, Page, page_response
from signoff.webhooks import actions, queries
from signoff.webhooks.schemas import Delivery, DeliveryCursor, DeliveryId, DeliveryRow, Status

router = APIRouter(route_class=JsonRoute, tags=["Deliveries"])


@router.get("/webhooks/deliveries", responses={200: {"model": Page[DeliveryRow], "description": "OK"}})
async def list_deliveries(
    caller: Reader,
    review_id: Annotated[str | None, Query(alias="reviewId", max_length=128)] = None,
    status: Status | None = None,
    cursor: DeliveryCursor = None,
    limit: Limit = 50,
) -> Response:
    """The account's webhook deliveries, newest first."""
    rows = await queries.list_deliveries(
        caller.db, caller.account_id, review_id=review_id, status=status, before=cursor or None, limit=limit + 1
    )
    return page_response(rows, limit, lambda row: row.delivery_id)


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
