"""The job runner. Its next poll, after `poll_interval`, never comes here: everything happens without it."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
import structlog

from signoff.platform.db import Database, DatabaseUnavailable
from signoff.platform.jobs import runner
from signoff.platform.jobs.queue import enqueue_sql
from signoff.platform.jobs.runner import JobGroup, JobRunner, RetryLater, Run
from signoff.platform.logs import Throttle
from signoff.platform.settings import load_settings

LOST_AFTER = 20.0


@asynccontextmanager
async def working(db: Database, *groups: JobGroup) -> AsyncGenerator[None]:
    stop = asyncio.Event()
    worker = JobRunner(db, load_settings(poll_interval=60, worker_lost_after=LOST_AFTER), groups)
    running = asyncio.create_task(worker.run(stop))
    async with asyncio.timeout(30):
        yield
        stop.set()
        await running


def group_of(jobs: Mapping[str, Run], concurrency: int = 4) -> JobGroup:
    return JobGroup(jobs, concurrency=concurrency)


async def add(db: Database, job: str, *subjects: str, due: datetime | None = None) -> None:
    rows = "select unnest($1::text[]), $2::timestamptz"
    await db.execute(enqueue_sql(job, rows), subjects, due or datetime.now(UTC))


async def jobs_left(db: Database) -> int:
    return await db.fetchval("select count(*) from pgqueuer")


async def test_runs_a_job_again_when_it_is_due(empty_db: Database) -> None:
    runs, done = 0, asyncio.Event()

    async def run(subject: str, _: int) -> bool:
        nonlocal runs
        runs += 1
        if runs == 3:
            done.set()
            return False
        raise RetryLater(0.05)

    await add(empty_db, "job", "subject")
    async with working(empty_db, group_of({"job": run})):
        await done.wait()
    assert await jobs_left(empty_db) == 0


async def test_runs_a_job_when_it_is_due(empty_db: Database) -> None:
    due, ran = datetime.now(UTC) + timedelta(seconds=0.5), asyncio.Future[datetime]()

    async def run(subject: str, _: int) -> bool:
        ran.set_result(datetime.now(UTC))
        return False

    await add(empty_db, "job", "subject", due=due)
    async with working(empty_db, group_of({"job": run})):
        assert await ran >= due
    assert await jobs_left(empty_db) == 0


async def test_full_group_does_not_delay_others(empty_db: Database) -> None:
    quick, release, done = asyncio.Event(), asyncio.Event(), asyncio.Event()
    slow = list[str]()

    async def run_slow(subject: str, _: int) -> bool:
        slow.append(subject)
        if len(slow) == 20:
            done.set()
        await release.wait()
        return False

    async def run_quick(subject: str, _: int) -> bool:
        quick.set()
        return False

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

    async def run(subject: str, _: int) -> bool:
        nonlocal at_once, most, ended
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.01)
        at_once -= 1
        ended += 1
        if ended == 40:
            done.set()
        return False

    await add(empty_db, "one", *map(str, range(20)))
    await add(empty_db, "other", *map(str, range(20)))
    async with working(empty_db, group_of({"one": run, "other": run}, concurrency=5)):
        await done.wait()
    assert most <= 5
    assert await jobs_left(empty_db) == 0


async def test_takes_over_from_a_lost_worker(empty_db: Database) -> None:
    runs = list[str]()
    done = asyncio.Event()

    async def run(subject: str, _: int) -> bool:
        runs.append(subject)
        done.set()
        return False

    await add(empty_db, "job", "lost", "alive")
    await empty_db.execute(
        """update pgqueuer set status = 'picked', queue_manager_id = gen_random_uuid(),
        heartbeat = now() - make_interval(secs => case convert_from(payload, 'UTF8') when 'lost' then $1 else 0 end)""",
        LOST_AFTER + 1,
    )
    async with working(empty_db, group_of({"job": run})):
        await done.wait()
    assert runs == ["lost"]
    assert await jobs_left(empty_db) == 1


async def test_cleanup_while_the_database_restarts(empty_db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line and no stack trace, and the other cleanups still run."""
    done = asyncio.Event()

    async def fail() -> None:
        raise DatabaseUnavailable("not yet accepting connections")

    async def clean_up() -> None:
        done.set()

    configured, stop = load_settings(worker_lost_after=LOST_AFTER), asyncio.Event()
    with structlog.testing.capture_logs() as lines:
        monkeypatch.setattr(runner, "log", structlog.get_logger())
        monkeypatch.setattr(runner, "database_lost", Throttle(structlog.get_logger(), "database unreachable"))
        running = asyncio.create_task(JobRunner(empty_db, configured, [], tidying=[fail, clean_up]).run(stop))
        async with asyncio.timeout(30):
            await done.wait()
            stop.set()
            await running
    assert [(line["event"], line["log_level"]) for line in lines] == [("database unreachable", "error")]
