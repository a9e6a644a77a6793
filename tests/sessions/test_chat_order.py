"""Messages of one session are delivered in order: with failures, with a killed worker, with a limit, and manually."""

import asyncio
import itertools
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from aiohttp import web
from session_helpers import Chat, eventually, make_chat
from support.api import Workspace, assert_ok, sign_in_workspace, unique
from support.in_process import Service, StartService
from support.receiver import Call, Receiver
from support.service_process import running_service

from signoff.platform.db import DatabaseUnavailable
from signoff.platform.outbox import sender
from signoff.webhooks.delivery_order import MAX_RECHECK_INTERVAL, RECHECK_INTERVAL, ordering_delay


def fail_one_in(chat: Chat, every: int) -> Counter[str]:
    """How often each delivery was refused: at most 5 times, so that none fails permanently.

    The next delivery is refused instead.
    """
    count, due = itertools.count(1), 0
    refused: Counter[str] = Counter()

    async def answer(call: Call) -> web.StreamResponse:
        nonlocal due
        delivery_id = call.headers["webhook-id"]
        due += next(count) % every == 0
        if not due or refused[delivery_id] == 5:
            return web.Response()
        due -= 1
        refused[delivery_id] += 1
        return web.Response(status=503)

    chat.receiver.answer(chat.path, answer)
    return refused


def answer_by_text(chat: Chat, status_of: Callable[[str], int]) -> None:
    async def answer(call: Call) -> web.StreamResponse:
        return web.Response(status=status_of(call.json["message"]["text"]))

    chat.receiver.answer(chat.path, answer)


def in_turn(texts: list[str]) -> list[str]:
    """Without consecutive repetitions: a message is retried before the next one is delivered."""
    return [text for text, _ in itertools.groupby(texts)]


async def say_all(chat: Chat, sessions: int, each: int) -> dict[str, list[dict[str, Any]]]:
    """The messages of each session, sent in order, and in all sessions at once."""

    async def say() -> tuple[str, list[dict[str, Any]]]:
        session_id = await chat.start()
        return session_id, [await chat.say(session_id, f"Message {number}") for number in range(1, each + 1)]

    return dict(await asyncio.gather(*(say() for _ in range(sessions))))


async def wait_until_settled(chat: Chat, within: float) -> None:
    """All deliveries of the agent."""

    async def any_unsettled() -> bool:
        for status in ("pending", "delivering", "retrying"):
            query = {"agentId": chat.agent_id, "status": status, "limit": 1}
            if (await assert_ok(chat.workspace.agent.get("/webhooks/deliveries", params=query)))["items"]:
                return True
        return False

    async def done() -> bool:
        # A delivery that changes from one state to the other during the query can be missed once.
        return not await any_unsettled() and not await any_unsettled()

    await eventually(done, within)


class TestOrder:
    @pytest.mark.parametrize(
        ("sessions", "each", "looked_at"), [(10, 10, 5), pytest.param(20, 50, 20, marks=pytest.mark.slow)]
    )
    async def test_many_messages_with_failures(self, chat: Chat, sessions: int, each: int, looked_at: int) -> None:
        total = sessions * each
        refused = fail_one_in(chat, 5)
        said = await say_all(chat, sessions, each)
        await wait_until_settled(chat, within=120)
        expected = [f"Message {number}" for number in range(1, each + 1)]
        for session_id in said:
            assert in_turn(chat.texts(session_id)) == expected
        calls = chat.receiver.at(chat.path)
        assert refused.total() >= total // 4 - 1  # a fifth of all
        assert len(calls) >= total + refused.total()
        calls_of = Counter(call.headers["webhook-id"] for call in calls)
        assert len(calls_of) == total
        for delivery_id, count in calls_of.most_common(looked_at):
            record = await chat.workspace.delivery(delivery_id)
            assert record["attemptCount"] == len(record["attempts"]) == count > 1
            assert record["attempts"][-1]["ok"] is True

    async def test_concurrent_messages(self, chat: Chat) -> None:
        fail_one_in(chat, 4)
        session_id = await chat.start()
        messages = await asyncio.gather(*(chat.say(session_id, f"At once {number}") for number in range(30)))
        await wait_until_settled(chat, within=60)
        by_number = sorted(messages, key=lambda message: message["number"])
        assert in_turn(chat.texts(session_id)) == [message["text"] for message in by_number]

    async def test_failed_delivery_releases_the_next(self, chat: Chat) -> None:
        answer_by_text(chat, lambda text: 500 if text == "one" else 200)
        session_id = await chat.start()
        one, two = await chat.say(session_id, "one"), await chat.say(session_id, "two")
        dead = await chat.workspace.delivery(one["delivery"]["deliveryId"], "dead")
        await chat.workspace.delivery(two["delivery"]["deliveryId"], "succeeded")
        assert dead["attemptCount"] == 7
        assert chat.texts(session_id) == ["one"] * 7 + ["two"]


@pytest.fixture(scope="module")
async def patient_service(start_service: StartService) -> AsyncIterator[Service]:
    """A failed attempt is retried in an hour, so no retry interferes."""
    async with start_service(webhook_retry_schedule=",".join(["3600"] * 6)) as service:
        yield service


