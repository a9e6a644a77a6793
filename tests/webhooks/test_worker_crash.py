"""A worker killed in the middle of an attempt, and one that is told to stop there."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from support.api import Workspace, sign_in_workspace, unique
from support.crashed_worker import die_while_sending
from support.in_process import Service, StartService
from support.receiver import Call, Receiver
from support.service_process import RunningService, running_service

from signoff.platform.db import Database
from signoff.platform.guarded_http import HttpResponse
from signoff.webhooks.channel import WebhookChannel


async def decide_one(service: Service | RunningService, url: str) -> tuple[Workspace, str]:
    workspace = await sign_in_workspace(service)
    form = await workspace.make_form()
    asked = await workspace.request(form, webhookUrl=url)
    review = await workspace.decide(asked["reviewId"])
    return workspace, review["webhookDeliveryId"]


class HangingReceiver:
    """A receiver that never responds to its first call."""

    def __init__(self, receiver: Receiver) -> None:
        self.path = "/" + unique("hangs")
        self.url = receiver.answer(self.path, self._answer)
        self.arrived = asyncio.Event()

    async def _answer(self, _: Call) -> web.StreamResponse:
        if not self.arrived.is_set():
            self.arrived.set()
            await asyncio.sleep(60)
        return web.Response()


class HangingClient:
    """Replaces the network: no call arrives."""

    def __init__(self) -> None:
        self.called = asyncio.Event()

    async def post(self, *_: Any, **__: Any) -> HttpResponse:
        self.called.set()
        return await asyncio.Future[HttpResponse]()


def check_lost(record: dict[str, Any]) -> None:
    lost, again = record["attempts"]
    assert lost["ok"] is False
    assert "worker stopped" in lost["error"]
    assert lost["statusCode"] == 0
    assert lost["statusText"] == lost["error"]
    assert lost["scheduledBy"] == "inline"
    assert again["ok"] is True
    assert again["scheduledBy"] == "cloud-task"
    assert record["attemptCount"] == 2


async def test_lost_during_an_attempt(start_service: StartService, receiver: Receiver) -> None:
    path = "/" + unique("lost")
    async with start_service(worker=False, worker_lost_after=1) as service:
        workspace, delivery_id = await decide_one(service, receiver.url + path)
        db = await Database.connect(service.dsn(), size=2)
        nobody: Any = HangingClient()
        await die_while_sending(
            db, service.settings, WebhookChannel(db, nobody, service.settings), nobody.called.wait()
        )
        await db.close()
        assert (await workspace.delivery(delivery_id))["status"] == "delivering"
        await service.worker.start()
        check_lost(await workspace.delivery(delivery_id, "succeeded"))
        assert [call.headers["webhook-id"] for call in receiver.at(path)] == [delivery_id]


@pytest.mark.slow
async def test_killed_during_an_attempt(receiver: Receiver, tmp_path: Path) -> None:
    there = HangingReceiver(receiver)
    with running_service(tmp_path, worker_lost_after=1, poll_interval=0.1) as service:
        workspace, delivery_id = await decide_one(service, there.url)
        await asyncio.wait_for(there.arrived.wait(), 20)
        os.kill(service.child("worker"), signal.SIGKILL)
        assert (await workspace.delivery(delivery_id))["status"] == "delivering"
        check_lost(await workspace.delivery(delivery_id, "succeeded", within=60))
        assert [call.headers["webhook-id"] for call in receiver.at(there.path)] == [delivery_id] * 2


class TestStopped:
    """A running attempt gets its grace period; a longer one is canceled, recorded as such, and repeated after the
    start."""

    async def broken_off(self, workspace: Workspace, delivery_id: str) -> None:
        record = await workspace.delivery(delivery_id, "succeeded", within=30)
        interrupted, again = record["attempts"]
        assert "shut down" in interrupted["error"]
        assert again["ok"] is True

    async def test_during_an_attempt(self, start_service: StartService, receiver: Receiver) -> None:
        there = HangingReceiver(receiver)
        async with start_service(shutdown_grace=0.2) as service:
            workspace, delivery_id = await decide_one(service, there.url)
            await asyncio.wait_for(there.arrived.wait(), 20)
            await service.worker.stop()
            await service.worker.start()
            await self.broken_off(workspace, delivery_id)

    @pytest.mark.slow
    async def test_by_a_signal(self, receiver: Receiver, tmp_path: Path) -> None:
        there = HangingReceiver(receiver)
        with running_service(tmp_path, shutdown_grace=1) as service:
            workspace, delivery_id = await decide_one(service, there.url)
            await asyncio.wait_for(there.arrived.wait(), 20)
            os.kill(service.child("worker"), signal.SIGTERM)
            await self.broken_off(workspace, delivery_id)
