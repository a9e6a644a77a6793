"""Webhooks as outgoing messages: an attempt posts the event to its URL."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from signoff.platform.clock import now
from signoff.platform.db import Database, Executor
from signoff.platform.guarded_http import GuardedClient, HttpResponse, OutboundError
from signoff.platform.outbox.retry_policy import AttemptOutcome, RetryPolicy, State
from signoff.platform.outbox.sender import FinishedAttempt, MessageGone, OutgoingMessage, Postponed, to_storable
from signoff.platform.pubsub import publish
from signoff.platform.settings import Settings
from signoff.platform.sql import Rows, Sql
from signoff.webhooks.delivery_order import EARLIER_DELIVERIES, MAX_RECHECK_INTERVAL, ordering_delay, release_next
from signoff.webhooks.events import WEBHOOK_CHANNEL, render_event, sign_event_urls
from signoff.webhooks.retry_after import parse_retry_after
from signoff.webhooks.schemas import Target
from signoff.webhooks.signatures import sign_headers
from signoff.webhooks.tool_results import MAX_RESPONSE_BYTES, NO_RESULT, NOT_STORED, ToolResult, read_tool_result
from signoff.webhooks.tool_waits import release_waiting

MAX_READ_BYTES: Final = 64 * 1024
GONE: Final = 410
MAX_STATUS_TEXT: Final = 200


@dataclass(frozen=True, slots=True)
class _Claim:
    delivery_id: str
    claimed_at: datetime


@dataclass(frozen=True, slots=True)
class _Delivery:
    """A delivery with everything that an attempt needs."""

    delivery_id: str
    account_id: str
    target: Target
    url: str
    payload: str
    """The stored event, as JSON text."""
    tool_result: str | None
    secrets: list[str]
    is_due: bool
    """Whether it waits for nothing but those before it."""
    places_ahead: int
    """How many deliveries come first."""
    next_attempt_ahead: float
    """Seconds until the next attempt of the first of them."""
    patience: float
    """Seconds for which it still waits for them."""
    is_started: bool


# `offset 0` and `any(array(...))` make the planner look up each row by its ID. With joins, it may scan a table that has
# grown a lot since its last statistics for every few deliveries.
_START: Final = Sql(
    """
    with found as materialized (
        select d.delivery_id, d.account_id, d.target, d.url, e.payload::text,
            case when d.target = 'agent' then e.tool_result::text end as tool_result,
            case when d.target = 'audit' and acc.previous_audit_secret_until > now()
                     then array[acc.audit_webhook_secret, acc.previous_audit_secret]
                 when d.target = 'audit' then array[acc.audit_webhook_secret]
                 when a.previous_secret_until > now() then array[a.webhook_secret, a.previous_secret]
                 else array[a.webhook_secret] end as secrets,
            d.status in ('pending', 'delivering', 'retrying') and d.waits_for is null and e.media_until is null
                as is_due,
            coalesce(ahead.places, 0) as places_ahead, coalesce(ahead.next_attempt, 0) as next_attempt_ahead,
            (:order_wait - extract(epoch from now() - d.triggered_at))::float8 as patience
        from {claims} c
        cross join lateral (
            select is_manual from outgoing_messages
            where message_id = c.delivery_id and claimed_at = c.claimed_at offset 0
        ) as o
        cross join lateral (select * from deliveries where delivery_id = c.delivery_id offset 0) as d
        cross join lateral (
            select payload, tool_result, media_until from events
            where account_id = d.account_id and event_id = d.event_id offset 0
        ) as e
        join agents a on a.agent_id = d.agent_id
        join accounts acc on acc.account_id = d.account_id
        {earlier_deliveries}
    ), started as (
        update deliveries d set status = 'delivering', updated_at = now()
        where d.delivery_id = any(array(
            select delivery_id from found where is_due and (places_ahead = 0 or patience <= 0)
        )) and d.status in ('pending', 'delivering', 'retrying')
        returning d.delivery_id
    )
    select f.*, s.delivery_id is not null as is_started from found f left join started s using (delivery_id)
    """,
    _Delivery,
    claims=Rows("claims", _Claim),
    earlier_deliveries=EARLIER_DELIVERIES,
)


async def start_deliveries(
    db: Database, messages: Sequence[OutgoingMessage], *, order_wait: float
) -> list[_Delivery | None]:
    """Read deliveries, and mark those as being delivered that can start. None if the claim is no longer valid.

    `order_wait` is the maximum number of seconds for which a delivery holds up those behind it.
    """
    claims = [_Claim(message.message_id, message.claimed_at) for message in messages]
    found = {row.delivery_id: row for row in await _START.fetch(db, claims=claims, order_wait=order_wait)}
    return [found.get(message.message_id) for message in messages]


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the receiver answered, if it did."""

    status_code: int
    status_text: str
    tool_result: str | None
    """JSON text."""


@dataclass(frozen=True, slots=True)
class FinishedDelivery:
    delivery_id: str
    state: State
    pause: float
    counts: bool
    status_code: int
    status_text: str | None
    duration_ms: int | None
    is_over: bool
    """Whether nothing waits for it any longer. An attempt that was lost or interrupted is repeated at once."""
    tool_result: str | None


