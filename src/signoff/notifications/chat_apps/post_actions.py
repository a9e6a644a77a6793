"""Admin actions for posts."""

from typing import Final

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.notifications.chat_apps.posts import LEFT
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.outbox.errors import MessageUnderWay, nothing_to_cancel, nothing_to_retry
from signoff.platform.outbox.messages import cancel_messages, queue_again
from signoff.platform.sql import Sql

# The message comes first: attempts, too, lock it before the post.
_LOCK_POST: Final = Sql(
    """
    select o.state, p.app, p.channel from chat_posts p join outgoing_messages o on o.message_id = p.post_id
    where p.account_id = :account_id and p.post_id = :post_id for update of o
    """
)
_CANCEL: Final = cancel_messages("select :post_id")
# A canceled post isn't created when its review changes; one that exists is still updated then.
_LEAVE: Final = Sql("update chat_posts set shown = :left where post_id = :post_id and posted_at is null")
_RESUME: Final = Sql("update chat_posts set shown = nullif(shown, :left) where post_id = :post_id")


async def retry_post(caller: Caller, post_id: str) -> None:
    """Send a post now that failed or waits for its next attempt."""
    async with caller.db.transaction() as tx:
        post = await _lock_post(caller, tx, post_id)
        if post["state"] == "sent":
            raise nothing_to_retry()
        await _RESUME.execute(tx, post_id=post_id, left=LEFT)
        await queue_again(tx, post_id)
        await _record_audit(caller, tx, "chat_post.retried", post_id, post)


async def cancel_post(caller: Caller, post_id: str) -> None:
    """Stop sending a post or its update."""
    async with caller.db.transaction() as tx:
        post = await _lock_post(caller, tx, post_id)
        if post["state"] != "queued":
            raise nothing_to_cancel(post["state"])
        await _CANCEL.execute(tx, post_id=post_id, reason=f"Canceled by {caller.actor.name}.")
        await _LEAVE.execute(tx, post_id=post_id, left=LEFT)
        await _record_audit(caller, tx, "chat_post.canceled", post_id, post)


async def _lock_post(caller: Caller, tx: Executor, post_id: str) -> Row:
    post = await _LOCK_POST.fetch_one(tx, account_id=caller.account_id, post_id=post_id)
    if post is None:
        raise NotFound(msg("message"), post_id)
    if post["state"] == "sending":
        raise MessageUnderWay()
    return post


async def _record_audit(caller: Caller, tx: Executor, action: str, post_id: str, post: Row) -> None:
    await writer.record_audit(tx, caller.actor, action, post_id, {"app": post["app"], "channel": post["channel"]})
