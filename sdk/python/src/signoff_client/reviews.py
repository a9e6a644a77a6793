"""Requesting reviews and waiting for decisions."""

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
"""Seconds. The server responds as soon as the review changes."""


class ReviewOptions(TypedDict, total=False):
    """Options for a request. Same names as in the API, in snake_case."""

    agent_id: str
    """Required only if the review type isn't linked to an agent."""
    title: str
    session_id: str
    """Groups reviews and messages of one conversation."""
    batch_id: str
    """Adds the review to a batch. See `client.batch(batch_id)` and the event `batch.completed`."""
    batch_size: int
    """Number of reviews the batch will have."""
    assign_to: Sequence[str]
    """Emails of members."""
    assign_to_groups: Sequence[str]
    """IDs of groups."""
    ext_reviewers: Sequence[str]
    """Emails of external reviewers, who each get a link."""
    lang: str
    """Language of the external reviewers' emails and page, such as `de` or `pt-BR`."""
    webhook_url: str
    webhook_events: Sequence[str]
    """Events that `webhook_url` receives, such as `["review.completed"]` for a URL that can only be called once."""
    meta: Mapping[str, Any]
    """Your metadata, returned with the result."""
    config: Mapping[str, Any]
    """Field settings for this request: `{"fields": {"<fieldId>": {…}}}`."""
    auto_approve: bool
    run_id: str
    """The workflow run. With only `run_name`, a run ID is generated; see `review.run_id`."""
    run_name: str
    prev_steps: Sequence[str]
    """IDs of the previous reviews in the run."""
    clear: Sequence[str]
    """Options to clear in an update, such as `["meta", "title"]`. Options you leave out stay as they are."""


@dataclass(eq=False)
class Asked:
    """A review as known from the response to the request."""

    id: str
    form_id: str | None = None
    session_id: str | None = None
    link: str | None = None
    """Link to the review in the inbox."""
    external_links: Mapping[str, str] | None = field(default=None, repr=False)
    """Links for external reviewers, by email."""
    run_id: str | None = None


def request(
    form_id: str, values: Values, options: ReviewOptions, key: str | None, retrying: Retrying, update: str | None = None
) -> Flow[Asked]:
    """Generates an idempotency key if none is given, so that a retried request creates one review."""
    body = {"formId": form_id, "data": plain(values), **_members(options)}
    body |= {"updateForReviewId": update} if update else {}
    answer = yield from ask(writing("POST", "/requestReview", body, key=key or new_key()), retrying)
    return Asked(
        id=answer["reviewId"],
        form_id=form_id,
        session_id=answer["sessionId"],
        # The member's prefix depends on the deployment: SIGNOFF_NAME_PREFIX.
        link=next((value for name, value in answer.items() if name.endswith("Link")), None),
        external_links={each["email"]: each["link"] for each in answer.get("extReviewerLinks", [])},
        run_id=answer.get("workflowRunId") or options.get("run_id"),
    )


def _members(options: ReviewOptions) -> dict[str, Any]:
    unknown = options.keys() - ReviewOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"Unknown option {min(unknown)!r}. Available: {', '.join(ReviewOptions.__annotations__)}.")
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
    """The reviews with the same `batch_id`."""

    batch_id: str
    completed: bool
    """Whether all reviews are decided."""
    counts: Mapping[str, int]
    """`total`, `pending`, `approved`, `rejected` and `submitted`."""
    reviews: tuple[Mapping[str, Any], ...] = field(repr=False)
    """The reviews as returned by the API, oldest first."""


def batch(batch_id: str, retrying: Retrying) -> Flow[Batch]:
    """Return the batch with all its reviews, from all pages."""
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
    """Return the result as soon as there is one. Keeps waiting through restarts and outages until the time is up."""
    clock = retrying.clock
    until = math.inf if timeout is None else clock() + timeout
    look, failures = 0.0, 0  # The first look is short: the reviewer may have responded already.
    seen: Any = None
    while True:
        began, failure, changed = clock(), None, False
        try:
            answer = yield from attempt(fetch(review_id, waits=look))
        except PASSING as passing:
            failure = passing
            log.info("Still waiting for review %s: %s", review_id, failure)
        else:
            review = parsed(answer)
            result = read_result(review)
            if result is not None:
                return result
            changed, seen = review != seen, review
        if clock() >= until:
            raise WaitTimeout(review_id, timeout or 0.0) from failure
        # A server that is shutting down responds early even if the review didn't change. Then back off, as after a
        # failure.
        if failure is not None or (not changed and clock() - began < look / 2):
            failures += 1
            yield Pause(min(retrying.pause(failures, failure), max(0.0, until - clock())))
        else:
            failures = 0
        look = max(0.0, min(LONGEST_LOOK, until - clock()))
