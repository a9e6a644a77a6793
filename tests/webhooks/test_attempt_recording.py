"""An attempt with a response is recorded, whatever prevents the record from being written at first."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest
from multidict import CIMultiDict, CIMultiDictProxy
from support.outbox import claimed_message

from signoff.platform.db import Database
from signoff.platform.guarded_http import HttpResponse
from signoff.platform.ids import new_id
from signoff.platform.outbox.messages import LOST_ATTEMPT, Room, claim_messages
from signoff.platform.outbox.sender import RECORDED_LATE, OutboxSender
from signoff.platform.settings import load_settings
from signoff.webhooks import channel
from signoff.webhooks.channel import WebhookChannel, read_claimed
from signoff.webhooks.events import WEBHOOK_CHANNEL, Destination, WebhookEvent, emit_event
from signoff.webhooks.queries import get_delivery
from signoff.webhooks.tool_results import NOT_STORED, ToolResult

ACCOUNT, AGENT = "acc_recording", "agt_recording"


class Tool:
    """Replaces the network: counts the calls, and responds to each after `hold` is set."""

    def __init__(self) -> None:
        self.calls = 0
        self.called = asyncio.Event()
        self.hold = asyncio.Event()
        self.hold.set()
        self.answer = HttpResponse(200, "OK", CIMultiDictProxy(CIMultiDict[str]()), b'{"done": true}', truncated=False)

    async def post(self, *_: Any, **__: Any) -> HttpResponse:
        self.calls += 1
        self.called.set()
        await self.hold.wait()
        return self.answer


@pytest.fixture(scope="module")
async def seeded(empty_databases: Any) -> AsyncGenerator[Database]:
    db = await Database.connect(await empty_databases(), size=4)
    await db.execute("insert into accounts (account_id, name, audit_webhook_secret) values ($1, 'A', 's')", ACCOUNT)
    secret = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    await db.execute(
        "insert into agents (agent_id, account_id, name, webhook_secret) values ($1, $2, 'A', $3)",
        AGENT,
        ACCOUNT,
        secret,
    )
    yield db
    await db.close()


@pytest.fixture
async def db(seeded: Database) -> Database:
    """A database in which nothing waits to be sent."""
    await seeded.execute("truncate outgoing_messages, deliveries")
    return seeded


@pytest.fixture
def tool() -> Tool:
    return Tool()


def sender(db: Database, tool: Any) -> OutboxSender:
    settings = load_settings(poll_interval=0.02)
    return OutboxSender(db, settings, [WebhookChannel(db, tool, settings)])


async def make_attempts(db: Database, tool: Tool) -> None:
    """Make the attempts that are due."""
    worker = sender(db, tool)
    await worker.start_due(lambda: None)
    if worker.attempts:
        await asyncio.wait(worker.attempts)


async def emit(db: Database, max_attempts: int = 7) -> str:
    """Emit an event that waits for its tool, and return the ID of the tool's delivery."""
    there = Destination("tool", "form", f"https://example.com/{new_id('tool')}")
    event = WebhookEvent("review.completed", ACCOUNT, AGENT, "ses_recording", {})
    await emit_event(db, event, [there], max_attempts)
    return there.delivery_id


async def is_waiting(db: Database, delivery_id: str) -> bool:
    return await db.fetchval("select exists (select from events where waits_for = $1)", delivery_id)


async def read_tool_result(db: Database, delivery_id: str) -> str | None:
    return await db.fetchval(
        "select tool_result::text from events join deliveries d using (account_id, event_id) where d.delivery_id = $1",
        delivery_id,
    )


async def test_response_that_can_not_be_stored_still_counts(
    db: Database, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "read_tool_result", lambda _: ToolResult("[1,"))
    delivery_id = await emit(db)
    await make_attempts(db, tool)
    delivery = await get_delivery(db, ACCOUNT, delivery_id)
    assert delivery.status == "succeeded"
    assert (delivery.ok, delivery.status_code, delivery.status_text) == (True, 200, "OK")
    [attempt] = delivery.attempts
    assert (attempt.ok, attempt.status_code, attempt.note) == (True, 200, NOT_STORED)
    assert await read_tool_result(db, delivery_id) is None
    assert tool.calls == 1


async def test_status_text_can_be_anything(db: Database, tool: Tool) -> None:
    tool.answer = replace(tool.answer, status=410, reason="Gone \udce4\0" + "x" * 500)
    delivery_id = await emit(db)
    await make_attempts(db, tool)
    delivery = await get_delivery(db, ACCOUNT, delivery_id)
    assert (delivery.status, delivery.status_code, delivery.retries_cancelled) == ("dead", 410, True)
    assert delivery.status_text == ("Gone ?" + "x" * 500)[:200]
    [attempt] = delivery.attempts
    assert (attempt.status_text, attempt.error) == (delivery.status_text, None)


async def test_deleted_before_the_attempt(db: Database, tool: Tool) -> None:
    delivery_id = await emit(db)
    await db.execute("delete from deliveries where delivery_id = $1", delivery_id)
    await make_attempts(db, tool)
    assert tool.calls == 0
    assert not await db.fetch("select from outgoing_messages where message_id = $1", delivery_id)


