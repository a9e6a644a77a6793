"""Update a review's reviewers: who is assigned from now on, and who is notified of the new content."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.platform.db import Executor, Row
from signoff.platform.idempotency import Idempotency
from signoff.platform.sql import Sql
from signoff.reviews.assignments import list_reviewers, replace_reviewers
from signoff.reviews.external_access import NewExternalLinks, add_links, find_external_reviewers, requested_links
from signoff.reviews.external_reviewer_mails import cancel_external_mails, enqueue_external_mails
from signoff.reviews.inserts import ReviewersSetBy
from signoff.reviews.permissions import ensure_can_act, may_replace_reviewers
from signoff.reviews.request_validation import Reviewers, ValidatedRequest


@dataclass(frozen=True, slots=True)
class UpdatedReviewers:
    assignees: list[str] | None
    """User and group IDs; None means unchanged."""
    links: NewExternalLinks
    """For all external reviewers from now on, new or not."""
    set_by: ReviewersSetBy
    keeps_current: bool
    """Whether the update named reviewers but may not replace the current ones."""

    def links_for(self, caller: Caller, review: Row) -> list[dict[str, str]] | None:
        """Return the links for the response; None if there are no external reviewers. A key doesn't get the links
        of external reviewers chosen by a person: with one it could decide in their place.
        """
        if not self.links.tokens:
            return None
        if caller.actor.kind == "key" and self.set_by == "person":
            return []
        return self.links.to_json(caller.settings, review["review_id"])


async def plan_reviewers(
    tx: Executor, caller: Caller, review: Row, named: Reviewers, idempotency: Idempotency | None
) -> UpdatedReviewers:
    """Plan the change without writing anything. `review` must be locked."""
    external = await find_external_reviewers(tx, review)
    if named.are_named and caller.actor.kind == "user":
        # As for any reassignment: only assignees and admins may do this.
        await ensure_can_act(tx, caller.actor, review)
    if not named.are_named or not may_replace_reviewers(caller.actor, review):
        links = requested_links(caller, external, idempotency)
        return UpdatedReviewers(None, links, review["reviewers_set_by"], keeps_current=named.are_named)
    assignees = [
        *(await _current_assignees(tx, review, SELECT_USERS) if named.users is None else named.users),
        *(await _current_assignees(tx, review, SELECT_GROUPS) if named.groups is None else named.groups),
    ]
    links = requested_links(caller, external if named.external is None else named.external, idempotency)
    return UpdatedReviewers(assignees, links, named.set_by, keeps_current=False)


async def apply_reviewers(
    tx: Executor, caller: Caller, review: Row, draft: ValidatedRequest, reviewers: UpdatedReviewers
) -> None:
    """Write the plan, and mail every external reviewer a link to the new content."""
    links = reviewers.links
    asked_before = set(await find_external_reviewers(tx, review))
    if reviewers.assignees is not None:
        await _reassign(tx, caller, review, reviewers.assignees, reviewers)
    await add_links(tx, review, _select_links(links, [email for email in links.tokens if email in asked_before]))
    await cancel_external_mails(
        tx, review["account_id"], review["review_id"], why="An email about the new revision was sent instead."
    )
    await enqueue_external_mails(
        tx,
        caller.settings,
        caller.actor,
        review_id=review["review_id"],
        agent_id=draft.agent_id,
        title=draft.title,
        form=draft.form,
        suggestion=draft.suggestion,
        links=links,
        language=draft.external_language,
        asked_before=asked_before,
    )


async def _reassign(
    tx: Executor, caller: Caller, review: Row, assignees: Sequence[str], reviewers: UpdatedReviewers
) -> None:
    before = await list_reviewers(tx, review)
    asked_before = set(before["external"])
    tokens = reviewers.links.tokens
    await replace_reviewers(
        tx,
        review,
        assignees,
        set_by=reviewers.set_by,
        keeping=[email for email in tokens if email in asked_before],
        links=_select_links(reviewers.links, [email for email in tokens if email not in asked_before]),
    )
    after = await list_reviewers(tx, review)
    if before != after:
        await writer.record_audit(
            tx, caller.actor, "review.assigned", review["review_id"], {"from": before, "to": after}
        )


_SELECT_ASSIGNEES: Final = """
    select a.assignee_id from review_assignees a join {table} t on t.{column} = a.assignee_id
    where a.account_id = :account_id and a.review_id = :review_id order by a.assignee_id
"""
SELECT_USERS: Final = Sql(_SELECT_ASSIGNEES, table="users", column="user_id")
SELECT_GROUPS: Final = Sql(_SELECT_ASSIGNEES, table="groups", column="group_id")


async def _current_assignees(tx: Executor, review: Row, statement: Sql[Row]) -> list[str]:
    """Return the review's current assignees of one kind."""
    rows = await statement.fetch(tx, account_id=review["account_id"], review_id=review["review_id"])
    return [row["assignee_id"] for row in rows]


def _select_links(links: NewExternalLinks, emails: Sequence[str]) -> NewExternalLinks:
    return NewExternalLinks({email: links.tokens[email] for email in emails}, links.until)
