"""The job runner: runs jobs until it's told to stop, survives a lost database connection, and loses no job.

It uses PgQueuer's tables and statements with a loop of our own. PgQueuer's dispatcher gives every job a heartbeat task,
a cancel scope, and a log entry, which took a fifth of a busy worker's time, and it removes a job that was cancelled.
Here a job only leaves the queue after it has run.

Every job must be safe to run twice: it's reassigned if its worker dies, and retried if it fails.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Protocol
from uuid import uuid4

from pgqueuer.adapters.drivers.asyncpg import AsyncpgPoolDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment, QueryQueueBuilder
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.domain.models import Job
from pgqueuer.domain.types import QueueEntrypoint, QueueManagerId
from pgqueuer.ports.repository import EntrypointExecutionParameter

from signoff.platform.db import DATABASE_ERRORS, Database, DatabaseUnavailable
from signoff.platform.jobs.queue import PGQUEUER_SETTINGS
from signoff.platform.logs import Throttle, get_logger
from signoff.platform.settings import Settings

log = get_logger("worker")
database_lost = Throttle(log, "database unreachable; retrying")
end_lost = Throttle(log, "job result not saved; it will run again")
job_lost = Throttle(log, "job failed: database unreachable; retrying")

Run = Callable[[str, int], Awaitable[bool]]
"""Takes the job's subject and its ID. Returns True if its own last statement already removed the job from the queue."""
Cleanup = Callable[[], Awaitable[None]]

BATCH = 250
CLEANUP_INTERVAL = 600.0
KEEP_JOB_LOG = "1 day"
MIN_BACKOFF = 0.001
MAX_BACKOFF = 60.0

POLL_INTERVAL = f"""
    select name, extract(epoch from due - now())::float8
    from unnest($1::text[]) as name, lateral (
        select min(execute_after) from {PGQUEUER_SETTINGS.queue_table} where status = 'queued' and entrypoint = name
    ) as next (due)
    where due is not null
    union all
    select distinct entrypoint, 0::float8
    from {PGQUEUER_SETTINGS.queue_table}
    where status = 'picked' and heartbeat < now() - $2::interval and entrypoint = any($1)
"""  # noqa: S608
"""Jobs that are waiting or whose worker is lost: their names, and the seconds until the first job of each name is
due.
"""


class RetryLater(Exception):
    """Raised by a job that can't run yet: it's retried after `pause` seconds and doesn't count as failed."""

    def __init__(self, pause: float) -> None:
        super().__init__(f"again in {pause:.1f} s")
        self.pause = pause


