"""Requesting reviews and waiting for decisions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from signoff_client.api_requests import (
    TEMPORARY_ERRORS,
    ApiRequest,
    Flow,
    RetryPolicy,
    Sleep,
    build_path,
    get_request,
    json_request,
    log,
    new_idempotency_key,
    parse_json,
    send_json,
    send_once,
)
from signoff_client.errors import WaitTimeout
from signoff_client.results import Result, parse_result
from signoff_client.serialization import Values, to_camel_case, to_json_value

MAX_POLL_SECONDS = 10.0
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
    """ID of the workflow run. If you pass only `run_name`, an ID is generated; see `review.run_id`."""
    run_name: str
    prev_steps: Sequence[str]
    """IDs of the previous reviews in the run."""
    clear: Sequence[str]
    """Options to clear in an update, such as `["meta", "title"]`. Options you leave out stay as they are."""


@dataclass(eq=False)
class RequestedReview:
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
    form_id: str,
    values: Values,
    options: ReviewOptions,
    key: str | None,
    policy: RetryPolicy,
    update: str | None = None,
) -> Flow[RequestedReview]:
    """Generates an idempotency key if none is given, so that a retried request creates one review."""
    body = {"formId": form_id, "data": to_json_value(values), **_options_to_json(options)}
    body |= {"updateForReviewId": update} if update else {}
    response = yield from send_json(
        json_request("POST", "/requestReview", body, key=key or new_idempotency_key()), policy
    )
    return RequestedReview(
        id=response["reviewId"],
        form_id=form_id,
        session_id=response["sessionId"],
        link=response["svcLink"],
        external_links={each["email"]: each["link"] for each in response.get("extReviewerLinks", [])},
        run_id=response.get("workflowRunId") or options.get("run_id"),
    )


def _options_to_json(options: ReviewOptions) -> dict[str, Any]:
    unknown = options.keys() - ReviewOptions.__annotations__.keys()
    if unknown:
        raise TypeError(
            f"Unknown option {min(unknown)!r}. Available options: {', '.join(ReviewOptions.__annotations__)}."
        )
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    cleared = dict.fromkeys(map(to_camel_case, given.pop("clear", ())))
    run = {to_camel_case(name): given.pop(name) for name in ("run_id", "run_name", "prev_steps") if name in given}
    return {to_camel_case(name): value for name, value in given.items()} | cleared | ({"workflow": run} if run else {})


def update(
    review: RequestedReview, values: Values, options: ReviewOptions, key: str | None, policy: RetryPolicy
) -> Flow[RequestedReview]:
    form_id = review.form_id or (yield from send_json(fetch(review.id), policy))["formId"]
    return (yield from request(form_id, values, options, key, policy, update=review.id))


def fetch(review_id: str, wait_seconds: float = 0.0) -> ApiRequest:
    return get_request(build_path("reviews", review_id), wait_seconds=wait_seconds)


@dataclass(frozen=True)
class Batch:
    """The reviews with the same `batch_id`."""

    batch_id: str
    completed: bool
    """Whether all reviews are decided."""
    counts: Mapping[str, int]
    """`total`, `pending`, `approved`, `rejected`, and `submitted`."""
    reviews: tuple[Mapping[str, Any], ...] = field(repr=False)
    """The reviews as returned by the API, oldest first."""


def batch(batch_id: str, policy: RetryPolicy) -> Flow[Batch]:
    """Return the batch with all its reviews, from all pages."""
    rows: list[Mapping[str, Any]] = []
    cursor: str | None = None
    while True:
        page = yield from send_json(get_request(build_path("batches", batch_id), cursor=cursor, limit=200), policy)
        rows += page["reviews"]
        cursor = page.get("nextCursor")
        if cursor is None:
            return Batch(batch_id, page["state"] == "completed", page["counts"], tuple(rows))


def delete(review_id: str) -> ApiRequest:
    return ApiRequest("DELETE", build_path("reviews", review_id))


def wait(review_id: str, timeout: float | None, policy: RetryPolicy) -> Flow[Result]:
    """Return the result as soon as there is one. Keeps waiting through restarts and outages until the time is up."""
    clock = policy.clock
    until = math.inf if timeout is None else clock() + timeout
    poll_seconds, failures = 0.0, 0  # The first request is short: the reviewer may have responded already.
    seen: Any = None
    while True:
        started_at, failure, changed = clock(), None, False
        try:
            response = yield from send_once(fetch(review_id, wait_seconds=poll_seconds))
        except TEMPORARY_ERRORS as passing:
            failure = passing
            log.info("Still waiting for review %s: %s", review_id, failure)
        else:
            review = parse_json(response)
            result = parse_result(review)
            if result is not None:
                return result
            changed, seen = review != seen, review
        if clock() >= until:
            raise WaitTimeout(review_id, timeout or 0.0) from failure
        # A server that is shutting down responds early even if the review didn't change. Then back off, as after a
        # failure.
        if failure is not None or (not changed and clock() - started_at < poll_seconds / 2):
            failures += 1
            yield Sleep(min(policy.delay(failures, failure), max(0.0, until - clock())))
        else:
            failures = 0
        poll_seconds = max(0.0, min(MAX_POLL_SECONDS, until - clock()))