@pytest.fixture(scope="module")
async def patient(patient_service: Service) -> AsyncIterator[Workspace]:
    workspace = await sign_in_workspace(patient_service)
    yield workspace
    await workspace.close()


class TestManual:
    async def cancel(self, chat: Chat, message: dict[str, Any]) -> None:
        await assert_ok(chat.workspace.owner.post(f"/webhooks/deliveries/{message['delivery']['deliveryId']}/cancel"))

    async def status(self, chat: Chat, message: dict[str, Any], *statuses: str) -> dict[str, Any]:
        return await chat.workspace.delivery(message["delivery"]["deliveryId"], *statuses)

    async def test_deleted_delivery_releases_the_next(self, patient: Workspace, receiver: Receiver) -> None:
        chat = await make_chat(patient, receiver)
        answer_by_text(chat, lambda text: 410 if text == "one" else 200)
        session_id = await chat.start()
        one, two = await chat.say(session_id, "one"), await chat.say(session_id, "two")
        await self.status(chat, one, "dead")
        await self.status(chat, two, "succeeded")
        assert chat.texts(session_id) == ["one", "two"]

    async def test_canceled_during_an_attempt(self, patient: Workspace, receiver: Receiver) -> None:
        chat = await make_chat(patient, receiver)
        answer_by_text(chat, lambda text: 500 if text == "one" else 200)
        session_id = await chat.start()
        one, two, three, four = [await chat.say(session_id, text) for text in ("one", "two", "three", "four")]
        await self.status(chat, one, "retrying")
        await self.status(chat, two, "pending")
        await self.cancel(chat, two)
        await self.status(chat, three, "pending")
        await self.cancel(chat, one)
        await self.status(chat, four, "succeeded")
        assert chat.texts(session_id) == ["one", "three", "four"]
        record = await self.status(chat, three)
        assert record["event"] == "session.human_message"
        assert record["lineNumber"] == 3

    async def test_manual_retry_ignores_the_order(self, patient: Workspace, receiver: Receiver) -> None:
        chat = await make_chat(patient, receiver)
        failing = {"one", "two"}
        answer_by_text(chat, lambda text: 500 if text in failing else 200)
        session_id = await chat.start()
        one, two, three = [await chat.say(session_id, text) for text in ("one", "two", "three")]
        await self.status(chat, one, "retrying")
        await self.cancel(chat, one)
        await self.status(chat, two, "retrying")
        failing.discard("one")
        await assert_ok(patient.owner.post(f"/webhooks/deliveries/{one['delivery']['deliveryId']}/retry"))
        again = await self.status(chat, one, "succeeded")
        assert again["attempts"][-1]["scheduledBy"] == "manual"
        assert (await self.status(chat, two))["status"] == "retrying"
        await self.status(chat, three, "pending")
        assert chat.texts(session_id) == ["one", "two", "one"]
        await self.cancel(chat, two)
        await self.status(chat, three, "succeeded")

    async def test_manual_retry_does_not_block_others(self, patient: Workspace, receiver: Receiver) -> None:
        """It hangs at the receiver, and the next message is delivered anyway."""
        chat = await make_chat(patient, receiver)
        hanging, go_on = asyncio.Event(), asyncio.Event()
        times = itertools.count()

        async def answer(call: Call) -> web.StreamResponse:
            if call.json["message"]["text"] == "one" and next(times):
                hanging.set()
                await go_on.wait()
            return web.Response()

        receiver.answer(chat.path, answer)
        session_id = await chat.start()
        one = await chat.say(session_id, "one")
        await self.status(chat, one, "succeeded")
        await assert_ok(patient.owner.post(f"/webhooks/deliveries/{one['delivery']['deliveryId']}/retry"))
        await asyncio.wait_for(hanging.wait(), 20)
        two = await chat.say(session_id, "two")
        await self.status(chat, two, "succeeded")
        assert (await self.status(chat, one))["status"] == "delivering"
        go_on.set()
        await self.status(chat, one, "succeeded")

    async def test_waiting_deliveries_do_not_block_other_sessions(self, patient: Workspace, receiver: Receiver) -> None:
        """Neither of the agent's other sessions, nor of its reviews."""
        chat = await make_chat(patient, receiver)
        answer_by_text(chat, lambda text: 500 if text == "stuck" else 200)
        stuck = await chat.start()
        first = await chat.say(stuck, "stuck")
        await asyncio.gather(*(chat.say(stuck, f"behind {number}") for number in range(100)))
        await self.status(chat, first, "retrying")
        other = await chat.start()
        await self.status(chat, await chat.say(other, "elsewhere"), "succeeded")
        path = "/" + unique("review")
        form = await patient.make_form({"agentId": chat.agent_id})
        created_review = await patient.request(form, webhookUrl=receiver.url + path, sessionId=stuck)
        review = await patient.decide(created_review["reviewId"])
        await patient.delivery(review["webhookDeliveryId"], "succeeded")
        assert chat.texts(stuck) == ["stuck"]

    async def test_audit_webhook_has_its_own_order(self, patient: Workspace, receiver: Receiver) -> None:
        chat = await make_chat(patient, receiver)
        path = "/" + unique("audit")
        receiver.answer(path, [500])
        await assert_ok(patient.owner.patch("/account", json={"auditWebhookUrl": receiver.url + path}))
        try:
            session_id = await chat.start()
            messages = [await chat.say(session_id, text) for text in ("one", "two")]
        finally:
            await assert_ok(patient.owner.patch("/account", json={"auditWebhookUrl": None}))
        for message in messages:
            await self.status(chat, message, "succeeded")
        await receiver.wait_for(path)
        query = {"event": "session.human_message", "target": "audit", "agentId": chat.agent_id}
        deliveries = (await assert_ok(patient.agent.get("/webhooks/deliveries", params=query)))["items"]
        [second] = [delivery for delivery in deliveries if delivery["lineNumber"] == 2]
        await patient.delivery(second["deliveryId"], "pending")
        assert [call.json["message"]["text"] for call in receiver.at(path)] == ["one"]


