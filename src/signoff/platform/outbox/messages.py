"""The table of outgoing messages, and every statement that changes one.

`queued` → `sending` → `sent`. A message that couldn't be sent is queued again or `failed`. If it may have arrived and
must not arrive twice, it's `unclear`, for an admin to judge. An attempt under way can't be undone: a message that's
stopped meanwhile is still `sending`, and becomes `sent` or `failed`.

`due_at` is when a worker has to look at the message next: for its next attempt or, while it's being sent, because the
worker may have died. Finished messages have none, and those that wait until they're released. `claimed_at` is the
fencing token: only the holder of exactly that claim can change the message. `again_at` is set if the content has
changed since the last attempt began: when that attempt ends, the message is queued again for this time.

This table alone knows how sending a message goes. A channel's own table has only the content, and what it shows of the
attempts, it reads from here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from signoff.platform.db import Database, Executor, Row
from signoff.platform.jobs.queue import wake_workers
from signoff.platform.outbox.destination_limits import Load
from signoff.platform.outbox.retry_policy import State
from signoff.platform.sql import Fragment, Json, Rows, Sql

MAX_HISTORY: Final = 100
"""How many attempts of a message are kept: one whose content keeps changing is sent again and again."""
LOST_ATTEMPT = "The worker stopped during this attempt. We don't know whether it arrived."


def queue_messages_sql(rows: Fragment, *, more: LiteralString = "") -> Sql[Row]:
    """SQL that queues messages: `rows` is a query for their ID, account, channel, destination, and when they're due
    (null: when they're released), followed by the columns in `more`. Without `max_attempts`, the channel's policy says
    how many attempts they have.
    """
    return Sql(
        """
        insert into outgoing_messages as o (message_id, account_id, channel, destination, due_at{more})
        select * from ({rows}) as m
        """,
        rows=rows,
        more=more,
    ).then(lambda db, _: wake_workers(db))


def queue_updates_sql(rows: Fragment) -> Sql[Row]:
    """SQL that queues messages whose content has changed, whether or not they were sent before. The state that's last
    is always sent: a message that's being sent is queued again when that attempt ends. One that waits for its next
    attempt keeps waiting. `rows` is the query of `queue_messages_sql`, with each ID once.
    """
    return Sql(
        """
        {queue}
        on conflict (message_id) do update set
            state = case when o.settled_at is null then o.state else 'queued' end,
            due_at = case when o.settled_at is null then o.due_at else excluded.due_at end,
            again_at = case when o.settled_at is null then coalesce(o.again_at, excluded.due_at) end,
            attempt_count = case when o.settled_at is null then o.attempt_count else 0 end,
            is_stopped = o.settled_at is null and o.is_stopped,
            settled_at = null,
            updated_at = now()
        """,
        queue=queue_messages_sql(rows),
    )


_QUEUE_AGAIN = Sql(
    """
    update outgoing_messages set
        state = case when claimed_at is null then 'queued' else state end,
        due_at = case when claimed_at is null then now() else due_at end,
        attempt_count = 0,
        is_manual = false,
        is_stopped = false,
        settled_at = null,
        updated_at = now()
    where message_id = any(:message_ids)
    """
).then(lambda db, _: wake_workers(db))


async def queue_again(tx: Executor, *message_ids: str) -> None:
    """Send messages now, with all their attempts. An attempt that's being made goes on."""
    await _QUEUE_AGAIN.execute(tx, message_ids=message_ids)


def cancel_messages(rows: Fragment) -> Sql[Row]:
    """Cancel messages that no receiver has: `rows` is a query for their IDs. `:reason` is shown as their error."""
    return Sql(
        """
        update outgoing_messages o
        set state = 'failed', due_at = null, claimed_at = null, is_stopped = true, error = :reason, settled_at = now(),
            updated_at = now()
        from ({rows}) as canceled (message_id)
        where o.message_id = canceled.message_id
          and (o.state in ('queued', 'failed', 'unclear') or (o.state = 'sending' and o.handed_over_at is null))
        """,
        rows=rows,
    )


def release_messages(rows: Fragment) -> Sql[Row]:
    """Make queued messages due now: `rows` is a query for their IDs. One that a channel is just about to postpone isn't
    postponed.
    """
    return Sql(
        """
        update outgoing_messages o set
            due_at = case when o.state = 'queued' then now() else o.due_at end, is_released = o.state = 'sending'
        from ({rows}) as released (message_id)
        where o.message_id = released.message_id and o.state in ('queued', 'sending')
        """,
        rows=rows,
    ).then(lambda db, _: wake_workers(db))


def try_again(rows: Fragment) -> Sql[Row]:
    """Request one more attempt for finished messages: `rows` is a query for their IDs."""
    return Sql(
        """
        update outgoing_messages o
        set state = 'queued', due_at = now(), is_manual = true, is_stopped = false, settled_at = null,
            updated_at = now()
        from ({rows}) as requested (message_id)
        where o.message_id = requested.message_id and o.state in ('sent', 'failed', 'unclear')
        """,
        rows=rows,
    ).then(lambda db, _: wake_workers(db))


def stop_attempts(rows: Fragment) -> Sql[Row]:
    """Stop further attempts of unfinished messages: `rows` is a query for their IDs. The result of an attempt that's
    being made still counts.
    """
    return Sql(
        """
        update outgoing_messages o set
            is_stopped = true,
            state = case when o.state = 'queued' then 'failed' else o.state end,
            due_at = case when o.state = 'queued' then null else o.due_at end,
            settled_at = case when o.state = 'queued' then now() end,
            updated_at = now()
        from ({rows}) as stopped (message_id)
        where o.message_id = stopped.message_id and o.state in ('queued', 'sending') and not o.is_stopped
        """,
        rows=rows,
    )


@dataclass(frozen=True, slots=True)
class Claim:
    """A message that this process alone may send."""

    message_id: str
    account_id: str
    channel: str
    destination: str
    claimed_at: datetime
    attempt_count: int
    """Attempts before this one that count."""
    max_attempts: int | None
    is_manual: bool
    """Whether somebody requested this one attempt."""
    lost_at: datetime | None
    """When an attempt started whose worker hasn't been heard of since."""
    handed_over_at: datetime | None
    """When an earlier attempt may have reached the receiver, if that's still unknown."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many messages of a channel a worker can send now."""

    channel: str
    free: int
    per_destination: int | None = None
    """How many of them can have the same destination, if it isn't among the loads."""


@dataclass(frozen=True, slots=True)
class ClaimBatch:
    claims: list[Claim]
    is_waiting: bool
    """Whether more is due, for which there's no room now."""
    crowded: list[str]
    """Channels of which more may be due than a worker looks at."""
    next_due: float | None
    """Seconds until the next message is due that isn't due yet."""


_ROOMS = Rows("rooms", Room)
_LOADS = Rows("loads", Load)
WINDOW: Final = 1000
"""How many due messages of a channel a worker looks at."""

# The oldest messages that are due, and their places among those for the same destination.
_DUE = Sql(
    """
    select due.*, row_number() over (partition by channel, destination order by due_at) as turn
    from (
        select room.channel, room.free, room.per_destination, m.message_id, m.destination, m.due_at
        from {rooms} as room cross join lateral (
            select message_id, destination, due_at from outgoing_messages
            where channel = room.channel and due_at <= now()
            order by due_at limit {window}
        ) as m
    ) as due
    """,
    rooms=_ROOMS,
    window=WINDOW,
)

# A message that's claimed again while it's being sent was lost by another worker. `offset 0` and `any(array(...))` make
# the planner look up each message by its ID: with a join, it may read the whole table for every few messages.
_CLAIM = Sql(
    """
    with due as materialized (
        {due}
    ), fitting as (
        select d.message_id, d.free, row_number() over (partition by d.channel order by d.due_at) as place
        from due d left join {loads} l on l.channel = d.channel and l.destination = d.destination
        where d.turn <= coalesce(l.free, d.per_destination, d.free)
    ), chosen as materialized (
        select m.message_id, m.state, m.claimed_at
        from fitting f cross join lateral (
            select message_id, state, claimed_at from outgoing_messages
            where message_id = f.message_id and due_at <= now()
            for update skip locked offset 0
        ) as m
        where f.place <= f.free
    ), claimed as (
        update outgoing_messages m
        set state = 'sending', claimed_at = clock_timestamp(), due_at = now() + make_interval(secs => :lost_after),
            again_at = case when m.state = 'sending' then m.again_at end,
            is_released = m.state = 'sending' and m.is_released,
            updated_at = now()
        where m.message_id = any(array(select message_id from chosen))
        returning m.message_id, m.account_id, m.channel, m.destination, m.claimed_at, m.attempt_count, m.max_attempts,
            m.is_manual, m.handed_over_at
    ), look as (
        select (select count(*) from due) > (select count(*) from chosen) as is_waiting,
            array(select channel from due group by channel having count(*) = {window}) as crowded,
            (
                select extract(epoch from min(next.due_at) - now())::float8
                from {rooms} as room cross join lateral (
                    select min(due_at) as due_at from outgoing_messages
                    where channel = room.channel and due_at > now()
                ) as next
            ) as next_due
    )
    select look.*, m.message_id, m.account_id, m.channel, m.destination, m.claimed_at, m.attempt_count, m.max_attempts,
        m.is_manual, case when c.state = 'sending' then c.claimed_at end as lost_at, m.handed_over_at
    from look left join (claimed m join chosen c using (message_id)) on true
    """,
    due=_DUE,
    loads=_LOADS,
    rooms=_ROOMS,
    window=WINDOW,
)


async def claim_messages(
    db: Database, rooms: Sequence[Room], loads: Sequence[Load] = (), *, lost_after: float
) -> ClaimBatch:
    """Claim messages that are due, the oldest first. A claim that isn't renewed within `lost_after` seconds is lost."""
    rows = await _CLAIM.fetch(db, rooms=rooms, loads=loads, lost_after=lost_after)
    claims = [Claim(*row[3:]) for row in rows if row["message_id"] is not None]
    return ClaimBatch(claims, *rows[0][:3])


MIN_PUSH, MAX_PUSH = 1.0, 300.0
"""Seconds for which a message is pushed back. If it's its turn earlier, it doesn't hide others for long."""

_PUSH_BACK = Sql(
    """
    with waiting as materialized (
        select m.message_id, d.destination, l.seconds_each * (l.pushed_back + d.turn - l.free) as pause
        from ({due}) as d
        join {loads} l on l.channel = d.channel and l.destination = d.destination
        join outgoing_messages m on m.message_id = d.message_id
        where d.turn > l.free and l.seconds_each * (l.pushed_back + d.turn - l.free) >= :min_push
          and m.state = 'queued' and m.due_at <= now()
        for update of m skip locked
    ), pushed as (
        update outgoing_messages m
        set due_at = now() + make_interval(
            secs => least(w.pause, :max_push) * (0.8 + 0.4 * random()))
        from waiting w where m.message_id = w.message_id
        returning w.destination
    )
    select destination, count(*) from pushed group by destination
    """,
    due=_DUE,
    loads=_LOADS,
)


async def push_back_messages(db: Database, room: Room, loads: Sequence[Load]) -> dict[str, int]:
    """Push back due messages of a channel that don't fit, to about the time when it's their turn. Returns how many
    there were, by destination.
    """
    rows = await _PUSH_BACK.fetch(db, rooms=[room], loads=loads, min_push=MIN_PUSH, max_push=MAX_PUSH)
    return {row["destination"]: row["count"] for row in rows}


_HAND_OVER = Sql(
    """
    update outgoing_messages set handed_over_at = clock_timestamp()
    where message_id = :message_id and claimed_at = :claimed_at
    returning true
    """
)


async def mark_handed_over(db: Database, claim: Claim) -> bool:
    """Record that the message may arrive from now on. Returns False if it's no longer ours to send."""
    return bool(await _HAND_OVER.fetch_value(db, message_id=claim.message_id, claimed_at=claim.claimed_at))


@dataclass(frozen=True, slots=True)
class _HeldClaim:
    message_id: str
    claimed_at: datetime


_RENEW = Sql(
    """
    update outgoing_messages m set due_at = now() + make_interval(secs => :lost_after)
    from {claims} c where m.message_id = c.message_id and m.claimed_at = c.claimed_at
    """,
    claims=Rows("claims", _HeldClaim),
)


async def renew_claims(db: Database, claims: Sequence[Claim], *, lost_after: float) -> None:
    held = [_HeldClaim(claim.message_id, claim.claimed_at) for claim in claims]
    await _RENEW.execute(db, claims=held, lost_after=lost_after)


_DELETE = Sql("delete from outgoing_messages where message_id = :message_id and claimed_at = :claimed_at")


async def delete_message(db: Database, claim: Claim) -> None:
    await _DELETE.execute(db, message_id=claim.message_id, claimed_at=claim.claimed_at)


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """The result of a claimed attempt, and what follows."""

    message_id: str
    claimed_at: datetime
    state: State
    pause: float
    counts: bool
    error: str | None
    attempt: Json
    """The attempt as its history shows it, or None if nothing was attempted."""
    ask_first: bool = False


RECORDS = Rows("records", AttemptRecord)

# What follows: the next attempt, unless the message was stopped; or the changed content; or nothing.
_RECORD = Sql(
    """
    update outgoing_messages m set
        state = case when m.again_at is not null then 'queued'
            when r.state = 'queued' and m.is_stopped then 'failed' else r.state end,
        due_at = case when r.state <> 'queued' or m.is_stopped then m.again_at
            when r.attempt is null and m.is_released then now()
            else now() + make_interval(secs => r.pause) end,
        attempt_count = case when r.state = 'queued' or m.again_at is null
            then m.attempt_count + r.counts::integer else 0 end,
        attempts = case when r.attempt is null then m.attempts
            when jsonb_array_length(m.attempts) < {max_history} then m.attempts || r.attempt::jsonb
            else (m.attempts - 0) || r.attempt::jsonb end,
        error = case when r.attempt is null then m.error else r.error end,
        first_ok = case when r.attempt is null then m.first_ok else coalesce(m.first_ok, r.error is null) end,
        duration_ms = case when r.attempt is null then m.duration_ms else (r.attempt ->> 'durationMs')::integer end,
        claimed_at = null,
        is_released = false,
        handed_over_at = case when r.ask_first then m.handed_over_at end,
        is_manual = m.is_manual and r.state = 'queued',
        settled_at = case when (r.state <> 'queued' or m.is_stopped) and m.again_at is null then now() end,
        updated_at = now()
    from {records} r
    where m.message_id = r.message_id and m.claimed_at = r.claimed_at
    returning m.message_id, r.claimed_at,
        case when r.state = 'queued' and m.is_stopped then 'failed' else r.state end as state
    """,
    records=RECORDS,
    max_history=MAX_HISTORY,
)

# The answer to an attempt that was taken for lost. If the message wasn't sent again since then, the answer counts.
_RECORD_LATE = Sql(
    """
    update outgoing_messages m set
        attempts = (
            select jsonb_agg(case when place = lost.place then r.attempt::jsonb else attempt end order by place)
            from jsonb_array_elements(m.attempts) with ordinality as each (attempt, place)),
        state = case when lost.settles then 'sent' else m.state end,
        error = case when lost.settles then null else m.error end,
        due_at = case when lost.settles then null else m.due_at end,
        handed_over_at = case when lost.settles then null else m.handed_over_at end,
        settled_at = case when lost.settles then now() else m.settled_at end,
        duration_ms = case when lost.settles then (r.attempt ->> 'durationMs')::integer else m.duration_ms end,
        updated_at = case when lost.settles then now() else m.updated_at end
    from {records} r cross join lateral (
        select place, r.state = 'sent' and o.state in ('queued', 'unclear') and o.again_at is null as settles
        from outgoing_messages o, jsonb_array_elements(o.attempts) with ordinality as each (attempt, place)
        where o.message_id = r.message_id and attempt ->> 'at' = r.attempt ->> 'at' and attempt ->> 'error' = :lost
        for update of o
    ) as lost
    where m.message_id = r.message_id
    returning lost.settles
    """,
    records=RECORDS,
)


async def record_attempts(db: Executor, records: Sequence[AttemptRecord]) -> dict[tuple[str, datetime], State]:
    """Record the results of attempts whose claims are still valid. Returns what became of these, by message ID and
    time of the claim: an attempt that fails isn't repeated if the message was stopped in the meantime.
    """
    return {(row["message_id"], row["claimed_at"]): row["state"] for row in await _RECORD.fetch(db, records=records)}


async def record_late(db: Executor, record: AttemptRecord) -> bool:
    """Record the result of an attempt that was taken for lost. Returns whether the message is sent because of it."""
    return bool(await _RECORD_LATE.fetch_value(db, records=[record], lost=LOST_ATTEMPT))
