from fastapi import APIRouter

from signoff.accounts.dependencies import CanRead
from signoff.accounts.usage import queries
from signoff.accounts.usage.schemas import MonthQuery, Usage
from signoff.platform.http.json_routes import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["Account"])


@router.get("/usage", operation_id="getUsage", summary="Get usage")
async def get_usage(caller: CanRead, month: MonthQuery = None) -> Usage:
    """Returns usage for a month, what your plan includes, and any overage. Months without usage return zeros."""
    return await queries.get_usage(caller, month)
