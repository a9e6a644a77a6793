"""A feed whose database fails during a read still sends what it has read."""

import asyncio
from typing import Any

import asyncpg
import pytest

from signoff.inbox import account_feed as feed_module
from signoff.inbox.account_feed import Feeds, FeedUpdate
from signoff.platform.db import Database
from signoff.platform.ids import new_id
from signoff.platform.pubsub import PubSub, account_topic, publish

WITHIN = 30.0


async def write(db: Database, account_id: str, object_id: str) -> None:
    await db.execute(
        "insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id)"
        " values ($1, 'system', 'system', 'system', 'agent.changed', $2)",
        account_id,
        object_id,
    )


async def next_change(queue: "asyncio.Queue[FeedUpdate | None]", object_id: str) -> FeedUpdate:
    async with asyncio.timeout(WITHIN):
        while True:
            news = await queue.get()
            assert news is not None
            if any(object_id.encode() in message.text for message in news.messages):
                return news


@pytest.mark.parametrize("step", ["build_messages", "list_present"])
async def test_an_entry_is_sent_although_a_later_step_failed(
    empty_db: Database, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    account_id = new_id("acc")
    await empty_db.execute(
        "insert into accounts (account_id, name, audit_webhook_secret) values ($1, 'A', 's')", account_id
    )
    live = PubSub(empty_db)
    async with Feeds(empty_db, live).subscribe(account_id) as (feed, line):
        before = feed.position
        works, failed = getattr(feed_module, step), asyncio.Event()

        async def fails_once(*args: Any) -> Any:
            if not failed.is_set():
                failed.set()
                raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")
            return await works(*args)

        monkeypatch.setattr(feed_module, step, fails_once)
        await write(empty_db, account_id, "agt_first")
        publish(empty_db, account_topic(account_id))
        async with asyncio.timeout(WITHIN):
            await failed.wait()
        assert feed.position == before, "a browser that comes back now must not skip the entry"
        await write(empty_db, account_id, "agt_second")
        news = await next_change(line.queue, "agt_first")
        assert news.before == before
        await assert_change(news, line.queue, "agt_second")


async def assert_change(news: FeedUpdate, queue: "asyncio.Queue[FeedUpdate | None]", object_id: str) -> None:
    """One read may return both entries."""
    if not any(object_id.encode() in message.text for message in news.messages):
        await next_change(queue, object_id)
