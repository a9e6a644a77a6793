"""Decide a review, by a person or automatically. Both have the same result, the same event, and the same deliveries."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from signoff.accounts.actors import AUTO_APPROVE, TIME_OUT_USER, Actor, system_actor
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.forms.definition import Definition
from signoff.forms.submission import apply_submission, response_errors
from signoff.forms.suggestion import read_suggestion
from signoff.forms.versions import FormVersion, get_form_version
from signoff.media.review_copies import NO_COPIES, read_review_copies
from signoff.media.signed_payloads import strip_media_signatures
from signoff.platform.clock import now
from signoff.platform.db import Executor, Row
from signoff.platform.errors import InvalidRequest
from signoff.platform.idempotency import Idempotency, claim_key
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.metrics import REVIEWS_DECIDED
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.reviews.batches import BATCH_COMPLETED, close_batch
from signoff.reviews.events import (
    Decision,
    agent_and_audit_destinations,
    completed_event,
    decision_name,
)
from signoff.reviews.filters import Response
from signoff.reviews.locks import lock_review
from signoff.reviews.permissions import ensure_can_act, ensure_current_revision, ensure_pending
from signoff.reviews.request_validation import ValidatedRequest
from signoff.reviews.review_media import ingest_submitted_media
from signoff.reviews.schemas import Submission
from signoff.webhooks.events import Destination, emit_event


class FieldEditSummary(NamedTuple):
    """IDs of fields whose edits are tracked (`wasEdited`). None means no field."""

    edited: Sequence[str] | None
    absent: Sequence[str] | None
    """Hidden or without a value: the decision says nothing about them."""


def summarize_edits(definition: Definition, response_values: JsonObject) -> FieldEditSummary:
    """Return what a decision stores about its fields for statistics, so that payloads don't have to be read."""
    told = [field.id for field in definition.fields if field.type.tracks_edits]
    absent = [name for name in told if name not in response_values]
    edited = [name for name in told if _was_edited(response_values.get(name))]
    return FieldEditSummary(edited or None, absent or None)


def _was_edited(entry: Json) -> bool:
    return isinstance(entry, dict) and entry.get("wasEdited") is True


async def submit_response(
    caller: Caller, review_id: str, submission: Submission, idempotency: Idempotency | None
) -> None:
    """Decide a review as a person. The first to submit wins; the row's lock makes the second wait and then find it
    decided. A repeated request does nothing.
    """
    async with caller.db.transaction() as tx:
        scoped = idempotency and replace(idempotency, key=f"response {review_id} {idempotency.key}")
        if scoped and await claim_key(tx, caller.account_id, scoped, {}) is not None:
            return
        await decide_review(tx, caller.settings, caller.actor, review_id, submission)


async def decide_review(tx: Executor, settings: Settings, actor: Actor, review_id: str, submission: Submission) -> None:
    """Decide a review. The caller must have checked that the actor may decide at all."""
    review = await lock_review(tx, actor, review_id)
    ensure_pending(review)
    ensure_current_revision(review, submission.revision)
    await ensure_can_act(tx, actor, review)
    form = await get_form_version(tx, review["form_id"], review["form_version"])
    _check_response(form, submission)
    suggestion = read_suggestion(form.definition, review["data"], review["config"])
    submitted = strip_media_signatures(settings, submission.data)
    # In a thread, because large values and slow patterns must not block everything else.
    outcome = await asyncio.to_thread(
        apply_submission, form.definition, suggestion, review["data"], submitted, submission.response
    )
    if form.definition.copied:
        await ingest_submitted_media(tx, settings, form.definition, suggestion, review, outcome.data)
    decision = Decision(actor, now(), outcome, submission.response, submission.reason)
    await complete_review(tx, settings, form, review, decision)


async def auto_approve_review(tx: Executor, caller: Caller, draft: ValidatedRequest, review_id: str) -> None:
    """Auto-approve a new review. `tx` is the transaction that created it."""
    actor = system_actor(caller.account_id, AUTO_APPROVE)
    review = await lock_review(tx, actor, review_id)
    response = None if draft.form.trigger else "approved"
    outcome = apply_submission(
        draft.form.definition, draft.suggestion, draft.data, None, response, enforce_limits=False
    )
    await complete_review(tx, caller.settings, draft.form, review, Decision(actor, now(), outcome, response))


