from fastapi import APIRouter

from signoff.accounts.dependencies import SignedInUser
from signoff.accounts.out_of_office import actions, queries
from signoff.accounts.out_of_office.schemas import NewAbsence, OwnAbsence
from signoff.platform.http.json_routes import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["Members"])


@router.get("/auth/me/absence")
async def get_absence(caller: SignedInUser) -> OwnAbsence:
    """Returns your current or upcoming out-of-office period and delegate."""
    return await queries.get_own(caller.db, caller.actor)


@router.put("/auth/me/absence")
async def set_absence(caller: SignedInUser, new: NewAbsence) -> OwnAbsence:
    """Sets an out-of-office period. Your delegate receives your reviews during that time. You can still decide them
    yourself.
    """
    return await actions.set_absence(caller, new)


@router.delete("/auth/me/absence", status_code=204)
async def end_absence(caller: SignedInUser) -> None:
    """Ends or cancels your out-of-office period."""
    await actions.end_absence(caller)
