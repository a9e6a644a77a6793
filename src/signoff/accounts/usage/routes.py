from fastapi import APIRouter

from signoff.accounts.access import Reader
from signoff.accounts.usage import queries
from signoff.accounts.usage.schemas import MonthQuery, Usage
from signoff.platform.http import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["Account"])


@router.get("/usage")
async def get_usage(caller: Reader, month: MonthQuery = None) -> Usage:
    """What the account sent in a month, what its plan includes, and what is beyond that.

    A month in which nothing was sent, be it long ago or still to come, has zeroes.
    """
    return await queries.get_usage(caller, month)
