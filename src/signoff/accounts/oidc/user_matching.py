"""Match the provider's identity to a member: a linked one, one found by email, or a new one."""

from signoff.accounts.actors import Actor, system_actor
from signoff.accounts.audit_log import writer
from signoff.accounts.oidc.errors import (
    EmailInvalid,
    EmailLinked,
    EmailMissing,
    EmailUnverified,
    NotInvited,
    PersonDisabled,
)
from signoff.accounts.oidc.identity import Identity
from signoff.accounts.schemas import MAX_EMAIL_LENGTH, normalize_email
from signoff.accounts.sign_in.links import revoke_links
from signoff.accounts.sign_in.sessions import end_sessions
from signoff.accounts.sign_in.visitor import Visitor
from signoff.accounts.users.actions import insert_user
from signoff.platform.db import Executor, Row
from signoff.platform.messages import msg
from signoff.platform.settings import Settings

LOCK = 0x5160_003  # arbitrary, but the same in every process


async def match_user(tx: Executor, visitor: Visitor, identity: Identity) -> Actor:
    """Return the member with their row locked. `tx` is the transaction in which their session starts.

    Matches by the linked subject; otherwise by email, if the provider has verified it; otherwise the person joins, if
    their email domain allows it.
    """
    await tx.execute("select pg_advisory_xact_lock($1, hashtext($2))", LOCK, identity.subject)
    user_id = await tx.fetchval(
        "select user_id from oidc_subjects where issuer = $1 and subject = $2", identity.issuer, identity.subject
    )
    if user_id is None:
        user_id = await _sign_in_known(tx, visitor.settings, identity)
    row = await tx.fetchrow(
        """
        update users set last_sign_in_at = now() where user_id = $1 and disabled_at is null
        returning account_id, user_id, email, role
        """,
        user_id,
    )
    if row is None:
        raise PersonDisabled(msg("An admin deactivated your account."))
    return visitor.to_actor(*row.values())


async def _sign_in_known(tx: Executor, settings: Settings, identity: Identity) -> str:
    """Link a subject that we see for the first time to a member, and return the user ID."""
    email = _verified_email(identity)
    person = await tx.fetchrow(
        "select account_id, user_id, disabled_at, email_unconfirmed from users where email = $1 for update", email
    )
    if person is None:
        person = await _create_user(tx, settings, identity, email)
    elif person["disabled_at"] is not None:
        raise PersonDisabled(msg("An admin deactivated your account."))
    else:
        await _claim_invitation(tx, identity, person)
    await tx.execute(
        "insert into oidc_subjects (issuer, subject, account_id, user_id) values ($1, $2, $3, $4)",
        identity.issuer,
        identity.subject,
        person["account_id"],
        person["user_id"],
    )
    return person["user_id"]


async def _claim_invitation(tx: Executor, identity: Identity, person: Row) -> None:
    """Link an existing member.

    Whoever entered this email themselves may not be the person the provider has verified. So all other ways to sign in
    as this member are revoked.
    """
    linked = await tx.fetchval(
        "select exists (select 1 from oidc_subjects where issuer = $1 and user_id = $2)",
        identity.issuer,
        person["user_id"],
    )
    if linked:
        raise EmailLinked(
            msg("This email is already linked to a different account at your identity provider. Ask an admin for help.")
        )
    await revoke_links(tx, person["user_id"])
    if person["email_unconfirmed"]:
        await end_sessions(tx, person["user_id"])
        await tx.execute(
            "update users set password_hash = null, email_unconfirmed = false where user_id = $1", person["user_id"]
        )
    details = {"issuer": identity.issuer}
    await writer.record_audit(
        tx, _identity_provider_actor(person["account_id"]), "user.linked", person["user_id"], details
    )


async def _create_user(tx: Executor, settings: Settings, identity: Identity, email: str) -> Row:
    """Add a new member to the oldest account: a self-hosted installation has only one."""
    if email.rpartition("@")[2] not in settings.oidc_join_domains:
        raise NotInvited(msg("You haven't been invited to this workspace. Ask an admin for an invite."))
    account_id = await tx.fetchval("select account_id from accounts order by account_id limit 1")
    name = (identity.name or "").strip()[:200] or None
    user = await insert_user(tx, account_id, email, name, settings.oidc_join_role)
    details = {"email": email, "role": settings.oidc_join_role, "issuer": identity.issuer}
    await writer.record_audit(tx, _identity_provider_actor(account_id), "user.joined", user["user_id"], details)
    person = await tx.fetchrow("select account_id, user_id from users where user_id = $1", user["user_id"])
    assert person is not None
    return person


def _identity_provider_actor(account_id: str) -> Actor:
    return system_actor(account_id, "identity provider")


def _verified_email(identity: Identity) -> str:
    if not identity.email:
        raise EmailMissing(
            msg("Your identity provider didn't send an email address. Ask an admin to check its settings.")
        )
    if len(identity.email) > MAX_EMAIL_LENGTH:
        raise EmailInvalid(
            msg(
                "Your identity provider sent an email address with more than {limit} characters.",
                limit=MAX_EMAIL_LENGTH,
            )
        )
    try:
        email = normalize_email(identity.email)
    except ValueError as error:
        raise EmailInvalid(
            msg("Your identity provider sent an invalid email address: {error}", error=str(error))
        ) from None
    if not identity.email_verified:
        raise EmailUnverified(msg("Your identity provider hasn't verified your email address."))
    return email
