"""Changes of a member's email, which only take effect after they're confirmed from the new mailbox.

Agents assign reviews by email, so whoever has an address receives what its owner should decide. The confirmation link
only works in a session of the same member: the mailbox's owner can't give their address away with a click.
"""

import math
from datetime import datetime, timedelta

import asyncpg

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import EmailChangeInvalid, EmailTaken, TooManyEmailChanges
from signoff.accounts.sign_in.links import revoke_links
from signoff.accounts.sign_in.queries import get_me
from signoff.accounts.sign_in.schemas import Me
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor
from signoff.platform.mail_outbox import enqueue_mail
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.platform.tokens import new_token, token_hash

LIFETIME = timedelta(hours=24)
WINDOW = timedelta(hours=1)
MAX_MAILS = 5
"""Per member in the window, so that nobody can flood someone else's mailbox."""


INSERT = Sql(
    """
    insert into email_changes (user_id, account_id, email, token_hash, expires_at)
    values (:user_id, :account_id, :email, :token_hash, :expires_at)
    on conflict (user_id) do update set
        email = excluded.email, token_hash = excluded.token_hash, created_at = now(),
        expires_at = excluded.expires_at
    """
)


async def request_email_change(tx: Executor, caller: Caller, email: str) -> None:
    """Send a confirmation link to the new email. It replaces an earlier one."""
    if await tx.fetchval("select exists (select 1 from users where email = $1)", email):
        raise EmailTaken(email)
    await _ensure_few_mails(tx, caller)
    token, expires_at = new_token("sge"), now() + LIFETIME
    await INSERT.execute(
        tx,
        user_id=caller.actor.id,
        account_id=caller.account_id,
        email=email,
        token_hash=token_hash(token),
        expires_at=expires_at,
    )
    await enqueue_mail(
        tx,
        "email_confirmation",
        account_id=caller.account_id,
        to=email,
        context=_confirmation(caller.settings, caller.actor.name, token, expires_at),
        user_id=caller.actor.id,
    )
    await writer.record_audit(tx, caller.actor, "user.email_change_requested", caller.actor.id, {"email": email})


async def cancel_email_change(tx: Executor, user_id: str) -> None:
    await tx.execute("delete from email_changes where user_id = $1", user_id)


async def confirm_email_change(caller: Caller, token: str) -> Me:
    async with caller.db.transaction() as tx:
        # Lock the member's row first, like everything else that signs in or changes a member.
        before: str = await tx.fetchval("select email from users where user_id = $1 for update", caller.actor.id)
        email: str | None = await tx.fetchval(
            """
            delete from email_changes where token_hash = $1 and account_id = $2 and user_id = $3 and expires_at > now()
            returning email
            """,
            token_hash(token),
            caller.account_id,
            caller.actor.id,
        )
        if email is None:
            raise EmailChangeInvalid()
        try:
            await tx.execute(
                "update users set email = $2, email_unconfirmed = false where user_id = $1", caller.actor.id, email
            )
        except asyncpg.UniqueViolationError:
            raise EmailTaken(email) from None
        await revoke_links(tx, caller.actor.id)
        details = {"email": email, "before": before}
        await writer.record_audit(tx, caller.actor, "user.email_confirmed", caller.actor.id, details)
        # The old mailbox gets a notice, so that the owner finds out if the change wasn't theirs.
        await enqueue_mail(
            tx,
            "email_changed",
            account_id=caller.account_id,
            to=before,
            context={"email": email},
            user_id=caller.actor.id,
        )
        return await get_me(tx, caller.account_id, caller.actor.id)


async def _ensure_few_mails(tx: Executor, caller: Caller) -> None:
    """Limit the mails per member. The caller's row is locked, so concurrent requests are counted one after the
    other.
    """
    oldest: datetime | None = await tx.fetchval(
        """
        select created_at from mails
        where account_id = $1 and user_id = $2 and kind = 'email_confirmation' and created_at > now() - $3::interval
        order by created_at desc offset $4 limit 1
        """,
        caller.account_id,
        caller.actor.id,
        WINDOW,
        MAX_MAILS - 1,
    )
    if oldest is not None:
        wait = math.ceil((oldest + WINDOW - now()).total_seconds())
        raise TooManyEmailChanges(max(1, wait))


def _confirmation(settings: Settings, before: str, token: str, expires_at: datetime) -> dict[str, str]:
    link = f"{settings.url}/settings/profile?confirmEmail={token}"
    return {"link": link, "before": before, "expires_at": iso(expires_at)}