async def decide_overdue_review(
    tx: Executor, settings: Settings, form: FormVersion, review: Row, response: Response
) -> None:
    """Decide a review at its deadline: the suggested values are used unchanged. `review` must be locked by `tx` and
    pending.
    """
    suggestion = read_suggestion(form.definition, review["data"], review["config"])
    outcome = apply_submission(form.definition, suggestion, review["data"], None, response, enforce_limits=False)
    actor = system_actor(review["account_id"], TIME_OUT_USER)
    await complete_review(tx, settings, form, review, Decision(actor, now(), outcome, response))


def _check_response(form: FormVersion, submission: Submission) -> None:
    if errors := response_errors(submission.response, trigger=form.trigger):
        raise InvalidRequest(errors)


COMPLETE_REVIEW = Sql(
    """
    with decided as (
        update reviews set
            state = 'responded', response = :response, auto_approved = :auto_approved, responding_user = :actor_name,
            responding_user_id = :actor_id, responded_at = :at, retry_requested = false,
            webhook_delivery_id = :agent_delivery_id, tool_webhook_delivery_id = :tool_delivery_id, updated_at = :at,
            edited_fields = :edited_fields, absent_fields = :absent_fields, timed_out = :timed_out, due_at = null
        where account_id = :account_id and review_id = :review_id
    ), result as (
        insert into review_results (account_id, review_id, data, response_values, reason, changed, approved_arguments)
        values (:account_id, :review_id, :data, :response_values, :reason, :changed, :approved_arguments)
    ), drafts as (
        delete from review_drafts where account_id = :account_id and review_id = :review_id
    ), facets as (
        insert into response_facets (facet, responded_at, review_id)
        select f.facet, :at, :review_id
        from response_facets_of(:account_id, :form_id, :response, :response_values::json::jsonb) as f (facet)
    )
    {audit}
    """,
    audit=writer.INSERT_ENTRY,
)


async def complete_review(tx: Executor, settings: Settings, form: FormVersion, review: Row, decision: Decision) -> None:
    """Write the result, its event, and its deliveries. `review` must be locked by `tx`, and pending until now."""
    actor, outcome, response = decision.by, decision.outcome, decision.response
    goes_to = _destinations(decision_name(form), form, review, response)
    delivery_ids = {destination.target: destination.delivery_id for destination in goes_to}
    edits = summarize_edits(form.definition, outcome.response_values)
    review_id: str = review["review_id"]
    await COMPLETE_REVIEW.execute(
        tx,
        review_id=review_id,
        response=response,
        auto_approved=decision.auto_approved,
        at=decision.at,
        agent_delivery_id=delivery_ids.get("agent"),
        tool_delivery_id=delivery_ids.get("tool"),
        edited_fields=edits.edited,
        absent_fields=edits.absent,
        timed_out=decision.timed_out,
        data=outcome.data,
        response_values=outcome.response_values,
        reason=decision.reason,
        changed=list(outcome.changed),
        approved_arguments=outcome.stored_arguments,
        form_id=form.form_id,
        **writer.audit_entry(actor, f"review.{response or 'submitted'}", review_id, {"revision": review["revision"]}),
    )
    media_until = now() + timedelta(seconds=settings.event_media_wait)
    place = (review["account_id"], review_id)
    copies = await read_review_copies(tx, settings, *place, media_until) if form.definition.copied else NO_COPIES
    waits = copies.in_progress and settings.event_media_wait > 0
    event = completed_event(settings, form, review, decision, copies)
    await emit_event(tx, event, goes_to, settings.max_attempts, media_until if waits else None)
    if review["batch_id"] is not None:
        await close_batch(tx, settings, review, agent_and_audit_destinations(BATCH_COMPLETED, form, review))
    REVIEWS_DECIDED.labels(response or "submitted").inc()


def _destinations(event: str, form: FormVersion, review: Row, response: str | None) -> list[Destination]:
    tool: list[Destination] = []
    if form.tool_webhook_url is not None and response == "approved":
        tool.append(Destination("tool", "form", form.tool_webhook_url))
    return tool + agent_and_audit_destinations(event, form, review)
