"""Jobs and the worker's loop. Its next poll, after `poll_interval`, never comes here: everything happens without it."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from signoff.platform.db import Database, DatabaseUnavailable
from signoff.platform.jobs import runner, work_loop
from signoff.platform.jobs.queue import (
    Job,
    JobBatch,
    Room,
    claim_jobs,
    finish_jobs,
    renew_claims,
    retry_job,
    wake_workers,
)
from signoff.platform.jobs.runner import JobGroup, JobRunner, RetryLater, Run
from signoff.platform.jobs.work_loop import WorkLoop
from signoff.platform.logs import Throttle
from signoff.platform.settings import load_settings
from signoff.platform.sql import Sql

LOST_AFTER = 20.0
SETTINGS = load_settings(poll_interval=60, worker_lost_after=LOST_AFTER)
ADD = Sql(
    """
    insert into jobs (name, subject, due_at) select :name, unnest(:subjects::text[]), :due_at::timestamptz
    """
).then(lambda db, _: wake_workers(db))
ROOM = Room(0, "job", 100)


@asynccontextmanager
async def working(db: Database, *groups: JobGroup) -> AsyncGenerator[None]:
    stop = asyncio.Event()
    jobs = JobRunner(db, SETTINGS, groups)
    async with asyncio.timeout(30), asyncio.TaskGroup() as running:
        running.create_task(WorkLoop(db, SETTINGS, [jobs]).run(stop))
        running.create_task(jobs.run(stop))
        yield
        stop.set()


def group_of(jobs: Mapping[str, Run], concurrency: int = 4) -> JobGroup:
    return JobGroup(jobs, concurrency=concurrency)


async def add(db: Database, job: str, *subjects: str, due: datetime | None = None) -> None:
    await ADD.execute(db, name=job, subjects=subjects, due_at=due or datetime.now(UTC))


async def claim(db: Database, lost_after: float = LOST_AFTER) -> list[Job]:
    return (await claim_jobs(db, [ROOM], lost_after=lost_after)).jobs


async def jobs_left(db: Database) -> int:
    return await db.fetchval("select count(*) from jobs")


async def test_runs_a_job_again_when_it_is_due(empty_db: Database) -> None:
    runs, done = 0, asyncio.Event()

    async def run(subject: str) -> None:
        nonlocal runs
        runs += 1
        if runs == 3:
            done.set()
            return
        raise RetryLater(0.05)

    await add(empty_db, "job", "subject")
    async with working(empty_db, group_of({"job": run})):
        await done.wait()
    assert await jobs_left(empty_db) == 0


async def test_runs_a_job_when_it_is_due(empty_db: Database) -> None:
    due, ran = datetime.now(UTC) + timedelta(seconds=0.5), asyncio.Future[datetime]()

    async def run(subject: str) -> None:
        ran.set_result(datetime.now(UTC))

    await add(empty_db, "job", "subject", due=due)
    async with working(empty_db, group_of({"job": run})):
        assert await ran >= due
    assert await jobs_left(empty_db) == 0


async def test_runs_a_job_that_was_just_enqueued(empty_db: Database) -> None:
    """The statement that enqueues it wakes the worker."""
    done = asyncio.Event()

    async def run(subject: str) -> None:
        done.set()

    async with working(empty_db, group_of({"job": run})):
        await asyncio.sleep(0)
        await add(empty_db, "job", "subject")
        await done.wait()
    assert await jobs_left(empty_db) == 0


async def test_failed_job_is_retried_and_counted(empty_db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = asyncio.Event()

    async def run(subject: str) -> None:
        failed.set()
        raise RuntimeError("not today")

    await add(empty_db, "job", "subject")
    with structlog.testing.capture_logs() as lines:
        monkeypatch.setattr(runner, "log", structlog.get_logger())
        async with working(empty_db, group_of({"job": run})):
            await failed.wait()
    assert [(line["event"], line["subject"]) for line in lines] == [("job failed; retrying", "subject")]
    row = await empty_db.fetchrow("select claimed_at, failure_count, due_at > now() as is_later from jobs")
    assert row is not None
    assert tuple(row) == (None, 1, True)


async def test_full_group_does_not_delay_others(empty_db: Database) -> None:
    quick, release, done = asyncio.Event(), asyncio.Event(), asyncio.Event()
    slow = list[str]()

    async def run_slow(subject: str) -> None:
        slow.append(subject)
        if len(slow) == 20:
            done.set()
        await release.wait()

    async def run_quick(subject: str) -> None:
        quick.set()

    await add(empty_db, "slow", *map(str, range(20)))
    await add(empty_db, "quick", "subject")
    async with working(empty_db, group_of({"slow": run_slow}), group_of({"quick": run_quick})):
        await quick.wait()
        assert len(slow) <= 4
        release.set()
        await done.wait()
    assert await jobs_left(empty_db) == 0


async def test_runs_no_more_at_once_than_allowed(empty_db: Database) -> None:
    """It starts the others as soon as there is capacity."""
    at_once, most, ended, done = 0, 0, 0, asyncio.Event()

    async def run(subject: str) -> None:
        nonlocal at_once, most, ended
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.01)
        at_once -= 1
        ended += 1
        if ended == 40:
            done.set()

    await add(empty_db, "one", *map(str, range(20)))
    await add(empty_db, "other", *map(str, range(20)))
    async with working(empty_db, group_of({"one": run, "other": run}, concurrency=5)):
        await done.wait()
    assert most <= 5
    assert await jobs_left(empty_db) == 0


async def test_takes_over_from_a_lost_worker(empty_db: Database) -> None:
    runs = list[str]()
    done = asyncio.Event()

    async def run(subject: str) -> None:
        runs.append(subject)
        done.set()

    await add(empty_db, "job", "lost")
    await claim(empty_db, lost_after=0)
    await add(empty_db, "job", "alive")
    await claim_jobs(empty_db, [Room(0, "job", 100)], lost_after=LOST_AFTER)
    await empty_db.execute("update jobs set due_at = now() where subject = 'lost'")
    async with working(empty_db, group_of({"job": run})):
        await done.wait()
    assert runs == ["lost"]
    assert await jobs_left(empty_db) == 1


async def test_stopping_waits_for_running_jobs(empty_db: Database) -> None:
    started, release = asyncio.Event(), asyncio.Event()

    async def run(subject: str) -> None:
        started.set()
        await release.wait()

    await add(empty_db, "job", "subject")
    stop, jobs = asyncio.Event(), JobRunner(empty_db, SETTINGS, [group_of({"job": run})])
    await jobs.start_due(lambda: None)
    await started.wait()
    running = asyncio.create_task(jobs.run(stop))
    stop.set()
    await add(empty_db, "job", "another")
    while await jobs.start_due(lambda: None) is not None:
        pass
    assert not running.done()
    release.set()
    await running
    assert [row["subject"] for row in await empty_db.fetch("select subject from jobs")] == ["another"]


async def test_canceled_job_is_run_again_at_once(empty_db: Database) -> None:
    started = asyncio.get_running_loop().create_future()

    async def run(subject: str) -> None:
        started.set_result(asyncio.current_task())
        await asyncio.Event().wait()

    await add(empty_db, "job", "subject")
    jobs = JobRunner(empty_db, SETTINGS, [group_of({"job": run})])
    await jobs.start_due(lambda: None)
    task = await started
    task.cancel()
    await asyncio.wait([task])
    assert [(job.subject, job.failure_count) for job in await claim(empty_db)] == [("subject", 0)]


class TestClaims:
    async def test_two_workers_never_get_the_same(self, empty_db: Database) -> None:
        await add(empty_db, "job", *map(str, range(200)))
        claimed = await asyncio.gather(
            *(claim_jobs(empty_db, [Room(0, "job", 20)], lost_after=LOST_AFTER) for _ in range(20))
        )
        counts = Counter(job.subject for batch in claimed for job in batch.jobs)
        assert counts
        assert set(counts.values()) == {1}

    async def test_lost_claim_changes_nothing(self, empty_db: Database) -> None:
        await add(empty_db, "job", "subject")
        [lost] = await claim(empty_db, lost_after=0)
        [valid] = await claim(empty_db)
        before = await empty_db.fetchrow("select * from jobs")
        await renew_claims(empty_db, [lost], lost_after=100)
        await retry_job(empty_db, lost, 0, has_failed=True)
        await finish_jobs(empty_db, [lost])
        assert await empty_db.fetchrow("select * from jobs") == before
        await renew_claims(empty_db, [valid], lost_after=100)
        await finish_jobs(empty_db, [valid])
        assert await jobs_left(empty_db) == 0

    async def test_groups_share_their_room(self, empty_db: Database) -> None:
        for name in ("one", "other", "third"):
            await add(empty_db, name, *map(str, range(10)))
        rooms = [Room(0, "one", 6), Room(0, "other", 6), Room(1, "third", 2)]
        batch = await claim_jobs(empty_db, rooms, lost_after=LOST_AFTER)
        assert Counter(job.group_number for job in batch.jobs) == {0: 6, 1: 2}

    async def test_next_due(self, empty_db: Database) -> None:
        assert await claim_jobs(empty_db, [ROOM], lost_after=1) == JobBatch([], None)
        await add(empty_db, "job", "later", due=datetime.now(UTC) + timedelta(seconds=30))
        await add(empty_db, "unknown", "later", due=datetime.now(UTC) + timedelta(seconds=10))
        batch = await claim_jobs(empty_db, [ROOM], lost_after=1)
        assert batch.jobs == []
        assert batch.next_due is not None
        assert 10 < batch.next_due <= 30

    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(subjects=st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))))
    async def test_subjects_are_never_mixed(self, empty_db: Database, subjects: list[str]) -> None:
        await empty_db.execute("truncate jobs")
        await add(empty_db, "job", *subjects)
        claimed = (await claim_jobs(empty_db, [Room(0, "job", 1000)], lost_after=LOST_AFTER)).jobs
        assert Counter(job.subject for job in claimed) == Counter(subjects)
        half = claimed[::2]
        await finish_jobs(empty_db, half)
        left = [row["subject"] for row in await empty_db.fetch("select subject from jobs")]
        assert Counter(left) == Counter(job.subject for job in claimed[1::2])


async def test_cleanup_while_the_database_restarts(empty_db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line and no stack trace, and the other cleanups still run."""
    done = asyncio.Event()

    async def fail() -> None:
        raise DatabaseUnavailable("not yet accepting connections")

    async def clean_up() -> None:
        done.set()

    stop = asyncio.Event()
    with structlog.testing.capture_logs() as lines:
        monkeypatch.setattr(work_loop, "log", structlog.get_logger())
        monkeypatch.setattr(work_loop, "database_lost", Throttle(structlog.get_logger(), "database unreachable"))
        running = asyncio.create_task(WorkLoop(empty_db, SETTINGS, [], [fail, clean_up]).run(stop))
        async with asyncio.timeout(30):
            await done.wait()
            stop.set()
            await running
    assert [(line["event"], line["log_level"]) for line in lines] == [("database unreachable", "error")]
