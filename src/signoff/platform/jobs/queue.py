"""The job queue: PgQueuer's tables, filled by the caller's own statement, with a wake-up of our own.

A job is only a name and an identifier; it reads its data when it runs. It's inserted by the same statement that writes
the state it follows from, so everything committed gets done.

PgQueuer's own trigger would `NOTIFY` in each of those transactions; `platform/pg_notify.py` explains why we notify
after the commit. If that notification is lost, a worker finds the job anyway at its next poll (after `poll_interval`).
"""

from collections.abc import Sequence
from typing import Any, LiteralString

from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment, QueryQueueBuilder
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.domain.settings import DBSettings, Durability
from pgqueuer.domain.types import Channel

from signoff.platform.db import Executor, Row
from signoff.platform.sql import Fragment, Sql

# Every name is given explicitly: otherwise PgQueuer would read it from environment variables such as CHANNEL.
PGQUEUER_SETTINGS = DBSettings(
    prefix="",
    db_schema=None,
    channel=Channel("ch_pgqueuer"),
    function="fn_pgqueuer_changed",
    statistics_table="pgqueuer_statistics",
    queue_status_type="pgqueuer_status",
    queue_table="pgqueuer",
    queue_table_log="pgqueuer_log",
    trigger="tg_pgqueuer_changed",
    schedules_table="pgqueuer_schedules",
    durability=Durability.balanced,
)


def wake_workers(db: Executor) -> None:
    """Wake the workers up, after the commit if `db` is a transaction. Statements with `enqueue` do this themselves."""
    db.notify(PGQUEUER_SETTINGS.channel)


def enqueue(job: LiteralString, rows: Fragment) -> Sql[Row]:
    """Enqueue `job` for each of `rows`, a query for two columns: the subject's identifier, and when it's due.

    A part of the statement that writes what the job follows from.
    """
    return enqueue_jobs(
        Sql("select {job}, subject, due from ({rows}) as job (subject, due)", job=f"'{job}'", rows=rows)
    )


def enqueue_jobs(rows: Fragment) -> Sql[Row]:
    """Enqueue `rows`, a query for three columns: the job, the subject's identifier, and when it's due."""
    return Sql(
        """
        insert into pgqueuer (priority, entrypoint, payload, execute_after, status)
        select 0, job, convert_to(subject, 'UTF8'), due, 'queued' from ({rows}) as job (job, subject, due)
        """,
        rows=rows,
    ).then(lambda db, _: wake_workers(db))


def enqueue_sql(job: LiteralString, rows: LiteralString) -> LiteralString:
    """`enqueue` as text, for statements with parameters by position. They wake the workers with `wake_workers`."""
    return f"""insert into pgqueuer (priority, entrypoint, payload, execute_after, status)
        select 0, '{job}', convert_to(subject, 'UTF8'), due, 'queued' from ({rows}) as job (subject, due)"""  # noqa: S608


async def delete_jobs(tx: Executor, subjects: Sequence[str]) -> None:
    """Delete the waiting jobs of objects that are gone. They'd find nothing to do."""
    await tx.execute(
        "delete from pgqueuer where status = 'queued' and convert_from(payload, 'UTF8') = any($1)", subjects
    )


async def install_queue(connection: Any) -> None:
    queries = Queries(
        AsyncpgDriver(connection),
        qbe=QueryBuilderEnvironment(PGQUEUER_SETTINGS),
        qbq=QueryQueueBuilder(PGQUEUER_SETTINGS),
    )
    if await queries.schema_is_installed():
        await queries.upgrade()
    else:
        await queries.install()
    await connection.execute(f"drop trigger if exists {PGQUEUER_SETTINGS.trigger} on {PGQUEUER_SETTINGS.queue_table}")