_SETTLE: Final = Sql(
    """
    with settled as (
        update deliveries d set
            status = case r.state when 'sent' then 'succeeded' when 'queued' then 'retrying' else 'dead' end,
            retries_cancelled = r.state <> 'sent' and (d.retries_cancelled or r.status_code = {gone}),
            ok = r.state = 'sent',
            status_code = r.status_code,
            status_text = r.status_text,
            attempt_count = d.attempt_count + r.counts::integer,
            duration_ms = r.duration_ms,
            first_try = coalesce(d.first_try, r.state = 'sent'),
            next_retry_at = case when r.state = 'queued' then now() + make_interval(secs => r.pause) end,
            updated_at = now()
        from {finished} r
        where d.delivery_id = r.delivery_id
        returning d.delivery_id, d.account_id, d.session_id, d.target, d.line_number, d.status, r.is_over, r.tool_result
    ), called_tools as (
        select * from settled where target = 'tool' and is_over
    ), {release_waiting}, ordered as (
        select * from settled where line_number is not null and status in ('succeeded', 'dead')
    ), next_in_order as (
        {release_next}
    )
    select distinct account_id from called_tools
    """,
    finished=Rows("finished", FinishedDelivery),
    gone=GONE,
    release_waiting=release_waiting("called_tools"),
    release_next=release_next("ordered"),
)


async def settle_deliveries(tx: Executor, finished: Sequence[FinishedDelivery]) -> None:
    """Write the results of attempts. Release what waited for a tool's response, and the next in order."""
    for row in await _SETTLE.fetch(tx, finished=finished):
        publish(tx, row["account_id"])  # the event that waited can now be pulled


class WebhookChannel:
    name = WEBHOOK_CHANNEL
    at_most_once = False
    destination_concurrency: int | None

    def __init__(self, db: Database, client: GuardedClient, settings: Settings) -> None:
        self._db = db
        self._client = client
        self._settings = settings
        self._start = partial(start_deliveries, order_wait=settings.chat_order_wait)
        self.concurrency = settings.webhook_concurrency
        self.destination_concurrency = settings.webhook_concurrency_per_destination
        self.policy = RetryPolicy(settings.webhook_retry_schedule, settings.webhook_retry_jitter)

    async def send(self, message: OutgoingMessage) -> AttemptOutcome:
        delivery = await self._db.batched(self._start, message)
        if delivery is None:
            raise MessageGone
        if not delivery.is_due:
            raise Postponed(MAX_RECHECK_INTERVAL)  # what it waits for releases it earlier
        if not delivery.is_started:
            raise Postponed(ordering_delay(delivery.places_ahead, delivery.next_attempt_ahead, delivery.patience))
        is_tool = delivery.target == "tool"
        event = render_event(delivery.payload, delivery.delivery_id, delivery.tool_result)
        body = sign_event_urls(self._settings, delivery.account_id, event).encode()
        headers = sign_headers(delivery.secrets, delivery.delivery_id, int(time.time()), body)
        began = time.monotonic()
        try:
            answer = await self._client.post(
                delivery.url,
                body=body,
                headers=headers,
                timeout=self._settings.webhook_timeout,
                max_answer_bytes=MAX_RESPONSE_BYTES if is_tool else MAX_READ_BYTES,
            )
        except OutboundError as error:
            return AttemptOutcome(error=f"{error.code}: {error}", seconds=time.monotonic() - began)
        return _read_answer(answer, time.monotonic() - began, is_tool=is_tool)

    async def settle(self, tx: Executor, attempts: Sequence[FinishedAttempt]) -> None:
        await settle_deliveries(tx, [_finish(attempt) for attempt in attempts])


def _read_answer(answer: HttpResponse, seconds: float, *, is_tool: bool) -> AttemptOutcome:
    is_ok = 200 <= answer.status < 300
    status_text = to_storable(answer.reason)[:MAX_STATUS_TEXT]
    tool = read_tool_result(answer) if is_tool and is_ok else NO_RESULT

    def outcome(tool: ToolResult) -> AttemptOutcome:
        shown = {"statusCode": answer.status, "statusText": status_text, "note": tool.note}
        return AttemptOutcome(
            error=None if is_ok else f"{answer.status} {status_text}".strip(),
            permanent=answer.status == GONE,
            retry_after=parse_retry_after(answer.status, answer.headers.get("retry-after"), now()),
            seconds=seconds,
            details=shown,
            result=_Answer(answer.status, status_text, tool.text),
        )

    fallback = None if tool.text is None else outcome(ToolResult(note=NOT_STORED))
    return replace(outcome(tool), fallback=fallback)


def _finish(attempt: FinishedAttempt) -> FinishedDelivery:
    record, outcome = attempt.record, attempt.outcome
    answer = outcome.result or _Answer(0, record.error or "", None)
    return FinishedDelivery(
        record.message_id,
        record.state,
        record.pause,
        record.counts,
        answer.status_code,
        answer.status_text,
        record.attempt.get("durationMs"),
        record.state != "queued" or not outcome.at_once,
        answer.tool_result,
    )
