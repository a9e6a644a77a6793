"""Changes that members make to their own profile."""

from collections.abc import Collection

import asyncpg

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import EmailTaken, ProfileChanged
from signoff.accounts.passwords import passwords
from signoff.accounts.setup import PLACEHOLDER_EMAIL
from signoff.accounts.sign_in.email_changes import cancel_email_change, request_email_change
from signoff.accounts.sign_in.links import revoke_links
from signoff.accounts.sign_in.queries import get_me
from signoff.accounts.sign_in.schemas import Me, ProfileChange
from signoff.accounts.sign_in.sessions import end_sessions
from signoff.accounts.sign_in.throttle import clear_attempts, count_attempt
from signoff.platform.db import Row
from signoff.platform.errors import ErrorDetail, InvalidRequest, NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

WRONG_PASSWORD = msg("is incorrect")

UPDATE = Sql(
    """
    update users set
        name = coalesce(:name, name),
        email = coalesce(:email, email),
        email_unconfirmed = email_unconfirmed or :email::text is not null,
        password_hash = coalesce(:password_hash, password_hash),
        preferences = preferences || :preferences,
        language = case when :set_language then :language else language end
    where account_id = :account_id and user_id = :user_id
      and password_hash is not distinct from :previous_hash and disabled_at is null
    returning user_id
    """
)


async def update_profile(caller: Caller, session_token: str, device_token: str | None, change: ProfileChange) -> Me:
    """Update the profile. A new password ends other sessions and unused links.

    A new email takes effect once it's confirmed. Naming the current one cancels the change.
    """
    before = await _read(caller)
    new_email = change.email if change.email != before["email"] else None
    # The first owner joins a workspace that has only the placeholder email, and nobody else is in it yet.
    at_once = new_email is not None and before["email"] == PLACEHOLDER_EMAIL and caller.actor.role == "owner"
    if change.password is not None or new_email is not None:
        await _prove_identity(caller, before, change.current_password, device_token)
    if change.preferences is not None and change.preferences.agents:
        await _ensure_agents_exist(caller, change.preferences.agents)
    password_hash = await passwords.hash(change.password) if change.password is not None else None
    async with caller.db.transaction() as tx:
        try:
            # Another request may have changed the password since the current one was checked.
            row = await UPDATE.fetch_one(
                tx,
                account_id=caller.account_id,
                user_id=caller.actor.id,
                previous_hash=before["password_hash"],
                name=change.name,
                email=new_email if at_once else None,
                password_hash=password_hash,
                preferences=change.preferences.model_dump(exclude_unset=True) if change.preferences is not None else {},
                set_language="language" in change.model_fields_set,
                language=change.language,
            )
        except asyncpg.UniqueViolationError:
            raise EmailTaken(str(new_email)) from None
        if row is None:
            raise ProfileChanged()
        if password_hash is not None:
            await end_sessions(tx, caller.actor.id, but=session_token)
        if password_hash is not None or at_once:
            await revoke_links(tx, caller.actor.id)
        if new_email is not None and not at_once:
            await request_email_change(tx, caller, new_email)
        elif change.email is not None:
            await cancel_email_change(tx, caller.actor.id)
        email = new_email if at_once else None
        changed = {"name": change.name, "email": email, "password": "changed" if password_hash else None}
        details: dict[str, str | None] = {name: value for name, value in changed.items() if value is not None}
        if "language" in change.model_fields_set:
            details["language"] = change.language
        if details:
            await writer.record_audit(tx, caller.actor, "user.profile_changed", caller.actor.id, details)
        return await get_me(tx, caller.account_id, caller.actor.id)


async def _read(caller: Caller) -> Row:
    row = await caller.db.fetchrow(
        "select email, password_hash from users where account_id = $1 and user_id = $2",
        caller.account_id,
        caller.actor.id,
    )
    if row is None:
        raise NotFound(msg("member"), caller.actor.id)
    return row


async def _ensure_agents_exist(caller: Caller, agent_ids: Collection[str]) -> None:
    """Refuse agents that never existed. One that was deleted in the meantime is accepted: whoever sends the map
    back needn't know.
    """
    rows = await caller.db.fetch(
        "select agent_id from agents where account_id = $1 and agent_id = any($2::text[])",
        caller.account_id,
        list(agent_ids),
    )
    known = {row["agent_id"] for row in rows}
    if unknown := [agent_id for agent_id in agent_ids if agent_id not in known]:
        why = msg("isn't an agent in this account")
        raise InvalidRequest([ErrorDetail(f"preferences.agents.{each}", "unknown_agent", why) for each in unknown])


async def _prove_identity(caller: Caller, person: Row, password: str | None, device_token: str | None) -> None:
    """Require the current password: a session left open must not be enough to take over the account. A member
    without a password came with a link.
    """
    if person["password_hash"] is None:
        return
    if password is None:
        raise InvalidRequest(
            [ErrorDetail("currentPassword", "missing", msg("is required to change your email or password"))]
        )
    await count_attempt(caller.db, caller.settings.sign_in_failures, person["email"], caller.actor.ip, device_token)
    if not await passwords.matches(password, person["password_hash"]):
        raise InvalidRequest([ErrorDetail("currentPassword", "wrong_password", WRONG_PASSWORD)])
    await clear_attempts(caller.db, person["email"])
