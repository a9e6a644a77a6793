"""Digests: a person's pending reviews, every hour or once a day in their local time."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from signoff.accounts.actors import DECIDING_ROLES
from signoff.notifications.mail.mail_types import Digest
from signoff.notifications.review_mails.digest_schedule import is_daily_hour, next_daily, next_hourly
from signoff.notifications.review_mails.recipients import (
    CAN_BE_NOTIFIED_SQL,
    COVERED,
    DIGEST_PLAN_SQL,
    Every,
    Recipient,
    read_person,
)
from signoff.notifications.review_mails.review_rows import REVIEW_COLUMNS, to_row
from signoff.notifications.review_mails.reviewers import list_assignee_ids
from signoff.platform.clock import iso, now
from signoff.platform.db import Database, Executor, Row
from signoff.platform.mail_outbox import enqueue_mail
from signoff.platform.sql import Sql

MAX_REVIEWS: Final = 30
"""The maximum number of reviews in a digest."""

_LIST_CHANGED: Final = Sql(
    """
    select u.user_id, p.digest_plan as before from users u join accounts a using (account_id)
    left join notified_people p using (user_id)
    where {can_be_notified} and {digest_plan} is distinct from p.digest_plan
    """,
    can_be_notified=CAN_BE_NOTIFIED_SQL,
    digest_plan=DIGEST_PLAN_SQL,
)
_SCHEDULE: Final = Sql(
    """
    insert into notified_people as p (user_id, account_id, digest_plan, next_hourly_at, next_daily_at)
    values (:user_id, :account_id, :digest_plan, :next_hourly_at, :next_daily_at)
    on conflict (user_id) do update set
        digest_plan = excluded.digest_plan,
        next_hourly_at = excluded.next_hourly_at,
        next_daily_at = excluded.next_daily_at
    where p.digest_plan is not distinct from :instead_of
    """
)
_LIST_PENDING: Final = Sql(
    """
    with asking as materialized (
        select review_id from reviews where account_id = :account_id and phase = 'open' and not assigned
        union
        select review_id from review_assignees
        where account_id = :account_id and assignee_id = any(:assignee_ids::text[]) and phase = 'open'
    )
    select {columns}, count(*) over () as found, max(r.updated_at) over () as changed_at
    from asking cross join lateral (
        select * from reviews where account_id = :account_id and review_id = asking.review_id offset 0
    ) as r join agents g on g.agent_id = r.agent_id
    where {covered}
    order by r.review_id limit :limit
    """,
    columns=REVIEW_COLUMNS,
    covered=COVERED,
)


class Digests:
    def __init__(self, db: Database, clock: Callable[[], datetime] = now) -> None:
        self._db = db
        self._clock = clock

    async def plan(self) -> None:
        """Recalculate for people who are new or changed their settings. Their first digest is the next upcoming
        one, never one that would already have been due.
        """
        for row in await _LIST_CHANGED.fetch(self._db, roles=list(DECIDING_ROLES)):
            person = await read_person(self._db, row["user_id"])
            if person is not None:
                await schedule(self._db, person, self._clock(), instead_of=row["before"])

    async def list_due(self, most: int) -> list[str]:
        """Return the people whose digest is due now."""
        rows = await self._db.fetch(
            """
            select user_id from notified_people
            where least(next_hourly_at, next_daily_at) <= $1 order by least(next_hourly_at, next_daily_at) limit $2
            """,
            self._clock(),
            most,
        )
        return [row["user_id"] for row in rows]

    async def send(self, user_id: str) -> int:
        """Enqueue the digests and return their number: at most one of each kind, however many were missed."""
        now = self._clock()
        async with self._db.transaction() as tx:
            due = await tx.fetchrow(
                """
                select next_hourly_at, next_daily_at, hourly_sent_at, digest_plan from notified_people
                where user_id = $1 and least(next_hourly_at, next_daily_at) <= $2 for update skip locked
                """,
                user_id,
                now,
            )
            if due is None:
                return 0  # another process has sent it in the meantime
            person = await read_person(tx, user_id)
            if person is None:
                await _delete(tx, user_id)
                return 0
            ordered = 0
            if due["next_hourly_at"] is not None and due["next_hourly_at"] <= now:
                ordered += await _enqueue_hourly(tx, person, due["next_hourly_at"], due["hourly_sent_at"], now)
            if due["next_daily_at"] is not None and due["next_daily_at"] <= now:
                ordered += await _enqueue(
                    tx, person, "daily", due["next_daily_at"], await _pending(tx, person, "daily")
                )
            await schedule(tx, person, now, instead_of=due["digest_plan"])
            return ordered


async def schedule(db: Executor, person: Recipient, at: datetime, *, instead_of: str | None) -> None:
    """Schedule the digest, unless it has been rescheduled since `instead_of` was read."""
    await _SCHEDULE.execute(
        db,
        user_id=person.user_id,
        account_id=person.account_id,
        digest_plan=person.digest_plan,
        next_hourly_at=next_hourly(person.zone, at) if person.wants("hourly") else None,
        next_daily_at=next_daily(person.digest_hour, person.zone, at) if person.wants("daily") else None,
        instead_of=instead_of,
    )


async def _delete(tx: Executor, user_id: str) -> None:
    """Remove the schedule until the person can be notified again and is rescheduled."""
    await tx.execute(
        """
        update notified_people set digest_plan = null, next_hourly_at = null, next_daily_at = null where user_id = $1
        """,
        user_id,
    )


async def _enqueue_hourly(
    tx: Executor, person: Recipient, due_at: datetime, sent_at: datetime | None, at: datetime
) -> bool:
    """Enqueue an hourly digest, but only if something has changed since the last: nobody gets the same list every
    hour of the night. Once a day, at their hour, it's sent whenever something is pending.
    """
    pending = await _pending(tx, person, "hourly")
    if not pending:
        return False
    changed = sent_at is None or pending[0]["changed_at"] > sent_at
    if not changed and not is_daily_hour(person.digest_hour, person.zone, due_at):
        return False
    # By the database's clock, like the changes of reviews; and a little earlier, because changes in progress at that
    # moment weren't visible, but have an earlier time.
    await tx.execute(
        "update notified_people set hourly_sent_at = now() - interval '10 seconds' where user_id = $1", person.user_id
    )
    return await _enqueue(tx, person, "hourly", due_at, pending)


async def _enqueue(tx: Executor, person: Recipient, every: Every, due_at: datetime, pending: list[Row]) -> bool:
    if not pending:
        return False
    context = Digest(
        reviews=tuple([await to_row(tx, row, person.language) for row in pending]),
        more=pending[0]["found"] - len(pending),
        language=person.language,
        every="hour" if every == "hourly" else "day",
    )
    mail_id = await enqueue_mail(
        tx,
        "digest",
        account_id=person.account_id,
        to=person.address,
        context=context.model_dump(),
        user_id=person.user_id,
        once=f"{every}:{person.user_id}:{iso(due_at)}",
    )
    return mail_id is not None


async def _pending(tx: Executor, person: Recipient, every: Every) -> list[Row]:
    """Return the person's pending reviews of the agents for which they chose this digest, oldest first."""
    all_but, agents = person.agents_with(every)
    return await _LIST_PENDING.fetch(
        tx,
        account_id=person.account_id,
        assignee_ids=await list_assignee_ids(tx, person),
        all_but=all_but,
        agents=agents,
        limit=MAX_REVIEWS,
    )
