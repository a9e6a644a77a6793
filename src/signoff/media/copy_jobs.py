"""Copy media from URLs in requests in the background: each job makes at most one attempt and records its result.

A pending copy is a row, written with the review that shows the URL. Running a job twice is harmless: the same content
is stored once, and only the first run to finish records it.
"""

import asyncio
import random
from collections.abc import Coroutine, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

import asyncpg

from signoff.forms.fields.transform import Transform
from signoff.media.content_types import MediaKind
from signoff.media.errors import MediaRejected
from signoff.media.references import discard_new_media
from signoff.media.remote_files import DownloadFailed, download_file
from signoff.media.store import Media, MediaStore
from signoff.platform.db import Database, Executor
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.ids import new_id
from signoff.platform.jobs.queue import enqueue_sql
from signoff.platform.jobs.runner import RetryLater
from signoff.platform.logs import get_logger
from signoff.platform.pubsub import PubSub
from signoff.platform.settings import Settings
from signoff.platform.sql import Json
from signoff.platform.storage import StorageUnavailable

log = get_logger("media")

COPY_MEDIA_JOB: Final = "media.copy"
"""The job. Its subject is `<account>/<copy>`."""
RELEASE: Final = "webhooks.release_event"
"""The job that releases an event that waits for copies. Its subject is `<account>/<event>`."""
LOST: Final = "We couldn't copy this file: every download was interrupted."
JITTER: Final = 0.2
STORAGE_PAUSE: Final = 10.0
MAX_REASON_LENGTH: Final = 500


@dataclass(frozen=True, slots=True)
class CopyRequest:
    """A URL to copy for a review, once, however many fields have it."""

    url: str
    kind: MediaKind
    transform: Json
    copy_id: str


def new_copy_request(url: str, kind: MediaKind, transform: Transform | None) -> CopyRequest:
    return CopyRequest(url, kind, None if transform is None else asdict(transform), new_id("cpy"))


@dataclass(frozen=True, slots=True)
class _Attempt:
    copy_id: str
    account_id: str
    review_id: str
    url: str
    kind: MediaKind
    transform: Transform | None
    number: int
    began: datetime


def retry_delay(attempt: int, schedule: Sequence[float], chance: float) -> float | None:
    """Return the seconds to wait after the `attempt`-th attempt failed (1 is the first); None if it was the last.

    `chance` is a random number from 0 to 1.
    """
    if attempt > len(schedule):
        return None
    return schedule[attempt - 1] * (1 + JITTER * (2 * chance - 1))


class _Stopped(Exception):
    """The worker is stopping, so the copy was interrupted."""


