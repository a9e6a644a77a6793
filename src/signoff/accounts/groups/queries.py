from signoff.accounts.groups.schemas import Group, GroupMember
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

SELECT = """
    select g.group_id, g.name, g.created_at, array(
        select jsonb_build_object('user_id', u.user_id, 'email', u.email, 'name', u.name)
        from group_members m join users u using (user_id)
        where m.group_id = g.group_id order by u.user_id
    ) as members
    from groups g
"""


def to_group(row: Row) -> Group:
    return Group(
        group_id=row["group_id"],
        name=row["name"],
        members=[GroupMember(**member) for member in row["members"]],
        created_at=iso(row["created_at"]),
    )


GET_GROUP = Sql(
    "{select} where g.account_id = :account_id and g.group_id = :group_id",
    select=SELECT,
)


async def get_group(db: Executor, account_id: str, group_id: str) -> Group:
    row = await GET_GROUP.fetch_one(db, account_id=account_id, group_id=group_id)
    if row is None:
        raise NotFound(msg("group"), group_id)
    return to_group(row)


LIST_GROUPS = Sql(
    "{select} where g.account_id = :account_id and g.group_id > :after order by g.group_id limit :limit",
    select=SELECT,
)


async def list_groups(db: Executor, account_id: str, after: str | None, limit: int) -> list[Group]:
    rows = await LIST_GROUPS.fetch(db, account_id=account_id, after=after or "", limit=limit)
    return [to_group(row) for row in rows]
