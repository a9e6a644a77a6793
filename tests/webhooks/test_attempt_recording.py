"""An attempt with a response is recorded, whatever prevents the record from being written at first."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

import asyncpg
import pytest
from multidict import CIMultiDict, CIMultiDictProxy

from signoff.platform.db import Database, DatabaseUnavailable
from signoff.platform.guarded_http import HttpResponse
from signoff.platform.ids import new_id
from signoff.platform.settings import Settings
from signoff.webhooks import attempts, jobs
from signoff.webhooks.attempts import LOST_ATTEMPT
from signoff.webhooks.events import Destination, WebhookEvent, emit_event
from signoff.webhooks.jobs import RECORDED_LATE, DeliveryJob
from signoff.webhooks.queries import get_delivery
from signoff.webhooks.schemas import Delivery
from signoff.webhooks.tool_results import NOT_STORED, ToolResult

ACCOUNT, AGENT = "acc_recording", "agt_recording"


class Tool:
    """Replaces the network: counts the calls, and responds to each after `hold` is set."""

    def __init__(self) -> None:
        self.calls = 0
        self.called = asyncio.Event()
        self.hold = asyncio.Event()
        self.hold.set()

    async def post(self, *_: Any, **__: Any) -> HttpResponse:
        self.calls += 1
        self.called.set()
        await self.hold.wait()
        return HttpResponse(200, "OK", CIMultiDictProxy(CIMultiDict[str]()), b'{"done": true}', truncated=False)


@pytest.fixture(scope="module")
async def db(empty_databases: Any) -> AsyncGenerator[Database]:
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
def tool() -> Tool:
    return Tool()


def worker(db: Database, tool: Any) -> DeliveryJob:
    return DeliveryJob(db, tool, Settings(poll_interval=0.02, worker_lost_after=1))


async def emitted(db: Database) -> str:
    """A tool's delivery that waits for its first attempt."""
    there = Destination("tool", "form", f"https://example.com/{new_id('tool')}")
    await emit_event(db, WebhookEvent("review.completed", ACCOUNT, AGENT, "ses_recording", {}), [there], 7)
    return there.delivery_id


async def found(db: Database, delivery_id: str) -> Delivery:
    return await get_delivery(db, ACCOUNT, delivery_id)


async def toolresult(db: Database, delivery_id: str) -> str | None:
    return await db.fetchval(
        "select tool_result::text from events join deliveries d using (account_id, event_id) where d.delivery_id = $1",
        delivery_id,
    )


async def eventually(db: Database, holds: str, delivery_id: str) -> None:
    async with asyncio.timeout(20):
        while not await db.fetchval(f"select {holds} from deliveries where delivery_id = $1", delivery_id):  # noqa: ASYNC110, S608
            await asyncio.sleep(0.01)


def failing(monkeypatch: pytest.MonkeyPatch, errors: list[Exception]) -> None:
    """The first records fail with these errors, one each."""
    record = attempts.record_attempts

    async def fails_first(db: Database, endings: Any) -> Any:
        if errors:
            raise errors.pop(0)
        return await record(db, endings)

    monkeypatch.setattr(attempts, "record_attempts", fails_first)


async def test_response_that_can_not_be_stored_still_counts(
    db: Database, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "read_tool_result", lambda _: ToolResult("[1,"))
    delivery_id = await emitted(db)
    assert await worker(db, tool).deliver(delivery_id, 0)
    delivery = await found(db, delivery_id)
    assert (delivery.status, delivery.ok, delivery.status_code) == ("succeeded", True, 200)
    [attempt] = delivery.attempts
    assert (attempt.ok, attempt.status_code, attempt.note) == (True, 200, NOT_STORED)
    assert await toolresult(db, delivery_id) is None
    assert not await worker(db, tool).deliver(delivery_id, 0)
    assert tool.calls == 1


async def test_delivery_deleted_during_the_attempt(db: Database, tool: Tool) -> None:
    assert not await worker(db, tool).deliver("whd_deleted", 0)
    assert tool.calls == 0


@pytest.mark.parametrize(
    "trouble",
    [asyncpg.DiskFullError, asyncpg.DeadlockDetectedError, asyncpg.OutOfMemoryError, DatabaseUnavailable],
    ids=lambda each: each.__name__,
)
async def test_waits_for_the_database(
    db: Database, tool: Tool, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[str], Exception]
) -> None:
    failing(monkeypatch, [trouble("not now") for _ in range(30)])
    delivery_id = await emitted(db)
    assert await worker(db, tool).deliver(delivery_id, 0)
    delivery = await found(db, delivery_id)
    assert delivery.status == "succeeded"
    assert len(delivery.attempts) == 1
    assert await toolresult(db, delivery_id) == '{"done": true}'
    assert tool.calls == 1


async def test_claim_is_renewed_while_recording_waits(
    db: Database, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[Exception] = [asyncpg.DiskFullError("full") for _ in range(10_000)]
    failing(monkeypatch, errors)
    delivery_id = await emitted(db)
    slow = worker(db, tool)
    renewing = asyncio.create_task(slow.keep_claims())
    job = asyncio.create_task(slow.deliver(delivery_id, 0))
    await tool.called.wait()
    await db.execute("update deliveries set attempt_lost_at = now() where delivery_id = $1", delivery_id)
    await eventually(db, "attempt_lost_at > now()", delivery_id)
    errors.clear()
    assert await job
    renewing.cancel()
    assert tool.calls == 1


class TestAssumedLost:
    """Another worker assumes the attempt lost while its response is on the way."""

    async def lost(self, db: Database, tool: Tool, delivery_id: str) -> asyncio.Task[bool]:
        tool.hold.clear()
        job = asyncio.create_task(worker(db, tool).deliver(delivery_id, 0))
        await tool.called.wait()
        await db.execute("update deliveries set attempt_lost_at = now() where delivery_id = $1", delivery_id)
        assert await worker(db, tool).deliver(delivery_id, 0)
        delivery = await found(db, delivery_id)
        assert [(each.status_code, each.status_text) for each in delivery.attempts] == [(0, LOST_ATTEMPT)]
        return job

    async def test_late_response_counts_before_the_next_attempt(self, db: Database, tool: Tool) -> None:
        delivery_id = await emitted(db)
        job = await self.lost(db, tool, delivery_id)
        tool.hold.set()
        await job
        delivery = await found(db, delivery_id)
        assert (delivery.status, delivery.ok, delivery.status_code) == ("succeeded", True, 200)
        [attempt] = delivery.attempts
        assert (attempt.ok, attempt.status_code, attempt.note) == (True, 200, RECORDED_LATE)
        assert not await worker(db, tool).deliver(delivery_id, 0)
        assert tool.calls == 1

    async def test_record_mentions_the_repeated_attempt(self, db: Database, tool: Tool) -> None:
        delivery_id = await emitted(db)
        job = await self.lost(db, tool, delivery_id)
        second = Tool()
        assert await worker(db, second).deliver(delivery_id, 0)
        tool.hold.set()
        await job
        first, again = (await found(db, delivery_id)).attempts
        assert (first.ok, first.status_code, first.note) == (True, 200, RECORDED_LATE)
        assert (again.ok, again.status_code, again.note) == (True, 200, None)
        assert tool.calls == second.calls == 1