class JobGroup:
    """Jobs that share a concurrency limit. Other groups never wait behind them."""

    def __init__(self, jobs: Mapping[str, Run], *, concurrency: int) -> None:
        """`jobs` by name; at most `concurrency` of them run at once."""
        self.jobs = jobs
        self.entrypoints = {QueueEntrypoint(name): EntrypointExecutionParameter(0) for name in jobs}
        self.batch_size = max(1, min(BATCH, concurrency // 2))
        self.running = 0
        self.is_waiting = False
        """Whether jobs are waiting for room."""
        self._concurrency = concurrency

    @property
    def has_room(self) -> bool:
        """Whether a whole batch fits: small batches cost more."""
        return self.running <= self._concurrency - self.batch_size


class WorkSource(Protocol):
    """Work that isn't in the queue but is due at some time too."""

    async def start_due(self, notice: Callable[[], None]) -> float | None:
        """Start what's due and fits. Returns the seconds until more is due, if anything is. Calls `notice` whenever
        there may be more to start.
        """
        ...


class JobRunner:
    def __init__(
        self,
        db: Database,
        settings: Settings,
        groups: Sequence[JobGroup],
        *,
        sources: Sequence[WorkSource] = (),
        tidying: Sequence[Cleanup] = (),
    ) -> None:
        """Run the jobs of `groups` and the work of `sources` when they're due, and `tidying` from time to time."""
        self._db = db
        self._lost_after = timedelta(seconds=settings.worker_lost_after)
        self._poll_interval = settings.poll_interval
        self._groups = {name: group for group in groups for name in group.jobs}
        self._sources = sources
        self._cleanups = tidying
        self._me = QueueManagerId(uuid4())
        self._queue = Queries(
            AsyncpgPoolDriver(db.pool),
            qbe=QueryBuilderEnvironment(PGQUEUER_SETTINGS),
            qbq=QueryQueueBuilder(PGQUEUER_SETTINGS),
        )
        self._running: dict[int, asyncio.Task[None]] = {}
        self._something_new = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set, then wait for running jobs to finish."""
        beside = [asyncio.create_task(loop()) for loop in (self._send_heartbeats, self._clean_up)]
        try:
            while not stop.is_set():
                try:
                    await self._listen_and_work(stop)
                except DATABASE_ERRORS as error:
                    database_lost(error=str(error))
                    await _wait_for_any(stop, self._poll_interval)
            await asyncio.gather(*self._running.values())
        finally:
            for task in beside:
                task.cancel()

    async def _listen_and_work(self, stop: asyncio.Event) -> None:
        stopping = asyncio.create_task(stop.wait())
        async with self._db.own_connection() as connection:
            await connection.add_listener(PGQUEUER_SETTINGS.channel, self._notice)
            connection.add_termination_listener(self._notice)
            try:
                while not stop.is_set() and not connection.is_closed():
                    self._something_new.clear()
                    pause = await self._start_due_jobs()
                    if pause > 0:
                        await _wait_for_any(self._something_new, pause, stopping)
            finally:
                stopping.cancel()

    def _notice(self, *_: object) -> None:
        self._something_new.set()

    async def _start_due_jobs(self) -> float:
        """Start jobs that are due and fit. Return the seconds to wait before checking again."""
        pause = self._poll_interval
        due = set[JobGroup]()
        for name, seconds in await self._db.fetch(POLL_INTERVAL, list(self._groups), self._lost_after):
            if seconds > 0:
                pause = min(pause, max(seconds, MIN_BACKOFF))
            else:
                due.add(self._groups[name])
        for group in due:
            group.is_waiting = not group.has_room
            if group.has_room and await self._start_batch(group) == group.batch_size:
                pause = 0.0
        for source in self._sources:
            seconds = await source.start_due(self._notice)
            if seconds is not None:
                pause = min(pause, max(seconds, MIN_BACKOFF))
        return pause

    async def _start_batch(self, group: JobGroup) -> int:
        jobs = await self._queue.dequeue(
            batch_size=group.batch_size,
            entrypoints=group.entrypoints,
            queue_manager_id=self._me,
            global_concurrency_limit=None,
            heartbeat_timeout=self._lost_after,
        )
        for job in jobs:
            if job.id not in self._running:  # our own heartbeat may have been late
                group.running += 1
                self._running[job.id] = asyncio.create_task(self._run_job(group, job))
        return len(jobs)

    async def _run_job(self, group: JobGroup, job: Job) -> None:
        """Run a job and remove it from the queue, or requeue it. If even that fails, the job is reassigned once
        this worker's claim expires.
        """
        subject = (job.payload or b"").decode()
        try:
            try:
                if not await group.jobs[job.entrypoint](subject, job.id):
                    await self._db.batched(self._delete_finished, job)
            except RetryLater as back:
                await self._requeue(job, back.pause)
            except asyncio.CancelledError:
                await asyncio.shield(self._requeue(job, 0))
                raise
            except Exception as error:
                pause = min(MAX_BACKOFF, 2.0 ** min(job.attempts, 6))
                if isinstance(error, DatabaseUnavailable):
                    job_lost(job=job.entrypoint, error=str(error))
                else:
                    log.exception("job failed; retrying", job=job.entrypoint, subject=subject, pause=pause)
                await self._requeue(job, pause)
        except DATABASE_ERRORS as error:
            end_lost(job=job.entrypoint, error=str(error))
        finally:
            del self._running[job.id]
            group.running -= 1
            if group.is_waiting and group.has_room:
                group.is_waiting = False
                self._notice()

    async def _delete_finished(self, _: Database, jobs: Sequence[Job]) -> Sequence[None]:
        # PgQueuer's own statement logs every finished job. We don't need that: the result is in the tables the job
        # wrote.
        await self._db.execute(
            f"delete from {PGQUEUER_SETTINGS.queue_table} where id = any($1::bigint[])",  # noqa: S608
            [job.id for job in jobs],
        )
        return [None] * len(jobs)

    async def _requeue(self, job: Job, pause: float) -> None:
        await self._queue.retry_job(job, timedelta(seconds=pause), None)
        self._notice()  # it may be due before the next poll

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(self._lost_after.total_seconds() / 4)
            if self._running:
                with suppress(*DATABASE_ERRORS):
                    await self._queue.update_heartbeat(list(self._running))  # pyright: ignore[reportArgumentType]

    async def _clean_up(self) -> None:
        while True:
            for tidy in (*self._cleanups, self._clean_up_log):
                try:
                    await tidy()
                except DatabaseUnavailable as error:
                    database_lost(error=str(error))
                except Exception:
                    log.exception("cleanup failed; retrying later")
            await asyncio.sleep(CLEANUP_INTERVAL)

    async def _clean_up_log(self) -> None:
        await self._db.execute(
            f"delete from {PGQUEUER_SETTINGS.queue_table_log} where created < now() - interval '{KEEP_JOB_LOG}'"  # noqa: S608
        )


async def _wait_for_any(event: asyncio.Event, seconds: float, *tasks: asyncio.Task[object]) -> None:
    """Wait until the event is set, one of the tasks is done, or the time is over."""
    waiting = asyncio.create_task(event.wait())
    try:
        await asyncio.wait({waiting, *tasks}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
