"""Events of a review: it was decided, or a reviewer requests changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from signoff.accounts.actors import AUTO_APPROVE, TIME_OUT_USER, Actor
from signoff.accounts.external_links import is_external_id
from signoff.forms.submission import SubmissionResult, response_values
from signoff.forms.suggestion import read_suggestion
from signoff.forms.versions import FormVersion
from signoff.media.review_copies import NO_COPIES, ReviewCopies
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.settings import Settings
from signoff.reviews.batches import BATCH_COMPLETED
from signoff.reviews.filters import Response
from signoff.reviews.urls import named_links
from signoff.webhooks.events import Destination, WebhookEvent, emit_event
from signoff.webhooks.subscriptions import Address, destinations

Review = Row | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Decision:
    by: Actor
    at: datetime
    outcome: SubmissionResult
    response: Response | None
    """None for a submission of a trigger form."""
    reason: str | None = None

    @property
    def auto_approved(self) -> bool:
        return self._by_service(AUTO_APPROVE)

    @property
    def timed_out(self) -> bool:
        return self._by_service(TIME_OUT_USER)

    def _by_service(self, name: str) -> bool:
        return self.by.kind == "system" and self.by.name == name


def completed_event(
    settings: Settings, form: FormVersion, review: Review, decision: Decision, media: ReviewCopies = NO_COPIES
) -> WebhookEvent:
    result: dict[str, Any] = {
        **({} if decision.response is None else {"response": decision.response}),
        "respondingUser": decision.by.name,
        "respondingUserId": decision.by.id,
        **({"external": True} if is_external_id(decision.by.id) else {}),
        "respondedAt": iso(decision.at),
        **({} if decision.reason is None else {"reason": decision.reason}),
        **result_values(decision.outcome, decision.response),
    }
    members = {
        "reviewResult": result,
        **_optional_members(review),
        **media.members(),
        **({"autoApproved": True} if decision.auto_approved else {}),
        **({"timedOut": True} if decision.timed_out else {}),
    }
    return _event(decision_name(form), settings, form, review, members)


def decision_name(form: FormVersion) -> str:
    return "trigger.submitted" if form.trigger else "review.completed"


def result_values(outcome: SubmissionResult, response: Response | None) -> dict[str, Any]:
    """Return the members of an event's `reviewResult` that are about values. A rejected review has no approved
    values.
    """
    approved = {} if response == "rejected" else {"approvedArguments": outcome.arguments}
    return {
        "data": outcome.data,
        "responseValues": outcome.response_values,
        "changed": list(outcome.changed),
        **approved,
    }


def retry_requested_event(
    settings: Settings, form: FormVersion, review: Review, retry: Mapping[str, Any]
) -> WebhookEvent:
    suggestion = read_suggestion(form.definition, review["data"], review["config"])
    members = {
        "revision": review["revision"],
        "retry": retry,
        "data": review["data"],
        "responseValues": response_values(form.definition, suggestion),
        **_optional_members(review),
    }
    return _event("review.retry_requested", settings, form, review, members)


def deleted_event(review: Review, by: Actor, at: datetime) -> WebhookEvent:
    """Write the event of a deleted review. It says nothing about the content, which was deleted, so it isn't linked
    to the review.
    """
    members = {
        "reviewId": review["review_id"],
        "formId": review["form_id"],
        "formName": review["form_name"],
        "state": review["state"],
        "deletedBy": by.name,
        "deletedAt": iso(at),
        **({} if review["run_id"] is None else {"workflowRunId": review["run_id"]}),
    }
    return WebhookEvent(
        event="review.deleted",
        account_id=review["account_id"],
        agent_id=review["agent_id"],
        session_id=review["session_id"],
        form_id=review["form_id"],
        form_name=review["form_name"],
        members=members,
    )


def _event(
    name: str, settings: Settings, form: FormVersion, review: Review, members: Mapping[str, Any]
) -> WebhookEvent:
    return WebhookEvent(
        event=name,
        account_id=review["account_id"],
        agent_id=review["agent_id"],
        session_id=review["session_id"],
        review_id=review["review_id"],
        form_id=form.form_id,
        form_name=form.name,
        members={
            "reviewId": review["review_id"],
            "formId": form.form_id,
            "formName": form.name,
            **members,
            **named_links(settings, review["review_id"]),
        },
    )


def _optional_members(review: Review) -> dict[str, Any]:
    """Return the members that exist only if the request had them."""
    members = {
        "config": review["config"],
        "meta": review["meta"],
        "workflowRunId": review["run_id"],
        "batchId": review["batch_id"],
    }
    return {name: value for name, value in members.items() if value is not None}


async def emit_retry_requested(
    tx: Executor, settings: Settings, form: FormVersion, review: Row, retry: dict[str, Any], reminder: int | None = None
) -> None:
    """Write the event. `reminder` is the number of earlier ones; None the first time."""
    told = {name: retry[name] for name in ("at", "by", "instructions", "fieldIds")}
    asked = told if reminder is None else {**told, "reminder": reminder}
    event = retry_requested_event(settings, form, review, asked)
    await emit_event(tx, event, agent_and_audit_destinations(event.event, form, review), settings.max_attempts)


def agent_and_audit_destinations(event: str, form: FormVersion, review: Row) -> list[Destination]:
    """Return the webhooks: the first of the request's, the review type's, and the agent's URL that subscribes to
    the event, and the audit webhook. The agent's subscriptions also apply to its review types' URLs, which override
    its own.
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
