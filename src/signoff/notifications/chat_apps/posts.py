"""The table of posts: where each is, and what it shows. Whether it's still to be sent is in its outgoing message, which
has the same ID.

Rows are locked in this order: the connection, messages, posts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from signoff.platform.db import Database, Executor
from signoff.platform.outbox.messages import queue_again
from signoff.platform.sql import Rows, Sql

POST_CHANNEL: Final = "chat"
LEFT: Final = "left"
"""`shown` of a post that is no longer updated: someone deleted it, or it can't be found."""


@dataclass(frozen=True, slots=True)
class Post:
    post_id: str
    account_id: str
    app: str
    channel: str
    kind: Literal["review", "summary"]
    posted_at: datetime | None
    ref: str | None
    """The app's own name for it. Empty if the app has none."""
    shown: str | None


_READ_POST: Final = Sql(
    "select post_id, account_id, app, channel, kind, posted_at, ref, shown from chat_posts where post_id = :post_id",
    Post,
)


async def read_post(db: Executor, post_id: str) -> Post | None:
    return await _READ_POST.fetch_one(db, post_id=post_id)


@dataclass(frozen=True, slots=True)
class PostChange:
    """What an attempt changed. None leaves a value as it is."""

    post_id: str
    shown: str | None
    ref: str | None = None
    """Set once it's posted."""


_RECORD_CHANGES: Final = Sql(
    """
    update chat_posts p set
        shown = coalesce(c.shown, p.shown),
        ref = coalesce(c.ref, p.ref),
        posted_at = case when c.ref is null then p.posted_at else coalesce(p.posted_at, now()) end
    from {changes} c where p.post_id = c.post_id
    """,
    changes=Rows("changes", PostChange),
)


async def record_changes(tx: Executor, changes: Sequence[PostChange]) -> None:
    await _RECORD_CHANGES.execute(tx, changes=changes)


_STALE_POSTS: Final = Sql(
    """
    select p.post_id from chat_posts p join outgoing_messages o on o.message_id = p.post_id
    where o.account_id = :account_id and o.channel = :message_channel and o.state in ('queued', 'failed')
      and p.app = :app and coalesce(p.posted_at, o.handed_over_at) is not null and p.shown is distinct from :left
    order by p.post_id for update of o
    """
)


async def retry_stale_posts(tx: Executor, account_id: str, app: str) -> None:
    """Once the app accepts posts again, update those that couldn't be edited in the meantime."""
    rows = await _STALE_POSTS.fetch(tx, account_id=account_id, app=app, message_channel=POST_CHANNEL, left=LEFT)
    await queue_again(tx, *(row["post_id"] for row in rows))


_DELETE_POSTS: Final = Sql(
    """
    with messages as (
        delete from outgoing_messages o using chat_posts p
        where o.message_id = p.post_id and p.account_id = :account_id and p.app = :app
        returning o.message_id
    )
    delete from chat_posts p using messages where p.post_id = messages.message_id
    """
)


async def delete_posts(tx: Executor, account_id: str, app: str) -> None:
    """Forget an app's posts, and send none of those that are waiting."""
    await _DELETE_POSTS.execute(tx, account_id=account_id, app=app)


_DELETE_OLD_POSTS: Final = Sql(
    """
    with old as (
        select p.post_id from chat_posts p join outgoing_messages o on o.message_id = p.post_id
        where p.created_at < now() - interval '90 days' and o.settled_at < now() - interval '30 days'
          and not exists (
              select from chat_posted_reviews x join reviews r using (account_id, review_id)
              where x.post_id = p.post_id and r.state = 'pending')
        order by p.post_id for update of o
    ), messages as (
        delete from outgoing_messages o using old where o.message_id = old.post_id
    )
    delete from chat_posts p using old where p.post_id = old.post_id
    """
)


async def delete_old_posts(db: Database) -> None:
    """Delete posts older than three months that nothing has changed for a month."""
    await _DELETE_OLD_POSTS.execute(db)
