"""Take a review, so that others needn't decide it, and hand it back. External reviewers stay assigned."""

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.platform.db import Executor, Row
from signoff.reviews.assignments import list_reviewers, set_assignees
from signoff.reviews.errors import AlreadyTaken, NotTaken
from signoff.reviews.locks import lock_review
from signoff.reviews.permissions import ensure_can_act, ensure_pending


async def take_review(caller: Caller, review_id: str) -> None:
    """Take the review. The first one gets it; taking it twice has no effect."""
    me = caller.actor.id
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, caller.actor, review_id)
        ensure_pending(review)
        if review["taken_by"] == me:
            return
        # Checked before the assignment: after someone else took the review, this person is no longer assigned.
        await _ensure_not_taken(tx, review)
        await ensure_can_act(tx, caller.actor, review)
        before = await list_reviewers(tx, review)
        await tx.execute(
            """
            insert into review_assignees_before (account_id, review_id, assignee_id)
            select account_id, review_id, assignee_id from review_assignees where account_id = $1 and review_id = $2
            """,
            caller.account_id,
            review_id,
        )
        await set_assignees(tx, review, [me])
        await tx.execute(
            """
            update reviews set assigned = true, taken_by = $3, taken_at = now(), updated_at = now()
            where account_id = $1 and review_id = $2
            """,
            caller.account_id,
            review_id,
            me,
        )
        details = {"from": before, "to": await list_reviewers(tx, review)}
        await writer.record_audit(tx, caller.actor, "review.taken", review_id, details)


async def hand_back_review(caller: Caller, review_id: str) -> None:
    """Restore the previous reviewers. Only the person who has taken it can hand it back: someone else may have
    taken it since.
    """
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, caller.actor, review_id)
        ensure_pending(review)
        if review["taken_by"] is None:
            raise NotTaken()
        if review["taken_by"] != caller.actor.id:
            await _ensure_not_taken(tx, review)
        before = await list_reviewers(tx, review)
        rows = await tx.fetch(
            "delete from review_assignees_before where account_id = $1 and review_id = $2 returning assignee_id",
            caller.account_id,
            review_id,
        )
        await set_assignees(tx, review, [row["assignee_id"] for row in rows])
        after = await list_reviewers(tx, review)
        await tx.execute(
            """
            update reviews set assigned = $3, taken_by = null, taken_at = null, updated_at = now()
            where account_id = $1 and review_id = $2
            """,
            caller.account_id,
            review_id,
            bool(rows or after["external"]),
        )
        await writer.record_audit(tx, caller.actor, "review.handed_back", review_id, {"from": before, "to": after})


async def _ensure_not_taken(tx: Executor, review: Row) -> None:
    if review["taken_by"] is None:
        return
    taker = await tx.fetchrow(
        "select user_id, name, email from users where account_id = $1 and user_id = $2",
        review["account_id"],
        review["taken_by"],
    )
    assert taker is not None
    raise AlreadyTaken(taker["user_id"], taker["name"], taker["email"], review["taken_at"])
