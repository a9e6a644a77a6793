"""Deciding: by a person, or automatically. Either way the same result, the same event, the same deliveries."""

from datetime import datetime
from typing import Any

from signoff.accounts import audit
from signoff.accounts.absences.queries import stands_in_for
from signoff.accounts.access import Caller
from signoff.accounts.actors import Actor, Permission, system
from signoff.accounts.errors import ReviewLinkReassigned
from signoff.forms.values import Outcome, prepare, submit
from signoff.forms.versions import FormVersion, pinned_version
from signoff.media.address_walk import taken_in
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor, Row
from signoff.platform.errors import Invalid
from signoff.platform.faults import Fault
from signoff.platform.metrics import REVIEWS_DECIDED
from signoff.platform.settings import Settings
from signoff.reviews.draft import Draft
from signoff.reviews.edits import mark_fields
from signoff.reviews.errors import AlreadyResponded, ContentReplaced, NotAssigned
from signoff.reviews.filters import Response
from signoff.reviews.links import review_link
from signoff.reviews.locking import lock_review
from signoff.reviews.media import read_file_cache, take_submitted_media
from signoff.reviews.schemas import Submission
from signoff.webhooks.actions import Destination, Event, emit

AUTO_APPROVE = "auto-approve"
TIME_OUT = "time-out"


async def submit_response(caller: Caller, review_id: str, submission: Submission) -> None:
    """The first who submits wins; the row's lock makes the second wait and then see it decided."""
    async with caller.db.transaction() as tx:
        await decide(tx, caller.settings, caller.actor, review_id, submission)
    caller.service.wake()
    caller.service.live.tell(caller.account_id, review_id)


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
    outcome = submit(form.definition, suggestion, review["data"], submitted, submission.response)
    if form.definition.copied:
        await take_submitted_media(tx, settings, form.definition, suggestion, review, outcome.data)
    await complete(tx, settings, actor, form, review, outcome, submission.response, submission.reason)


async def auto_approve(tx: Executor, caller: Caller, draft: Draft, review_id: str) -> None:
    """`tx` is the transaction that created the review, or replaced its content."""
    actor = system(caller.account_id, AUTO_APPROVE)
    review = await lock_review(tx, actor, review_id)
    response = None if draft.form.trigger else "approved"
    outcome = submit(draft.form.definition, draft.suggestion, draft.data, None, response, enforce_limits=False)
    await complete(tx, caller.settings, actor, draft.form, review, outcome, response, reason=None)


async def decide_by_time(tx: Executor, settings: Settings, form: FormVersion, review: Row, response: Response) -> None:
    """Nobody decided in time: the suggested values are taken as they are. `review` is locked by `tx` and pending."""
    suggestion = prepare(form.definition, review["data"], review["config"])
    outcome = submit(form.definition, suggestion, review["data"], None, response, enforce_limits=False)
    actor = system(review["account_id"], TIME_OUT)
    await complete(tx, settings, actor, form, review, outcome, response, reason=None)


def refuse_decided(review: Row) -> None:
    if review["state"] == "responded":
        who, when = review["responding_user"], iso(review["responded_at"])
        raise AlreadyResponded(
            f"{who} responded at {when}.",
            respondingUser=who,
            respondingUserId=review["responding_user_id"],
            respondedAt=when,
            response=review["response"],
        )


def refuse_replaced(review: Row, revision: int | None) -> None:
    if revision is not None and revision != review["revision"]:
        raise ContentReplaced(
            f"You decided on revision {revision}; the review is at revision {review['revision']}.",
            revision=review["revision"],
        )


async def refuse_unassigned(tx: Executor, actor: Actor, review: Row) -> None:
    if await is_asked(tx, actor, review):
        return
    if actor.kind == "external":
        # The link was good when the request came in, and ended while it waited for the review.
        raise ReviewLinkReassigned("Others are asked to decide this review now.")
    raise NotAssigned("Only the people it is assigned to, and admins, can act on this review.")


async def may_decide(db: Executor, actor: Actor, review: Row) -> bool:
    """Whether the review is for this person to decide, as long as it is pending: by their role and by who is asked."""
    return actor.may(Permission.DECIDE) and await is_asked(db, actor, review)


async def is_asked(db: Executor, actor: Actor, review: Row) -> bool:
    """The assigned people, who stands in for one, and admins may act; when nobody is assigned, any reviewer may.

    An external reviewer may as long as their link works.
    """
    if actor.kind == "external":
        return await db.fetchval(
            """
            select exists (
                select from external_reviewers
                where account_id = $1 and review_id = $2 and email = $3 and ended is null and expires_at > now())
            """,
            review["account_id"],
            review["review_id"],
            actor.name,
        )
    if actor.is_admin or not review["assigned"]:
        return True
    absent = await stands_in_for(db, actor)
    return await db.fetchval(
        """
        select exists (
            select from review_assignees a
            where a.account_id = $1 and a.review_id = $2
              and (a.assignee_id = any($3::text[])
                   or a.assignee_id in (select group_id from group_members where user_id = any($3::text[]))))
        """,
        review["account_id"],
        review["review_id"],
        [actor.id, *(each.user_id for each in absent)],
    )


