"""Sign-ins in progress at the provider: one row each, so that any API process can finish what another one started.

A login is bound to the browser that started it by a random token in its cookie, and can be finished once.
"""

import re
from dataclasses import dataclass
from datetime import timedelta

from fastapi import Response

from signoff.accounts.oidc.errors import StateExpired, StateForeign, StateMissing, StateReused
from signoff.platform.clock import now
from signoff.platform.db import Executor
from signoff.platform.messages import msg
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.platform.tokens import new_token, token_hash

BROWSER_COOKIE = "signoff_oidc"
BROWSER_TOKEN = re.compile(r"sgb_[A-Za-z0-9_-]{43}")
LIFETIME = timedelta(minutes=10)
COOKIE_SECONDS = 3600
"""Longer than a login is valid, so that someone who is late gets that error."""
COOKIE_PATH = "/api/v1/auth/oidc"


@dataclass(frozen=True, slots=True)
class NewLogin:
    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class PendingLogin:
    """A login that has returned from the provider."""

    nonce: str
    verifier: str
    next: str | None


def browser_token(cookie: str | None) -> str:
    """Return the browser's existing token, if it has one: people open several sign-in pages and finish any of them."""
    return cookie if cookie is not None and BROWSER_TOKEN.fullmatch(cookie) else new_token("sgb")


def give_browser_cookie(response: Response, settings: Settings, token: str) -> None:
    response.set_cookie(
        BROWSER_COOKIE,
        token,
        max_age=COOKIE_SECONDS,
        path=COOKIE_PATH,
        secure=settings.url.startswith("https:"),
        httponly=True,
        samesite="lax",  # it must be sent along when the provider redirects the browser back
    )


INSERT = Sql(
    """
    insert into oidc_logins (state_hash, browser_hash, nonce, verifier, next, expires_at)
    values (:state_hash, :browser_hash, :nonce, :verifier, :next, :expires_at)
    """
)


async def begin_login(db: Executor, browser: str, next_path: str | None) -> NewLogin:
    login = NewLogin(new_token("sgo"), new_token("nonce"), new_token("v"))
    await INSERT.execute(
        db,
        state_hash=token_hash(login.state),
        browser_hash=token_hash(browser),
        nonce=login.nonce,
        verifier=login.verifier,
        next=next_path,
        expires_at=now() + LIFETIME,
    )
    return login


async def finish_login(db: Executor, state: str | None, browser: str | None) -> PendingLogin:
    """Consume the login that this browser started. Of several concurrent attempts, only one gets it."""
    if not state or not browser:
        raise StateMissing(msg("We couldn't find this sign-in. Your cookies may have been cleared. Start again."))
    row = await db.fetchrow(
        """
        with found as (
            select state_hash, nonce, verifier, next from oidc_logins
            where state_hash = $1 and browser_hash = $2 and used_at is null and expires_at > now()
            for update
        )
        update oidc_logins l set used_at = now(), nonce = '', verifier = ''
        from found f where l.state_hash = f.state_hash
        returning f.nonce, f.verifier, f.next
        """,
        token_hash(state),
        token_hash(browser),
    )
    if row is None:
        raise await _explain_failure(db, state, browser)
    return PendingLogin(row["nonce"], row["verifier"], row["next"])


async def _explain_failure(db: Executor, state: str, browser: str) -> StateForeign | StateReused | StateExpired:
    row = await db.fetchrow(
        "select used_at from oidc_logins where state_hash = $1 and browser_hash = $2",
        token_hash(state),
        token_hash(browser),
    )
    if row is None:
        return StateForeign(msg("You started signing in from another browser. Start again here."))
    if row["used_at"] is not None:
        return StateReused(msg("This sign-in was already completed. Start again."))
    return StateExpired(msg("The sign-in took longer than 10 minutes. Start again."))
