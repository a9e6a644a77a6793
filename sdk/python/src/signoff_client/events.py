"""What the service tells an agent, by webhook or when it is asked: the same events either way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from signoff_client.flow import PASSING, Flow, Pause, Retrying, attempt, log, parsed, reading
from signoff_client.messages import Message, read_message
from signoff_client.paging import Page
from signoff_client.results import Result, read_result
from signoff_client.values import read_time

LONGEST_LOOK = 30.0


@dataclass(frozen=True)
class Event:
    """Something happened. Kinds that this version does not know, and test events, are plain `Event`s."""

    name: str
    event_id: str | None
    """The same whichever way the event came. A test event has none."""
    delivery_id: str | None
    """The same on every attempt of a webhook: skip what you have seen. None if there was no webhook."""
    agent_id: str
    session_id: str | None
    created_at: datetime
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class ReviewEvent(Event):
    """Something was said to a review."""

    review_id: str
    form_id: str
    form_name: str
    run_id: str | None
    result: Result


@dataclass(frozen=True)
class ReviewCompleted(ReviewEvent):
    """A review was approved or rejected."""

    tool_result: Any
    """What the review type's tool webhook answered, if it has one."""


@dataclass(frozen=True)
class TriggerSubmitted(ReviewEvent):
    """A person filled in a trigger form, and so started a run."""


@dataclass(frozen=True)
class RetryRequested(ReviewEvent):
    """A person asks for other content: see `result.retry`, and answer with `client.review(review_id).update(…)`."""

    revision: int


@dataclass(frozen=True)
class ReviewDeleted(Event):
    """A review was deleted. Webhooks receive it if their `webhookEvents` name it."""

    review_id: str
    form_id: str
    form_name: str


@dataclass(frozen=True)
class HumanMessage(Event):
    """A person wrote in a session. Answer with `client.say(session_id, …)`."""

    message: Message
    history: tuple[Message, ...]
    """The latest messages, oldest first and the new one last."""


@dataclass(frozen=True)
class BatchCompleted(Event):
    """All reviews of a batch are decided."""

    batch_id: str
    completion: int
    """Counts how often it was completed: a review that is added later opens the batch again."""
    counts: Mapping[str, int]
    """`total`, `approved`, `rejected` and `submitted`."""


def read_event(raw: Mapping[str, Any]) -> Event:
    """The event in its own class. Raises KeyError, TypeError or ValueError if it is none of ours."""
    common: dict[str, Any] = {
        "name": raw["event"],
        "event_id": raw.get("eventId"),
        "delivery_id": raw.get("deliveryId"),
        "agent_id": raw["agentId"],
        "session_id": raw.get("sessionId"),
        "created_at": read_time(raw["createdAt"]),
        "raw": raw,
    }
    if raw["event"] == "session.human_message":
        history = tuple(read_message(each, raw["sessionId"]) for each in raw["history"])
        message = read_message({"role": "human", **raw["message"]}, raw["sessionId"])
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
        "result": read_result(raw),
    }
    if raw["event"] == "review.completed":
        return ReviewCompleted(**common, tool_result=raw.get("toolResult"))
    if raw["event"] == "review.retry_requested":
        return RetryRequested(**common, revision=raw["revision"])
    return TriggerSubmitted(**common)


def pull(after: str, agent_id: str | None, wait: float | None, retrying: Retrying) -> Flow[Page[Event]]:
    """What comes after the cursor; waits up to `wait` seconds, None for ever, until there is something.

    The page is the last one if there was nothing. It goes on over trouble of the service until the time is over, and
    then raises what the trouble was: whether there is something is not known.
    """
    until = math.inf if wait is None else retrying.clock() + wait
    early = failures = 0
    while True:
        began = retrying.clock()
        look = max(0.0, min(LONGEST_LOOK, until - began))
        try:
            answer = parsed((yield from attempt(reading("/events", waits=look, after=after, agentId=agent_id))))
        except PASSING as failure:
            failures += 1
            over = retrying.clock() >= until
            # Who does not want to wait at all still gets the tries that every call gets.
            if over and (wait or retrying.gives_up(failures, failure)):
                raise
            log.info("Waiting for events: %s", failure)
            pause = retrying.pause(failures, failure)
            yield Pause(pause if over else min(pause, until - retrying.clock()))
            continue
        failures = 0
        moved = answer["nextCursor"] != after
        after = answer["nextCursor"]
        if answer["items"] or (look <= 0 and not moved):
            items = [read_event(each) for each in answer["items"]]
            return Page(items, after, last=not items)
        # A service that is about to stop answers early; it is not to be asked without a pause.
        early = early + 1 if not moved and retrying.clock() - began < look / 2 else 0
        if early:
            yield Pause(min(retrying.pause(early), max(0.0, until - retrying.clock())))
