"""A worker killed in the middle of an attempt, and one that is asked to stop there."""

import asyncio
import os
import signal
import time
from pathlib import Path

from aiohttp import web
from support.api import open_workspace, unique
from support.receiver import Call, Receiver
from support.service import RunningService, running_service


async def decide_one(service: RunningService, url: str) -> tuple[object, str]:
    workspace = await open_workspace(service)
    form = await workspace.make_form()
    asked = await workspace.request(form, webhookUrl=url)
    review = await workspace.decide(asked["reviewId"])
    return workspace, review["webhookDeliveryId"]


async def test_killed_in_the_middle_of_an_attempt(receiver: Receiver, tmp_path: Path) -> None:
    path = "/" + unique("killed")
    arrived = asyncio.Event()

    async def hang_once(call: Call) -> web.StreamResponse:
        if not arrived.is_set():
            arrived.set()
            await asyncio.sleep(60)
        return web.Response()

    receiver.answer(path, hang_once)
    with running_service(tmp_path) as service:
        workspace, delivery_id = await decide_one(service, receiver.url + path)
        await asyncio.wait_for(arrived.wait(), 20)
        os.kill(service.child("worker"), signal.SIGKILL)
        killed_at = time.monotonic()
        assert (await workspace.delivery(delivery_id))["status"] == "delivering"
        record = await workspace.delivery(delivery_id, "succeeded", within=60)
        assert time.monotonic() - killed_at < 60
        lost, again = record["attempts"]
        assert lost["ok"] is False
        assert "lost" in lost["error"]
        assert lost["statusCode"] == 0
        assert lost["statusText"] == lost["error"]
        assert lost["scheduledBy"] == "inline"
        assert again["ok"] is True
        assert again["scheduledBy"] == "cloud-task"
        assert record["attemptCount"] == 2
        assert [call.headers["webhook-id"] for call in receiver.at(path)] == [delivery_id] * 2


async def test_stopped_in_the_middle_of_an_attempt(receiver: Receiver, tmp_path: Path) -> None:
    """What is under way gets its time; what takes longer is broken off, recorded so, and made again after the start."""
    path = "/" + unique("stopped")
    arrived = asyncio.Event()

    async def hang_once(call: Call) -> web.StreamResponse:
        if not arrived.is_set():
            arrived.set()
            await asyncio.sleep(60)
        return web.Response()

    receiver.answer(path, hang_once)
    with running_service(tmp_path, shutdown_grace=1) as service:
        workspace, delivery_id = await decide_one(service, receiver.url + path)
        await asyncio.wait_for(arrived.wait(), 20)
        os.kill(service.child("worker"), signal.SIGTERM)
        record = await workspace.delivery(delivery_id, "succeeded", within=30)
        interrupted, again = record["attempts"]
        assert "stopped" in interrupted["error"]
        assert again["ok"] is True
