"""Actions on groups. Each is one transaction with its audit entry."""

import asyncpg

from signoff.accounts.assignee_lookup import not_a_member
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import GroupInUse, GroupNameTaken
from signoff.accounts.groups.queries import get_group
from signoff.accounts.groups.schemas import Group, GroupChange, NewGroup
from signoff.accounts.schemas import normalize_email
from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail, InvalidRequest, NotFound
from signoff.platform.ids import new_id
from signoff.platform.messages import msg, msgs


async def create_group(caller: Caller, new: NewGroup) -> Group:
    group_id = new_id("grp")
    async with caller.db.transaction() as tx:
        try:
            await tx.execute(
                "insert into groups (group_id, account_id, name) values ($1, $2, $3)",
                group_id,
                caller.account_id,
                new.name,
            )
        except asyncpg.UniqueViolationError:
            raise GroupNameTaken(new.name) from None
        members = await _set_members(tx, caller.account_id, group_id, new.members)
        details = {"name": new.name, "members": members}
        await writer.record_audit(tx, caller.actor, "group.created", group_id, details)
        return await get_group(tx, caller.account_id, group_id)


async def update_group(caller: Caller, group_id: str, change: GroupChange) -> Group:
    async with caller.db.transaction() as tx:
        try:
            group_found = await tx.fetchval(
                """
                update groups set name = coalesce($3, name)
                where account_id = $1 and group_id = $2 returning true
                """,
                caller.account_id,
                group_id,
                change.name,
            )
        except asyncpg.UniqueViolationError:
            raise GroupNameTaken(str(change.name)) from None
        if not group_found:
            raise NotFound(msg("group"), group_id)
        details = change.model_dump(exclude_unset=True, by_alias=True)
        if change.members is not None:
            details["members"] = await _set_members(tx, caller.account_id, group_id, change.members)
        await writer.record_audit(tx, caller.actor, "group.changed", group_id, details)
        return await get_group(tx, caller.account_id, group_id)


async def delete_group(caller: Caller, group_id: str) -> None:
    """Delete a group, unless reviews are assigned to it: then only admins could decide them."""
    async with caller.db.transaction() as tx:
        row = await tx.fetchrow(
            """
            delete from groups where account_id = $1 and group_id = $2
            returning name, (
                select count(*) from review_assignees a join reviews r using (account_id, review_id)
                where a.account_id = $1 and a.assignee_id = $2 and r.state = 'pending'
            ) + (
                select count(*) from review_assignees_before b join reviews r using (account_id, review_id)
                where b.account_id = $1 and b.assignee_id = $2 and r.state = 'pending'
            ) as waiting
            """,
            caller.account_id,
            group_id,
        )
        if row is None:
            raise NotFound(msg("group"), group_id)
        if row["waiting"]:
            raise group_in_use(row["waiting"])
        await writer.record_audit(tx, caller.actor, "group.deleted", group_id, {"name": row["name"]})


async def _set_members(tx: Executor, account_id: str, group_id: str, named: list[str]) -> list[str]:
    """Replace the members and return their user IDs. The group's row must be locked."""
    user_ids = await _find_members(tx, account_id, named)
    await tx.execute("delete from group_members where group_id = $1 and user_id <> all($2)", group_id, user_ids)
    await tx.execute(
        "insert into group_members (group_id, user_id) select $1, unnest($2::text[]) on conflict do nothing",
        group_id,
        user_ids,
    )
    return user_ids


async def _find_members(tx: Executor, account_id: str, named: list[str]) -> list[str]:
    spellings = [_normalize_member(name) for name in named]
    rows = await tx.fetch(
        "select user_id, email from users where account_id = $1 and (user_id = any($2) or email = any($2))",
        account_id,
        spellings,
    )
    known = {row["user_id"]: row["user_id"] for row in rows} | {row["email"]: row["user_id"] for row in rows}
    if errors := [
        ErrorDetail(f"members[{index}]", "unknown_member", not_a_member(name))
        for index, name in enumerate(named)
        if spellings[index] not in known
    ]:
        raise InvalidRequest(errors)
    return sorted({known[spelling] for spelling in spellings})


def _normalize_member(name: str) -> str:
    """Normalize an email; anything else is treated as a user ID."""
    try:
        return normalize_email(name)
    except ValueError:
        return name


def group_in_use(count: int) -> GroupInUse:
    return GroupInUse(
        msgs(
            "This group still has {count} pending review. Reassign it, then delete the group.",
            "This group still has {count} pending reviews. Reassign them, then delete the group.",
            count=count,
        )
    )
