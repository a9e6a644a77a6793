"""Decide a review, by a person or automatically. Both have the same result, the same event, and the same deliveries."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from signoff.accounts.actors import AUTO_APPROVE, TIME_OUT_USER, Actor, ActorColumns, system_actor
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.forms.definition import Definition
from signoff.forms.media_values import MediaValue
from signoff.forms.submission import apply_submission, response_errors
from signoff.forms.suggestion import read_suggestion
from signoff.forms.versions import FormVersion, get_form_version
from signoff.media.review_copies import NO_COPIES, ReviewCopies, read_review_copies
from signoff.media.signed_payloads import strip_media_signatures
from signoff.platform.clock import now
from signoff.platform.db import Database, Executor, Row
from signoff.platform.errors import InvalidRequest
from signoff.platform.idempotency import REPLACE_EXPIRED_KEY, Idempotency, claim_key, find_stored_response
from signoff.platform.json_values import Json as JsonValue
from signoff.platform.json_values import JsonObject
from signoff.platform.metrics import REVIEWS_DECIDED
from signoff.platform.pubsub import publish
from signoff.platform.settings import Settings
from signoff.platform.sql import Json, Rows, Sql
from signoff.reviews.batches import BATCH_COMPLETED, close_batch
from signoff.reviews.events import (
    Decision,
    agent_and_audit_destinations,
    completed_event,
    decision_name,
)
from signoff.reviews.facets import FACETS, FacetRow, response_facets
from signoff.reviews.filters import Response
from signoff.reviews.locks import lock_review, read_review
from signoff.reviews.permissions import ensure_can_act, ensure_current_revision, ensure_pending
from signoff.reviews.queries import SELECT_REVIEW, get_review, present_review
from signoff.reviews.request_validation import ValidatedRequest
from signoff.reviews.review_media import COPIES_OF_REVIEW, attach_submitted_media, find_submitted_media
from signoff.reviews.schemas import Submission
from signoff.webhooks.events import EMIT, EVENTS, DeliveryRow, Destination, EventRow, build_rows


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


def _was_edited(entry: JsonValue) -> bool:
    return isinstance(entry, dict) and entry.get("wasEdited") is True


async def submit_response(
    caller: Caller, review_id: str, submission: Submission, idempotency: Idempotency | None
) -> dict[str, Any]:
    """Decide a review as a person, and return it as they see it. The first to submit wins. A repeated request does
    nothing.
    """
    db, settings, actor = caller.db, caller.settings, caller.actor
    key = idempotency and replace(idempotency, key=f"response {review_id} {idempotency.key}")
    review = await read_review(db, actor, review_id)
    if key is None or await find_stored_response(db, caller.account_id, key) is None:
        row = await _decide_unlocked(db, settings, actor, review, submission, key)
        if row is not None:
            return await present_review(db, settings, actor, row)
        async with db.transaction() as tx:
            if key is None or await claim_key(tx, caller.account_id, key, {}) is None:
                await decide_review(tx, settings, actor, review_id, submission)
    return await get_review(db, settings, actor, review_id)


async def decide_review(tx: Executor, settings: Settings, actor: Actor, review_id: str, submission: Submission) -> None:
    """Decide a review. The caller must have checked that the actor may decide at all. The row's lock makes a second
    decision wait and then find the review decided.
    """
    review = await lock_review(tx, actor, review_id)
    draft = await _draft_decision(tx, settings, actor, review, submission)
    if draft.media:
        await attach_submitted_media(tx, settings, review, draft.media)
    await complete_review(tx, settings, draft.form, review, draft.decision)


async def _decide_unlocked(
    db: Database, settings: Settings, actor: Actor, review: Row, submission: Submission, key: Idempotency | None
) -> Row | None:
    """Decide a review in a single statement, which concurrent decisions share. Returns the row of SELECT_REVIEW.

    Returns None, and nothing is written, if the review has changed since it was read or is locked, or if the decision
    takes more than this statement.
    """
    if review["batch_id"] is not None or review["has_copies"]:
        return None
    draft = await _draft_decision(db, settings, actor, review, submission)
    if draft.media:
        return None
    completion = _prepare_completion(settings, draft.form, review, draft.decision, key=key)
    return await db.batched(complete_reviews, completion)


@dataclass(frozen=True, slots=True)
class _Draft:
    form: FormVersion
    decision: Decision
    media: list[MediaValue]
    """What the reviewer added."""


async def _draft_decision(
    db: Executor, settings: Settings, actor: Actor, review: Row, submission: Submission
) -> _Draft:
    """Check that the actor may decide the review now, and merge their values."""
    ensure_pending(review)
    ensure_current_revision(review, submission.revision)
    await ensure_can_act(db, actor, review)
    form = await get_form_version(db, review["form_id"], review["form_version"])
    _check_response(form, submission)
    suggestion = read_suggestion(form.definition, review["data"], review["config"])
    submitted = strip_media_signatures(settings, submission.data)
    outcome = apply_submission(form.definition, suggestion, review["data"], submitted, submission.response)
    media = find_submitted_media(form.definition, suggestion, review, outcome.data) if form.definition.copied else []
    return _Draft(form, Decision(actor, now(), outcome, submission.response, submission.reason), media)


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


@dataclass(frozen=True, slots=True)
class CompletedRow:
    """What a decision changes and writes, once for each review."""

    account_id: str
    review_id: str
    row_version: str | None
    """Of the row that the decision is about; None if it's locked."""
    response: str | None
    auto_approved: bool
    timed_out: bool
    at: datetime
    agent_delivery_id: str | None
    tool_delivery_id: str | None
    edited_fields: Sequence[str] | None
    absent_fields: Sequence[str] | None
    data: Json
    response_values: Json
    reason: str | None
    changed: Sequence[str]
    approved_arguments: Json
    actor: ActorColumns
    action: str
    details: Json
    key: str | None
    """The idempotency key."""
    body_hash: bytes | None


