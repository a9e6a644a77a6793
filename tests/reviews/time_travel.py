"""For tests of time-based steps: instead of waiting, they move the due time into the past and create the job."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
from support.in_process import Service

OVERDUE, REMIND_AGENT = "reviews.overdue", "reviews.remind_agent"


async def make_due(db: asyncpg.Connection, review_id: str, ago: str = "1 second") -> None:
    """As if the review had been due for `ago`."""
    row = await db.fetchrow(
        "update reviews set due_at = now() - $2::text::interval where review_id = $1 and due_at is not null "
        "returning account_id",
        review_id,
        ago,
    )
    assert row is not None, "no time limit runs"
    await enqueue(db, OVERDUE, row["account_id"], review_id)


async def make_reminder_due(db: asyncpg.Connection, review_id: str) -> None:
    row = await db.fetchrow(
        "update review_revisions set retry_remind_at = now() where review_id = $1 and retry_remind_at is not null "
        "returning account_id",
        review_id,
    )
    assert row is not None, "no reminder is planned"
    await enqueue(db, REMIND_AGENT, row["account_id"], review_id)


async def enqueue(db: asyncpg.Connection, job: str, account_id: str, review_id: str) -> None:
    await db.execute(
        "insert into jobs (name, subject, due_at) values ($1, $2, now())",
        job,
        f"{account_id}/{review_id}",
    )


async def jobs_done(db: asyncpg.Connection, review_id: str) -> None:
    """Waits until no job about the review is due."""

    async def due() -> int:
        return await db.fetchval(
            "select count(*) from jobs where subject like '%/' || $1 and (claimed_at is not null or due_at <= now())",
            review_id,
        )

    await eventually(due, lambda count: count == 0)


async def eventually(read: Callable[[], Awaitable[Any]], holds: Callable[[Any], Any]) -> Any:
    """The result of `read`, once it's as expected."""
    async with asyncio.timeout(20):
        while True:
            result = await read()
            if holds(result):
                return result
            await asyncio.sleep(0.02)


async def is_waited_for(service: Service, review_id: str) -> None:
    """Waits until a call has read the review and polls it."""
    subscriptions = service.app.state.context.pubsub._subscriptions

    async def waiting() -> bool:
        return any(subscription._heard._waiters for subscription in subscriptions.get(review_id, ()))

    await eventually(waiting, bool)
