"""Retry failed media copies, when a person asks for it."""

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.platform.ids import new_id
from signoff.reviews.locks import lock_review
from signoff.reviews.review_media import ENQUEUE_COPIES


async def retry_media(caller: Caller, review_id: str, url: str | None) -> None:
    """Enqueue the failed copies of a review, and those that wait for their next attempt; with `url`, only that one.

    Finished and running copies stay unchanged, so a second call has no effect.
    """
    async with caller.db.transaction() as tx:
        await lock_review(tx, caller.actor, review_id)
        rows = await tx.fetch(
            """
            select copy_id from media_copies
            where account_id = $1 and review_id = $2 and (state = 'failed' or next_try_at is not null)
              and ($3::text is null or url_hash = sha256(convert_to($3, 'UTF8')))
            order by copy_id for update
            """,
            caller.account_id,
            review_id,
            url,
        )
        if not rows:
            return
        # A new ID, so that a worker that still processes the old copy records nothing.
        await tx.execute(
            f"""
            with ordered as (
                update media_copies c set copy_id = n.copy_id, state = 'pending', attempts = 0, error = null,
                    next_try_at = null, updated_at = now()
                from unnest($2::text[], $3::text[]) as n (old_id, copy_id)
                where c.account_id = $1 and c.copy_id = n.old_id
                returning c.account_id, c.copy_id
            )
            {ENQUEUE_COPIES}
            """,  # noqa: S608
            caller.account_id,
            [row["copy_id"] for row in rows],
            [new_id("cpy") for _ in rows],
        )
        await writer.record_audit(tx, caller.actor, "review.media_retried", review_id, {"files": len(rows)})
    caller.context.wake()
    caller.context.pubsub.publish(caller.account_id, review_id)
