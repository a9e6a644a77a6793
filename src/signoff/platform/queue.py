"""The queue: PgQueuer's tables, filled inside the caller's own statement, with a wake-up of ours.

A job is a name and an identifier, nothing else: what it is about is read when it runs. A job is inserted by the very
statement that writes the state it follows from, so nothing committed is ever not done.

PgQueuer's own trigger would `NOTIFY` in each of those transactions, and PostgreSQL lets only one notifying
transaction commit at a time. Instead the process sends one notification for all it committed in a few milliseconds;
should it die in between, a worker's next look at the queue (a second later at most) finds the job all the same.
"""

import asyncio
from datetime import timedelta
from typing import Any

import asyncpg
import orjson
from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment, QueryQueueBuilder
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.domain.settings import DBSettings, Durability
from pgqueuer.domain.types import Channel

from signoff.platform.clock import iso, now
from signoff.platform.db import Database
from signoff.platform.logs import get_logger

log = get_logger("queue")

# Named here one by one: left out, PgQueuer would take them from variables like CHANNEL in the environment.
SETTINGS = DBSettings(
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
LOOK_AGAIN = timedelta(seconds=1)
PAUSE_BETWEEN_WAKES = 0.005


def enqueue(job: str, rows: str) -> str:
    """SQL that enqueues `job` for each of `rows`, a query for two columns: the subject's identifier, and when due."""
    return f"""insert into {SETTINGS.queue_table} (priority, entrypoint, payload, execute_after, status)
        select 0, '{job}', convert_to(subject, 'UTF8'), due, 'queued' from ({rows}) as job (subject, due)"""  # noqa: S608


async def install_queue(connection: Any) -> None:
    queries = Queries(
        AsyncpgDriver(connection),
        qbe=QueryBuilderEnvironment(SETTINGS),
        qbq=QueryQueueBuilder(SETTINGS),
    )
    if await queries.schema_is_installed():
        await queries.upgrade()
    else:
        await queries.install()
    await connection.execute(f"drop trigger if exists {SETTINGS.trigger} on {SETTINGS.queue_table}")


class Wake:
    """Tells the workers that there is something to do: at once, then once for all that is committed meanwhile."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._wanted = False
        self._notifying: asyncio.Task[None] | None = None

    def __call__(self) -> None:
        self._wanted = True
        if self._notifying is None or self._notifying.done():
            self._notifying = asyncio.get_running_loop().create_task(self._notify())

    async def _notify(self) -> None:
        while self._wanted:
            self._wanted = False
            event = {
                "channel": SETTINGS.channel,
                "operation": "insert",
                "sent_at": iso(now()),
                "table": SETTINGS.queue_table,
                "type": "table_changed_event",
            }
            try:
                await self._db.execute("select pg_notify($1, $2)", SETTINGS.channel, orjson.dumps(event).decode())
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.warning("could not wake the workers; they look by themselves soon", error=str(error))
            await asyncio.sleep(PAUSE_BETWEEN_WAKES)
