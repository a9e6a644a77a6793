"""Actions on members. Each is one transaction with its audit entry.

Actions that affect permissions lock the account's row first. So they run one after the other, and each sees who is an
owner and whether the caller still has the role they had when the request came in.
"""

import asyncpg

from signoff.accounts.actors import ROLES, Permission, Role
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import (
    EmailTaken,
    InvitationHeld,
    InvitationNotHeld,
    OwnerRequired,
    SignInRequired,
    UserDisabled,
)
from signoff.accounts.sign_in.links import create_link, revoke_links
from signoff.accounts.sign_in.sessions import end_sessions
from signoff.accounts.users.queries import USER_COLUMNS, get_user, to_user
from signoff.accounts.users.role_policy import MemberState, ensure_change_allowed
from signoff.accounts.users.schemas import Invitation, InvitedUser, SignInLinkAnswer, User, UserChange
from signoff.accounts.users.taken_reviews import hand_back_taken_reviews
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import Forbidden
from signoff.platform.ids import new_id
from signoff.platform.mail_outbox import enqueue_mail
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

OWNER_ADDS_OWNERS = msg("Only an owner can add another owner.")
OWNER_LINKS_OWNERS = msg("Only an owner can create a sign-in link for an owner.")
ADMIN_APPROVES = msg("Only a signed-in admin can approve an invite.")
ADMIN_CREATES_LINKS = msg("Only a signed-in admin can create a sign-in link.")
NOT_APPROVED = msg("An API key invited this member. Approve the invite to let them in.")
DEACTIVATED = msg("This member is deactivated. Reactivate them first.")

INSERT = Sql(
    """
    insert into users (user_id, account_id, email, name, role, password_hash, disabled_at, invitation_held_at)
    values (:user_id, :account_id, :email, :name, :role, :password_hash,
            case when :needs_approval then now() end, case when :needs_approval then now() end)
    returning {columns}
    """,
    columns=USER_COLUMNS,
)


async def insert_user(
    tx: Executor,
    account_id: str,
    email: str,
    name: str | None,
    role: Role,
    password_hash: str | None = None,
    *,
    needs_approval: bool = False,
) -> Row:
    """Insert a member; `held` until an admin approves the invitation."""
    try:
        row = await INSERT.fetch_one(
            tx,
            user_id=new_id("usr"),
            account_id=account_id,
            email=email,
            name=name or email.partition("@")[0],
            role=role,
            password_hash=password_hash,
            needs_approval=needs_approval,
        )
    except asyncpg.UniqueViolationError:
        raise EmailTaken(email) from None
    assert row is not None
    return row


async def invite_user(caller: Caller, invitation: Invitation) -> InvitedUser:
    async with caller.db.transaction() as tx:
        actor_role = await _lock_roles(tx, caller)
        if invitation.role == "owner" and actor_role != "owner":
            raise OwnerRequired(OWNER_ADDS_OWNERS)
        needs_approval = not _can_invite_without_approval(caller, invitation.email)
        row = await insert_user(
            tx, caller.account_id, invitation.email, invitation.name, invitation.role, needs_approval=needs_approval
        )
        details = {"email": invitation.email, "role": invitation.role} | ({"held": True} if needs_approval else {})
        await writer.record_audit(tx, caller.actor, "user.invited", row["user_id"], details)
        link = None if needs_approval else await _send_invitation(tx, caller, row)
    # A key gets no link: with it, it could sign in as the person and decide in their name.
    return InvitedUser(**to_user(row).model_dump(), invitation_link=link if caller.actor.kind == "user" else None)


APPROVE = Sql(
    """
    update users set invitation_held_at = null, disabled_at = null
    where account_id = :account_id and user_id = :user_id and invitation_held_at is not null
    returning {columns}
    """,
    columns=USER_COLUMNS,
)


async def approve_invitation(caller: Caller, user_id: str) -> InvitedUser:
    """Approve a member invited by an API key. Only people can approve: otherwise a key could become a person."""
    if caller.actor.kind != "user":
        raise SignInRequired(ADMIN_APPROVES)
    async with caller.db.transaction() as tx:
        await _lock_roles(tx, caller)
        row = await APPROVE.fetch_one(tx, account_id=caller.account_id, user_id=user_id)
        if row is None:
            await get_user(tx, caller.account_id, user_id)
            raise InvitationNotHeld()
        await writer.record_audit(tx, caller.actor, "user.invitation_approved", user_id, {"email": row["email"]})
        link = await _send_invitation(tx, caller, row)
    return InvitedUser(**to_user(row).model_dump(), invitation_link=link)


def _can_invite_without_approval(caller: Caller, email: str) -> bool:
    """Whether the caller may invite this email without approval. Whoever reads its mailbox becomes a member, and
    members decide.

    So a key may only invite emails in the domains that the operator allows; all others wait for an admin.
    """
    return caller.actor.kind == "user" or email.rpartition("@")[2] in caller.settings.key_invite_domains


async def _send_invitation(tx: Executor, caller: Caller, row: Row) -> str:
    link = await create_link(tx, caller.settings, caller.account_id, row["user_id"], "invitation")
    context = {
        "link": link.url,
        "invited_by": await _get_name(tx, caller),
        "role": row["role"],
        "expires_at": iso(link.expires_at),
    }
    await enqueue_mail(
        tx, "invitation", account_id=caller.account_id, to=row["email"], context=context, user_id=row["user_id"]
    )
    return link.url


