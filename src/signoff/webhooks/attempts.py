"""The three statements of an attempt: read what is due, claim it, record the result. Each handles many deliveries at
once.

`attempt_started` is the fencing token: only the holder of exactly that claim can record a result. A worker that was
considered dead and comes back changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from signoff.platform.db import Database
from signoff.platform.jobs.queue import PGQUEUER_SETTINGS as QUEUE
from signoff.platform.jobs.queue import enqueue_sql
from signoff.webhooks.deliveries import DELIVER_RELEASED, RELEASE_EVENT, RELEASE_WAITING_SQL
from signoff.webhooks.delivery_order import EARLIER_DELIVERIES_SQL, enqueue_next_sql
from signoff.webhooks.events import DELIVER_JOB
from signoff.webhooks.retry_policy import GONE
from signoff.webhooks.schemas import Target

LOST_ATTEMPT = "The worker stopped during this attempt. We don't know whether the event arrived."
BEGAN_AT = """to_char({} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"""


@dataclass(slots=True)
class DeliveryClaim:
    """A delivery as its job finds it, with everything that an attempt needs."""

    delivery_id: str
    account_id: str
    target: Target
    url: str
    due: bool
    """Whether it waits for an attempt that is due now."""
    lost_attempt: datetime | None
    """When an attempt started whose worker hasn't been heard of since."""
    claimed_for: float
    """Seconds until another worker's claim expires."""
    attempt_count: int
    max_attempts: int
    manual: bool
    payload: str
    """The stored event, as JSON text."""
    tool_result: str | None
    secrets: list[str]
    in_line: bool
    """Whether it's delivered in order with others of its session."""
    places_ahead: int
    """The number of unfinished deliveries before it."""
    next_attempt_ahead: float
    """Seconds until the next attempt of the first of them."""
    waited: float
    """Seconds since it was created."""


async def read_due_deliveries(
    db: Database, delivery_ids: Sequence[str], *, order_wait: float
) -> list[DeliveryClaim | None]:
    """Read deliveries. `order_wait` is the maximum number of seconds for which a delivery holds up those behind it.

    `offset 0` makes the planner look up each event separately. With a join, it would scan all events of an account that
    has grown a lot since its last statistics, for every few deliveries.
    """
    rows = await db.fetch(
        f"""
        select d.delivery_id, d.account_id, d.target, d.url, d.attempt_count, d.max_attempts, e.payload::text,
            case when d.target = 'agent' then e.tool_result::text end as tool_result,
            d.status in ('pending', 'retrying') and d.waits_for is null and e.media_until is null
                and (d.next_retry_at is null or d.next_retry_at <= now()) as due,
            case when d.status = 'delivering' and d.attempt_lost_at <= now() then d.attempt_started end as lost_attempt,
            case when d.status = 'delivering' then extract(epoch from d.attempt_lost_at - now())::float8 else 0 end
                as claimed_for,
            coalesce(d.attempt_ordered = 'manual', false) as manual,
            case when d.target = 'audit' and acc.previous_audit_secret_until > now()
                     then array[acc.audit_webhook_secret, acc.previous_audit_secret]
                 when d.target = 'audit' then array[acc.audit_webhook_secret]
                 when a.previous_secret_until > now() then array[a.webhook_secret, a.previous_secret]
                 else array[a.webhook_secret] end as secrets,
            d.line_number is not null as in_line, coalesce(ahead.places, 0) as places_ahead,
            coalesce(ahead.next_attempt, 0) as next_attempt_ahead,
            extract(epoch from now() - d.triggered_at)::float8 as waited
        from deliveries d
        cross join lateral (
            select payload, tool_result, media_until from events
            where account_id = d.account_id and event_id = d.event_id offset 0
        ) as e
        join agents a on a.agent_id = d.agent_id
        join accounts acc on acc.account_id = d.account_id
        {EARLIER_DELIVERIES_SQL}
        where d.delivery_id = any($1::text[])
        """,  # noqa: S608
        list(delivery_ids),
        order_wait,
    )
    claims = {row["delivery_id"]: DeliveryClaim(**row) for row in rows}
    return [claims.get(delivery_id) for delivery_id in delivery_ids]


async def claim_deliveries(db: Database, delivery_ids: Sequence[str], *, lost_after: float) -> list[datetime | None]:
    """Start an attempt for each, unless another worker has. Returns the time it started, or None.

    A claim that isn't renewed within `lost_after` seconds is lost: its worker died. A batch may have two jobs for the
    same delivery; only one of them gets it.
    """
    rows = await db.fetch(
        """
        update deliveries set
            status = 'delivering',
            attempt_ordered = coalesce(
                attempt_ordered, case when attempt_count = 0 then 'inline' else 'cloud-task' end),
            attempt_started = clock_timestamp(),
            attempt_lost_at = now() + make_interval(secs => $2),
            updated_at = now()
        where delivery_id = any($1::text[]) and status in ('pending', 'retrying')
          and (next_retry_at is null or next_retry_at <= now())
        returning delivery_id, attempt_started
        """,
        list(delivery_ids),
        lost_after,
    )
    begun = {row["delivery_id"]: row["attempt_started"] for row in rows}
    return [begun.pop(delivery_id, None) for delivery_id in delivery_ids]


async def renew_claims(db: Database, delivery_ids: Sequence[str], *, lost_after: float) -> None:
    """Renew the claims on attempts that take long."""
    await db.execute(
        """
        update deliveries set attempt_lost_at = now() + make_interval(secs => $2)
        where delivery_id = any($1::text[]) and status = 'delivering'
        """,
        list(delivery_ids),
        lost_after,
    )


@dataclass(slots=True)
class AttemptResult:
    """The result of a claimed attempt, and what follows."""

    delivery_id: str
    began: datetime
    status: str
    pause: float
    ok: bool
    status_code: int | None
    status_text: str | None
    error: str | None
    duration_ms: int | None
    tool_result: str | None
    """JSON text; None if there is no result."""
    note: str | None
    """A note on the response, if needed."""
    job_id: int


async def record_attempts(db: Database, endings: Sequence[AttemptResult]) -> list[bool]:
    """Write the attempts' results, remove their jobs, enqueue what follows, and release what waited for them.

    What follows is their own next attempts, and the next deliveries in order behind them.

    Returns True where the claim was still valid.
    """
    rows = await db.fetch(
        f"""
        with struck_off as (
            delete from {QUEUE.queue_table} where id = any($12::bigint[])
        ), ended as (
            select * from unnest(
                $1::text[], $2::timestamptz[], $3::text[], $4::float8[], $5::boolean[], $6::integer[], $7::text[],
                $8::text[], $9::integer[], $10::text[], $11::text[]
            ) as e (delivery_id, began, status, pause, ok, status_code, status_text, error, duration_ms, tool_result,
                    note)
        ), recorded as (
            update deliveries d set
                status = case when e.ok then 'succeeded' when d.retries_cancelled then 'dead' else e.status end,
                retries_cancelled = not e.ok and (d.retries_cancelled or e.status_code is not distinct from {GONE}),
                ok = e.ok,
                status_code = coalesce(e.status_code, 0),
                status_text = coalesce(e.status_text, e.error),
                attempt_count = d.attempt_count + (d.attempt_ordered <> 'manual')::integer,
                attempts = d.attempts || jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
                    'attemptId', 'attempt-' || (jsonb_array_length(d.attempts) + 1),
                    'ok', e.ok,
                    'statusCode', coalesce(e.status_code, 0),
                    'scheduledBy', d.attempt_ordered,
                    'at', {BEGAN_AT.format("e.began")},
                    'statusText', coalesce(e.status_text, e.error),
                    'error', e.error,
                    'note', e.note,
                    'durationMs', e.duration_ms))),
                next_retry_at = case when e.ok or d.retries_cancelled or e.status <> 'retrying' then null
                                     else now() + make_interval(secs => e.pause) end,
                attempt_ordered = case when e.status = 'retrying' and d.attempt_ordered = 'manual' then 'manual' end,
                attempt_started = null,
                attempt_lost_at = null,
                updated_at = now()
            from ended e
            where d.delivery_id = e.delivery_id and d.attempt_started = e.began
            returning d.delivery_id, d.status, d.next_retry_at, d.target, e.tool_result, d.account_id, d.session_id,
                      d.line_number
        ), again as (
            {enqueue_sql(DELIVER_JOB, "select delivery_id, next_retry_at from recorded where status = 'retrying'")}
        ), finished_tool as (
            select delivery_id, tool_result::json from recorded where target = 'tool'
        ), released as (
            {RELEASE_WAITING_SQL.format(finished="finished_tool")}
        ), event as (
            {RELEASE_EVENT.format(finished="finished_tool", tool_result="f.tool_result")}
        ), freed as (
            {DELIVER_RELEASED}
        ), settled_in_line as (
            select * from recorded where line_number is not null and status in ('succeeded', 'dead')
        ), next_in_line as (
            {enqueue_next_sql("settled_in_line")}
        )
        select delivery_id from recorded
        """,  # noqa: S608
        *([getattr(ending, column) for ending in endings] for column in AttemptResult.__slots__),
    )
    recorded = {row["delivery_id"] for row in rows}
    return [ending.delivery_id in recorded for ending in endings]


async def record_late(db: Database, ending: AttemptResult, note: str) -> str | None:
    """Record the response to an attempt that was considered lost. Returns the delivery's status, or None if there is no
    such delivery.

    If the response was successful and the next attempt hasn't started, the delivery has succeeded and there is no next
    attempt.
    """
    return await db.fetchval(
        f"""
        update deliveries d set
            attempts = (
                select jsonb_agg(case when n = place then attempt || jsonb_strip_nulls(jsonb_build_object(
                    'ok', $3::boolean, 'statusCode', $4::integer, 'statusText', $5::text, 'note', $6::text,
                    'durationMs', $7::integer)) else attempt end order by n)
                from jsonb_array_elements(d.attempts) with ordinality as each (attempt, n)),
            status = case when settles then 'succeeded' else status end,
            ok = ok or settles,
            status_code = case when settles then $4 else status_code end,
            status_text = case when settles then $5 else status_text end,
            next_retry_at = case when settles then null else next_retry_at end,
            attempt_ordered = case when settles then null else attempt_ordered end,
            updated_at = now()
        from (
            select delivery_id, n as place, $3 and status in ('pending', 'retrying') as settles
            from deliveries, jsonb_array_elements(attempts) with ordinality as each (attempt, n)
            where delivery_id = $1 and attempt ->> 'at' = {BEGAN_AT.format("$2::timestamptz")}
              and attempt ->> 'error' = $8
            for update of deliveries
        ) as lost
        where d.delivery_id = lost.delivery_id
        returning d.status
        """,  # noqa: S608
        ending.delivery_id,
        ending.began,
        ending.ok,
        ending.status_code,
        ending.status_text,
        note,
        ending.duration_ms,
        LOST_ATTEMPT,
    )
