"""One-time sign-in links: for the first start, an invitation, a forgotten password.

A link opens a page, and the page posts the token: mail scanners open links, and must not use them up.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from signoff.accounts.errors import LinkExpired, LinkInvalid, LinkUsed
from signoff.platform.clock import now
from signoff.platform.db import Executor, Row
from signoff.platform.messages import msg
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.platform.tokens import new_token, token_hash

Purpose = Literal["first_run", "invitation", "password_reset"]

LIFETIMES: dict[Purpose, timedelta] = {
    "first_run": timedelta(hours=24),
    "invitation": timedelta(days=7),
    "password_reset": timedelta(hours=24),
}


UNKNOWN_LINK: Final = msg("This sign-in link isn't valid. It may have been replaced by a newer one.")


@dataclass(frozen=True, slots=True)
class SignInLink:
    url: str
    expires_at: datetime


INSERT = Sql(
    """
    insert into sign_in_links (token_hash, account_id, user_id, purpose, expires_at)
    values (:token_hash, :account_id, :user_id, :purpose, :expires_at)
    """
)


async def create_link(tx: Executor, settings: Settings, account_id: str, user_id: str, purpose: Purpose) -> SignInLink:
    token, expires_at = new_token("sgl"), now() + LIFETIMES[purpose]
    await INSERT.execute(
        tx, token_hash=token_hash(token), account_id=account_id, user_id=user_id, purpose=purpose, expires_at=expires_at
    )
    return SignInLink(f"{settings.url}/sign-in?token={token}", expires_at)


async def find_link(db: Executor, token: str) -> Row:
    """Return the link for this token if it can be used now; otherwise raise the reason."""
    row = await db.fetchrow(
        "select user_id, purpose, used_at, expires_at from sign_in_links where token_hash = $1", token_hash(token)
    )
    if row is None:
        raise LinkInvalid(UNKNOWN_LINK)
    if row["used_at"] is not None:
        raise LinkUsed()
    if row["expires_at"] <= now():
        raise LinkExpired()
    return row


async def consume_link(tx: Executor, token: str) -> None:
    """Consume the link. Of several concurrent attempts, only one succeeds."""
    used = await tx.fetchval(
        "update sign_in_links set used_at = now() where token_hash = $1 and used_at is null returning true",
        token_hash(token),
    )
    if not used:
        await find_link(tx, token)
        raise LinkInvalid(UNKNOWN_LINK)


async def revoke_links(tx: Executor, user_id: str) -> None:
    await tx.execute("delete from sign_in_links where user_id = $1 and used_at is null", user_id)