@dataclass(frozen=True, slots=True)
class Completion:
    row: CompletedRow
    facets: list[FacetRow]
    event: EventRow
    deliveries: list[DeliveryRow]


# A statement of many decisions waits for no lock, since one that's locked would hold up all others. It sees other
# tables as of its beginning. So whatever a decision depends on is only changed together with the review's row, even if
# that row's values stay the same.
COMPLETE_REVIEWS = Sql(
    """
    with decision as materialized (
        select d.* from {decisions} as d join reviews r using (account_id, review_id)
        where r.state = 'pending' and (d.row_version is null or r.xmin::text = d.row_version)
        for no key update of r skip locked
    ), decided as (
        update reviews r set
            state = 'responded', response = d.response, auto_approved = d.auto_approved,
            responding_user = d.actor_name, responding_user_id = d.actor_id, responded_at = d.at,
            retry_requested = false, webhook_delivery_id = d.agent_delivery_id,
            tool_webhook_delivery_id = d.tool_delivery_id, updated_at = d.at, edited_fields = d.edited_fields,
            absent_fields = d.absent_fields, timed_out = d.timed_out, due_at = null
        from decision d where r.account_id = d.account_id and r.review_id = d.review_id
        returning r.*
    ), result as (
        insert into review_results (account_id, review_id, data, response_values, reason, changed, approved_arguments)
        select account_id, review_id, data, response_values, reason, changed, approved_arguments from decision
        returning *
    ), draft as (
        delete from review_drafts o using decision d
        where o.account_id = d.account_id and o.review_id = d.review_id
    ), facet as (
        insert into response_facets (facet, responded_at, review_id)
        select f.facet, f.responded_at, review_id from {facets} as f join decision using (review_id)
    ), log as (
        insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id, details, ip, request_id)
        select account_id, actor_kind, actor_id, actor_name, action, review_id, details, actor_ip, actor_request_id
        from decision
    ), key as (
        insert into idempotency_keys as k (account_id, key, body_hash, answer)
        select account_id, key, body_hash, '{}' from decision where key is not null
        {take_key}
    ), emitted as (
        select e.* from {events} as e join decision using (account_id, review_id)
    ), {emit}
    {select}
    """,
    decisions=Rows("decisions", CompletedRow),
    facets=FACETS,
    take_key=REPLACE_EXPIRED_KEY,
    events=EVENTS,
    emit=EMIT,
    select=Sql(SELECT_REVIEW, copies=COPIES_OF_REVIEW, reviews="decided", results="result"),
)


