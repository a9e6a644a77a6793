"""Deciding: by a person, or automatically. Either way the same result, the same event, the same deliveries."""

import asyncio
from datetime import timedelta

from signoff.accounts.access import Caller
from signoff.accounts.actors import Actor, system_actor
from signoff.accounts.audit_log import writer
from signoff.forms.values import prepare, response_faults, submit
from signoff.forms.versions import FormVersion, pinned_version
from signoff.media.review_copies import NO_COPIES, read_review_copies
from signoff.media.signed_payloads import taken_in
from signoff.platform.clock import now
from signoff.platform.db import Executor, Row
from signoff.platform.errors import InvalidRequest
from signoff.platform.metrics import REVIEWS_DECIDED
from signoff.platform.settings import Settings
from signoff.reviews.batches import BATCH_COMPLETED, close_batch
from signoff.reviews.edits import mark_fields
from signoff.reviews.events import AUTO_APPROVE, TIME_OUT, Decision, decided, name_of_decision
from signoff.reviews.filters import Response
from signoff.reviews.locks import lock_review
from signoff.reviews.permissions import refuse_decided, refuse_replaced, refuse_unassigned
from signoff.reviews.request_validation import Draft
from signoff.reviews.review_media import take_submitted_media
from signoff.reviews.schemas import Submission
from signoff.webhooks.actions import Destination, emit
from signoff.webhooks.subscriptions import Address, destinations


async def submit_response(caller: Caller, review_id: str, submission: Submission) -> None:
    """The first who submits wins; the row's lock makes the second wait and then see it decided."""
    async with caller.db.transaction() as tx:
        await decide(tx, caller.settings, caller.actor, review_id, submission)
    caller.service.wake()
    caller.service.live.publish(caller.account_id, review_id)


async def decide(tx: Executor, settings: Settings, actor: Actor, review_id: str, submission: Submission) -> None:
    """Whoever calls it has made sure that the actor decides at all, and tells of it after the commit."""
    review = await lock_review(tx, actor, review_id)
    refuse_decided(review)
    refuse_replaced(review, submission.revision)
    await refuse_unassigned(tx, actor, review)
    form = await pinned_version(tx, review["form_id"], review["form_version"])
    _check_response(form, submission)
    suggestion = prepare(form.definition, review["data"], review["config"])
    submitted = taken_in(settings, submission.data)
    # In a thread: large values and slow patterns must not keep everyone else waiting.
    outcome = await asyncio.to_thread(
        submit, form.definition, suggestion, review["data"], submitted, submission.response
    )
    if form.definition.copied:
        await take_submitted_media(tx, settings, form.definition, suggestion, review, outcome.data)
    decision = Decision(actor, now(), outcome, submission.response, submission.reason)
    await complete(tx, settings, form, review, decision)


async def auto_approve(tx: Executor, caller: Caller, draft: Draft, review_id: str) -> None:
    """`tx` is the transaction that created the review, or replaced its content."""
    actor = system_actor(caller.account_id, AUTO_APPROVE)
    review = await lock_review(tx, actor, review_id)
    response = None if draft.form.trigger else "approved"
    outcome = submit(draft.form.definition, draft.suggestion, draft.data, None, response, enforce_limits=False)
    await complete(tx, caller.settings, draft.form, review, Decision(actor, now(), outcome, response))


async def decide_by_time(tx: Executor, settings: Settings, form: FormVersion, review: Row, response: Response) -> None:
    """Nobody decided in time: the suggested values are taken as they are. `review` is locked by `tx` and pending."""
    suggestion = prepare(form.definition, review["data"], review["config"])
    outcome = submit(form.definition, suggestion, review["data"], None, response, enforce_limits=False)
    actor = system_actor(review["account_id"], TIME_OUT)
    await complete(tx, settings, form, review, Decision(actor, now(), outcome, response))


def _check_response(form: FormVersion, submission: Submission) -> None:
    if faults := response_faults(submission.response, trigger=form.trigger):
        raise InvalidRequest(faults)


async def complete(tx: Executor, settings: Settings, form: FormVersion, review: Row, decision: Decision) -> None:
    """Write the result, its event and its deliveries. `review` is locked by `tx`, and pending until now."""
    actor, outcome, response = decision.by, decision.outcome, decision.response
    goes_to = _destinations(name_of_decision(form), form, review, response)
    delivery_ids = {destination.target: destination.delivery_id for destination in goes_to}
    await tx.execute(
        f"""
        with decided as (
            update reviews set
                state = 'responded', response = $3, auto_approved = $4, responding_user = $5, responding_user_id = $6,
                responded_at = $7, retry_requested = false, webhook_delivery_id = $8, tool_webhook_delivery_id = $9,
                updated_at = $7, edited_fields = $19, absent_fields = $20, timed_out = $21, due_at = null
            where account_id = $1 and review_id = $2
        ), result as (
            insert into review_results (
                account_id, review_id, data, response_values, reason, changed, approved_arguments)
            values ($1, $2, $10, $11, $18, $22, $23)
        ), drafts as (
            delete from review_drafts where account_id = $1 and review_id = $2
        ), facets as (
            insert into response_facets (facet, responded_at, review_id)
            select f.facet, $7, $2 from response_facets_of($1, $17, $3, $11::json::jsonb) as f (facet)
        )
        insert into audit_log ({writer.COLUMNS}) values ($1, $12, $6, $5, $13, $2, $14, $15, $16)
        """,  # noqa: S608
        review["account_id"],
        review["review_id"],
        response,
        decision.auto_approved,
        actor.name,
        actor.id,
        decision.at,
        delivery_ids.get("agent"),
        delivery_ids.get("tool"),
        outcome.data,
        outcome.response_values,
        actor.kind,
        f"review.{response or 'submitted'}",
        {"revision": review["revision"]},
        actor.ip,
        actor.request_id,
        form.form_id,
        decision.reason,
        *mark_fields(form.definition, outcome.response_values),
        decision.timed_out,
        list(outcome.changed),
        outcome.stored_arguments,
    )
    media_until = now() + timedelta(seconds=settings.event_media_wait)
    place = (review["account_id"], review["review_id"])
    copies = await read_review_copies(tx, settings, *place, media_until) if form.definition.copied else NO_COPIES
    waits = copies.in_progress and settings.event_media_wait > 0
    event = decided(settings, form, review, decision, copies)
    await emit(tx, event, goes_to, settings.max_attempts, media_until if waits else None)
    if review["batch_id"] is not None:
        await close_batch(tx, settings, review, agent_and_audit(BATCH_COMPLETED, form, review))
    REVIEWS_DECIDED.labels(response or "submitted").inc()


def _destinations(event: str, form: FormVersion, review: Row, response: str | None) -> list[Destination]:
    tool: list[Destination] = []
    if form.tool_webhook_url is not None and response == "approved":
        tool.append(Destination("tool", "form", form.tool_webhook_url))
    return tool + agent_and_audit(event, form, review)


def agent_and_audit(event: str, form: FormVersion, review: Row) -> list[Destination]:
    """The request's address, else the review type's, else the agent's: the first that takes the event. What an agent
    has subscribed to counts for its review types' addresses too, which stand in for its own.
    """
    agent_events = review["agent_webhook_events"]
    if agent_events is None and event == BATCH_COMPLETED:
        agent_events = (event,)  # Only agents that use batches cause it, so it needs no subscription.
    addresses = (
        Address("request", review["webhook_url"], review["webhook_events"]),
        Address("form", form.webhook_url, agent_events),
        Address("agent", review["agent_webhook_url"], agent_events),
    )
    return destinations(event, addresses, review["audit_webhook_url"])
