"""The queue: PgQueuer's tables, filled inside the caller's own statement, with a wake-up of ours.

A job is a name and an identifier, nothing else: what it is about is read when it runs. A job is inserted by the very
statement that writes the state it follows from, so nothing committed is ever not done.

PgQueuer's own trigger would `NOTIFY` in each of those transactions; `platform/pg_notify.py` says why we notify after
them.
Should that word be lost, a worker's next look at the queue (after `poll_interval`) finds the job all the same.
"""

from typing import Any

from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment, QueryQueueBuilder
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.domain.settings import DBSettings, Durability
from pgqueuer.domain.types import Channel

from signoff.platform.db import Database
from signoff.platform.pg_notify import NotifyBatcher

# Named here one by one: left out, PgQueuer would take them from variables like CHANNEL in the environment.
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


def enqueue_sql(job: str, rows: str) -> str:
    """SQL that enqueues `job` for each of `rows`, a query for two columns: the subject's identifier, and when due."""
    return f"""insert into {PGQUEUER_SETTINGS.queue_table} (priority, entrypoint, payload, execute_after, status)
        select 0, '{job}', convert_to(subject, 'UTF8'), due, 'queued' from ({rows}) as job (subject, due)"""  # noqa: S608


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


class WorkerWakeup:
    """Tells the workers that there is something to do."""

    def __init__(self, db: Database) -> None:
        self._notifier = NotifyBatcher(db, PGQUEUER_SETTINGS.channel)

    def __call__(self) -> None:
        self._notifier.notify()
