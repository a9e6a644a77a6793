"""Events, received by webhook or by polling: they're the same either way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from signoff_client.api_requests import (
    TEMPORARY_ERRORS,
    Flow,
    RetryPolicy,
    Sleep,
    get_request,
    log,
    parse_json,
    send_once,
)
from signoff_client.messages import Message, parse_message
from signoff_client.pagination import Page
from signoff_client.results import Result, parse_result
from signoff_client.serialization import parse_time

MAX_POLL_SECONDS = 30.0


@dataclass(frozen=True)
class Event:
    """An event. Unknown and test events use this class."""

    name: str
    event_id: str | None
    """Same for webhooks and polling. None for test events."""
    delivery_id: str | None
    """Same for every attempt, so you can skip duplicates. None for polled events."""
    agent_id: str
    session_id: str | None
    created_at: datetime
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class ReviewEvent(Event):
    """A reviewer responded to a review."""

    review_id: str
    form_id: str
    form_name: str
    run_id: str | None
    result: Result


@dataclass(frozen=True)
class ReviewCompleted(ReviewEvent):
    """A review was approved or rejected."""

    tool_result: Any
    """The response of the review type's tool webhook, if it has one."""


@dataclass(frozen=True)
class TriggerSubmitted(ReviewEvent):
    """Someone submitted a trigger form and started a run."""


@dataclass(frozen=True)
class RetryRequested(ReviewEvent):
    """A reviewer requested changes.

    See `result.retry` and respond with `client.review(review_id).update(…)`.
    """

    revision: int


@dataclass(frozen=True)
class ReviewDeleted(Event):
    """A review was deleted. Webhooks receive this event if their `webhookEvents` include it."""

    review_id: str
    form_id: str
    form_name: str


@dataclass(frozen=True)
class HumanMessage(Event):
    """A member sent a chat message. Reply with `client.send_message(session_id, …)`."""

    message: Message
    history: tuple[Message, ...]
    """The latest messages, oldest first, including the new one."""


@dataclass(frozen=True)
class BatchCompleted(Event):
    """All reviews of a batch are decided."""

    batch_id: str
    completion: int
    """How many times the batch was completed. A review that is added later reopens it."""
    counts: Mapping[str, int]
    """`total`, `approved`, `rejected`, and `submitted`."""


def parse_event(raw: Mapping[str, Any]) -> Event:
    """Parse an event. Raises KeyError, TypeError, or ValueError if it isn't a Signoff event."""
    common: dict[str, Any] = {
        "name": raw["event"],
        "event_id": raw.get("eventId"),
        "delivery_id": raw.get("deliveryId"),
        "agent_id": raw["agentId"],
        "session_id": raw.get("sessionId"),
        "created_at": parse_time(raw["createdAt"]),
        "raw": raw,
    }
    if raw["event"] == "session.human_message":
        history = tuple(parse_message(each, raw["sessionId"]) for each in raw["history"])
        message = parse_message({"role": "human", **raw["message"]}, raw["sessionId"])
        return HumanMessage(**common, message=message, history=history)
    if raw["event"] == "review.deleted":
        return ReviewDeleted(**common, review_id=raw["reviewId"], form_id=raw["formId"], form_name=raw["formName"])
    if raw["event"] == "batch.completed":
        return BatchCompleted(**common, batch_id=raw["batchId"], completion=raw["completion"], counts=raw["counts"])
    if raw["event"] not in ("review.completed", "trigger.submitted", "review.retry_requested"):
        return Event(**common)
    common |= {
        "review_id": raw["reviewId"],
        "form_id": raw["formId"],
        "form_name": raw["formName"],
        "run_id": raw.get("workflowRunId"),
        "result": parse_result(raw),
    }
    if raw["event"] == "review.completed":
        return ReviewCompleted(**common, tool_result=raw.get("toolResult"))
    if raw["event"] == "review.retry_requested":
        return RetryRequested(**common, revision=raw["revision"])
    return TriggerSubmitted(**common)


def poll_events(after: str, agent_id: str | None, wait: float | None, policy: RetryPolicy) -> Flow[Page[Event]]:
    """Return the events after the cursor. Waits for one for up to `wait` seconds, or forever if `wait` is None.

    A page without events is the last one. Failures are retried until the time is up; then the last one is raised,
    because it's unknown whether there were events.
    """
    until = math.inf if wait is None else policy.clock() + wait
    early_responses = failures = 0
    while True:
        started_at = policy.clock()
        poll_seconds = max(0.0, min(MAX_POLL_SECONDS, until - started_at))
        try:
            page = parse_json(
                (yield from send_once(get_request("/events", wait_seconds=poll_seconds, after=after, agentId=agent_id)))
            )
        except TEMPORARY_ERRORS as failure:
            failures += 1
            over = policy.clock() >= until
            # Without a wait, the usual number of retries applies.
            if over and (wait or policy.gives_up(failures, failure)):
                raise
            log.info("Still waiting for events: %s", failure)
            pause = policy.delay(failures, failure)
            yield Sleep(pause if over else min(pause, until - policy.clock()))
            continue
        failures = 0
        moved = page["nextCursor"] != after
        after = page["nextCursor"]
        if page["items"] or (poll_seconds <= 0 and not moved):
            items = [parse_event(each) for each in page["items"]]
            return Page(items, after, last=not items)
        # A server that is shutting down responds early. Pause before the next request.
        early_responses = early_responses + 1 if not moved and policy.clock() - started_at < poll_seconds / 2 else 0
        if early_responses:
            yield Sleep(min(policy.delay(early_responses), max(0.0, until - policy.clock())))
