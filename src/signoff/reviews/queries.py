"""Read reviews as the caller may see them, at once or as soon as they change."""

import time
from collections.abc import Sequence
from typing import Any, Final

from signoff.accounts.actors import Actor
from signoff.accounts.context import Caller
from signoff.accounts.errors import ReviewLinkReassigned
from signoff.accounts.external_links import answered_link_error, is_external_id
from signoff.accounts.out_of_office.queries import OutOfOfficeMember, members_covered_by_actor
from signoff.forms.versions import get_form_version
from signoff.media.signed_payloads import sign_media_urls
from signoff.platform.clock import iso, iso_or_none
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.reviews.permissions import can_decide, is_reviewer
from signoff.reviews.review_media import COPIES_OF_REVIEW, file_cache
from signoff.reviews.schemas import History, HistoryActor, HistoryEntry, Revision, Revisions
from signoff.reviews.urls import named_links

NO_WEBHOOK = "No webhook URL was set, so the result wasn't delivered."

MEDIA_MEMBERS = ("data", "config", "reviewResult", "fileCache")


# A review as it's shown, from `reviews` and `results`: the tables, or rows that were just written.
SELECT_REVIEW: Final = """
    select r.*, v.data, v.config, v.meta, v.retry, x.data as result_data, x.reason, x.changed, x.approved_arguments,
        {copies},
        array(select u.email from review_assignees a join users u on u.user_id = a.assignee_id
              where a.account_id = r.account_id and a.review_id = r.review_id order by u.email) as users,
        array(select g.group_id from review_assignees a join groups g on g.group_id = a.assignee_id
              where a.account_id = r.account_id and a.review_id = r.review_id order by g.group_id) as groups,
        array(select e.email from external_reviewers e
              where e.account_id = r.account_id and e.review_id = r.review_id and e.ended is null
              order by e.email) as external,
        t.name as taker_name, t.email as taker_email,
        (select name from agents a where a.account_id = r.account_id and a.agent_id = r.agent_id) as agent_name,
        (select name from sessions s where s.account_id = r.account_id and s.session_id = r.session_id) as session_name,
        (select name from runs where runs.account_id = r.account_id and runs.run_id = r.run_id) as run_name
    from {reviews} r
    join review_revisions v using (account_id, review_id, revision)
    left join {results} x using (account_id, review_id)
    left join users t on t.user_id = r.taken_by
"""
GET_REVIEW = Sql(
    "{select} where r.account_id = :account_id and r.review_id = :review_id",
    select=Sql(SELECT_REVIEW, copies=COPIES_OF_REVIEW, reviews="reviews", results="review_results"),
)


async def get_review(db: Executor, settings: Settings, actor: Actor, review_id: str) -> dict[str, Any]:
    """Return the review as in the API's Fetch review. Members that don't apply are omitted."""
    return await present_review(db, settings, actor, await find_review(db, actor, review_id, GET_REVIEW))


async def present_review(db: Executor, settings: Settings, actor: Actor, row: Row) -> dict[str, Any]:
    """Return a row of SELECT_REVIEW as the actor may see it."""
    review_id = row["review_id"]
    if actor.kind == "external":
        await _ensure_link_still_active(db, actor, row)
    review: dict[str, Any] = {
        "accountId": row["account_id"],
        "reviewId": row["review_id"],
        "agentId": row["agent_id"],
        "sessionId": row["session_id"],
        "formId": row["form_id"],
        "formName": row["form_name"],
        "formVersion": row["form_version"],
        "title": row["title"],
        "revision": row["revision"],
        "data": row["data"],
        "config": row["config"],
        "createdAt": iso(row["created_at"]),
        "state": row["state"],
        "fileCache": file_cache(settings, row) or None,
        "mediaNotices": row["not_copied"],
        "meta": row["meta"],
        **named_links(settings, review_id),
        "retryRequested": row["retry"] if row["retry_requested"] else None,
        "dueAt": iso_or_none(row["due_at"]),
        "dueAction": row["due_action"] if row["due_at"] is not None else None,
        "remindedAt": iso_or_none(row["reminded_at"]),
        "workflowRunId": row["run_id"],
        "batchId": row["batch_id"],
        "assignedTo": {"users": row["users"], "groups": row["groups"], "external": row["external"]},
        "takenBy": _assignee_to_json(row),
    }
    if row["state"] == "responded":
        review |= _result_members(row, review["fileCache"] or {})
    # An external reviewer's submission can name any media, but URLs are only signed for what they were shown.
    shown = [name for name in MEDIA_MEMBERS if name in review and (actor.kind, name) != ("external", "reviewResult")]
    review |= sign_media_urls(settings, actor.account_id, {name: review[name] for name in shown})
    if actor.kind != "key":
        review |= await _members_for_people(db, actor, row)
    if actor.kind == "external":
        # External reviewers don't see who else is assigned, and the agent's own data.
        for name in ("assignedTo", "takenBy", "meta", "batchId", "sessionName", "runName"):
            del review[name]
        review["language"] = row["external_language"]
    return {name: value for name, value in review.items() if value is not None}


async def _ensure_link_still_active(db: Executor, actor: Actor, review: Row) -> None:
    """Check again that a link still works: it may have ended while its holder waited, for up to a minute. They may
    still see a decision of their own.
    """
    if review["state"] == "responded":
        if review["responding_user_id"] != actor.id:
            raise answered_link_error(review, actor.id)
    elif not await is_reviewer(db, actor, review):
        raise ReviewLinkReassigned(msg("This review was reassigned to someone else."))


