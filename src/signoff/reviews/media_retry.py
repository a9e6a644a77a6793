"""Retry failed media copies, when a person asks for it."""

from typing import Final

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.outbox.errors import MessageUnderWay, nothing_to_retry
from signoff.platform.outbox.messages import queue_again
from signoff.platform.sql import Sql
from signoff.reviews.locks import lock_review

_LOCK_FAILED: Final = Sql(
    """
    select c.copy_id from media_copies c join outgoing_messages o on o.message_id = c.copy_id
    where c.account_id = :account_id and c.review_id = :review_id and o.state <> 'sending'
      and (c.state = 'failed' or c.next_try_at is not null)
      and (:url::text is null or c.url_hash = sha256(convert_to(:url, 'UTF8')))
    order by c.copy_id for update of o
    """
)
_RESET: Final = Sql(
    """
    update media_copies set state = 'pending', error = null, next_try_at = null, updated_at = now()
    where copy_id = any(:copy_ids)
    """
)


async def retry_media(caller: Caller, review_id: str, url: str | None) -> None:
    """Queue the failed copies of a review, and those that wait for their next attempt; with `url`, only that one.

    Finished and running copies stay unchanged, so a second call has no effect.
    """
    async with caller.db.transaction() as tx:
        await lock_review(tx, caller.actor, review_id)
        rows = await _LOCK_FAILED.fetch(tx, account_id=caller.account_id, review_id=review_id, url=url)
        if not rows:
            return
        copy_ids = [row["copy_id"] for row in rows]
        await queue_again(tx, *copy_ids)
        await _RESET.execute(tx, copy_ids=copy_ids)
        await writer.record_audit(tx, caller.actor, "review.media_retried", review_id, {"files": len(rows)})


_READ_COPY: Final = Sql(
    """
    select c.review_id, c.url, o.state from media_copies c join outgoing_messages o on o.message_id = c.copy_id
    where c.account_id = :account_id and c.copy_id = :copy_id
    """
)


async def retry_copy(caller: Caller, copy_id: str) -> None:
    """Queue one copy that failed or waits for its next attempt."""
    copy = await _READ_COPY.fetch_one(caller.db, account_id=caller.account_id, copy_id=copy_id)
    if copy is None:
        raise NotFound(msg("message"), copy_id)
    if copy["state"] == "sending":
        raise MessageUnderWay()
    if copy["state"] == "sent":
        raise nothing_to_retry()
    await retry_media(caller, copy["review_id"], copy["url"])
