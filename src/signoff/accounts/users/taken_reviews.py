"""Reviews taken by someone who can no longer decide: hand them back, otherwise only admins could decide them."""

from signoff.accounts.actors import system_actor
from signoff.accounts.audit_log import writer
from signoff.platform.db import Executor


async def hand_back_taken_reviews(tx: Executor, account_id: str, user_id: str) -> None:
    """Restore the assignees from before the person took each review."""
    rows = await tx.fetch(
        """
        select review_id from reviews where account_id = $1 and taken_by = $2 and state = 'pending'
        order by review_id for update
        """,
        account_id,
        user_id,
    )
    if not rows:
        return
    review_ids = [row["review_id"] for row in rows]
    await tx.execute(
        "delete from review_assignees where account_id = $1 and review_id = any($2::text[])", account_id, review_ids
    )
    await tx.execute(
        """
        with before as (
            delete from review_assignees_before where account_id = $1 and review_id = any($2::text[])
            returning account_id, review_id, assignee_id
        )
        insert into review_assignees (account_id, review_id, assignee_id, phase)
        select account_id, review_id, assignee_id, r.phase from before join reviews r using (account_id, review_id)
        """,
        account_id,
        review_ids,
    )
    await tx.execute(
        """
        update reviews r set taken_by = null, taken_at = null, updated_at = now(), assigned =
            exists (select from review_assignees a where a.account_id = $1 and a.review_id = r.review_id)
            or exists (select from external_reviewers e
                       where e.account_id = $1 and e.review_id = r.review_id and e.ended is null)
        where account_id = $1 and review_id = any($2::text[])
        """,
        account_id,
        review_ids,
    )
    for review_id in review_ids:
        await writer.record_audit(tx, system_actor(account_id), "review.handed_back", review_id, {"takenBy": user_id})