class TestAssumedLost:
    """Another worker assumes the attempt lost while its response is on the way."""

    async def lose_claim(self, db: Database, tool: Tool, delivery_id: str) -> OutboxSender:
        tool.hold.clear()
        slow = sender(db, tool)
        await slow.start_due(lambda: None)
        await tool.called.wait()
        await db.execute("update outgoing_messages set due_at = now() where message_id = $1", delivery_id)
        await make_attempts(db, Tool())
        delivery = await get_delivery(db, ACCOUNT, delivery_id)
        assert (delivery.status, delivery.status_code, delivery.status_text) == ("retrying", 0, LOST_ATTEMPT)
        [attempt] = delivery.attempts
        assert (attempt.status_code, attempt.status_text, attempt.error) == (0, LOST_ATTEMPT, LOST_ATTEMPT)
        return slow

    async def test_late_response_counts_before_the_next_attempt(self, db: Database, tool: Tool) -> None:
        delivery_id = await emit(db)
        slow = await self.lose_claim(db, tool, delivery_id)
        tool.hold.set()
        await asyncio.wait(slow.attempts)
        delivery = await get_delivery(db, ACCOUNT, delivery_id)
        assert (delivery.status, delivery.ok, delivery.status_code) == ("succeeded", True, 200)
        assert delivery.attempt_count == 1
        [attempt] = delivery.attempts
        assert (attempt.ok, attempt.status_code, attempt.note) == (True, 200, RECORDED_LATE)
        second = Tool()
        await make_attempts(db, second)
        assert (tool.calls, second.calls) == (1, 0)

    async def test_record_mentions_the_repeated_attempt(self, db: Database, tool: Tool) -> None:
        delivery_id = await emit(db)
        slow = await self.lose_claim(db, tool, delivery_id)
        second = Tool()
        await make_attempts(db, second)
        tool.hold.set()
        await asyncio.wait(slow.attempts)
        delivery = await get_delivery(db, ACCOUNT, delivery_id)
        assert (delivery.status, delivery.attempt_count) == ("succeeded", 2)
        first, again = delivery.attempts
        assert (first.ok, first.status_code, first.note) == (True, 200, RECORDED_LATE)
        assert (again.ok, again.status_code, again.note) == (True, 200, None)
        assert tool.calls == second.calls == 1

    async def test_late_response_is_in_the_event(self, db: Database, tool: Tool) -> None:
        delivery_id = await emit(db)
        slow = await self.lose_claim(db, tool, delivery_id)
        assert await is_waiting(db, delivery_id)
        tool.hold.set()
        await asyncio.wait(slow.attempts)
        assert not await is_waiting(db, delivery_id)
        assert await read_tool_result(db, delivery_id) == '{"done": true}'

    @pytest.mark.parametrize(("status", "expected"), [(200, '{"done": true}'), (500, None)])
    async def test_event_waits_for_the_next_attempt(
        self, db: Database, tool: Tool, status: int, expected: str | None
    ) -> None:
        delivery_id = await emit(db)
        slow = await self.lose_claim(db, tool, delivery_id)
        second = Tool()
        second.answer = replace(second.answer, status=status)
        await make_attempts(db, second)
        assert not await is_waiting(db, delivery_id)
        assert await read_tool_result(db, delivery_id) == expected
        tool.hold.set()
        await asyncio.wait(slow.attempts)
        assert await read_tool_result(db, delivery_id) == expected

    async def test_event_does_not_wait_after_the_last_attempt(self, db: Database, tool: Tool) -> None:
        delivery_id = await emit(db, max_attempts=1)
        await claim_messages(db, [Room(WEBHOOK_CHANNEL, 1)], lost_after=0)
        await make_attempts(db, tool)
        assert (await get_delivery(db, ACCOUNT, delivery_id)).status == "dead"
        assert not await is_waiting(db, delivery_id)
        assert await read_tool_result(db, delivery_id) is None
        assert tool.calls == 0

    async def test_does_not_start_without_its_claim(self, db: Database, tool: Tool) -> None:
        delivery_id = await emit(db)
        claims = [
            (await claim_messages(db, [Room(WEBHOOK_CHANNEL, 1)], lost_after=0)).claims[0].claimed_at for _ in range(2)
        ]
        found = [await read_claimed(db, [claimed_message(delivery_id, at)], order_wait=600) for at in claims]
        assert [each and each.is_due for [each] in found] == [None, True]


async def test_event_waits_if_the_attempt_is_interrupted(db: Database, tool: Tool) -> None:
    delivery_id = await emit(db)
    tool.hold.clear()
    worker, stop = sender(db, tool), asyncio.Event()
    await worker.start_due(lambda: None)
    await tool.called.wait()
    stop.set()
    await worker.run(stop, grace=0)
    delivery = await get_delivery(db, ACCOUNT, delivery_id)
    assert (delivery.status, delivery.attempt_count, len(delivery.attempts)) == ("retrying", 0, 1)
    assert await is_waiting(db, delivery_id)
    await make_attempts(db, Tool())
    assert not await is_waiting(db, delivery_id)
    assert await read_tool_result(db, delivery_id) == '{"done": true}'
