"""Read sessions, in lists and individually."""

from collections.abc import Sequence
from typing import Any, Final

from signoff.accounts.actors import Permission
from signoff.accounts.context import Caller
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

MAX_PREVIEW_LENGTH: Final = 200
MAX_REVIEWS: Final = 200
"""How many of a session's newest reviews are searched for open ones."""
MAX_REVIEWS_SCANNED: Final = 500
MAX_RUNS: Final = 20
MAX_PARTICIPANTS: Final = 100

SELECT_ROWS: Final = Sql(
    """
    select
    s.session_id, s.name, s.agent_id, a.name as agent_name, s.created_at, s.active_at, s.message_count,
    greatest(0, s.message_count - p.read_number) as unread,
    m.message_id, m.role, left(m.text, {preview}) as beginning, m.created_at as last_at,
    coalesce(u.name, a.name) as last_by,
    (select count(*) from (
        select r.state from reviews r where r.account_id = s.account_id and r.session_id = s.session_id
        order by r.review_id desc limit {most_reviews}
    ) as newest where newest.state = 'pending') as open_reviews
    from sessions s
    join agents a on a.account_id = s.account_id and a.agent_id = s.agent_id
    left join session_people p on p.account_id = s.account_id and p.session_id = s.session_id and p.user_id = :viewer_id
    left join messages m on m.account_id = s.account_id and m.session_id = s.session_id and m.number = s.message_count
    left join users u on m.role = 'human' and u.account_id = s.account_id and u.user_id = m.author_id
    where s.account_id = :account_id and s.session_id = any(:session_ids::text[])
    """,
    preview=MAX_PREVIEW_LENGTH,
    most_reviews=MAX_REVIEWS,
)


async def session_rows(
    db: Executor, account_id: str, session_ids: Sequence[str], viewer_id: str | None = None
) -> dict[str, dict[str, Any]]:
    """Return existing sessions by ID. `viewer_id` is the person whose unread messages are counted."""
    rows = await SELECT_ROWS.fetch(db, account_id=account_id, viewer_id=viewer_id, session_ids=session_ids)
    return {row["session_id"]: _to_row(row) for row in rows}


def _to_row(row: Row) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "sessionId": row["session_id"],
        "name": row["name"],
        "agentId": row["agent_id"],
        "agentName": row["agent_name"],
        "createdAt": iso(row["created_at"]),
        "activeAt": iso(row["active_at"]),
        "messageCount": row["message_count"],
        "unread": row["unread"] or 0,
        "openReviews": row["open_reviews"],
    }
    if row["message_id"] is not None:
        shown["lastMessage"] = {
            "messageId": row["message_id"],
            "role": row["role"],
            "text": row["beginning"],
            "at": iso(row["last_at"]),
            "by": row["last_by"],
        }
    return shown


async def count_unread_by_user(db: Executor, account_id: str, session_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return the number of unread messages of each participant, by session and person."""
    rows = await db.fetch(
        """
        select p.session_id, p.user_id, greatest(0, s.message_count - p.read_number) as unread
        from session_people p join sessions s using (account_id, session_id)
        where p.account_id = $1 and p.session_id = any($2::text[])
        """,
        account_id,
        list(session_ids),
    )
    unread: dict[str, dict[str, int]] = {}
    for row in rows:
        unread.setdefault(row["session_id"], {})[row["user_id"]] = row["unread"]
    return unread


async def get_session(caller: Caller, session_id: str) -> dict[str, Any]:
    db, account_id, actor = caller.db, caller.account_id, caller.actor
    rows = await session_rows(db, account_id, [session_id], actor.id if actor.kind == "user" else None)
    beside = await db.fetchrow(
        """
        select case when a.deleted_at is null then a.chat else 'off' end as chat, w.text, w.since
        from sessions s join agents a using (account_id, agent_id)
        left join session_working w
            on w.account_id = s.account_id and w.session_id = s.session_id and w.until > now()
        where s.account_id = $1 and s.session_id = $2
        """,
        account_id,
        session_id,
    )
    if session_id not in rows or beside is None:
        raise NotFound(msg("session"), session_id)
    session = {
        **rows[session_id],
        "chat": beside["chat"],
        "participants": await _participants(db, account_id, session_id),
        "working": _working(beside),
        "typing": await _typing(db, account_id, session_id),
        "runs": await _runs(db, account_id, session_id),
    }
    if actor.kind == "user":
        session["mayWrite"] = beside["chat"] != "off" and actor.can(Permission.DECIDE)
    return session


def _working(row: Row) -> dict[str, str] | None:
    if row["since"] is None:
        return None
    members = {} if row["text"] is None else {"text": row["text"]}
    return {**members, "since": iso(row["since"])}


async def _participants(db: Executor, account_id: str, session_id: str) -> list[dict[str, str]]:
    rows = await db.fetch(
        """
        select u.user_id, u.name, u.email from session_people p join users u using (account_id, user_id)
        where p.account_id = $1 and p.session_id = $2 order by p.since, u.user_id limit $3
        """,
        account_id,
        session_id,
        MAX_PARTICIPANTS,
    )
    return [{"userId": row["user_id"], "name": row["name"], "email": row["email"]} for row in rows]


async def _typing(db: Executor, account_id: str, session_id: str) -> list[dict[str, str]]:
    rows = await db.fetch(
        """
        select u.user_id, u.name from session_typing t join users u using (account_id, user_id)
        where t.account_id = $1 and t.session_id = $2 and t.until > now() order by u.user_id
        """,
        account_id,
        session_id,
    )
    return [{"userId": row["user_id"], "name": row["name"]} for row in rows]


async def _runs(db: Executor, account_id: str, session_id: str) -> list[dict[str, str | None]]:
    rows = await db.fetch(
        """
        select run_id, runs.name
        from (select run_id, min(review_id) as first
              from (select run_id, review_id from reviews
                    where account_id = $1 and session_id = $2 order by review_id limit $3) as looked_at
              where run_id is not null group by run_id order by first limit $4) as of_session
        join runs using (run_id) where runs.account_id = $1 order by first
        """,
        account_id,
        session_id,
        MAX_REVIEWS_SCANNED,
        MAX_RUNS,
    )
    return [{"runId": row["run_id"], "name": row["name"]} for row in rows]


async def ensure_session_exists(db: Executor, account_id: str, session_id: str) -> None:
    """Raise an error for an unknown session; another account's counts as unknown too."""
    known = await db.fetchval(
        "select true from sessions where account_id = $1 and session_id = $2", account_id, session_id
    )
    if not known:
        raise NotFound(msg("session"), session_id)
