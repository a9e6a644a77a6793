"""Sign-in sessions: a random token in the member's cookie, and its hash in the database."""

from datetime import timedelta

from fastapi import Response

from signoff.accounts.actors import Actor
from signoff.accounts.authentication import SESSION_COOKIE
from signoff.accounts.sign_in.visitor import Visitor
from signoff.platform.clock import now
from signoff.platform.db import Executor
from signoff.platform.settings import Settings
from signoff.platform.tokens import new_token, token_hash


async def create_sign_in_session(tx: Executor, visitor: Visitor, actor: Actor) -> str:
    """Start a session and return its token. Ends the browser's previous session."""
    token = new_token("sgs")
    if visitor.session_token is not None:
        await tx.execute("delete from sign_in_sessions where token_hash = $1", token_hash(visitor.session_token))
    await tx.execute(
        """
        insert into sign_in_sessions (token_hash, account_id, user_id, expires_at, ip, user_agent)
        values ($1, $2, $3, $4, $5, $6)
        """,
        token_hash(token),
        actor.account_id,
        actor.id,
        now() + timedelta(days=visitor.settings.session_days),
        visitor.ip,
        visitor.user_agent,
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
