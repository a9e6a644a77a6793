"""Signing in and out. Every path locks the member's row first, so that they can't deadlock."""

from dataclasses import dataclass

from fastapi import Response

from signoff.accounts.actors import Actor
from signoff.accounts.audit_log import writer
from signoff.accounts.errors import InvalidCredentials, LinkInvalid
from signoff.accounts.passwords import passwords
from signoff.accounts.schemas import normalize_email
from signoff.accounts.sign_in.devices import give_device_cookie, remember_device
from signoff.accounts.sign_in.links import UNKNOWN_LINK, consume_link, find_link, revoke_links
from signoff.accounts.sign_in.queries import find_by_email, get_me
from signoff.accounts.sign_in.schemas import Credentials, LinkUse, Me
from signoff.accounts.sign_in.sessions import create_sign_in_session, end_sessions, set_session_cookie
from signoff.accounts.sign_in.throttle import clear_attempts, count_attempt
from signoff.accounts.sign_in.visitor import Visitor
from signoff.platform.db import Executor
from signoff.platform.settings import Settings
from signoff.platform.tokens import token_hash


@dataclass(frozen=True, slots=True)
class SignInResult:
    me: Me
    session_token: str
    device_token: str


async def sign_in(visitor: Visitor, credentials: Credentials) -> SignInResult:
    email = normalize_sign_in_email(credentials.email)
    await count_attempt(visitor.db, visitor.settings.sign_in_failures, email, visitor.ip, visitor.device_token)
    person = await find_by_email(visitor.db, email)
    stored: str | None = person["password_hash"] if person is not None else None
    matches = await passwords.matches(credentials.password, stored)
    if person is None or stored is None or not matches:
        raise InvalidCredentials
    fresh = await passwords.hash(credentials.password) if passwords.is_outdated(stored) else stored
    async with visitor.db.transaction() as tx:
        # If they were disabled or their password changed while we computed the hash, this check is void.
        row = await tx.fetchrow(
            """
            update users set last_sign_in_at = now(), password_hash = $3
            where user_id = $1 and password_hash = $2 and disabled_at is null
            returning account_id, user_id, email, role
            """,
            person["user_id"],
            stored,
            fresh,
        )
        if row is None:
            raise InvalidCredentials
        return await open_session(tx, visitor, visitor.to_actor(*row.values()), "password")


async def sign_in_with_link(visitor: Visitor, use: LinkUse) -> SignInResult:
    """Use a sign-in link. It's looked up before the password is hashed, so a made-up token costs us nothing, and
    consumed afterwards.
    """
    link = await find_link(visitor.db, use.token)
    password_hash = await passwords.hash(use.password) if use.password is not None else None
    async with visitor.db.transaction() as tx:
        row = await tx.fetchrow(
            """
            update users set last_sign_in_at = now(), password_hash = coalesce($2, password_hash)
            where user_id = $1 and disabled_at is null
            returning account_id, user_id, email, role
            """,
            link["user_id"],
            password_hash,
        )
        if row is None:
            raise LinkInvalid(UNKNOWN_LINK)
        await consume_link(tx, use.token)
        await revoke_links(tx, link["user_id"])
        if password_hash is not None:
            await end_sessions(tx, link["user_id"])
        return await open_session(tx, visitor, visitor.to_actor(*row.values()), link["purpose"])


async def sign_out(visitor: Visitor) -> None:
    """End the browser's session. Does nothing without one."""
    if visitor.session_token is None:
        return
    async with visitor.db.transaction() as tx:
        row = await tx.fetchrow(
            """
            delete from sign_in_sessions s using users u
            where s.token_hash = $1 and u.user_id = s.user_id
            returning u.account_id, u.user_id, u.email, u.role
            """,
            token_hash(visitor.session_token),
        )
        if row is not None:
            await writer.record_audit(tx, visitor.to_actor(*row.values()), "user.signed_out", row["user_id"])


async def open_session(tx: Executor, visitor: Visitor, actor: Actor, means: str) -> SignInResult:
    """Start a session for a member who has proved their identity; `tx` holds the lock on their row."""
    token = await create_sign_in_session(tx, visitor, actor)
    await clear_attempts(tx, actor.name)
    device_token = await remember_device(tx, actor, visitor.device_token)
    await writer.record_audit(tx, actor, "user.signed_in", actor.id, {"means": means})
    return SignInResult(await get_me(tx, actor.account_id, actor.id), token, device_token)


def give_cookies(response: Response, settings: Settings, signed_in: SignInResult) -> None:
    set_session_cookie(response, settings, signed_in.session_token)
    give_device_cookie(response, settings, signed_in.device_token)


def normalize_sign_in_email(email: str) -> str:
    try:
        return normalize_email(email)
    except ValueError:
        return email.strip().lower()
