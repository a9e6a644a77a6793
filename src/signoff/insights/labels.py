"""Names for the IDs that were counted, including archived, deleted, and disabled objects."""

from collections.abc import Collection

from signoff.platform.db import Database, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg


async def ensure_filters_exist(db: Database, account_id: str, agent_id: str | None, form_id: str | None) -> None:
    if agent_id is not None and not await agents(db, account_id, [agent_id]):
        raise NotFound(msg("agent"), agent_id)
    if form_id is not None and not await forms(db, account_id, [form_id]):
        raise NotFound(msg("review type"), form_id)


async def agents(db: Database, account_id: str, agent_ids: Collection[str]) -> dict[str, Row]:
    rows = await db.fetch(
        "select agent_id, name from agents where account_id = $1 and agent_id = any($2::text[])",
        account_id,
        list(agent_ids),
    )
    return {row["agent_id"]: row for row in rows}


async def forms(db: Database, account_id: str, form_ids: Collection[str]) -> dict[str, Row]:
    rows = await db.fetch(
        "select form_id, name, agent_id from forms where account_id = $1 and form_id = any($2::text[])",
        account_id,
        list(form_ids),
    )
    return {row["form_id"]: row for row in rows}


async def users(db: Database, account_id: str, user_ids: Collection[str]) -> dict[str, Row]:
    rows = await db.fetch(
        "select user_id, name from users where account_id = $1 and user_id = any($2::text[])",
        account_id,
        list(user_ids),
    )
    return {row["user_id"]: row for row in rows}
