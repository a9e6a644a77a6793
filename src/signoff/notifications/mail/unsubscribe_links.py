"""One-click unsubscribe (RFC 8058): a signed URL in the mail that needs no sign-in.

Opening it changes nothing, because mail scanners open links; posting to it does.
"""

import base64
import hashlib
import hmac
import secrets
from typing import Literal

from signoff.accounts.actors import ROLES, Actor
from signoff.accounts.audit_log import writer
from signoff.notifications.mail.errors import UnsubscribedMemberGone, UnsubscribeLinkInvalid
from signoff.platform.db import Database, Row
from signoff.platform.settings import Settings

Scope = Literal["email"]
_NAME = "mail_links"


async def link_secret(db: Database) -> bytes:
    """Return the secret, which the first process that needs it creates for all."""
    await db.execute(
        "insert into installation_secrets (name, secret) values ($1, $2) on conflict do nothing",
        _NAME,
        secrets.token_urlsafe(32),
    )
    secret: str = await db.fetchval("select secret from installation_secrets where name = $1", _NAME)
    return secret.encode()


def unsubscribe_token(secret: bytes, user_id: str, scope: Scope = "email") -> str:
    subject = f"{scope}:{user_id}"
    return f"{subject}:{_signature(secret, subject)}"


def unsubscribe_url(settings: Settings, secret: bytes, user_id: str) -> str:
    return f"{settings.api_url}/notifications/unsubscribe?token={unsubscribe_token(secret, user_id)}"


def _signature(secret: bytes, subject: str) -> str:
    digest = hmac.digest(secret, b"unsubscribe:" + subject.encode("utf-8", "surrogatepass"), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


async def find_receiver(db: Database, token: str) -> Row:
    """Return the person whose mails the token is for."""
    subject, _, signature = token.rpartition(":")
    expected = _signature(await link_secret(db), subject)
    if not hmac.compare_digest(expected.encode(), signature.encode("utf-8", "surrogatepass")):
        raise UnsubscribeLinkInvalid
    row = await db.fetchrow(
        """
        select u.user_id, u.account_id, u.email, u.role, u.preferences ->> 'email' as choice, a.name as workspace
        from users u join accounts a using (account_id) where u.user_id = $1
        """,
        subject.partition(":")[2],
    )
    if row is None:
        raise UnsubscribedMemberGone
    return row


async def unsubscribe(db: Database, token: str, ip: str | None, request_id: str | None) -> Row:
    """End all mails about reviews, of any agent. Doing it twice has no effect."""
    receiver = await find_receiver(db, token)
    async with db.transaction() as tx:
        changed = await tx.fetchval(
            """
            update users set preferences = (preferences - 'agents') || '{"email": "none"}'
            where account_id = $1 and user_id = $2
              and (preferences ? 'agents' or preferences ->> 'email' is distinct from 'none')
            returning true
            """,
            receiver["account_id"],
            receiver["user_id"],
        )
        if changed:
            role = receiver["role"]
            actor = Actor(
                "user",
                receiver["account_id"],
                receiver["user_id"],
                receiver["email"],
                ROLES[role],
                role,
                ip=ip,
                request_id=request_id,
            )
            await writer.record_audit(tx, actor, "user.unsubscribed", receiver["user_id"])
    return receiver
