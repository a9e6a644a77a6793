"""Asking for a review, and waiting for what people say to it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from signoff_client.errors import WaitTimeout
from signoff_client.flow import (
    PASSING,
    Call,
    Flow,
    Pause,
    Retrying,
    ask,
    attempt,
    log,
    new_key,
    parsed,
    place,
    reading,
    writing,
)
from signoff_client.results import Result, read_result
from signoff_client.values import Values, camel, plain

LONGEST_LOOK = 10.0
"""Seconds. The service answers as soon as the review changes."""


class ReviewOptions(TypedDict, total=False):
    """Everything else that a request may have; named as in the API, with underscores."""

    agent_id: str
    """Needed only if the review type belongs to no agent."""
    title: str
    session_id: str
    """Ties together what belongs to one conversation or task."""
    batch_id: str
    """Puts the review into a batch: `client.batch(batch_id)`, and the event `batch.completed`."""
    batch_size: int
    """How many reviews the batch will have."""
    assign_to: Sequence[str]
    """E-mail addresses of members."""
    assign_to_groups: Sequence[str]
    """IDs of groups."""
    ext_reviewers: Sequence[str]
    """E-mail addresses of people without an account; each gets a link."""
    lang: str
    """The language of the external reviewers' emails and page, like `de` or `pt-BR`."""
    webhook_url: str
    webhook_events: Sequence[str]
    """The events that `webhook_url` receives, like `["review.completed"]` for an address that can be called once."""
    meta: Mapping[str, Any]
    """Anything; given back with the result."""
    config: Mapping[str, Any]
    """Settings of fields for this request, `{"fields": {"<fieldId>": {…}}}`."""
    auto_approve: bool
    run_id: str
    """The run that the review is a step of. With a `run_name` alone the service makes one: see `review.run_id`."""
    run_name: str
    prev_steps: Sequence[str]
    """IDs of the reviews before this one in its run."""
    clear: Sequence[str]
    """For updates, which keep what they leave out: options to set to nothing instead, like `["meta", "title"]`."""


@dataclass(eq=False)
class Asked:
    """What is known of a review from having asked for it."""

    id: str
    form_id: str | None = None
    session_id: str | None = None
    link: str | None = None
    """Opens it in the inbox."""
    external_links: Mapping[str, str] | None = field(default=None, repr=False)
    """By e-mail address, for external reviewers."""
    run_id: str | None = None


def request(
    form_id: str, values: Values, options: ReviewOptions, key: str | None, retrying: Retrying, update: str | None = None
) -> Flow[Asked]:
    """With a key of its own if none is given, so that a request that is sent twice makes one review."""
    body = {"formId": form_id, "data": plain(values), **_members(options)}
    body |= {"updateForReviewId": update} if update else {}
    answer = yield from ask(writing("POST", "/requestReview", body, key=key or new_key()), retrying)
    return Asked(
        id=answer["reviewId"],
        form_id=form_id,
        session_id=answer["sessionId"],
        # Its first letters are the installation's own: SIGNOFF_NAME_PREFIX.
        link=next((value for name, value in answer.items() if name.endswith("Link")), None),
        external_links={each["email"]: each["link"] for each in answer.get("extReviewerLinks", [])},
        run_id=answer.get("workflowRunId") or options.get("run_id"),
    )


def _members(options: ReviewOptions) -> dict[str, Any]:
    unknown = options.keys() - ReviewOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"There is no {min(unknown)!r}. There are: {', '.join(ReviewOptions.__annotations__)}.")
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    cleared = dict.fromkeys(map(camel, given.pop("clear", ())))
    run = {camel(name): given.pop(name) for name in ("run_id", "run_name", "prev_steps") if name in given}
    return {camel(name): value for name, value in given.items()} | cleared | ({"workflow": run} if run else {})


def update(asked: Asked, values: Values, options: ReviewOptions, key: str | None, retrying: Retrying) -> Flow[Asked]:
    form_id = asked.form_id or (yield from ask(fetch(asked.id), retrying))["formId"]
    return (yield from request(form_id, values, options, key, retrying, update=asked.id))


def fetch(review_id: str, waits: float = 0.0) -> Call:
    return reading(place("reviews", review_id), waits=waits)


@dataclass(frozen=True)
class Batch:
    """Reviews that were requested with one `batch_id`."""

    batch_id: str
    completed: bool
    """Whether all of them are decided."""
    counts: Mapping[str, int]
    """`total`, `pending`, `approved`, `rejected` and `submitted`."""
    reviews: tuple[Mapping[str, Any], ...] = field(repr=False)
    """As the service lists them, oldest first."""


def batch(batch_id: str, retrying: Retrying) -> Flow[Batch]:
    """With all its reviews, however many pages they are."""
    rows: list[Mapping[str, Any]] = []
    cursor: str | None = None
    while True:
        page = yield from ask(reading(place("batches", batch_id), cursor=cursor, limit=200), retrying)
        rows += page["reviews"]
        cursor = page.get("nextCursor")
        if cursor is None:
            return Batch(batch_id, page["state"] == "completed", page["counts"], tuple(rows))


def delete(review_id: str) -> Call:
    return Call("DELETE", place("reviews", review_id))


def wait(review_id: str, timeout: float | None, retrying: Retrying) -> Flow[Result]:
    """The result, as soon as a person said something. Goes on over restarts and trouble until the time is over."""
    clock = retrying.clock
    until = math.inf if timeout is None else clock() + timeout
    look, failures = 0.0, 0  # The first look is short: somebody may have asked for a retry already.
    seen: Any = None
    while True:
        began, failure, changed = clock(), None, False
        try:
            answer = yield from attempt(fetch(review_id, waits=look))
        except PASSING as passing:
            failure = passing
            log.info("Waiting for review %s: %s", review_id, failure)
        else:
            review = parsed(answer)
            result = read_result(review)
            if result is not None:
                return result
            changed, seen = review != seen, review
        if clock() >= until:
            raise WaitTimeout(review_id, timeout or 0.0) from failure
        # A service that is about to stop answers early, like one whose review changed. Without a change it is asked
        # again like one that failed, with growing pauses.
        if failure is not None or (not changed and clock() - began < look / 2):
            failures += 1
            yield Pause(min(retrying.pause(failures, failure), max(0.0, until - clock())))
        else:
            failures = 0
        look = max(0.0, min(LONGEST_LOOK, until - clock()))
