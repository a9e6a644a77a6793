"""The browsers that members signed in from, each identified by a random cookie.

Anyone can fail to sign in with a member's email, over and over. Failures from unknown browsers must not lock the member
out of the browser they use every day, so a known device has its own count of failures.
"""

from datetime import timedelta

from fastapi import Response

from signoff.accounts.actors import Actor
from signoff.platform.db import Executor
from signoff.platform.settings import Settings
from signoff.platform.tokens import new_token, token_hash

DEVICE_COOKIE = "signoff_device"
LIFETIME = timedelta(days=400)
"""The maximum lifetime of a cookie in browsers."""


async def remember_device(tx: Executor, actor: Actor, token: str | None) -> str:
    """Return the device token for this browser: its existing one, if it belongs to a known device, or a new one."""
    known = token is not None and await tx.fetchval(
        "select exists (select 1 from known_devices where token_hash = $1)", token_hash(token)
    )
    device_token = token if known and token is not None else new_token("sgd")
    await tx.execute(
        """
        insert into known_devices (token_hash, user_id, account_id) values ($1, $2, $3)
        on conflict (token_hash, user_id) do update set last_used_at = now()
        """,
        token_hash(device_token),
        actor.id,
        actor.account_id,
    )
    return device_token


async def find_device(db: Executor, email: str, token: str | None) -> bytes | None:
    """Return the hash of the token, if the member with this email has signed in from the device before."""
    if token is None:
        return None
    return await db.fetchval(
        """
        select token_hash from known_devices join users using (user_id) where token_hash = $1 and email = $2
        """,
        token_hash(token),
        email,
    )


def give_device_cookie(response: Response, settings: Settings, token: str) -> None:
    response.set_cookie(
        DEVICE_COOKIE,
        token,
        max_age=int(LIFETIME.total_seconds()),
        path="/",
        secure=settings.url.startswith("https:"),
        httponly=True,
        samesite="lax",
    )
