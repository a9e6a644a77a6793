"""Track which workers are alive: each writes a heartbeat to the database, for `/readyz` and `signoff doctor`.

The supervisor of `signoff serve` has its own mechanism (`heartbeat.py`), which works without the database.
"""

import asyncio
import os
import socket
from contextlib import suppress

from signoff.platform.db import DATABASE_ERRORS, Database, Executor
from signoff.platform.ids import new_id


class WorkerHeartbeats:
    def __init__(self, db: Database, lost_after: float) -> None:
        self._db = db
        self._beat_every = lost_after / 4
        self._worker_id = new_id("wrk")

    async def run(self) -> None:
        """Write heartbeats until the worker exits. Workers without a heartbeat for ten minutes are deleted."""
        while True:
            with suppress(*DATABASE_ERRORS):  # The job runner already logs that the database is unreachable.
                await self._db.execute(
                    """
                    with forgotten as (
                        delete from worker_heartbeats
                        where seen_at < now() - interval '10 minutes' and worker_id <> $1
                    )
                    insert into worker_heartbeats (worker_id, host, pid) values ($1, $2, $3)
                    on conflict (worker_id) do update set seen_at = now()
                    """,
                    self._worker_id,
                    socket.gethostname(),
                    os.getpid(),
                )
            await asyncio.sleep(self._beat_every)

    async def end(self) -> None:
        with suppress(*DATABASE_ERRORS):
            await self._db.execute("delete from worker_heartbeats where worker_id = $1", self._worker_id)


async def is_any_worker_alive(db: Executor, lost_after: float) -> bool:
    return bool(
        await db.fetchval(
            "select exists (select from worker_heartbeats where seen_at > now() - make_interval(secs => $1))",
            lost_after,
        )
    )
