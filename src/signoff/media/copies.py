"""Copies of media from URLs in requests, as outgoing messages.

A pending copy is a row, written with the review that shows the URL. Copying twice is harmless: the same content is
stored once, and only the first attempt to finish records it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final, LiteralString

import asyncpg

from signoff.forms.fields.transform import Transform
from signoff.media.content_types import MediaKind
from signoff.media.errors import MediaRejected
from signoff.media.references import discard_new_media
from signoff.media.remote_files import DownloadFailed, download_file
from signoff.media.store import Media, MediaStore
from signoff.platform.clock import now
from signoff.platform.db import Database, Executor, Row
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.ids import id_at, new_id
from signoff.platform.jobs.queue import enqueue
from signoff.platform.outbox.messages import LOST_ATTEMPT, queue_messages_sql
from signoff.platform.outbox.retry_policy import SENT, AttemptOutcome, RetryPolicy
from signoff.platform.outbox.sender import FinishedAttempt, MessageGone, OutgoingMessage, Postponed
from signoff.platform.pubsub import account_topic, publish, publish_subject
from signoff.platform.settings import Settings
from signoff.platform.sql import Json, Rows, Sql
from signoff.platform.storage import StorageUnavailable

COPY_CHANNEL: Final = "media"
RELEASE: Final = "webhooks.release_event"
"""The job that releases an event that waits for copies. Its subject is `<account>/<event>`."""
LOST: Final = "We couldn't copy this file: every download was interrupted."
JITTER: Final = 0.2
STORAGE_PAUSE: Final = 10.0
KEEP_MESSAGES: Final = timedelta(days=7)
"""How long attempts of finished copies are kept."""


@dataclass(frozen=True, slots=True)
class CopyRequest:
    """A URL to copy for a review, once, however many fields have it."""

    url: str
    kind: MediaKind
    transform: Json
    copy_id: str


def new_copy_request(url: str, kind: MediaKind, transform: Transform | None) -> CopyRequest:
    return CopyRequest(url, kind, None if transform is None else asdict(transform), new_id("cpy"))


def queue_copies_sql(ordered: LiteralString) -> Sql[Row]:
    """SQL that queues copies; `ordered` names rows with `copy_id`, `account_id`, and `url`."""
    return queue_messages_sql(
        Sql(
            "select copy_id, account_id, {channel}, substring(url from '^[^/]*//[^/?#]*'), now() from {ordered}",
            channel=f"'{COPY_CHANNEL}'",
            ordered=ordered,
        )
    )


@dataclass(frozen=True, slots=True)
class _Copy:
    copy_id: str
    account_id: str
    review_id: str
    url: str
    kind: MediaKind
    transform: Transform | None


_PENDING_COPY: Final = Sql(
    """
    select review_id, url, kind, transform from media_copies
    where account_id = :account_id and copy_id = :copy_id and state = 'pending'
    """
)

_RECORD_COPY: Final = Sql(
    """
    with copied as (
        update media_copies
        set state = 'copied', media_id = :media_id, error = null, next_try_at = null, updated_at = now()
        where account_id = :account_id and copy_id = :copy_id and state = 'pending'
        returning account_id, review_id
    ), used as (
        insert into media_uses (account_id, review_id, media_id)
        select account_id, review_id, :media_id from copied
        on conflict do nothing
    )
    select true from copied
    """
)


@dataclass(frozen=True, slots=True)
class _Failure:
    copy_id: str
    error: str
    pause: float | None
    """Seconds until the next attempt; None if there is none."""


# Locked in the order of their IDs, as decisions do.
_RECORD_FAILURES: Final = Sql(
    """
    with failed as (
        select c.copy_id, f.error, f.pause from media_copies c join {failures} f using (copy_id)
        where c.state = 'pending' order by c.copy_id for update of c
    )
    update media_copies c set
        state = case when f.pause is null then 'failed' else 'pending' end, error = f.error,
        next_try_at = now() + make_interval(secs => f.pause), updated_at = now()
    from failed f where c.copy_id = f.copy_id
    returning c.account_id, c.review_id
    """,
    failures=Rows("failures", _Failure),
)

# This must be a separate statement, after the one that took a copy's lock: only then does it see the event of a
# decision that held that lock until now.
_RELEASE_EVENTS: Final = enqueue(
    RELEASE,
    """
    select account_id || '/' || event_id, now() from events
    where account_id = :account_id and review_id = :review_id and media_until is not null
    """,
)


class CopyChannel:
    name = COPY_CHANNEL
    at_most_once = False
    destination_concurrency: int | None = None

    def __init__(self, db: Database, store: MediaStore, client: GuardedClient, settings: Settings) -> None:
        self._db = db
        self._store = store
        self._client = client
        self._settings = settings
        self.concurrency = settings.media_concurrency
        self.policy = RetryPolicy(settings.media_retry_schedule, JITTER)

    async def send(self, message: OutgoingMessage) -> AttemptOutcome:
        copy = await self._read(message)
        try:
            await self._copy(copy, message.claimed_at)
        except DownloadFailed as failure:
            return AttemptOutcome(error=str(failure), permanent=failure.lasting)
        except MediaRejected as error:
            return AttemptOutcome(error=f"The file {error.message}.", permanent=True)
        except StorageUnavailable as error:
            raise Postponed(STORAGE_PAUSE) from error
        return SENT

    async def settle(self, tx: Executor, attempts: Sequence[FinishedAttempt]) -> None:
        """Show in the review why a copy is missing, unless the next attempt follows at once."""
        failures = [
            _Failure(
                record.message_id,
                LOST if record.error == LOST_ATTEMPT else record.error,
                record.pause if record.state == "queued" else None,
            )
            for record in (attempt.record for attempt in attempts)
            if record.error is not None and (record.state == "failed" or record.pause > 0)
        ]
        reviews = {(row["account_id"], row["review_id"]) for row in await _RECORD_FAILURES.fetch(tx, failures=failures)}
        for account_id, review_id in sorted(reviews):
            await _RELEASE_EVENTS.execute(tx, account_id=account_id, review_id=review_id)
            _publish_review(tx, account_id, review_id)

    async def _read(self, message: OutgoingMessage) -> _Copy:
        row = await _PENDING_COPY.fetch_one(self._db, account_id=message.account_id, copy_id=message.message_id)
        if row is None:
            raise MessageGone  # already copied, ordered again, or the review was deleted
        transform = None if row["transform"] is None else Transform(**row["transform"])
        return _Copy(
            message.message_id, message.account_id, row["review_id"], row["url"], MediaKind(row["kind"]), transform
        )

    async def _copy(self, copy: _Copy, began: datetime) -> None:
        settings = self._settings
        largest = settings.max_video_bytes if copy.kind is MediaKind.VIDEO else settings.max_file_bytes
        with self._store.temp_files.file() as file:
            await download_file(self._client, copy.url, file, max_bytes=largest, seconds=settings.media_fetch_timeout)
            while True:
                media = await self._store.store(copy.account_id, file, copy.transform, kinds=frozenset({copy.kind}))
                if await self._record(copy, media, began):
                    return

    async def _record(self, copy: _Copy, media: Media, began: datetime) -> bool:
        """Record the copy. Returns False if the media has been removed since it was stored: another review with the
        same content was deleted.
        """
        try:
            async with self._db.transaction() as tx:
                recorded = await _RECORD_COPY.fetch_value(
                    tx, account_id=copy.account_id, copy_id=copy.copy_id, media_id=media.media_id
                )
                await _RELEASE_EVENTS.execute(tx, account_id=copy.account_id, review_id=copy.review_id)
                if recorded:
                    _publish_review(tx, copy.account_id, copy.review_id)
        except asyncpg.ForeignKeyViolationError:
            return False
        if not recorded:
            # The review was deleted, or its content replaced, in between.
            await discard_new_media(self._db, copy.account_id, media.media_id, began)
        return True


def _publish_review(tx: Executor, account_id: str, review_id: str) -> None:
    publish(tx, review_id)
    publish_subject(tx, account_topic(account_id), review_id)  # copies aren't in the audit log


async def delete_old_copy_messages(db: Database) -> None:
    """Delete the attempts of finished copies after some time. Those of failed copies are kept with them: somebody may
    retry them.
    """
    await db.execute(
        """
        delete from outgoing_messages o
        where o.message_id > 'cpy_' and o.message_id < $1 and o.settled_at is not null
          and not exists (select from media_copies c where c.copy_id = o.message_id and c.state = 'failed')
        """,
        id_at("cpy", now() - KEEP_MESSAGES),
    )
