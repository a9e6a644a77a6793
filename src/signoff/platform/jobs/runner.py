"""The job runner: runs jobs from the queue and loses none. A job only leaves the queue after it has run.

Every job must be safe to run twice: another worker runs it again if its worker dies, and it's retried if it fails.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from signoff.platform.db import DATABASE_ERRORS, Database, DatabaseUnavailable
from signoff.platform.jobs.queue import Job, Room, claim_jobs, finish_jobs, renew_claims, retry_job
from signoff.platform.logs import Throttle, get_logger
from signoff.platform.settings import Settings

log = get_logger("worker")
end_lost = Throttle(log, "job result not saved; it will run again")
job_lost = Throttle(log, "job failed: database unreachable; retrying")

Run = Callable[[str], Awaitable[None]]
"""Takes the job's subject."""

MAX_BATCH = 250
MAX_PAUSE = 60.0


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
        self.batch_size = max(1, min(MAX_BATCH, concurrency // 2))
        self.running = 0
        self._concurrency = concurrency

    @property
    def has_room(self) -> bool:
        """Whether a whole batch fits: small batches cost more."""
        return self.running <= self._concurrency - self.batch_size


@dataclass(slots=True, eq=False)
class _Running:
    job: Job
    task: "asyncio.Task[None] | None" = None


class JobRunner:
    def __init__(self, db: Database, settings: Settings, groups: Sequence[JobGroup]) -> None:
        self._db = db
        self._lost_after = settings.worker_lost_after
        self._groups = groups
        self._running: dict[int, _Running] = {}
        self._claiming = asyncio.Lock()
        self._is_stopping = False
        self._notice: Callable[[], None] = lambda: None

    async def start_due(self, notice: Callable[[], None]) -> float | None:
        """Start the jobs that are due and fit. Returns the seconds until the next one is due, if any.

        `notice` is called when there may be more to start.
        """
        self._notice = notice
        async with self._claiming:
            return None if self._is_stopping else await self._start_batch()

    async def _start_batch(self) -> float | None:
        free = {number: group.batch_size for number, group in enumerate(self._groups) if group.has_room}
        rooms = [Room(number, name, count) for number, count in free.items() for name in self._groups[number].jobs]
        if not rooms:
            return None
        batch = await claim_jobs(self._db, rooms, lost_after=self._lost_after)
        for job in batch.jobs:
            free[job.group_number] -= 1
            if (running := self._running.get(job.job_id)) is not None:
                running.job = job  # this worker was too busy to renew its claim in time
                continue
            self._groups[job.group_number].running += 1
            self._running[job.job_id] = running = _Running(job)
            running.task = asyncio.create_task(self._run(running))
        return 0.0 if 0 in free.values() else batch.next_due

    async def run(self, stop: asyncio.Event) -> None:
        """Keep the claims of jobs that take long. After `stop`, wait for running jobs to finish."""
        renewing = asyncio.create_task(self._renew_claims())
        try:
            await stop.wait()
            self._is_stopping = True
            async with self._claiming:  # nothing starts from here on
                pass
            while self._running:
                await asyncio.wait([each.task for each in self._running.values() if each.task is not None])
        finally:
            renewing.cancel()

    async def _run(self, running: _Running) -> None:
        """Run a job and remove it from the queue, or retry it later. If even that fails, it runs again once this
        worker's claim expires.
        """
        job = running.job
        group = self._groups[job.group_number]
        try:
            try:
                await group.jobs[job.name](job.subject)
                await self._db.batched(_delete_done, running)
            except RetryLater as later:
                await self._retry(running, later.pause, has_failed=False)
            except asyncio.CancelledError:
                await asyncio.shield(self._retry(running, 0, has_failed=False))
                raise
            except Exception as error:
                pause = min(MAX_PAUSE, 2.0 ** min(job.failure_count, 6))
                if isinstance(error, DatabaseUnavailable):
                    job_lost(job=job.name, error=str(error))
                else:
                    log.exception("job failed; retrying", job=job.name, subject=job.subject, pause=pause)
                await self._retry(running, pause, has_failed=True)
        except DATABASE_ERRORS as error:
            end_lost(job=job.name, error=str(error))
        finally:
            was_full = not group.has_room
            del self._running[job.job_id]
            group.running -= 1
            if was_full and group.has_room:
                self._notice()

    async def _retry(self, running: _Running, pause: float, *, has_failed: bool) -> None:
        await retry_job(self._db, running.job, pause, has_failed=has_failed)
        self._notice()  # it may be due before the next poll

    async def _renew_claims(self) -> None:
        while True:
            await asyncio.sleep(self._lost_after / 4)
            try:
                if self._running:
                    jobs = [running.job for running in self._running.values()]
                    await renew_claims(self._db, jobs, lost_after=self._lost_after)
            except DATABASE_ERRORS as error:
                log.error("couldn't renew claims", error=str(error))


async def _delete_done(db: Database, done: Sequence[_Running]) -> Sequence[None]:
    await finish_jobs(db, [running.job for running in done])
    return [None] * len(done)