class CopyJob:
    def __init__(
        self, db: Database, keeper: MediaStore, client: GuardedClient, settings: Settings, pubsub: PubSub
    ) -> None:
        self._db = db
        self._keeper = keeper
        self._client = client
        self._settings = settings
        self._pubsub = pubsub
        self._stopped = False
        self._fetching: set[asyncio.Task[None]] = set()

    async def copy(self, subject: str, _job_id: int) -> bool:
        """The job. It leaves the copy in a correct state, whatever state it was in before."""
        account_id, _, copy_id = subject.partition("/")
        attempt = await self._begin(account_id, copy_id)
        if attempt is None:
            return False  # already done, enqueued again, or the review was deleted
        if attempt.number > len(self._settings.media_retry_schedule) + 1:
            # An attempt is counted when it starts. This count is only possible if workers died during earlier attempts.
            await self._fail(attempt, LOST, pause=None)
            return False
        try:
            await self._make(attempt)
        except _Stopped:
            await self._give_back(attempt)
            raise RetryLater(0) from None
        except DownloadFailed as failure:
            await self._failed(attempt, str(failure), lasting=failure.lasting)
        except MediaRejected as refusal:
            await self._fail(attempt, f"The file {refusal.message}.", pause=None)
        except StorageUnavailable as trouble:
            await self._give_back(attempt)
            raise RetryLater(STORAGE_PAUSE) from trouble
        return False

    def stop(self) -> None:
        """Interrupt the downloads; they start over after the next start."""
        self._stopped = True
        for fetching in self._fetching:
            fetching.cancel()

    async def _begin(self, account_id: str, copy_id: str) -> _Attempt | None:
        if self._stopped:
            raise RetryLater(0)
        row = await self._db.fetchrow(
            """
            update media_copies set attempts = attempts + 1, next_try_at = null, updated_at = now()
            where account_id = $1 and copy_id = $2 and state = 'pending'
              and (next_try_at is null or next_try_at <= now())
            returning review_id, url, kind, transform, attempts, updated_at
            """,
            account_id,
            copy_id,
        )
        if row is not None:
            transform = None if row["transform"] is None else Transform(**row["transform"])
            kind, number, began = MediaKind(row["kind"]), row["attempts"], row["updated_at"]
            return _Attempt(copy_id, account_id, row["review_id"], row["url"], kind, transform, number, began)
        wait = await self._db.fetchval(
            """
            select extract(epoch from next_try_at - now())::float8 from media_copies
            where account_id = $1 and copy_id = $2 and state = 'pending' and next_try_at > now()
            """,
            account_id,
            copy_id,
        )
        if wait is not None:
            raise RetryLater(wait)
        return None

    async def _make(self, attempt: _Attempt) -> None:
        settings = self._settings
        largest = settings.max_video_bytes if attempt.kind is MediaKind.VIDEO else settings.max_file_bytes
        with self._keeper.workroom.file() as file:
            await self._fetch(
                download_file(self._client, attempt.url, file, max_bytes=largest, seconds=settings.media_fetch_timeout)
            )
            kept = False
            while not kept:
                if not await self._wanted(attempt):
                    return
                media = await self._keeper.store(
                    attempt.account_id, file, attempt.transform, kinds=frozenset({attempt.kind})
                )
                kept = await self._record(attempt, media)

    async def _fetch(self, call: Coroutine[Any, Any, None]) -> None:
        fetching = asyncio.create_task(call)
        self._fetching.add(fetching)
        try:
            await fetching
        except asyncio.CancelledError:
            if self._stopped and fetching.cancelled():
                raise _Stopped from None
            fetching.cancel()
            raise
        finally:
            self._fetching.discard(fetching)

    async def _wanted(self, attempt: _Attempt) -> bool:
        return bool(
            await self._db.fetchval(
                "select true from media_copies where account_id = $1 and copy_id = $2 and state = 'pending'",
                attempt.account_id,
                attempt.copy_id,
            )
        )

    async def _record(self, attempt: _Attempt, media: Media) -> bool:
        """Record the copy. Returns False if the media has been removed since it was stored: another review with the
        same content was deleted.
        """
        try:
            async with self._db.transaction() as tx:
                recorded = await tx.fetchval(
                    """
                    with copied as (
                        update media_copies
                        set state = 'copied', media_id = $3, error = null, next_try_at = null, updated_at = now()
                        where account_id = $1 and copy_id = $2 and state = 'pending'
                        returning account_id, review_id
                    ), used as (
                        insert into media_uses (account_id, review_id, media_id)
                        select account_id, review_id, $3 from copied
                        on conflict do nothing
                    )
                    select true from copied
                    """,
                    attempt.account_id,
                    attempt.copy_id,
                    media.media_id,
                )
                await _release_events(tx, attempt)
        except asyncpg.ForeignKeyViolationError:
            return False
        if recorded:
            self._tell(attempt)
        else:
            # The review was deleted, or its content replaced, in between.
            await discard_new_media(self._db, attempt.account_id, media.media_id, attempt.began)
        return True

    async def _failed(self, attempt: _Attempt, reason: str, *, lasting: bool) -> None:
        chance = random.random()  # noqa: S311
        pause = None if lasting else retry_delay(attempt.number, self._settings.media_retry_schedule, chance)
        await self._fail(attempt, reason, pause)
        if pause is not None:
            raise RetryLater(pause)

    async def _fail(self, attempt: _Attempt, reason: str, pause: float | None) -> None:
        async with self._db.transaction() as tx:
            await tx.execute(
                """
                update media_copies set
                    state = case when $4::float8 is null then 'failed' else 'pending' end,
                    error = $3, next_try_at = now() + make_interval(secs => $4::float8), updated_at = now()
                where account_id = $1 and copy_id = $2 and state = 'pending'
                """,
                attempt.account_id,
                attempt.copy_id,
                reason[:MAX_REASON_LENGTH],
                pause,
            )
            await _release_events(tx, attempt)
        log.info("file copy failed", copy=attempt.copy_id, reason=reason, again_in=pause)
        self._tell(attempt)

    def _tell(self, attempt: _Attempt) -> None:
        self._pubsub.publish(attempt.review_id)
        self._pubsub.publish_subject(attempt.account_id, attempt.review_id)  # copies aren't in the audit log

    async def _give_back(self, attempt: _Attempt) -> None:
        """Undo an attempt that we interrupted ourselves, so that it doesn't count."""
        await self._db.execute(
            "update media_copies set attempts = attempts - 1 where account_id = $1 and copy_id = $2",
            attempt.account_id,
            attempt.copy_id,
        )


async def _release_events(tx: Executor, attempt: _Attempt) -> None:
    """Release events that wait for this review's copies, if nothing else is missing. This must be a separate
    statement, after the one that took the copy's lock: only then does it see the event of a decision that held that
    lock until now.
    """
    waiting = """select account_id || '/' || event_id, now() from events
                 where account_id = $1 and review_id = $2 and media_until is not null"""
    await tx.execute(enqueue_sql(RELEASE, waiting), attempt.account_id, attempt.review_id)
