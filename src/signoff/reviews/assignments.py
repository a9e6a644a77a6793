"""Assign a review: its reviewers are replaced as a whole, and the history keeps the previous ones."""

from collections.abc import Collection, Sequence
from typing import Any

from signoff.accounts.actors import Actor
from signoff.accounts.assignee_lookup import find_member_addresses, is_member, resolve_groups, resolve_members
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.forms.versions import get_form_version
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.reviews.external_access import NewExternalLinks, insert_external_reviewers, new_links
from signoff.reviews.external_reviewer_mails import cancel_external_mails, enqueue_review_mails
from signoff.reviews.inserts import ReviewersSetBy
from signoff.reviews.locks import lock_review
from signoff.reviews.permissions import ensure_can_act, ensure_pending
from signoff.reviews.request_validation import ensure_no_external_reviewers
from signoff.reviews.schemas import Assignment


async def assign_review(caller: Caller, review_id: str, assignment: Assignment) -> list[dict[str, str]]:
    """Assign a review. Returns the links of new external reviewers, which exist only here and in the mails to them."""
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, caller.actor, review_id)
        ensure_pending(review)
        await ensure_can_act(tx, caller.actor, review)
        errors: list[ErrorDetail] = []
        assignees = await resolve_members(tx, caller.account_id, assignment.users, "users", errors)
        assignees += await resolve_groups(tx, caller.account_id, assignment.groups, "groups", errors)
        working = await _find_active_links(tx, review)
        await _check_external(
            tx, review, [email for email in assignment.external if email not in working], assignment, errors
        )
        if errors:
            raise InvalidRequest(errors)
        before = await list_reviewers(tx, review)
        links = new_links(
            caller.settings, [email for email in dict.fromkeys(assignment.external) if email not in working]
        )
        keeping = working.intersection(assignment.external)
        await replace_reviewers(tx, review, assignees, set_by="person", keeping=keeping, links=links)
        after = await list_reviewers(tx, review)
        if before != after or links.tokens or review["taken_by"] is not None or assignment.note is not None:
            details = {"from": before, "to": after, **({} if assignment.note is None else {"note": assignment.note})}
            await writer.record_audit(tx, caller.actor, "review.assigned", review_id, details)
        await enqueue_review_mails(tx, caller.settings, caller.actor, review, links)
    return links.to_json(caller.settings, review_id)


async def _check_external(
    tx: Executor, review: Row, added: Sequence[str], assignment: Assignment, errors: list[ErrorDetail]
) -> None:
    """Check new external reviewers only: existing ones can stay, even after they joined the account."""
    if not added:
        return
    form = await get_form_version(tx, review["form_id"], review["form_version"])
    await ensure_no_external_reviewers(tx, review["account_id"], form, "external", errors)
    members = await find_member_addresses(tx, review["account_id"], added)
    errors += [
        is_member("external", index, email) for index, email in enumerate(assignment.external) if email in members
    ]


async def reassign_review(
    tx: Executor, actor: Actor, review: Row, assignees: Sequence[str], action: str, **details: Any
) -> None:
    """Reassign a review for its review type, such as when it escalates. `review` must be locked, and `assignees` are
    IDs of existing users and groups.

    The links of external reviewers end. The history gets an entry `action`.
    """
    before = await list_reviewers(tx, review)
    await replace_reviewers(tx, review, assignees, set_by="form")
    after = await list_reviewers(tx, review)
    await writer.record_audit(tx, actor, action, review["review_id"], {"from": before, "to": after, **details})


async def replace_reviewers(
    tx: Executor,
    review: Row,
    assignees: Sequence[str],
    *,
    set_by: ReviewersSetBy,
    keeping: Collection[str] = (),
    links: NewExternalLinks | None = None,
) -> None:
    """Replace all reviewers, and release a review that someone has taken. The links of `keeping` stay; all other
    earlier ones end.
    """
    place = (review["account_id"], review["review_id"])
    await tx.execute("delete from review_assignees_before where account_id = $1 and review_id = $2", *place)
    await set_assignees(tx, review, assignees)
    await tx.execute(
        """
        update external_reviewers set
            ended = case when expires_at > now() then 'reassigned' else 'expired' end, ended_at = now()
        where account_id = $1 and review_id = $2 and ended is null and email <> all($3::text[])
        """,
        *place,
        list(keeping),
    )
    await cancel_external_mails(tx, *place, keeping)
    if links is not None and links.tokens:
        await insert_external_reviewers(tx, review, links)
    await tx.execute(
        """
        update reviews set
            assigned = $3, reviewers_set_by = $4, taken_by = null, taken_at = null, updated_at = now()
        where account_id = $1 and review_id = $2
        """,
        *place,
        bool(assignees or keeping or (links is not None and links.tokens)),
        set_by,
    )


async def set_assignees(tx: Executor, review: Row, assignees: Sequence[str]) -> None:
    """Set the members and groups only. Each row repeats the review's phase, by which lists find it."""
    place = (review["account_id"], review["review_id"])
    await tx.execute("delete from review_assignees where account_id = $1 and review_id = $2", *place)
    await tx.execute(
        """
        insert into review_assignees (account_id, review_id, assignee_id, phase)
        select r.account_id, r.review_id, a.assignee_id, r.phase
        from reviews r cross join unnest($3::text[]) as a (assignee_id)
        where r.account_id = $1 and r.review_id = $2
        """,
        *place,
        list(assignees),
    )


async def unassign(tx: Executor, account_id: str, assignee_ids: Sequence[str]) -> None:
    """Remove deleted members and groups from all reviews. One without other reviewers is then open to everyone."""
    await tx.execute(
        "delete from review_assignees_before where account_id = $1 and assignee_id = any($2)", account_id, assignee_ids
    )
    rows = await tx.fetch(
        "delete from review_assignees where account_id = $1 and assignee_id = any($2) returning review_id",
        account_id,
        assignee_ids,
    )
    await tx.execute(
        """
        update reviews r set assigned = false where account_id = $1 and review_id = any($2) and state = 'pending'
          and not exists (select from review_assignees a where (a.account_id, a.review_id) = ($1, r.review_id))
          and not exists (select from external_reviewers e where (e.account_id, e.review_id) = ($1, r.review_id))
        """,
        account_id,
        [row["review_id"] for row in rows],
    )


async def list_reviewers(tx: Executor, review: Row) -> dict[str, list[str]]:
    """Return the reviewers in the history's format."""
    row = await tx.fetchrow(
        """
        select array(select u.email from review_assignees a join users u on u.user_id = a.assignee_id
                     where a.account_id = $1 and a.review_id = $2 order by u.email) as users,
               array(select g.group_id from review_assignees a join groups g on g.group_id = a.assignee_id
                     where a.account_id = $1 and a.review_id = $2 order by g.group_id) as groups,
               array(select e.email from external_reviewers e
                     where e.account_id = $1 and e.review_id = $2 and e.ended is null order by e.email) as external
        """,
        review["account_id"],
        review["review_id"],
    )
    assert row is not None
    return {"users": row["users"], "groups": row["groups"], "external": row["external"]}


async def _find_active_links(tx: Executor, review: Row) -> set[str]:
    """Return the emails with working links. A reviewer whose link has expired gets a new one when they're assigned
    again.
    """
    rows = await tx.fetch(
        """
        select email from external_reviewers
        where account_id = $1 and review_id = $2 and ended is null and expires_at > now()
        """,
        review["account_id"],
        review["review_id"],
    )
    return {row["email"] for row in rows}
