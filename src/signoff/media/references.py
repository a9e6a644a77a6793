"""Which review or message uses which media, and what happens to media that none uses (any more).

Two things can happen to one media at the same moment: its last use goes, and a new one comes. The new use holds a
shared lock on the media's row through its foreign key; whoever removes takes an exclusive lock first and looks for
uses only then. So either the use is seen and the media stays, or the media is gone and the use is refused.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from signoff.platform.db import Database, Executor
from signoff.platform.jobs.queue import enqueue_sql

DELETE_MEDIA_JOB = "media.remove"
"""The job that removes an object from the storage. Its subject is the storage key, `<account>/<media>`."""

_ARRIVAL_TIMEOUT = "6 hours"
_BATCH_SIZE = 1000
# Of the media `m`.
_UNUSED = """
    not exists (select from media_uses u where (u.account_id, u.media_id) = (m.account_id, m.media_id))
    and not exists (select from message_media u where (u.account_id, u.media_id) = (m.account_id, m.media_id))
"""


async def add_references(tx: Executor, account_id: str, review_id: str, media_ids: Iterable[str]) -> set[str]:
    """Record that the review uses them. Answers those that do not exist (any more) and so are not recorded."""
    wanted = sorted(set(media_ids))
    rows = await tx.fetch(
        """
        with there as (
            select media_id from media where account_id = $1 and media_id = any($3) order by media_id for key share
        ), used as (
            insert into media_uses (account_id, review_id, media_id) select $1, $2, media_id from there
            on conflict do nothing
        )
        select media_id from there
        """,
        account_id,
        review_id,
        wanted,
    )
    return set(wanted) - {row["media_id"] for row in rows}


async def add_message_references(tx: Executor, account_id: str, message_id: str, media_ids: Iterable[str]) -> None:
    """Record that the message uses them. The transaction holds their rows already."""
    await tx.execute(
        "insert into message_media (account_id, message_id, media_id) select $1, $2, unnest($3::text[])",
        account_id,
        message_id,
        sorted(set(media_ids)),
    )


async def release_references(tx: Executor, account_id: str, review_id: str) -> int:
    """The review uses no media any more. What nobody else uses is removed: the rows in this transaction, the objects
    by jobs after it. Answers how many are removed; if any, wake the workers after the commit."""
    rows = await tx.fetch(
        "delete from media_uses where account_id = $1 and review_id = $2 returning media_id", account_id, review_id
    )
    media_ids = sorted(row["media_id"] for row in rows)
    if not media_ids:
        return 0
    await tx.execute(
        "select from media where account_id = $1 and media_id = any($2) order by media_id for update",
        account_id,
        media_ids,
    )
    return await _remove_unused(tx, [account_id] * len(media_ids), media_ids)


async def discard_new_media(db: Database, account_id: str, media_id: str, since: datetime) -> None:
    """Remove what was kept since then for something that is gone, unless somebody else uses it or has handed it in."""
    async with db.transaction() as tx:
        ours = await tx.fetchval(
            """
            select true from media
            where account_id = $1 and media_id = $2 and created_at >= $3 and kept_at = created_at for update
            """,
            account_id,
            media_id,
            since,
        )
        if ours:
            await _remove_unused(tx, [account_id], [media_id])


async def delete_unused_media(db: Database, days: int) -> None:
    """Media that no review and no message has come to use for `days`, and what was lost on its way into the storage."""
    while True:
        async with db.transaction() as tx:
            rows = await tx.fetch(
                f"""
                select account_id, media_id from media m
                where kept_at < now() - make_interval(days => $1)
                  and {_UNUSED}
                order by account_id, media_id limit $2 for update skip locked
                """,  # noqa: S608
                days,
                _BATCH_SIZE,
            )
            removed = await _remove_unused(tx, [row["account_id"] for row in rows], [row["media_id"] for row in rows])
        if removed < _BATCH_SIZE:
            break
    lost = f"delete from media_arriving where since < now() - interval '{_ARRIVAL_TIMEOUT}' returning *"  # noqa: S608
    jobs = enqueue_sql(DELETE_MEDIA_JOB, "select account_id || '/' || media_id, now() from lost")
    await db.execute(f"with lost as ({lost}) {jobs}")


async def _remove_unused(tx: Executor, account_ids: list[Any], media_ids: list[Any]) -> int:
    """Their rows are locked. A statement of its own: it sees the uses that were committed while we waited."""
    removed = f"""
        delete from media m using unnest($1::text[], $2::text[]) as gone (account_id, media_id)
        where (m.account_id, m.media_id) = (gone.account_id, gone.media_id)
          and {_UNUSED}
        returning m.account_id, m.media_id
        """  # noqa: S608
    jobs = enqueue_sql(DELETE_MEDIA_JOB, "select account_id || '/' || media_id, now() from removed")
    done = await tx.execute(f"with removed as ({removed}) {jobs}", account_ids, media_ids)
    return int(done.rsplit(" ", 1)[-1])