async def _get_name(tx: Executor, caller: Caller) -> str:
    """Return the inviter's name as the invited person knows it; a key's is its workspace's."""
    if caller.actor.kind == "user":
        query = "select name from users where account_id = $1 and user_id = $2"
        return await tx.fetchval(query, caller.account_id, caller.actor.id)
    return await tx.fetchval("select name from accounts where account_id = $1", caller.account_id)


async def update_user(caller: Caller, user_id: str, change: UserChange) -> User:
    async with caller.db.transaction() as tx:
        actor_role = await _lock_roles(tx, caller)
        user = await get_user(tx, caller.account_id, user_id)
        if user.invitation_held and caller.actor.kind != "user":
            # The admin must see and approve exactly what the key requested.
            raise InvitationHeld(msg("This invite needs an admin's approval. An API key can't change it."))
        before = MemberState(user.role, user.disabled)
        after = MemberState(
            change.role if change.role is not None else before.role,
            change.disabled if change.disabled is not None else before.disabled,
        )
        ensure_change_allowed(
            before,
            after,
            actor_role=actor_role,
            is_self=user_id == caller.actor.id,
            other_owners=await _count_other_owners(tx, caller.account_id, user_id),
        )
        if before == after and change.name in {None, user.name} and not user.invitation_held:
            return user
        if ROLES[after.role] - ROLES[before.role] and not _can_invite_without_approval(caller, user.email):
            # Otherwise a key could have a viewer approved and then make them an admin.
            raise SignInRequired(msg("An API key can't give {email} more permissions. Ask an admin.", email=user.email))
        if before.disabled and not after.disabled:
            _ensure_may_enable(caller, user)
        declined = user.invitation_held and change.disabled is True
        changed = await _update(tx, caller.account_id, user_id, change.name, after, declined=declined)
        if after.disabled:
            await end_sessions(tx, user_id)
            await revoke_links(tx, user_id)
        elif before.disabled:
            # The identity provider's user may now be someone else, so the member is matched by email again.
            await tx.execute("delete from oidc_subjects where user_id = $1", user_id)
        if after.disabled or Permission.DECIDE not in ROLES[after.role]:
            await hand_back_taken_reviews(tx, caller.account_id, user_id)
        details = change.model_dump(exclude_unset=True, by_alias=True)
        await writer.record_audit(tx, caller.actor, "user.changed", user_id, details)
    return changed


async def disable_user(caller: Caller, user_id: str) -> None:
    """Disable a member instead of deleting them: reviews and the audit log refer to them."""
    await update_user(caller, user_id, UserChange(disabled=True))


async def create_sign_in_link(caller: Caller, user_id: str) -> SignInLinkAnswer:
    """Create a sign-in link. Only people may: otherwise a key could sign in as someone and decide in their name."""
    if caller.actor.kind != "user":
        raise SignInRequired(ADMIN_CREATES_LINKS)
    async with caller.db.transaction() as tx:
        actor_role = await _lock_roles(tx, caller)
        user = await get_user(tx, caller.account_id, user_id)
        if user.role == "owner" and actor_role != "owner":
            raise OwnerRequired(OWNER_LINKS_OWNERS)
        if user.disabled:
            raise UserDisabled(DEACTIVATED)
        link = await create_link(tx, caller.settings, caller.account_id, user_id, "password_reset")
        await writer.record_audit(tx, caller.actor, "user.sign_in_link_made", user_id)
    return SignInLinkAnswer(sign_in_link=link.url, expires_at=iso(link.expires_at))


async def _lock_roles(tx: Executor, caller: Caller) -> Role | None:
    """Return the caller's current role; None for a key."""
    await tx.execute("select 1 from accounts where account_id = $1 for no key update", caller.account_id)
    if caller.actor.kind != "user":
        return None
    role: Role | None = await tx.fetchval(
        "select role from users where account_id = $1 and user_id = $2 and disabled_at is null",
        caller.account_id,
        caller.actor.id,
    )
    if role is None or Permission.ADMINISTER not in ROLES[role]:
        detail = msg("Your role changed while you were doing this. Reload and try again.")
        raise Forbidden(detail, needed=Permission.ADMINISTER.value)
    return role


async def _count_other_owners(tx: Executor, account_id: str, user_id: str) -> int:
    return await tx.fetchval(
        """
        select count(*) from users
        where account_id = $1 and user_id <> $2 and role = 'owner' and disabled_at is null
        """,
        account_id,
        user_id,
    )


def _ensure_may_enable(caller: Caller, user: User) -> None:
    if user.invitation_held:
        raise InvitationHeld(NOT_APPROVED)
    if not _can_invite_without_approval(caller, user.email):
        detail = msg(
            "An API key can't reactivate {email}: API keys can't invite people from this email domain. Ask an admin.",
            email=user.email,
        )
        raise SignInRequired(detail)


UPDATE = Sql(
    """
    update users set
        name = coalesce(:name, name),
        role = :role,
        disabled_at = case when :disabled then coalesce(disabled_at, now()) end,
        invitation_held_at = case when not :declined then invitation_held_at end
    where account_id = :account_id and user_id = :user_id
    returning {columns}
    """,
    columns=USER_COLUMNS,
)


async def _update(
    tx: Executor, account_id: str, user_id: str, name: str | None, after: MemberState, *, declined: bool
) -> User:
    row = await UPDATE.fetch_one(
        tx,
        account_id=account_id,
        user_id=user_id,
        name=name,
        role=after.role,
        disabled=after.disabled,
        declined=declined,
    )
    assert row is not None
    return to_user(row)
