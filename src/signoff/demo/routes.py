from fastapi import APIRouter

from signoff.accounts.dependencies import SignedInUser
from signoff.accounts.errors import OwnerRequired
from signoff.demo.errors import NoDemo
from signoff.demo.removal import remove_demo
from signoff.demo.schemas import DemoState
from signoff.demo.state import read_state
from signoff.platform.http.documentation import document_errors
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.messages import msg

OWNER_REMOVES = msg("Only an owner can remove the demo, because it deletes reviews and review types for everyone.")

router = APIRouter(route_class=JsonRoute, tags=["Demo"])


@router.get("/demo", operation_id="getDemo", summary="Get demo status", response_model_exclude_none=True)
async def get_demo(caller: SignedInUser) -> DemoState:
    """Returns whether the workspace contains demo data."""
    return await read_state(caller.db, caller.account_id)


@router.delete(
    "/demo",
    operation_id="removeDemo",
    summary="Remove demo data",
    status_code=204,
    responses=document_errors(NoDemo(), OwnerRequired(OWNER_REMOVES)),
)
async def delete_demo(caller: SignedInUser) -> None:
    """Deletes what the demo created: its agents, review types, group, and colleagues, with their reviews, chats, and
    files.

    Everything people created stays: agents, review types and their reviews, saved views, groups, chat apps, and API
    keys. Demo review types are deleted even if people changed them. Owners only.
    """
    if caller.actor.role != "owner":
        raise OwnerRequired(OWNER_REMOVES)
    await remove_demo(caller.db, caller.account_id, caller.actor)
    caller.context.keys.clear()
