"""Submit a trigger form: this creates a review that is already responded, without `response`, in a run of its own."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from signoff.accounts.context import Caller
from signoff.accounts.usage.fair_use import enforce_fair_use
from signoff.forms.definition import Definition
from signoff.forms.submission import SubmissionResult, apply_submission
from signoff.forms.suggestion import MAX_TITLE, trigger_suggestion
from signoff.forms.versions import FormVersion, invalidate_current_version
from signoff.media.signed_payloads import strip_media_signatures
from signoff.platform.clock import now
from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.idempotency import Idempotency, find_stored_response
from signoff.platform.ids import new_id
from signoff.platform.json_values import MAX_DATA_DEPTH, exceeds_depth, too_deep
from signoff.platform.messages import msg
from signoff.platform.metrics import REVIEWS_REQUESTED
from signoff.reviews.decisions import complete_review
from signoff.reviews.events import Decision
from signoff.reviews.inserts import NewReview, RequestRow, insert_reviews
from signoff.reviews.locks import lock_review
from signoff.reviews.request_validation import unknown_agent_errors
from signoff.reviews.review_media import IngestedMedia, MediaDeleted, attach_media, ingest_media
from signoff.reviews.urls import named_links
from signoff.triggers.queries import trigger_version

Admit = Callable[[Executor], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class TriggerInput:
    """A submission."""

    data: dict[str, Any]
    size: int
    """Bytes of the request."""
    version: int | None = None
    title: str | None = None
    session_id: str | None = None
    run_name: str | None = None
    meta: dict[str, Any] | None = None
    most_copies: int | None = None
    """The maximum number of media files to fetch. None means as many as the form accepts."""


class _NothingWritten(Exception):
    """Nothing was written: the form changed after it was read, or the idempotency key is in use. Rolls back."""


async def submit_trigger_form(
    caller: Caller,
    form_id: str,
    start: TriggerInput,
    idempotency: Idempotency | None,
    *,
    admit: Admit | None = None,
    answer: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the response, new or repeated. `answer` replaces the response if given.

    `admit` runs first in the transaction that writes, and may refuse.
    """
    await enforce_fair_use(caller, requests=1, bytes=start.size)
    while True:
        form, agent_id = await trigger_version(caller, form_id, start.version)
        outcome = await asyncio.to_thread(_read, caller, form.definition, start.data)
        media = (
            await ingest_media(caller, form.definition, outcome.data, {}) if form.definition.copied else IngestedMedia()
        )
        if start.most_copies is not None and len(media.copies) > start.most_copies:
            message = msg(
                "can link to at most {limit} images and videos, not {actual}",
                limit=start.most_copies,
                actual=len(media.copies),
            )
            raise InvalidRequest([ErrorDetail("data", "too_many_items", message)])
        submission = _Submission(new_id("rev"), start.session_id or new_id("ses"), new_id("run"))
        response = submission.to_response(caller) if answer is None else answer
        review = _new_review(caller, form, agent_id, start, submission, outcome, idempotency, response)
        try:
            await _write(caller, form, review, outcome, media, admit)
        except (_NothingWritten, MediaDeleted):
            first = idempotency and await find_stored_response(caller.db, caller.account_id, idempotency)
            if first is not None:
                return first
            invalidate_current_version(caller.db, caller.account_id, form_id)
            if errors := await unknown_agent_errors(caller.db, caller.account_id, agent_id):
                raise InvalidRequest(errors) from None
            continue
        REVIEWS_REQUESTED.inc()
        return response


@dataclass(frozen=True, slots=True)
class _Submission:
    review_id: str
    session_id: str
    run_id: str

    def to_response(self, caller: Caller) -> dict[str, Any]:
        settings = caller.settings
        return {
            "reviewId": self.review_id,
            "sessionId": self.session_id,
            "workflowRunId": self.run_id,
            **named_links(settings, self.review_id),
        }


def _read(caller: Caller, definition: Definition, data: dict[str, Any]) -> SubmissionResult:
    if exceeds_depth(data, MAX_DATA_DEPTH):
        raise InvalidRequest([ErrorDetail("data", "too_deep", too_deep(MAX_DATA_DEPTH))])
    return apply_submission(
        definition, trigger_suggestion(definition), {}, strip_media_signatures(caller.settings, data), None
    )


def _new_review(
    caller: Caller,
    form: FormVersion,
    agent_id: str,
    start: TriggerInput,
    made: _Submission,
    outcome: SubmissionResult,
    idempotency: Idempotency | None,
    response: dict[str, Any],
) -> NewReview:
    """Build the review. The submission is also its content, since there is no other, so it's displayed, searched,
    and compared like one.
    """
    row = RequestRow(
        account_id=caller.account_id,
        review_id=made.review_id,
        agent_id=agent_id,
        form_id=form.form_id,
        form_version=form.version,
        form_name=form.name,
        session_id=made.session_id,
        run_id=made.run_id,
        run_name=start.run_name,
        prev_steps=None,
        title=start.title or _title(form.definition, outcome),
        data=outcome.data,
        config=None,
        meta=start.meta,
        webhook_url=None,
        webhook_events=None,
        key=idempotency.key if idempotency else None,
        body_hash=idempotency.body_hash if idempotency else None,
        answer=response if idempotency else None,
        actor=caller.actor.columns,
        reviewers_set_by="request",
        assigned=False,
        given_title=start.title,
        size=start.size,
    )
    return NewReview(row)


def _title(definition: Definition, outcome: SubmissionResult) -> str | None:
    """Return the title field's text on one line, as submitted."""
    entry = outcome.response_values.get(definition.title_field or "")
    text = entry.get("value") if isinstance(entry, dict) else None
    if not isinstance(text, str):
        return None
    return " ".join(text[: 10 * MAX_TITLE].split())[:MAX_TITLE].rstrip() or None


async def _write(
    caller: Caller,
    form: FormVersion,
    review: NewReview,
    outcome: SubmissionResult,
    media: IngestedMedia,
    admit: Admit | None,
) -> None:
    async with caller.db.transaction() as tx:
        if admit is not None:
            await admit(tx)
        [written] = await insert_reviews(tx, [review])
        if not written:
            raise _NothingWritten
        await attach_media(tx, caller.account_id, review.review_id, media)
        row = await lock_review(tx, caller.actor, review.review_id)
        await complete_review(tx, caller.settings, form, row, Decision(caller.actor, now(), outcome, response=None))
