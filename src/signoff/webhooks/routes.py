from typing import Annotated

from fastapi import APIRouter, Query, Response

from signoff.accounts.access import Deliverer, Reader
from signoff.platform.http import JsonRoute
from signoff.platform.schemas import Limit, Page, Wait, page_response
from signoff.webhooks import actions, queries
from signoff.webhooks.pulling import pull_events
from signoff.webhooks.schemas import Delivery, DeliveryCursor, DeliveryId, DeliveryRow, EventPage, Status

router = APIRouter(route_class=JsonRoute, tags=["Deliveries"])
events = APIRouter(route_class=JsonRoute, tags=["Events"])

LATEST = "latest"


@events.get("/events", responses={200: {"model": EventPage, "description": "OK"}})
async def list_events(
    caller: Reader,
    after: Annotated[
        str,
        Query(
            pattern=f"^({LATEST}|[0-9]{{0,18}})$",
            description="`nextCursor` of the answer before. Left out: from the beginning. `latest`: only what comes.",
        ),
    ] = "",
    wait: Wait = 0,
    agent_id: Annotated[str | None, Query(alias="agentId", max_length=128)] = None,
    limit: Annotated[int, Query(ge=1, le=500, description="Most events in an answer.")] = 100,
) -> Response:
    """Every event, in order, without a gap: the same payloads as the webhooks, for agents that have no address."""
    position = None if after == LATEST else int(after or 0)
    pulled = await pull_events(caller, position, agent_id, limit, wait)
    body = f'{{"items":[{",".join(pulled.events)}],"nextCursor":"{pulled.cursor}"}}'
    return Response(body, media_type="application/json")


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