def _check_response(form: FormVersion, submission: Submission) -> None:
    if form.trigger and submission.response is not None:
        raise Invalid([Fault("response", "not_allowed", "a trigger form is neither approved nor rejected")])
    if not form.trigger and submission.response is None:
        raise Invalid([Fault("response", "missing", "is needed: approved or rejected")])


async def complete(
    tx: Executor,
    settings: Settings,
    actor: Actor,
    form: FormVersion,
    review: Row,
    outcome: Outcome,
    response: str | None,
    reason: str | None,
) -> None:
    """Write the result, its event and its deliveries. `review` is locked by `tx`, and pending until now."""
    responded_at = now()
    destinations = _destinations(form, review, response)
    delivery_ids = {destination.target: destination.delivery_id for destination in destinations}
    await tx.execute(
        f"""
        with decided as (
            update reviews set
                state = 'responded', response = $3, auto_approved = $4, responding_user = $5, responding_user_id = $6,
                responded_at = $7, retry_requested = false, webhook_delivery_id = $8, tool_webhook_delivery_id = $9,
                updated_at = $7, edited_fields = $19, absent_fields = $20, timed_out = $21, due_at = null
            where account_id = $1 and review_id = $2
        ), result as (
            insert into review_results (account_id, review_id, data, response_values, reason)
            values ($1, $2, $10, $11, $18)
        ), drafts as (
            delete from review_drafts where account_id = $1 and review_id = $2
        ), facets as (
            insert into response_facets (facet, responded_at, review_id)
            select f.facet, $7, $2 from response_facets_of($1, $17, $3, $11::json::jsonb) as f (facet)
        )
        insert into audit_log ({audit.COLUMNS}) values ($1, $12, $6, $5, $13, $2, $14, $15, $16)
        """,  # noqa: S608
        review["account_id"],
        review["review_id"],
        response,
        _is_service(actor, AUTO_APPROVE),
        actor.name,
        actor.id,
        responded_at,
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
        reason,
        *mark_fields(form.definition, outcome.response_values),
        _is_service(actor, TIME_OUT),
    )
    place = (review["account_id"], review["review_id"])
    file_cache = await read_file_cache(tx, settings, *place) if form.definition.copied else {}
    event = Event(
        event="trigger.submitted" if form.trigger else "review.completed",
        account_id=review["account_id"],
        agent_id=review["agent_id"],
        session_id=review["session_id"],
        review_id=review["review_id"],
        form_id=form.form_id,
        form_name=form.name,
        members=_members(settings, actor, form, review, outcome, response, reason, responded_at, file_cache),
    )
    await emit(tx, event, destinations, settings.max_attempts)
    REVIEWS_DECIDED.labels(response or "submitted").inc()


def _is_service(actor: Actor, name: str) -> bool:
    """Whether the service itself acts, by that name."""
    return actor.kind == "system" and actor.name == name


def _destinations(form: FormVersion, review: Row, response: str | None) -> list[Destination]:
    destinations: list[Destination] = []
    if form.tool_webhook_url is not None and response == "approved":
        destinations.append(Destination("tool", "form", form.tool_webhook_url))
    return destinations + agent_and_audit(form, review)


def agent_and_audit(form: FormVersion, review: Row) -> list[Destination]:
    """The request's URL, else the review type's, else the agent's; and the account's audit webhook."""
    destinations: list[Destination] = []
    if (url := review["webhook_url"]) is not None:
        destinations.append(Destination("agent", "request", url))
    elif form.webhook_url is not None:
        destinations.append(Destination("agent", "form", form.webhook_url))
    elif (url := review["agent_webhook_url"]) is not None:
        destinations.append(Destination("agent", "agent", url))
    if (url := review["audit_webhook_url"]) is not None:
        destinations.append(Destination("audit", "account", url))
    return destinations


def _members(
    settings: Settings,
    actor: Actor,
    form: FormVersion,
    review: Row,
    outcome: Outcome,
    response: str | None,
    reason: str | None,
    responded_at: datetime,
    file_cache: dict[str, str],
) -> dict[str, Any]:
    result: dict[str, Any] = {
        **({} if response is None else {"response": response}),
        "respondingUser": actor.name,
        "respondingUserId": actor.id,
        "respondedAt": iso(responded_at),
        **({} if reason is None else {"reason": reason}),
        "data": outcome.data,
        "responseValues": outcome.response_values,
    }
    return {
        "reviewId": review["review_id"],
        "formId": form.form_id,
        "formName": form.name,
        "reviewResult": result,
        **optional_members(review),
        "fileCache": file_cache,
        **({"autoApproved": True} if _is_service(actor, AUTO_APPROVE) else {}),
        **({"timedOut": True} if _is_service(actor, TIME_OUT) else {}),
        f"{settings.name_prefix}Link": review_link(settings, review["review_id"]),
    }


def optional_members(review: Row) -> dict[str, Any]:
    """What is there only when the request had it."""
    members = {"config": review["config"], "meta": review["meta"], "workflowRunId": review["run_id"]}
    return {name: value for name, value in members.items() if value is not None}