async def _members_for_people(db: Executor, actor: Actor, review: Row) -> dict[str, Any]:
    """Return additional members for pages, so that they need no further requests."""
    form = await get_form_version(db, review["form_id"], review["form_version"])
    absent = await members_covered_by_actor(db, actor) if review["assigned"] else ()
    return {
        "standingInFor": await _read_out_of_office(db, actor, review, absent) if absent else None,
        "mayDecide": await can_decide(db, actor, review, absent),
        "allowRetry": form.allow_retry,
        "trigger": form.trigger,
        "agentName": review["agent_name"],
        "sessionName": review["session_name"],
        "runName": review["run_name"],
    }


async def _read_out_of_office(
    db: Executor, actor: Actor, review: Row, absent: Sequence[OutOfOfficeMember]
) -> list[str] | None:
    """Return the members this person covers for who are assigned, directly or through a group that the person isn't
    in.
    """
    rows = await db.fetch(
        """
        select a.assignee_id, exists (
            select from group_members m where m.group_id = a.assignee_id and m.user_id = $3) as is_own
        from review_assignees a where a.account_id = $1 and a.review_id = $2
        """,
        review["account_id"],
        review["review_id"],
        actor.id,
    )
    covered = {row["assignee_id"] for row in rows if not row["is_own"]}
    return [each.email for each in absent if covered & {each.user_id, *each.group_ids}] or None


def _assignee_to_json(row: Row) -> dict[str, str] | None:
    if row["taken_by"] is None:
        return None
    return {
        "userId": row["taken_by"],
        "name": row["taker_name"],
        "email": row["taker_email"],
        "at": iso(row["taken_at"]),
    }


def _result_members(row: Row, copied: dict[str, str]) -> dict[str, Any]:
    result = {
        "response": row["response"],
        "respondingUser": row["responding_user"],
        "respondingUserId": row["responding_user_id"],
        "external": True if is_external_id(row["responding_user_id"]) else None,
        "respondedAt": iso(row["responded_at"]),
        "reason": row["reason"],
        "data": row["result_data"],
        # Null for decisions made before these were recorded.
        "changed": row["changed"],
    }
    if row["changed"] is not None and row["response"] != "rejected":
        same = row["approved_arguments"] is None
        result["approvedArguments"] = row["result_data"] if same else row["approved_arguments"]
    return {
        "reviewResult": {name: value for name, value in result.items() if value is not None},
        "fileCache": copied,
        "webhookDeliveryId": row["webhook_delivery_id"],
        "toolWebhookDeliveryId": row["tool_webhook_delivery_id"],
        "deliveryNote": NO_WEBHOOK if row["webhook_delivery_id"] is None else None,
        "autoApproved": True if row["auto_approved"] else None,
        "timedOut": True if row["timed_out"] else None,
    }


async def find_review(db: Executor, actor: Actor, review_id: str, query: Sql[Row]) -> Row:
    """Return the single row of `query`, which takes account and review; an external reviewer only finds their one
    review.
    """
    row = None
    if actor.review_id in (None, review_id):
        row = await query.fetch_one(db, account_id=actor.account_id, review_id=review_id)
    if row is None:
        raise NotFound(msg("review"), review_id)
    return row


EXISTS = Sql("select review_id from reviews where account_id = :account_id and review_id = :review_id")


async def list_revisions(db: Executor, settings: Settings, actor: Actor, review_id: str) -> Revisions:
    """List revisions, oldest first."""
    await find_review(db, actor, review_id, EXISTS)
    rows = await db.fetch(
        """
        select revision, created_at, data, config, meta, retry from review_revisions
        where account_id = $1 and review_id = $2 order by revision
        """,
        actor.account_id,
        review_id,
    )
    return Revisions(items=[_to_revision(settings, actor, row) for row in rows])


def _to_revision(settings: Settings, actor: Actor, row: Row) -> Revision:
    shown = sign_media_urls(settings, actor.account_id, {"data": row["data"], "config": row["config"]})
    # External reviewers don't see the agent's own data.
    meta = None if actor.kind == "external" else row["meta"]
    return Revision.model_validate({**row, **shown, "meta": meta, "created_at": iso(row["created_at"])})


async def list_history(db: Executor, actor: Actor, review_id: str) -> History:
    """List who did what, oldest first."""
    await find_review(db, actor, review_id, EXISTS)
    rows = await db.fetch(
        """
        select at, action, actor_kind, actor_id, actor_name, details from audit_log
        where account_id = $1 and object_id = $2 order by entry_id limit 1000
        """,
        actor.account_id,
        review_id,
    )
    return History(
        items=[
            HistoryEntry(
                at=iso(row["at"]),
                action=row["action"],
                actor=HistoryActor(kind=row["actor_kind"], id=row["actor_id"], name=row["actor_name"]),
                details=row["details"],
            )
            for row in rows
        ]
    )


BACKGROUND_MEMBERS = frozenset({"fileCache", "mediaNotices"})
"""Copies of media are made in the background; nobody made these changes."""


async def wait_for_change(caller: Caller, review_id: str, wait: float) -> dict[str, Any]:
    """Return the review as soon as it's decided or anything about it changes, or its state after `wait` seconds.

    Raises `NotFound` as soon as it's deleted.
    """
    until = time.monotonic() + wait
    first: dict[str, Any] | None = None
    with caller.context.pubsub.subscribe(review_id) as subscription:
        while True:
            review = await get_review(caller.db, caller.settings, caller.actor, review_id)
            first = first or review
            left = until - time.monotonic()
            if review["state"] == "responded" or _has_changed(first, review):
                return review
            if left <= 0 or not await subscription.wait(left):
                return review


def _has_changed(before: dict[str, Any], now: dict[str, Any]) -> bool:
    return any(before.get(name) != now.get(name) for name in (before.keys() | now.keys()) - BACKGROUND_MEMBERS)
