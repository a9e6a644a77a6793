"""What happens to a review that nobody decides before its deadline: remind, escalate, reject, or approve.

The job may run twice, late, or for a deadline that has been moved: only the locked review's state counts.
"""

from typing import Any

from signoff.accounts.actors import DECIDING_ROLES, system_actor
from signoff.accounts.assignee_lookup import resolve_groups, resolve_members
from signoff.accounts.audit_log import writer
from signoff.forms.deadlines import DeadlineStep
from signoff.forms.versions import get_form_version
from signoff.platform.db import Database, Executor, Row
from signoff.platform.errors import ErrorDetail, NotFound
from signoff.platform.settings import Settings
from signoff.reviews.assignments import reassign_review
from signoff.reviews.deadlines import next_deadline, schedule_deadline
from signoff.reviews.decisions import decide_overdue_review
from signoff.reviews.locks import lock_review


class DeadlineJob:
    def __init__(self, db: Database, settings: Settings) -> None:
        self._db = db
        self._settings = settings

    async def run(self, subject: str) -> None:
        """Run the job. `subject` is `<account>/<review>`."""
        account_id, _, review_id = subject.partition("/")
        async with self._db.transaction() as tx:
            await self._run_step(tx, account_id, review_id)

    async def _run_step(self, tx: Executor, account_id: str, review_id: str) -> None:
        try:
            review = await lock_review(tx, system_actor(account_id), review_id)
        except NotFound:
            return  # deleted in the meantime
        # By the database's clock, like the job itself: by another clock the job might run a moment too early, and never
        # again.
        at = await tx.fetchval("select now()")
        if review["state"] != "pending" or review["due_at"] is None or review["due_at"] > at:
            return
        form = await get_form_version(tx, review["form_id"], review["form_version"])
        assert form.time_limits is not None, "a review that is due has time limits"
        number: int = review["due_step"]
        step = form.time_limits.steps[number]
        if step.action == "reject":
            await decide_overdue_review(tx, self._settings, form, review, "rejected")
        elif step.action == "approve":
            await decide_overdue_review(tx, self._settings, form, review, "approved")
        else:
            await _escalate(tx, review, step) if step.action == "handOver" else await _remind(tx, review)
            await schedule_deadline(tx, review, next_deadline(form.time_limits, number, review["due_at"], at))


async def _remind(tx: Executor, review: Row, **why: Any) -> None:
    """Write a reminder to the audit log, from which all notifications are sent."""
    await tx.execute(
        "update reviews set reminded_at = now(), updated_at = now() where account_id = $1 and review_id = $2",
        review["account_id"],
        review["review_id"],
    )
    details = {"step": review["due_step"] + 1, **why}
    await writer.record_audit(tx, system_actor(review["account_id"]), "review.reminded", review["review_id"], details)


async def _escalate(tx: Executor, review: Row, step: DeadlineStep) -> None:
    """Escalate to those of the step's members and groups who still exist and may decide. If there are none, the
    review isn't reassigned, and its reviewers get a reminder instead.
    """
    account_id, gone = review["account_id"], list[ErrorDetail]()
    users = await resolve_members(tx, account_id, step.users, "users", gone)
    groups = await resolve_groups(tx, account_id, step.groups, "groups", gone)
    assignees = [*await _keep_deciders(tx, users), *await _groups_with_members(tx, groups)]
    named = {"users": list(step.users), "groups": list(step.groups)}
    if not assignees:
        await _remind(tx, review, insteadOf="handOver", nobodyLeftOf=named)
        return
    await reassign_review(
        tx, system_actor(account_id), review, assignees, "review.handed_over", step=review["due_step"] + 1
    )


async def _keep_deciders(tx: Executor, user_ids: list[str]) -> list[str]:
    rows = await tx.fetch(
        "select user_id from users where user_id = any($1::text[]) and role = any($2::text[]) order by user_id",
        user_ids,
        list(DECIDING_ROLES),
    )
    return [row["user_id"] for row in rows]


async def _groups_with_members(tx: Executor, group_ids: list[str]) -> list[str]:
    """Return the groups with at least one member to assign."""
    rows = await tx.fetch(
        """
        select distinct m.group_id from group_members m join users u using (user_id)
        where m.group_id = any($1::text[]) and u.disabled_at is null and u.role = any($2::text[]) order by m.group_id
        """,
        group_ids,
        list(DECIDING_ROLES),
    )
    return [row["group_id"] for row in rows]
