"""Sign-in sessions: a random token in the member's cookie, and its hash in the database.

Members list their sessions, and end them from elsewhere.
"""

from datetime import timedelta

from fastapi import Response

from signoff.accounts.actors import Actor
from signoff.accounts.audit_log import writer
from signoff.accounts.authentication import SESSION_COOKIE
from signoff.accounts.context import Caller
from signoff.accounts.sign_in.schemas import OpenSession, OpenSessions
from signoff.accounts.sign_in.visitor import Visitor
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.platform.tokens import new_token, token_hash

MAX_SHOWN = 200

# A one-way hash of the stored token hash: it identifies a session but gives no access.
SESSION_ID = "'sis_' || left(encode(sha256(token_hash), 'hex'), 28)"


INSERT = Sql(
    """
    insert into sign_in_sessions (token_hash, account_id, user_id, expires_at, ip, user_agent)
    values (:token_hash, :account_id, :user_id, :expires_at, :ip, :user_agent)
    """
)


async def create_sign_in_session(tx: Executor, visitor: Visitor, actor: Actor) -> str:
    """Start a session and return its token. Ends the browser's previous session."""
    token = new_token("sgs")
    if visitor.session_token is not None:
        await tx.execute("delete from sign_in_sessions where token_hash = $1", token_hash(visitor.session_token))
    await INSERT.execute(
        tx,
        token_hash=token_hash(token),
        account_id=actor.account_id,
        user_id=actor.id,
        expires_at=now() + timedelta(days=visitor.settings.session_days),
        ip=visitor.ip,
        user_agent=visitor.user_agent,
    )
    return token


async def end_sessions(tx: Executor, user_id: str, *, but: str | None = None) -> None:
    """End all of a member's sessions, or all except the one with the token `but`."""
    await tx.execute(
        "delete from sign_in_sessions where user_id = $1 and token_hash is distinct from $2",
        user_id,
        token_hash(but) if but is not None else None,
    )


def set_session_cookie(response: Response, settings: Settings, token: str) -> None:
    response.set_cookie(
        SESSION_COOKIE,
        token,
        max_age=settings.session_days * 86_400,
        path="/",
        secure=settings.url.startswith("https:"),
        httponly=True,
        samesite="lax",
    )


def clear_session_cookie(response: Response, settings: Settings) -> None:
    secure = settings.url.startswith("https:")
    response.delete_cookie(SESSION_COOKIE, path="/", secure=secure, httponly=True, samesite="lax")


LIST_SESSIONS = Sql(
    """
    select {session_id} as session_id, token_hash = :token_hash as current, created_at, last_seen_at, ip, user_agent
    from sign_in_sessions
    where account_id = :account_id and user_id = :user_id and expires_at > now()
    order by token_hash = :token_hash desc, last_seen_at desc, token_hash limit {max_shown}
    """,
    session_id=SESSION_ID,
    max_shown=MAX_SHOWN,
)


async def list_sessions(caller: Caller, session_token: str) -> OpenSessions:
    """List the current session first, then the others by last use."""
    rows = await LIST_SESSIONS.fetch(
        caller.db, account_id=caller.account_id, user_id=caller.actor.id, token_hash=token_hash(session_token)
    )
    return OpenSessions(
        items=[
            OpenSession(
                session_id=row["session_id"],
                current=row["current"],
                created_at=iso(row["created_at"]),
                last_seen_at=iso(row["last_seen_at"]),
                ip=row["ip"],
                user_agent=row["user_agent"],
            )
            for row in rows
        ]
    )


END_SESSION = Sql(
    """
    delete from sign_in_sessions where account_id = :account_id and user_id = :user_id and {session_id} = :session_id
    returning true
    """,
    session_id=SESSION_ID,
)


async def end_session(caller: Caller, session_id: str) -> None:
    async with caller.db.transaction() as tx:
        await _lock_person(tx, caller)
        ended = await END_SESSION.fetch_value(
            tx, account_id=caller.account_id, user_id=caller.actor.id, session_id=session_id
        )
        if not ended:
            raise NotFound(msg("session"), session_id)
        await writer.record_audit(tx, caller.actor, "user.sessions_ended", caller.actor.id, {"sessionId": session_id})


async def end_other_sessions(caller: Caller, session_token: str) -> None:
    """End all sessions except the current one. Does nothing if there are no others."""
    async with caller.db.transaction() as tx:
        await _lock_person(tx, caller)
        ended = await tx.fetch(
            """
            delete from sign_in_sessions where account_id = $1 and user_id = $2 and token_hash <> $3
            returning expires_at > now() as open
            """,
            caller.account_id,
            caller.actor.id,
            token_hash(session_token),
        )
        if count := sum(row["open"] for row in ended):
            await writer.record_audit(tx, caller.actor, "user.sessions_ended", caller.actor.id, {"sessions": count})


async def _lock_person(tx: Executor, caller: Caller) -> None:
    """Lock the member's row, as every path that starts or ends sessions does first, so that they can't deadlock."""
    await tx.execute(
        "select 1 from users where account_id = $1 and user_id = $2 for no key update",
        caller.account_id,
        caller.actor.id,
    )