async def test_waiting_is_limited_by_the_setting(receiver: Receiver, start_service: StartService) -> None:
    schedule = ",".join(["3600"] * 6)
    async with start_service(webhook_retry_schedule=schedule, chat_order_wait=2) as service:
        chat = await make_chat(await sign_in_workspace(service), receiver)
        answer_by_text(chat, lambda text: 500 if text == "one" else 200)
        session_id = await chat.start()
        one, two, three = [await chat.say(session_id, text) for text in ("one", "two", "three")]
        for message in (two, three):
            await chat.workspace.delivery(message["delivery"]["deliveryId"], "succeeded")
        await chat.workspace.delivery(one["delivery"]["deliveryId"], "retrying")
        assert sorted(chat.texts(session_id)) == ["one", "three", "two"]
        # By now the first has been tried for longer than the limit: it doesn't delay later ones either.
        four = await chat.say(session_id, "four")
        delivery = await chat.workspace.delivery(four["delivery"]["deliveryId"], "succeeded")
        tried, created = (datetime.fromisoformat(at) for at in (delivery["attempts"][0]["at"], delivery["triggeredAt"]))
        assert tried - created < timedelta(seconds=2)


class TestWorkerLost:
    """The running attempt is repeated once it's assumed lost; deliveries behind it still wait for it."""

    async def check(self, chat: Chat, lose: Callable[[], Awaitable[None]], *, sessions: int, each: int) -> None:
        fail_one_in(chat, 5)

        async def lose_it() -> bool:
            await chat.receiver.wait_for(chat.path, sessions * each // 5, within=60)
            await lose()
            return True

        said, lost = await asyncio.gather(say_all(chat, sessions=sessions, each=each), lose_it())
        assert lost
        await wait_until_settled(chat, within=180)
        expected = [f"Message {number}" for number in range(1, each + 1)]
        for session_id in said:
            assert in_turn(chat.texts(session_id)) == expected

    async def test_disconnected(
        self, receiver: Receiver, start_service: StartService, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It makes its calls, but can't record them in the database any more."""
        async with start_service(worker_lost_after=1, shutdown_grace=0.1) as service:
            chat = await make_chat(await sign_in_workspace(service), receiver)

            async def cut_off() -> None:
                with monkeypatch.context() as patch:
                    patch.setattr(sender, "record_attempts", AsyncMock(side_effect=DatabaseUnavailable("cut off")))
                    await service.worker.stop()
                await service.worker.start()

            await self.check(chat, cut_off, sessions=5, each=8)

    @pytest.mark.slow
    @pytest.mark.timeout(400)
    async def test_killed(self, receiver: Receiver, tmp_path: Path) -> None:
        settings = {"webhook_retry_schedule": ",".join(["0.1"] * 6), "worker_lost_after": 1, "poll_interval": 0.1}
        with running_service(tmp_path, **settings) as service:
            chat = await make_chat(await sign_in_workspace(service), receiver)

            async def kill() -> None:
                os.kill(service.child("worker"), signal.SIGKILL)

            await self.check(chat, kill, sessions=20, each=15)


class TestPause:
    """How long a waiting delivery waits before it checks again."""

    @pytest.mark.parametrize(
        ("places", "next_attempt", "patience", "expected"),
        [
            (0, 0, 600, 0),
            (0, 100, 600, 0),
            (1, 0, 600, RECHECK_INTERVAL),
            (1, -5, 600, RECHECK_INTERVAL),
            (7, 0, 600, 7 * RECHECK_INTERVAL),
            (7, 300, 600, MAX_RECHECK_INTERVAL),
            (70, 300, 600, 70 * RECHECK_INTERVAL),
            (1, 36_000, 600, MAX_RECHECK_INTERVAL),
            (1, 36_000, 5, 5),
            (1, 36_000, 0, 0),
            (1, 36_000, -3, 0),
        ],
    )
    def test_pause(self, places: int, next_attempt: float, patience: float, expected: float) -> None:
        assert ordering_delay(places, next_attempt, patience) == expected
