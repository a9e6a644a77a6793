"""Resolve assignees: members by email, groups by ID."""

from collections.abc import Sequence

from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail
from signoff.platform.messages import Message, msg


async def resolve_members(
    db: Executor, account_id: str, emails: Sequence[str], path: str, errors: list[ErrorDetail]
) -> list[str]:
    """Return the user IDs of enabled members. Adds an error at `path` for every email that isn't a member's."""
    rows = await db.fetch(
        "select email, user_id from users where account_id = $1 and email = any($2::text[]) and disabled_at is null",
        account_id,
        list(emails),
    )
    known = {row["email"]: row["user_id"] for row in rows}
    errors += [
        ErrorDetail(f"{path}[{index}]", "unknown_member", not_a_member(email))
        for index, email in enumerate(emails)
        if email not in known
    ]
    return list(dict.fromkeys(known[email] for email in emails if email in known))


async def resolve_groups(
    db: Executor, account_id: str, group_ids: Sequence[str], path: str, errors: list[ErrorDetail]
) -> list[str]:
    """Return the IDs of existing groups. Adds an error at `path` for every unknown one."""
    rows = await db.fetch(
        "select group_id from groups where account_id = $1 and group_id = any($2::text[])", account_id, list(group_ids)
    )
    known = {row["group_id"] for row in rows}
    errors += [
        ErrorDetail(f"{path}[{index}]", "unknown_group", msg("must be the ID of a group, not '{id}'", id=group_id))
        for index, group_id in enumerate(group_ids)
        if group_id not in known
    ]
    return list(dict.fromkeys(group_id for group_id in group_ids if group_id in known))


async def ensure_members_exist(
    db: Executor, account_id: str, emails: Sequence[str], path: str, errors: list[ErrorDetail]
) -> None:
    """Check the emails of external reviewers. A member's email is an error: members sign in and decide under their
    own name.
    """
    members = await find_member_addresses(db, account_id, emails)
    errors += [is_member(path, index, email) for index, email in enumerate(emails) if email in members]


def is_member(path: str, index: int, email: str) -> ErrorDetail:
    message = msg(
        "'{email}' is a member of this workspace; assign them as a member, not as an external reviewer", email=email
    )
    return ErrorDetail(f"{path}[{index}]", "is_member", message)


def not_a_member(email: str) -> Message:
    return msg("'{email}' isn't a member of this workspace", email=email)


async def find_member_addresses(db: Executor, account_id: str, emails: Sequence[str]) -> set[str]:
    """Return the emails that belong to members, including disabled ones."""
    rows = await db.fetch(
        "select email from users where account_id = $1 and email = any($2::text[])", account_id, list(emails)
    )
    return {row["email"] for row in rows}
