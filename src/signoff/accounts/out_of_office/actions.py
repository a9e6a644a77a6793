"""Out of office: the period, and the delegate."""

from datetime import datetime, timedelta
from typing import Final

from signoff.accounts.actors import ROLES, Permission, Role, role_term
from signoff.accounts.assignee_lookup import not_a_member
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import IN_THE_PAST
from signoff.accounts.out_of_office.queries import get_own
from signoff.accounts.out_of_office.schemas import NewAbsence, OwnAbsence
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.messages import Message, msg
from signoff.platform.sql import Sql

MAX_DURATION: Final = timedelta(days=20 * 366)
"""Into the future and into the past: anything beyond is a typo."""


SET_ABSENCE = Sql(
    """
    insert into absences (account_id, user_id, delegate_id, starts_at, ends_at)
    values (:account_id, :user_id, :delegate_id, :begins, :until)
    on conflict (user_id) do update set
        delegate_id = excluded.delegate_id, starts_at = excluded.starts_at, ends_at = excluded.ends_at
    """
)


async def set_absence(caller: Caller, new: NewAbsence) -> OwnAbsence:
    """Set the out-of-office period, replacing an existing one."""
    async with caller.db.transaction() as tx:
        delegate = await _find_delegate(tx, caller, new)
        errors = period_errors(new, now()) + delegate_errors(caller.actor.id, new.delegate, delegate)
        if errors:
            raise InvalidRequest(errors)
        assert delegate is not None
        await SET_ABSENCE.execute(
            tx,
            account_id=caller.account_id,
            user_id=caller.actor.id,
            delegate_id=delegate["user_id"],
            begins=new.begins,
            until=new.until,
        )
        details = {"from": iso(new.begins), "until": iso(new.until), "delegate": delegate["email"]}
        await writer.record_audit(tx, caller.actor, "absence.set", caller.actor.id, details)
        return await get_own(tx, caller.actor)


async def end_absence(caller: Caller) -> None:
    """End the out-of-office period, if there is one."""
    async with caller.db.transaction() as tx:
        was_to_last = await tx.fetchval(
            "delete from absences where account_id = $1 and user_id = $2 returning ends_at > now()",
            caller.account_id,
            caller.actor.id,
        )
        if was_to_last:
            await writer.record_audit(tx, caller.actor, "absence.ended", caller.actor.id)


def period_errors(new: NewAbsence, now: datetime) -> list[ErrorDetail]:
    if new.until <= now:
        return [ErrorDetail("until", "in_the_past", IN_THE_PAST)]
    if new.until <= new.begins:
        return [ErrorDetail("until", "not_after_start", msg("must be after `from`"))]
    if new.until > now + MAX_DURATION:
        return [ErrorDetail("until", "too_late", msg("must be within the next 20 years"))]
    if new.begins < now - MAX_DURATION:
        return [ErrorDetail("from", "too_early", msg("can't be more than 20 years ago"))]
    return []


def delegate_errors(user_id: str, email: str, delegate: Row | None) -> list[ErrorDetail]:
    """Return the errors of a delegate; `delegate` is the result of `_find_delegate`."""
    if delegate is None:
        return [ErrorDetail("delegate", "unknown_member", not_a_member(email))]
    if delegate["user_id"] == user_id:
        return [ErrorDetail("delegate", "own_delegate", msg("must be someone else: you can't be your own delegate"))]
    role: Role = delegate["role"]
    if Permission.DECIDE not in ROLES[role]:
        return [ErrorDetail("delegate", "cannot_decide", cannot_decide(email, role))]
    if delegate["is_away"]:
        return [
            ErrorDetail(
                "delegate", "delegate_away", msg("'{email}' is also out of office during that time", email=email)
            )
        ]
    return []


async def _find_delegate(tx: Executor, caller: Caller, new: NewAbsence) -> Row | None:
    return await tx.fetchrow(
        """
        select user_id, email, role, exists (
            select from absences b where b.user_id = users.user_id and b.starts_at < $4 and b.ends_at > $3
        ) as is_away
        from users where account_id = $1 and email = $2 and disabled_at is null
        """,
        caller.account_id,
        new.delegate,
        new.begins,
        new.until,
    )


def cannot_decide(email: str, role: Role) -> Message:
    return msg("'{email}' has the role '{role}', which can't decide reviews", email=email, role=role_term(role))
