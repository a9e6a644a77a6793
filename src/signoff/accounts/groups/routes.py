from fastapi import APIRouter

from signoff.accounts.assignee_lookup import not_a_member
from signoff.accounts.dependencies import CanAdminister, CanRead
from signoff.accounts.errors import GroupNameTaken
from signoff.accounts.groups import actions, queries
from signoff.accounts.groups.actions import group_in_use
from signoff.accounts.groups.schemas import Group, GroupChange, GroupId, NewGroup
from signoff.platform.http.documentation import document_errors, invalid
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.schemas import Cursor, Limit, Page, make_page

router = APIRouter(route_class=JsonRoute, tags=["Groups"])

INVALID_GROUP = (
    GroupNameTaken("Editors"),
    invalid("members[0]", "unknown_member", not_a_member("nobody@example.com")),
)


@router.get("/groups", operation_id="listGroups", summary="List groups")
async def list_groups(caller: CanRead, cursor: Cursor = None, limit: Limit = 50) -> Page[Group]:
    """Returns groups, oldest first."""
    groups = await queries.list_groups(caller.db, caller.account_id, cursor, limit + 1)
    return make_page(groups, limit, lambda group: group.group_id)


@router.post(
    "/groups",
    operation_id="createGroup",
    summary="Create a group",
    status_code=201,
    responses=document_errors(*INVALID_GROUP),
)
async def create_group(caller: CanAdminister, new: NewGroup) -> Group:
    """Creates a group."""
    return await actions.create_group(caller, new)


@router.get("/groups/{groupId}", operation_id="getGroup", summary="Get a group")
async def get_group(caller: CanRead, group_id: GroupId) -> Group:
    """Returns a group with its members."""
    return await queries.get_group(caller.db, caller.account_id, group_id)


@router.patch(
    "/groups/{groupId}", operation_id="changeGroup", summary="Update a group", responses=document_errors(*INVALID_GROUP)
)
async def change_group(caller: CanAdminister, group_id: GroupId, change: GroupChange) -> Group:
    """Updates the given properties. `members` replaces all members."""
    return await actions.update_group(caller, group_id, change)


@router.delete(
    "/groups/{groupId}",
    operation_id="deleteGroup",
    summary="Delete a group",
    status_code=204,
    responses=document_errors(group_in_use(3)),
)
async def delete_group(caller: CanAdminister, group_id: GroupId) -> None:
    """Deletes a group that has no pending reviews."""
    await actions.delete_group(caller, group_id)
