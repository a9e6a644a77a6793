from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query

from signoff.accounts.dependencies import CanRead
from signoff.accounts.sign_in.preferences import TimeZone
from signoff.insights.errors import InsightsTooSlow
from signoff.insights.period import BEFORE_FROM, parse_period
from signoff.insights.query import TIME_LIMIT
from signoff.insights.report import get_insights
from signoff.insights.schemas import FromDay, Insights, ToDay
from signoff.platform import examples
from signoff.platform.clock import now
from signoff.platform.errors import NotFound
from signoff.platform.http.documentation import document_errors, invalid_query
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.messages import msg

router = APIRouter(route_class=JsonRoute, tags=["Insights"])

Filter = Annotated[str | None, Query(max_length=128)]


@router.get(
    "/insights",
    operation_id="getInsights",
    summary="Get insights",
    responses=document_errors(
        NotFound(msg("review type"), examples.FORM_ID),
        invalid_query("to", "out_of_order", BEFORE_FROM),
        InsightsTooSlow(round(TIME_LIMIT)),
    ),
)
async def get(
    caller: CanRead,
    from_day: FromDay = None,
    to_day: ToDay = None,
    time_zone: Annotated[
        TimeZone, Query(alias="timeZone", description="Time zone for days and hours.", examples=["Europe/Berlin"])
    ] = "UTC",
    agent_id: Annotated[
        Filter, Query(alias="agentId", description="Only statistics for this agent.", examples=[examples.AGENT_ID])
    ] = None,
    form_id: Annotated[
        Filter, Query(alias="formId", description="Only statistics for this review type.", examples=[examples.FORM_ID])
    ] = None,
) -> Insights:
    """Returns statistics about requests, decisions, and deliveries for up to 366 days."""
    period = parse_period(from_day, to_day, ZoneInfo(time_zone), now())
    return await get_insights(caller, period, agent_id, form_id)
