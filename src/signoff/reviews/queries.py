from typing import Any

from signoff.accounts.actors import Actor
from signoff.media.address_walk import handed_out
from signoff.platform.clock import iso, iso_or_none
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.settings import Settings
from signoff.reviews.links import review_link
from signoff.reviews.media import COPIES_OF_REVIEW, file_cache
from signoff.reviews.schemas import History, HistoryActor, HistoryEntry, ReviewRow, Revision, Revisions

NO_WEBHOOK = "There was no webhook URL to deliver the result to."

SHOWING_MEDIA = ("data", "config", "reviewResult", "fileCache")

NARROW = """
    r.review_id, r.agent_id, r.session_id, r.form_id, r.form_name, r.title, r.revision, r.state, r.retry_requested,
    r.response, r.auto_approved, r.responding_user, r.responded_at, r.run_id, r.created_at, r.updated_at
"""


async def get_review(db: Executor, settings: Settings, actor: Actor, review_id: str) -> dict[str, Any]:
    """The review as Fetch review gives it. Members that do not apply are absent."""
    row = await _find(
        db,
        actor,
        review_id,
        f"""
        select r.*, v.data, v.config, v.meta, v.retry, x.data as result_data, {COPIES_OF_REVIEW},
            array(select u.email from review_assignees a join users u on u.user_id = a.assignee_id
                  where a.account_id = r.account_id and a.review_id = r.review_id order by u.email) as users,
            array(select g.group_id from review_assignees a join groups g on g.group_id = a.assignee_id
                  where a.account_id = r.account_id and a.review_id = r.review_id order by g.group_id) as groups,
            array(select e.email from external_reviewers e
                  where e.account_id = r.account_id and e.review_id = r.review_id order by e.email) as external
        from reviews r
        join review_revisions v using (account_id, review_id, revision)
        left join review_results x using (account_id, review_id)
        where r.account_id = $1 and r.review_id = $2
        """,  # noqa: S608
    )
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
        f"{settings.name_prefix}Link": review_link(settings, review_id),
        "retryRequested": row["retry"] if row["retry_requested"] else None,
        "workflowRunId": row["run_id"],
        "assignedTo": {"users": row["users"], "groups": row["groups"], "external": row["external"]},
    }
    if row["state"] == "responded":
        review |= _result_members(row, review["fileCache"] or {})
    review |= handed_out(settings, actor.account_id, {name: review[name] for name in SHOWING_MEDIA if name in review})
    if actor.kind == "external":
        # Who else is asked, and what the agent keeps for itself, is not for people outside.
        del review["assignedTo"], review["meta"]
    return {name: value for name, value in review.items() if value is not None}


def _result_members(row: Row, copied: dict[str, str]) -> dict[str, Any]:
    result = {
        "response": row["response"],
        "respondingUser": row["responding_user"],
        "respondingUserId": row["responding_user_id"],
        "respondedAt": iso(row["responded_at"]),
        "data": row["result_data"],
    }
    return {
        "reviewResult": {name: value for name, value in result.items() if value is not None},
        "fileCache": copied,
        "webhookDeliveryId": row["webhook_delivery_id"],
        "toolWebhookDeliveryId": row["tool_webhook_delivery_id"],
        "deliveryNote": NO_WEBHOOK if row["webhook_delivery_id"] is None else None,
        "autoApproved": True if row["auto_approved"] else None,
    }


async def _find(db: Executor, actor: Actor, review_id: str, query: str) -> Row:
    """The one row of `query`, which takes account and review; an external reviewer finds one review only."""
    row = None
    if actor.review_id in (None, review_id):
        row = await db.fetchrow(query, actor.account_id, review_id)
    if row is None:
        raise NotFound("review", review_id)
    return row


async def list_reviews(
    db: Executor,
    account_id: str,
    *,
    state: str | None,
    agent_id: str | None,
    form_id: str | None,
    session_id: str | None,
    assigned_to: str | None,
    words: str | None,
    before: str | None,
    limit: int,
) -> list[ReviewRow]:
    """Newest first, by identifier, which is by creation. Only the conditions that were asked for are in the query,
    so that each has an index to walk."""
    conditions = ["r.account_id = $1"]
    values: list[Any] = [account_id]

    def where(condition: str, value: str | None) -> None:
        if value is not None:
            values.append(value)
            conditions.append(condition.replace("?", f"${len(values)}"))

    if state is not None:
        conditions.append(f"r.state = '{'pending' if state == 'pending' else 'responded'}'")
    where("r.agent_id = ?", agent_id)
    where("r.form_id = ?", form_id)
    where("r.session_id = ?", session_id)
    where("r.review_id < ?", before)
    where(
        """exists (
            select from review_assignees a where a.account_id = r.account_id and a.review_id = r.review_id
              and (a.assignee_id = ?
                   or a.assignee_id in (select m.group_id from group_members m where m.user_id = ?)))""",
        assigned_to,
    )
    where(
        """r.review_id in (
            select s.review_id from review_search s
            where s.account_id = r.account_id and s.document @@ websearch_to_tsquery('simple', ?))""",
        words,
    )
    values.append(limit)
    rows = await db.fetch(
        f"select {NARROW} from reviews r where {' and '.join(conditions)} "  # noqa: S608
        f"order by r.review_id desc limit ${len(values)}",
        *values,
    )
    return [_to_row(row) for row in rows]


def _to_row(row: Row) -> ReviewRow:
    members = dict(row)
    members["workflow_run_id"] = members.pop("run_id")
    members["responded_at"] = iso_or_none(members["responded_at"])
    members["created_at"] = iso(members["created_at"])
    members["updated_at"] = iso(members["updated_at"])
    return ReviewRow.model_validate(members)


EXISTS = "select review_id from reviews where account_id = $1 and review_id = $2"


async def list_revisions(db: Executor, settings: Settings, actor: Actor, review_id: str) -> Revisions:
    """Oldest first."""
    await _find(db, actor, review_id, EXISTS)
    rows = await db.fetch(
        """
        select revision, created_at, data, config, meta, retry from review_revisions
        where account_id = $1 and review_id = $2 order by revision
        """,
        actor.account_id,
        review_id,
    )
    return Revisions(items=[_to_revision(settings, actor.account_id, row) for row in rows])


def _to_revision(settings: Settings, account_id: str, row: Row) -> Revision:
    shown = handed_out(settings, account_id, {"data": row["data"], "config": row["config"]})
    return Revision.model_validate({**row, **shown, "created_at": iso(row["created_at"])})


async def list_history(db: Executor, actor: Actor, review_id: str) -> History:
    """Who did what, oldest first."""
    await _find(db, actor, review_id, EXISTS)
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
