"""What a worker leaves behind that was killed, for tests that do not kill one: a job in hands that never move again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from support.in_process import Service

from signoff.platform.db import Database
from signoff.platform.jobs.queue import PGQUEUER_SETTINGS


@asynccontextmanager
async def crashed_worker(service: Service, job: str, subject: str) -> AsyncIterator[Database]:
    """It has taken that job and does nothing more. What else it did before its end, the test does."""
    db = await Database.connect(service.dsn(), size=2)
    try:
        await take_job(db, job, subject)
        yield db
    finally:
        await db.close()


async def take_job(db: Database, job: str, subject: str) -> None:
    """Just now, and never to be heard of again."""
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
