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
from signoff.webhooks.delivery_status import GONE
from signoff.webhooks.events import WEBHOOK_CHANNEL, render_event, sign_event_urls
from signoff.webhooks.retry_after import parse_retry_after
from signoff.webhooks.schemas import Target
from signoff.webhooks.signatures import sign_headers
from signoff.webhooks.tool_results import MAX_RESPONSE_BYTES, NO_RESULT, NOT_STORED, ToolResult, read_tool_result
from signoff.webhooks.tool_waits import release_waiting

MAX_READ_BYTES: Final = 64 * 1024
MAX_STATUS_TEXT: Final = 200
NOT_AWAITED: Final = object()
"""The result of an attempt that nothing waits for. Of a lost attempt, nobody knows."""


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
    is_awaited: bool
    """Whether something may wait for it."""


# `offset 0` and `any(array(...))` make the planner look up each row by its ID. With joins, it may scan a table that has
# grown a lot since its last statistics for every few deliveries.
_READ: Final = Sql(
    """
    select d.delivery_id, d.account_id, d.target, d.url, e.payload::text,
        case when d.target = 'agent' then e.tool_result::text end as tool_result,
        case when d.target = 'audit' and acc.previous_audit_secret_until > now()
                 then array[acc.audit_webhook_secret, acc.previous_audit_secret]
             when d.target = 'audit' then array[acc.audit_webhook_secret]
             when a.previous_secret_until > now() then array[a.webhook_secret, a.previous_secret]
             else array[a.webhook_secret] end as secrets,
        not o.is_stopped and d.waits_for is null and e.media_until is null as is_due,
        coalesce(ahead.places, 0) as places_ahead, coalesce(ahead.next_attempt, 0) as next_attempt_ahead,
        (:order_wait - extract(epoch from now() - o.created_at))::float8 as patience,
        d.target = 'tool' or o.line is not null as is_awaited
    from {claims} c
    cross join lateral (
        select * from outgoing_messages where message_id = c.delivery_id and claimed_at = c.claimed_at offset 0
    ) as o
    cross join lateral (select * from deliveries where delivery_id = c.delivery_id offset 0) as d
    cross join lateral (
        select payload, tool_result, media_until from events
        where account_id = d.account_id and event_id = d.event_id offset 0
    ) as e
    join agents a on a.agent_id = d.agent_id
    join accounts acc on acc.account_id = d.account_id
    {earlier_deliveries}
    """,
    _Delivery,
    claims=Rows("claims", _Claim),
    earlier_deliveries=EARLIER_DELIVERIES,
)


async def read_claimed(
    db: Database, messages: Sequence[OutgoingMessage], *, order_wait: float
) -> list[_Delivery | None]:
    """Read deliveries with what an attempt needs. None if the claim is no longer valid.

    `order_wait` is the maximum number of seconds for which a delivery holds up those behind it.
    """
    claims = [_Claim(message.message_id, message.claimed_at) for message in messages]
    found = {row.delivery_id: row for row in await _READ.fetch(db, claims=claims, order_wait=order_wait)}
    return [found.get(message.message_id) for message in messages]


@dataclass(frozen=True, slots=True)
class FinishedDelivery:
    delivery_id: str
    state: State
    is_over: bool
    """Whether nothing waits for it any longer. An attempt that was lost or interrupted is repeated at once."""
    tool_result: str | None
    """JSON text."""


_SETTLE: Final = Sql(
    """
    with called_tools as (
        select d.delivery_id, d.account_id, r.tool_result
        from {finished} r cross join lateral (select * from deliveries where delivery_id = r.delivery_id offset 0) as d
        where d.target = 'tool' and r.is_over
    ), {release_waiting}, ordered as (
        select o.line, o.line_number
        from {finished} r
        cross join lateral (select * from outgoing_messages where message_id = r.delivery_id offset 0) as o
        where r.state <> 'queued'
    ), next_in_order as (
        {release_next}
    )
    select distinct account_id from called_tools
    """,
    finished=Rows("finished", FinishedDelivery),
    release_waiting=release_waiting("called_tools"),
    release_next=release_next("ordered"),
)


async def settle_deliveries(tx: Executor, finished: Sequence[FinishedDelivery]) -> None:
    """Release what waited for a tool's response, and the next in order."""
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
        self._read = partial(read_claimed, order_wait=settings.chat_order_wait)
        self.concurrency = settings.webhook_concurrency
        self.destination_concurrency = settings.webhook_concurrency_per_destination
        self.policy = RetryPolicy(settings.webhook_retry_schedule, settings.webhook_retry_jitter)

    async def send(self, message: OutgoingMessage) -> AttemptOutcome:
        delivery = await self._db.batched(self._read, message)
        if delivery is None:
            raise MessageGone
        if not delivery.is_due:
            raise Postponed(MAX_RECHECK_INTERVAL)  # what it waits for releases it earlier
        if pause := ordering_delay(delivery.places_ahead, delivery.next_attempt_ahead, delivery.patience):
            raise Postponed(pause)
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
        return _read_answer(answer, time.monotonic() - began, delivery)

    async def settle(self, tx: Executor, attempts: Sequence[FinishedAttempt]) -> None:
        finished = [_finish(attempt) for attempt in attempts if attempt.outcome.result is not NOT_AWAITED]
        if finished:
            await settle_deliveries(tx, finished)


def _read_answer(answer: HttpResponse, seconds: float, delivery: _Delivery) -> AttemptOutcome:
    is_ok = 200 <= answer.status < 300
    status_text = to_storable(answer.reason)[:MAX_STATUS_TEXT]
    tool = read_tool_result(answer) if delivery.target == "tool" and is_ok else NO_RESULT

    def outcome(tool: ToolResult) -> AttemptOutcome:
        shown = {"statusCode": answer.status, "statusText": status_text, "note": tool.note}
        return AttemptOutcome(
            error=None if is_ok else f"{answer.status} {status_text}".strip(),
            permanent=answer.status == GONE,
            retry_after=parse_retry_after(answer.status, answer.headers.get("retry-after"), now()),
            seconds=seconds,
            details=shown,
            result=tool.text if delivery.is_awaited else NOT_AWAITED,
        )

    if tool.text is None:
        return outcome(tool)
    return replace(outcome(tool), fallback=outcome(ToolResult(note=NOT_STORED)))


def _finish(attempt: FinishedAttempt) -> FinishedDelivery:
    record, outcome = attempt.record, attempt.outcome
    is_over = record.state != "queued" or not outcome.at_once
    return FinishedDelivery(record.message_id, record.state, is_over, outcome.result)
