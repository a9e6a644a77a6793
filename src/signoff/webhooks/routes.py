from typing import Annotated

from fastapi import APIRouter, Query, Response

from signoff.accounts.dependencies import CanEditForms, CanManageDeliveries, CanRead
from signoff.accounts.schemas import Timestamp
from signoff.agents.schemas import AgentFilter, AgentId
from signoff.forms.schemas import FormFilter
from signoff.platform import examples
from signoff.platform.http.documentation import document_errors, document_response
from signoff.platform.http.json_routes import JSON, JsonRoute, allow_query
from signoff.platform.schemas import Limit, Page, Wait, page_response
from signoff.webhooks import deliveries, event_tests, queries
from signoff.webhooks.errors import delivery_settled, delivery_under_way, no_webhook
from signoff.webhooks.event_log import read_events
from signoff.webhooks.queries import Filter
from signoff.webhooks.schemas import (
    Delivery,
    DeliveryChoice,
    DeliveryCursor,
    DeliveryId,
    DeliveryOutcomes,
    DeliveryRow,
    EventFilter,
    EventPage,
    SentEvent,
    Status,
    TargetFilter,
    TestOutcome,
)

router = APIRouter(route_class=JsonRoute, tags=["Webhook deliveries"])
events = APIRouter(route_class=JsonRoute, tags=["Events"])
tests = APIRouter(route_class=JsonRoute, tags=["Agents"])

LATEST = "latest"


@events.get("/events", operation_id="listEvents", summary="List events", responses=document_response(EventPage))
async def list_events(
    caller: CanRead,
    after: Annotated[
        str,
        Query(
            pattern=f"^({LATEST}|[0-9]{{0,18}})$",
            description=(
                "`nextCursor` from the previous response. Leave out to start from the beginning, or use "
                "`latest` for new events only."
            ),
        ),
    ] = "",
    wait: Wait = 0,
    agent_id: AgentFilter = None,
    limit: Annotated[int, Query(ge=1, le=500, description="Maximum number of events.")] = 100,
) -> Response:
    """Returns every event in order and without gaps, with the same payloads as webhooks. For agents that can't receive
    webhooks.
    """
    position = None if after == LATEST else int(after or 0)
    pulled = await read_events(caller, position, agent_id, limit, wait)
    body = f'{{"items":[{",".join(pulled.events)}],"nextCursor":"{pulled.cursor}"}}'
    return Response(body, media_type="application/json")


@router.get(
    "/webhooks/deliveries",
    operation_id="listDeliveries",
    summary="List deliveries",
    responses=document_response(Page[DeliveryRow]),
)
async def list_deliveries(
    caller: CanRead,
    review_id: Annotated[
        str | None, Query(alias="reviewId", max_length=128, description="Review ID.", examples=[examples.REVIEW_ID])
    ] = None,
    agent_id: AgentFilter = None,
    form_id: FormFilter = None,
    status: Annotated[Status | None, Query(description="Only deliveries with this status.")] = None,
    target: TargetFilter = None,
    event: EventFilter = None,
    since: Annotated[
        Timestamp | None,
        Query(description="Only deliveries of events at or after this time.", examples=["2026-11-01T00:00:00Z"]),
    ] = None,
    until: Annotated[
        Timestamp | None,
        Query(description="Only deliveries of events before this time.", examples=["2026-12-01T00:00:00Z"]),
    ] = None,
    cursor: DeliveryCursor = None,
    limit: Limit = 50,
) -> Response:
    """Returns webhook deliveries, newest first."""
    only = Filter(review_id, agent_id, form_id, status, target, event, since, until)
    rows = await queries.list_deliveries(caller.db, caller.account_id, only, cursor or None, limit + 1)
    return page_response(rows, limit, lambda row: row.delivery_id)


@router.get(
    "/webhooks/deliveries/{deliveryId}",
    operation_id="getDelivery",
    summary="Get a delivery",
    response_model_exclude_none=True,
)
@allow_query("")
async def get_delivery(caller: CanRead, delivery_id: DeliveryId) -> Delivery:
    """Returns a delivery with all attempts."""
    return await queries.get_delivery(caller.db, caller.account_id, delivery_id)


@router.get(
    "/webhooks/deliveries/{deliveryId}/event",
    operation_id="getDeliveryEvent",
    summary="Get a delivery's event",
    responses=document_response(SentEvent),
)
async def get_delivery_event(caller: CanRead, delivery_id: DeliveryId) -> Response:
    """Returns the event exactly as it was or will be sent."""
    event = await queries.get_event(caller.settings, caller.db, caller.account_id, delivery_id)
    return Response(event, media_type=JSON)


@router.post(
    "/webhooks/deliveries/retry",
    operation_id="retryDeliveries",
    summary="Retry deliveries",
    response_model_exclude_none=True,
)
async def retry_deliveries(caller: CanManageDeliveries, choice: DeliveryChoice) -> DeliveryOutcomes:
    """Queues one more attempt for each finished delivery in the list."""
    return await deliveries.retry_deliveries(caller, choice.delivery_ids)


@router.post(
    "/webhooks/deliveries/cancel",
    operation_id="cancelDeliveries",
    summary="Cancel deliveries",
    response_model_exclude_none=True,
)
async def cancel_deliveries(caller: CanManageDeliveries, choice: DeliveryChoice) -> DeliveryOutcomes:
    """Stops automatic attempts for each delivery in the list."""
    return await deliveries.cancel_deliveries(caller, choice.delivery_ids)


@router.post(
    "/webhooks/deliveries/{deliveryId}/retry",
    operation_id="retryDelivery",
    summary="Retry a delivery",
    response_model_exclude_none=True,
    responses=document_errors(delivery_under_way()),
)
async def retry_delivery(caller: CanManageDeliveries, delivery_id: DeliveryId) -> Delivery:
    """Queues one more attempt for a finished delivery. It doesn't count toward `attemptCount`."""
    return await deliveries.retry_delivery(caller, delivery_id)


@router.post(
    "/webhooks/deliveries/{deliveryId}/cancel",
    operation_id="cancelDelivery",
    summary="Cancel a delivery",
    response_model_exclude_none=True,
    responses=document_errors(delivery_settled("succeeded")),
)
async def cancel_delivery(caller: CanManageDeliveries, delivery_id: DeliveryId) -> Delivery:
    """Stops automatic attempts."""
    return await deliveries.cancel_delivery(caller, delivery_id)


@tests.post(
    "/agents/{agentId}/testEvent",
    operation_id="sendTestEvent",
    summary="Send a test event",
    responses=document_errors(no_webhook()),
)
async def send_test_event(caller: CanEditForms, agent_id: AgentId) -> TestOutcome:
    """Sends a signed `test` event to the agent's webhook and returns the response. The event isn't recorded as a
    delivery and isn't retried.
    """
    return await event_tests.send_test_event(caller, agent_id)
