from fastapi import APIRouter

from signoff.accounts.dependencies import CanAdminister, CanRead
from signoff.accounts.groups import actions, queries
from signoff.accounts.groups.schemas import Group, GroupChange, GroupId, NewGroup
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.schemas import ERROR_RESPONSE, Cursor, Limit, Page, make_page

router = APIRouter(route_class=JsonRoute, tags=["Groups"])


@router.get("/groups")
async def list_groups(caller: CanRead, cursor: Cursor = None, limit: Limit = 50) -> Page[Group]:
    """Returns groups, oldest first."""
    groups = await queries.list_groups(caller.db, caller.account_id, cursor, limit + 1)
    return make_page(groups, limit, lambda group: group.group_id)


@router.post("/groups", status_code=201, responses={409: ERROR_RESPONSE})
async def create_group(caller: CanAdminister, new: NewGroup) -> Group:
    """Creates a group."""
    return await actions.create_group(caller, new)


@router.get("/groups/{groupId}")
async def get_group(caller: CanRead, group_id: GroupId) -> Group:
    return await queries.get_group(caller.db, caller.account_id, group_id)


@router.patch("/groups/{groupId}", responses={409: ERROR_RESPONSE})
async def change_group(caller: CanAdminister, group_id: GroupId, change: GroupChange) -> Group:
    """Updates the given properties. `members` replaces all members."""
    return await actions.update_group(caller, group_id, change)


@router.delete("/groups/{groupId}", status_code=204, responses={409: ERROR_RESPONSE})
async def delete_group(caller: CanAdminister, group_id: GroupId) -> None:
    """Deletes a group that has no pending reviews."""
    await actions.delete_group(caller, group_id)
