from fastapi import APIRouter

from signoff.accounts.identity import Person
from signoff.accounts.out_of_office import actions, queries
from signoff.accounts.out_of_office.schemas import NewAbsence, OwnAbsence
from signoff.platform.http import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["People"])


@router.get("/auth/me/absence")
async def get_absence(caller: Person) -> OwnAbsence:
    """When one is away, now or to come, and who stands in."""
    return await queries.get_own(caller.db, caller.actor)


@router.put("/auth/me/absence")
async def set_absence(caller: Person, new: NewAbsence) -> OwnAbsence:
    """Say that one is away. Meanwhile the delegate is asked for what one is asked for; one can still decide oneself."""
    return await actions.set_absence(caller, new)


@router.delete("/auth/me/absence", status_code=204)
async def end_absence(caller: Person) -> None:
    """Be back, or not go at all."""
    await actions.end_absence(caller)
