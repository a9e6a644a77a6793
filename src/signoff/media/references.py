"""Which review or message uses which media, and removal of unused media.

Two things can happen to the same media at the same time: its last use is released, and a new one is added. The new use
holds a shared lock on the media's row through its foreign key; removal takes an exclusive lock first and only then
looks for uses. So either the use is seen and the media stays, or the media is gone and the use is refused.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from signoff.platform.db import Database, Executor, Row
from signoff.platform.jobs.queue import enqueue
from signoff.platform.sql import Sql

DELETE_MEDIA_JOB = "media.remove"
"""The job that deletes an object from the storage. Its subject is the storage key, `<account>/<media>`."""

_ARRIVAL_TIMEOUT = "interval '6 hours'"
_BATCH_SIZE = 1000
# For the media `m`.
_UNUSED = """
    not exists (select from media_uses u where (u.account_id, u.media_id) = (m.account_id, m.media_id))
    and not exists (select from message_media u where (u.account_id, u.media_id) = (m.account_id, m.media_id))
"""


async def add_references(tx: Executor, account_id: str, review_id: str, media_ids: Iterable[str]) -> set[str]:
    """Record that the review uses the media. Returns those that don't exist (anymore) and so aren't recorded."""
    ids = sorted(set(media_ids))
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
        ids,
    )
    return set(ids) - {row["media_id"] for row in rows}


async def add_message_references(tx: Executor, account_id: str, message_id: str, media_ids: Iterable[str]) -> None:
    """Record that the message uses the media. The transaction must already hold locks on their rows."""
    await tx.execute(
        "insert into message_media (account_id, message_id, media_id) select $1, $2, unnest($3::text[])",
        account_id,
        message_id,
        sorted(set(media_ids)),
    )


async def release_references(tx: Executor, account_id: str, *review_ids: str) -> int:
    """Release the media of deleted reviews and delete files that nothing else uses: the rows in this transaction,
    the objects by jobs after it. Returns the number of deleted files.
    """
    rows = await tx.fetch(
        "delete from media_uses where account_id = $1 and review_id = any($2) returning media_id",
        account_id,
        review_ids,
    )
    return await _delete_released(tx, account_id, rows)


async def release_message_references(tx: Executor, account_id: str, message_ids: Sequence[str]) -> int:
    """Release the media of deleted messages, like `release_references`."""
    rows = await tx.fetch(
        "delete from message_media where account_id = $1 and message_id = any($2) returning media_id",
        account_id,
        message_ids,
    )
    return await _delete_released(tx, account_id, rows)


async def _delete_released(tx: Executor, account_id: str, rows: Sequence[Row]) -> int:
    media_ids = sorted({row["media_id"] for row in rows})
    if not media_ids:
        return 0
    await tx.execute(
        "select from media where account_id = $1 and media_id = any($2) order by media_id for update",
        account_id,
        media_ids,
    )
    return await _remove_unused(tx, [account_id] * len(media_ids), media_ids)


async def discard_new_media(db: Database, account_id: str, media_id: str, since: datetime) -> None:
    """Remove media stored since then for something that has been deleted, unless something else uses it or it was
    uploaded again.
    """
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


_LOCK_UNUSED = Sql(
    """
    select account_id, media_id from media m
    where kept_at < now() - make_interval(days => :days)
      and {unused}
    order by account_id, media_id limit {batch_size} for update skip locked
    """,
    unused=_UNUSED,
    batch_size=_BATCH_SIZE,
)


async def delete_unused_media(db: Database, days: int) -> None:
    """Remove media that no review or message has used for `days`, and files whose upload to the storage never
    finished.
    """
    while True:
        async with db.transaction() as tx:
            rows = await _LOCK_UNUSED.fetch(tx, days=days)
            removed = await _remove_unused(tx, [row["account_id"] for row in rows], [row["media_id"] for row in rows])
        if removed < _BATCH_SIZE:
            break
    await _DELETE_LOST.execute(db)


_DELETE_LOST = Sql(
    """
    with lost as (
        delete from media_arriving where since < now() - {timeout} returning account_id, media_id
    )
    {enqueue}
    """,
    timeout=_ARRIVAL_TIMEOUT,
    enqueue=enqueue(DELETE_MEDIA_JOB, "select account_id || '/' || media_id, now() from lost"),
)

_REMOVE_UNUSED = Sql(
    """
    with removed as (
        delete from media m using unnest(:account_ids::text[], :media_ids::text[]) as gone (account_id, media_id)
        where (m.account_id, m.media_id) = (gone.account_id, gone.media_id)
          and {unused}
        returning m.account_id, m.media_id
    )
    {enqueue}
    """,
    unused=_UNUSED,
    enqueue=enqueue(DELETE_MEDIA_JOB, "select account_id || '/' || media_id, now() from removed"),
)


async def _remove_unused(tx: Executor, account_ids: list[str], media_ids: list[str]) -> int:
    """Remove unused media. The rows must be locked. This is a separate statement, so that it sees the uses that
    were committed while we waited for the locks.
    """
    done = await _REMOVE_UNUSED.execute(tx, account_ids=account_ids, media_ids=media_ids)
    return int(done.rsplit(" ", 1)[-1])
