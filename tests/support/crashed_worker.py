"""The state that a killed worker leaves behind, for tests that don't kill one: a job or message that stays taken."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from uuid import uuid4

from support.in_process import Service

from signoff.platform.db import Database
from signoff.platform.jobs.queue import PGQUEUER_SETTINGS
from signoff.platform.outbox.sender import Channel, OutboxSender
from signoff.platform.settings import Settings


@asynccontextmanager
async def crashed_worker(service: Service, job: str, subject: str) -> AsyncIterator[Database]:
    """A worker that has taken this job and does nothing more. The test does everything else it did."""
    db = await Database.connect(service.dsn(), size=2)
    try:
        await take_job(db, job, subject)
        yield db
    finally:
        await db.close()


async def take_job(db: Database, job: str, subject: str) -> None:
    """Takes the job now and never continues."""
    taken = await db.fetch(
        f"""
        update {PGQUEUER_SETTINGS.queue_table}
        set status = 'picked', queue_manager_id = $3, heartbeat = now(), updated = now()
        where entrypoint = $1 and payload = convert_to($2, 'UTF8') returning id
        """,  # noqa: S608
        job,
        subject,
        uuid4(),
    )
    assert len(taken) == 1


async def die_while_sending(db: Database, settings: Settings, channel: Channel, reached: Awaitable[object]) -> None:
    """A worker that claims the messages that are due, and is gone as soon as `reached`. It records nothing."""
    sender = OutboxSender(db, settings, [channel])
    await sender.start_due(lambda: None)
    await asyncio.wait_for(reached, 60)
    attempts = list(sender.attempts)
    for attempt in attempts:
        attempt.cancel()
    await asyncio.wait(attempts)
    assert all(attempt.cancelled() for attempt in attempts)
