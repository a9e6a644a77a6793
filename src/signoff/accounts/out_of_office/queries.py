"""Who is out of office, and who covers for whom right now.

Delegation isn't transitive: the delegate of a delegate isn't asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from signoff.accounts.actors import DECIDING_ROLES, Actor, Permission
from signoff.accounts.out_of_office.schemas import Absence, OwnAbsence
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row

# For a row of `users`, as JSON: the current or upcoming out-of-office period.
ABSENCE_SQL = """
    (select jsonb_build_object('from', b.starts_at, 'until', b.ends_at, 'delegate', d.email)
     from absences b join users d on d.user_id = b.delegate_id
     where b.user_id = users.user_id and b.ends_at > now()) as absence
"""


def to_absence(absence: dict[str, Any] | None) -> Absence | None:
    """Convert the columns of `ABSENCE_SQL`."""
    if absence is None:
        return None
    begins, until = (iso(datetime.fromisoformat(absence[name])) for name in ("from", "until"))
    return Absence.model_validate({"from": begins, "until": until, "delegate": absence["delegate"]})


async def get_own(db: Executor, actor: Actor) -> OwnAbsence:
    row = await db.fetchrow(
        """
        select b.starts_at, b.ends_at, d.email from absences b join users d on d.user_id = b.delegate_id
        where b.account_id = $1 and b.user_id = $2 and b.ends_at > now()
        """,
        actor.account_id,
        actor.id,
    )
    if row is None:
        return OwnAbsence.model_validate({})
    absence = {"from": iso(row["starts_at"]), "until": iso(row["ends_at"]), "delegate": row["email"]}
    return OwnAbsence.model_validate(absence)


@dataclass(frozen=True, slots=True)
class OutOfOfficeMember:
    """A member who is out of office now."""

    user_id: str
    email: str
    name: str
    until: datetime
    group_ids: tuple[str, ...]


async def members_covered_by(db: Executor, account_id: str, delegate_id: str) -> Sequence[OutOfOfficeMember]:
    """Return the members this person covers for now. A member who has been disabled or may no longer decide has no
    delegate.
    """
    rows = await db.fetch(
        """
        select u.user_id, u.email, u.name, b.ends_at,
               array(select m.group_id from group_members m join groups g using (group_id)
                     where m.user_id = u.user_id and g.account_id = $1 order by m.group_id) as group_ids
        from absences b join users u using (user_id)
        where b.account_id = $1 and b.delegate_id = $2 and b.starts_at <= now() and b.ends_at > now()
          and u.disabled_at is null and u.role = any($3::text[])
        order by u.email
        """,
        account_id,
        delegate_id,
        list(DECIDING_ROLES),
    )
    return [_to_absent(row) for row in rows]


async def members_covered_by_actor(db: Executor, actor: Actor) -> Sequence[OutOfOfficeMember]:
    """Return the members this person covers for: none, unless the person may decide."""
    if actor.kind != "user" or not actor.can(Permission.DECIDE):
        return ()
    return await members_covered_by(db, actor.account_id, actor.id)


def _to_absent(row: Row) -> OutOfOfficeMember:
    return OutOfOfficeMember(row["user_id"], row["email"], row["name"], row["ends_at"], tuple(row["group_ids"]))
