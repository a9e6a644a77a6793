from fastapi import APIRouter

from signoff.accounts.errors import OwnerNeeded
from signoff.accounts.identity import Person
from signoff.demo.removing import remove_demo
from signoff.demo.schemas import DemoState
from signoff.demo.state import read_state
from signoff.platform.http import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["Demo"])


@router.get("/demo", response_model_exclude_none=True)
async def get_demo(caller: Person) -> DemoState:
    """Whether the workspace is filled with a demo."""
    return await read_state(caller.db, caller.account_id)


@router.delete("/demo", status_code=204, responses={404: {}})
async def delete_demo(caller: Person) -> None:
    """Empty the workspace: the demo goes, and so does all that was made in it meanwhile.

    People who can sign in stay, and the API keys that they made. Owners only.
    """
    if caller.actor.role != "owner":
        raise OwnerNeeded("Only an owner can remove the demo: the whole workspace is emptied.")
    await remove_demo(caller.db, caller.account_id, caller.actor)
    caller.service.keys.forget()
    caller.service.wake()
    caller.service.live.tell(caller.account_id)
