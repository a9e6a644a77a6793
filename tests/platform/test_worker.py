"""The loop that runs jobs."""

import asyncio
from datetime import UTC, datetime

from signoff.platform.db import Database
from signoff.platform.queue import enqueue
from signoff.platform.settings import load_settings
from signoff.platform.worker import HandBack, Worker


async def test_runs_a_job_again_when_it_is_due(empty_db: Database) -> None:
    """Not only at its next look, which here never comes."""
    runs, done, stop = 0, asyncio.Event(), asyncio.Event()

    async def run(subject: str, _: int) -> bool:
        nonlocal runs
        runs += 1
        if runs == 3:
            done.set()
            return False
        raise HandBack(0.05)

    rows = "select 'subject', $1::timestamptz"
    await empty_db.execute(enqueue("job", rows), datetime.now(UTC))
    worker = Worker(empty_db, load_settings(poll_interval=60), {"job": run}, places=4)
    running = asyncio.create_task(worker.run(stop))
    async with asyncio.timeout(30):
        await done.wait()
        stop.set()
        await running
    assert await empty_db.fetchval("select count(*) from pgqueuer") == 0
