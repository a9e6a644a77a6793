"""The queue's other end: runs jobs until told to stop, survives a database that goes away, loses no job.

Every job must be able to run twice: it is handed out again when its worker dies, and tried again when it fails.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import timedelta

import asyncpg
from pgqueuer import PgQueuer
from pgqueuer.adapters.drivers.asyncpg import AsyncpgPoolDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment, QueryQueueBuilder, QuerySchedulerBuilder
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.domain.errors import RetryRequested
from pgqueuer.domain.models import Job, Schedule

from signoff.platform.db import Database
from signoff.platform.logs import get_logger
from signoff.platform.queue import LOOK_AGAIN, SETTINGS

log = get_logger("worker")

Run = Callable[[str], Awaitable[None]]
Tidy = Callable[[], Awaitable[None]]

BATCH = 250
LOOK_WHEN_FULL = timedelta(seconds=0.02)
"""How soon a worker whose places were all taken looks for more."""
TAKEN_FOR_DEAD = timedelta(seconds=20)
"""A worker that was not heard of for so long is dead, and its jobs are handed to another."""
FAILED_JOBS_AGAIN_EVERY = 30.0
KEEP_JOB_LOG = "1 day"
DATABASE_TROUBLE = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)


class HandBack(Exception):
    """Raised by a job that cannot run now: it comes again after `pause` seconds, and nothing has failed."""

    def __init__(self, pause: float) -> None:
        super().__init__(f"again in {pause:.1f} s")
        self.pause = pause


class Worker:
    def __init__(self, db: Database, jobs: Mapping[str, Run], tidying: Mapping[str, Tidy], places: int) -> None:
        """`jobs` run when enqueued, `tidying` every ten minutes in one worker of all; `places` jobs run at once."""
        self._db = db
        self._jobs = jobs
        self._tidying = tidying
        self._places = places

    async def run(self, stop: asyncio.Event) -> None:
        """Until `stop`; returns when the jobs in hand have ended."""
        while not stop.is_set():
            try:
                await self._run_until(stop)
            except DATABASE_TROUBLE as error:
                log.error("the database is out of reach; trying again", error=str(error))
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), LOOK_AGAIN.total_seconds())

    async def _run_until(self, stop: asyncio.Event) -> None:
        queuer = self._queuer()
        queuer.qm.min_dequeue_poll_interval = LOOK_WHEN_FULL
        queuer.shutdown = queuer.qm.shutdown = queuer.sm.shutdown = stop
        beside = asyncio.create_task(self._bring_back_failed())
        try:
            await queuer.run(
                dequeue_timeout=LOOK_AGAIN,
                batch_size=min(BATCH, self._places // 2),
                max_concurrent_tasks=self._places,
                heartbeat_timeout=TAKEN_FOR_DEAD,
                log_aggregation_interval=timedelta(0),
            )
        finally:
            beside.cancel()

    def _queuer(self) -> PgQueuer:
        driver = AsyncpgPoolDriver(self._db.pool)
        queuer = PgQueuer(
            driver,
            queries=Queries(
                driver,
                qbe=QueryBuilderEnvironment(SETTINGS),
                qbq=QueryQueueBuilder(SETTINGS),
                qbs=QuerySchedulerBuilder(SETTINGS),
            ),
        )
        for name, run in self._jobs.items():
            # `hold`: should even the retry not be written, the job stays in the table and is brought back.
            queuer.entrypoint(name, on_failure="hold", accepts_context=False)(_guarded(name, run))
        for name, tidy in (*self._tidying.items(), ("queue.tidy", self._tidy_log)):
            queuer.schedule(name, "*/10 * * * *", accepts_context=False)(_scheduled(name, tidy))
        return queuer

    async def _bring_back_failed(self) -> None:
        while True:
            with suppress(*DATABASE_TROUBLE):
                await self._db.execute(
                    f"""
                    update {SETTINGS.queue_table}
                    set status = 'queued', execute_after = now(), updated = now(), queue_manager_id = null
                    where status = 'failed'
                    """  # noqa: S608
                )
            await asyncio.sleep(FAILED_JOBS_AGAIN_EVERY)

    async def _tidy_log(self) -> None:
        await self._db.execute(
            f"delete from {SETTINGS.queue_table_log} where created < now() - interval '{KEEP_JOB_LOG}'"  # noqa: S608
        )


def _guarded(name: str, run: Run) -> Callable[[Job], Awaitable[None]]:
    async def execute(job: Job) -> None:
        subject = (job.payload or b"").decode()
        try:
            await run(subject)
        except HandBack as back:
            raise RetryRequested(timedelta(seconds=back.pause), "handed back") from None
        except asyncio.CancelledError:
            # PgQueuer would strike a cancelled job off; a job that was broken off goes back instead.
            raise RetryRequested(reason="broken off") from None
        except Exception as error:
            pause = min(60.0, 2.0 ** min(job.attempts, 6))
            log.exception("a job failed and is tried again", job=name, subject=subject, pause=pause)
            raise RetryRequested(timedelta(seconds=pause), type(error).__name__) from error

    return execute


def _scheduled(name: str, tidy: Tidy) -> Callable[[Schedule], Awaitable[None]]:
    async def execute(_: Schedule) -> None:
        log.debug("tidying", task=name)
        await tidy()

    return execute
