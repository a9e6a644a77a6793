"""The table of jobs, and every statement that changes one.

A job is only a name and the identifier of its subject; it reads its data when it runs. It's inserted by the same
statement that writes the state it follows from, so everything committed gets done.

`due_at` is when a worker has to look at the job next: to run it or, while it runs, because the worker may have died.
`claimed_at` is the fencing token: only the holder of exactly that claim can retry or remove the job.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, LiteralString

from signoff.platform.db import Database, Executor, Row
from signoff.platform.sql import Fragment, Rows, Sql

WORK_CHANNEL: Final = "signoff_work"
"""Workers listen on it. If a notification is lost, they find the work at their next poll."""


def wake_workers(db: Executor) -> None:
    """Wake the workers up, after the commit if `db` is a transaction. Statements with `enqueue` do this themselves."""
    db.notify(WORK_CHANNEL)


def enqueue(job: LiteralString, rows: Fragment) -> Sql[Row]:
    """Enqueue `job` for each of `rows`, a query for two columns: the subject's identifier, and when it's due.

    A part of the statement that writes what the job follows from.
    """
    return insert_jobs(job, rows).then(lambda db, _: wake_workers(db))


def insert_jobs(job: LiteralString, rows: Fragment) -> Sql[Row]:
    """Like `enqueue`, for statements that often enqueue nothing. They wake the workers only if they did."""
    return Sql(
        "insert into jobs (name, subject, due_at) select {job}, subject, due_at from ({rows}) as job (subject, due_at)",
        job=f"'{job}'",
        rows=rows,
    )


_DELETE: Final = Sql("delete from jobs where subject = any(:subjects) and claimed_at is null")


async def delete_jobs(tx: Executor, subjects: Sequence[str]) -> None:
    """Delete the waiting jobs of objects that are gone. They'd find nothing to do."""
    await _DELETE.execute(tx, subjects=subjects)


@dataclass(frozen=True, slots=True)
class Room:
    """How many jobs with this name a worker can start now."""

    group_number: int
    name: str
    free: int
    """Shared by all names of the group."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job that this process alone may run."""

    job_id: int
    group_number: int
    name: str
    subject: str
    claimed_at: datetime
    failure_count: int


@dataclass(frozen=True, slots=True)
class JobBatch:
    jobs: list[Job]
    next_due: float | None
    """Seconds until the next job is due that isn't due yet."""


_ROOMS: Final = Rows("rooms", Room)

# `any(array(...))` makes the planner look up each job by its ID.
_CLAIM: Final = Sql(
    """
    with due as materialized (
        select job.job_id, room.group_number, room.free,
            row_number() over (partition by room.group_number order by job.due_at) as place
        from {rooms} as room cross join lateral (
            select job_id, due_at from jobs where name = room.name and due_at <= now()
            order by due_at limit room.free for update skip locked
        ) as job
    ), claimed as (
        update jobs set claimed_at = clock_timestamp(), due_at = now() + make_interval(secs => :lost_after)
        where job_id = any(array(select job_id from due where place <= free))
        returning job_id, name, subject, claimed_at, failure_count
    ), next as (
        select extract(epoch from min(job.due_at) - now())::float8 as due
        from {rooms} as room cross join lateral (
            select min(due_at) as due_at from jobs where name = room.name and due_at > now()
        ) as job
    )
    select next.due, job_id, group_number, name, subject, claimed_at, failure_count
    from next left join (claimed join due using (job_id)) on true
    """,
    rooms=_ROOMS,
)


async def claim_jobs(db: Database, rooms: Sequence[Room], *, lost_after: float) -> JobBatch:
    """Claim jobs that are due, the oldest first. A claim that isn't renewed within `lost_after` seconds is lost."""
    rows = await _CLAIM.fetch(db, rooms=rooms, lost_after=lost_after)
    return JobBatch([Job(*row[1:]) for row in rows if row["job_id"] is not None], rows[0]["due"])


_CLAIMS: Final = Rows("claims", Job)
_RENEW: Final = Sql(
    """
    update jobs j set due_at = now() + make_interval(secs => :lost_after)
    from {claims} c where j.job_id = c.job_id and j.claimed_at = c.claimed_at
    """,
    claims=_CLAIMS,
)
_FINISH: Final = Sql(
    "delete from jobs j using {claims} c where j.job_id = c.job_id and j.claimed_at = c.claimed_at", claims=_CLAIMS
)
_RETRY: Final = Sql(
    """
    update jobs set due_at = now() + make_interval(secs => :pause), claimed_at = null,
        failure_count = case when :has_failed then failure_count + 1 else failure_count end
    where job_id = :job_id and claimed_at = :claimed_at
    """
)


async def renew_claims(db: Database, jobs: Sequence[Job], *, lost_after: float) -> None:
    await _RENEW.execute(db, claims=jobs, lost_after=lost_after)


async def finish_jobs(db: Database, jobs: Sequence[Job]) -> None:
    """Remove jobs that are done."""
    await _FINISH.execute(db, claims=jobs)


async def retry_job(db: Database, job: Job, pause: float, *, has_failed: bool) -> None:
    await _RETRY.execute(db, job_id=job.job_id, claimed_at=job.claimed_at, pause=pause, has_failed=has_failed)
