from fastapi import APIRouter

from signoff.accounts.dependencies import SignedInUser
from signoff.accounts.errors import IN_THE_PAST
from signoff.accounts.out_of_office import actions, queries
from signoff.accounts.out_of_office.actions import cannot_decide
from signoff.accounts.out_of_office.schemas import NewAbsence, OwnAbsence
from signoff.platform import examples
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.http.documentation import document_errors
from signoff.platform.http.json_routes import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["Members"])


@router.get("/auth/me/absence", operation_id="getOwnAbsence", summary="Get your out-of-office status")
async def get_absence(caller: SignedInUser) -> OwnAbsence:
    """Returns your current or upcoming out-of-office period and delegate."""
    return await queries.get_own(caller.db, caller.actor)


@router.put(
    "/auth/me/absence",
    operation_id="setOwnAbsence",
    summary="Turn on out of office",
    responses=document_errors(
        InvalidRequest(
            [
                ErrorDetail("until", "in_the_past", IN_THE_PAST),
                ErrorDetail("delegate", "cannot_decide", cannot_decide(examples.EDITOR, "viewer")),
            ]
        )
    ),
)
async def set_absence(caller: SignedInUser, new: NewAbsence) -> OwnAbsence:
    """Sets an out-of-office period. Your delegate receives your reviews during that time. You can still decide them
    yourself.
    """
    return await actions.set_absence(caller, new)


@router.delete("/auth/me/absence", operation_id="endOwnAbsence", summary="Turn off out of office", status_code=204)
async def end_absence(caller: SignedInUser) -> None:
    """Ends or cancels your out-of-office period."""
    await actions.end_absence(caller)