async def complete_reviews(db: Executor, completions: Sequence[Completion]) -> list[Row | None]:
    """Write decisions, and return the decided reviews. None if a review is locked or not as it was."""
    first = {each.row.review_id: each for each in reversed(completions)}
    rows = await COMPLETE_REVIEWS.fetch(
        db,
        decisions=[each.row for each in first.values()],
        facets=[facet for each in first.values() for facet in each.facets],
        events=[each.event for each in first.values()],
        deliveries=[delivery for each in first.values() for delivery in each.deliveries],
    )
    for row in rows:
        publish(db, row["account_id"])
        writer.publish_entry(db, row["account_id"], row["review_id"])
        REVIEWS_DECIDED.labels(row["response"] or "submitted").inc()
    decided = {row["review_id"]: row for row in rows}
    return [decided.get(each.row.review_id) if first[each.row.review_id] is each else None for each in completions]


async def complete_review(tx: Executor, settings: Settings, form: FormVersion, review: Row, decision: Decision) -> None:
    """Write the result, its event, and its deliveries. `review` must be locked by `tx`, and pending until now."""
    media_until = now() + timedelta(seconds=settings.event_media_wait)
    place = (review["account_id"], review["review_id"])
    copies = await read_review_copies(tx, settings, *place, media_until) if form.definition.copied else NO_COPIES
    waits = copies.in_progress and settings.event_media_wait > 0
    completion = _prepare_completion(
        settings, form, review, decision, copies, media_until if waits else None, is_locked=True
    )
    [row] = await complete_reviews(tx, [completion])
    assert row is not None, "a locked review is as it was"
    if review["batch_id"] is not None:
        await close_batch(tx, settings, review, agent_and_audit_destinations(BATCH_COMPLETED, form, review))


def _prepare_completion(
    settings: Settings,
    form: FormVersion,
    review: Row,
    decision: Decision,
    copies: ReviewCopies = NO_COPIES,
    media_until: datetime | None = None,
    *,
    is_locked: bool = False,
    key: Idempotency | None = None,
) -> Completion:
    actor, outcome, response = decision.by, decision.outcome, decision.response
    account_id, review_id = review["account_id"], review["review_id"]
    goes_to = _destinations(decision_name(form), form, review, response)
    delivery_ids = {destination.target: destination.delivery_id for destination in goes_to}
    edits = summarize_edits(form.definition, outcome.response_values)
    row = CompletedRow(
        account_id=account_id,
        review_id=review_id,
        row_version=None if is_locked else review["row_version"],
        response=response,
        auto_approved=decision.auto_approved,
        timed_out=decision.timed_out,
        at=decision.at,
        agent_delivery_id=delivery_ids.get("agent"),
        tool_delivery_id=delivery_ids.get("tool"),
        edited_fields=edits.edited,
        absent_fields=edits.absent,
        data=outcome.data,
        response_values=outcome.response_values,
        reason=decision.reason,
        changed=outcome.changed,
        approved_arguments=outcome.stored_arguments,
        actor=actor.columns,
        action=f"review.{response or 'submitted'}",
        details={"revision": review["revision"]},
        key=key and key.key,
        body_hash=key and key.body_hash,
    )
    facets = response_facets(account_id, form.form_id, response, outcome.response_values)
    event = completed_event(settings, form, review, decision, copies)
    return Completion(
        row,
        [FacetRow(facet, decision.at, review_id) for facet in facets],
        *build_rows(event, goes_to, settings.max_attempts, media_until),
    )


def _destinations(event: str, form: FormVersion, review: Row, response: str | None) -> list[Destination]:
    tool: list[Destination] = []
    if form.tool_webhook_url is not None and response == "approved":
        tool.append(Destination("tool", "form", form.tool_webhook_url))
    return tool + agent_and_audit_destinations(event, form, review)
