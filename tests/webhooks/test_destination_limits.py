"""One slow or dead receiver must not hold up the others."""

import asyncio

from aiohttp import web
from support.api import sign_in_workspace, unique
from support.in_process import StartService
from support.receiver import Call, Receiver


async def test_dead_receiver_does_not_delay_others(start_service: StartService, receiver: Receiver) -> None:
    """Far more deliveries than a worker has slots, to a receiver that never responds; then one to another."""
    dead, alive, over = "/" + unique("dead"), "/" + unique("alive"), asyncio.Event()

    async def silent(_: Call) -> web.StreamResponse:
        await over.wait()
        return web.Response()

    other = Receiver()
    runner = await other.start()
    other.answer(dead, silent)
    few = {"webhook_concurrency": 8, "webhook_concurrency_per_destination": 2}
    async with start_service(**few, webhook_timeout=60, worker=False) as service:
        workspace = await sign_in_workspace(service)
        form = await workspace.make_form(autoApprove=True)
        await asyncio.gather(*(workspace.request(form, webhookUrl=other.url + dead) for _ in range(20)))
        await service.worker.start()
        await other.wait_for(dead, 2)
        await workspace.request(form, webhookUrl=receiver.url + alive)
        await receiver.wait_for(alive)
        assert len(other.at(dead)) == 2
        over.set()
    await runner.cleanup()
