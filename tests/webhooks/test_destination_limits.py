"""One slow or dead receiver must not hold up the others."""

import asyncio
from contextlib import suppress

import pytest
from aiohttp import web
from support.api import sign_in_workspace, unique
from support.in_process import StartService
from support.receiver import Call, Receiver

from signoff.webhooks import destination_limits as lanes_module
from signoff.webhooks.destination_limits import MIN_SLOTS, DestinationBusy, DestinationLimiter


class TestLimits:
    async def test_concurrency_is_limited(self) -> None:
        lanes = DestinationLimiter(3, clock=lambda: 0.0)
        running = most = 0

        async def call() -> None:
            nonlocal running, most
            turn = await lanes.turn("http://a.example/x")
            with turn:
                running += 1
                most = max(most, running)
                await asyncio.sleep(0.01)
                running -= 1
            turn.end()

        await asyncio.gather(*(call() for _ in range(30)))
        assert most == 3

    async def test_destinations_do_not_share(self) -> None:
        lanes = DestinationLimiter(1)
        for url in ("http://a.example/x", "http://b.example/x", "https://a.example/x", "http://a.example:81/x"):
            await asyncio.wait_for(lanes.turn(url), 1)

    async def test_deliveries_to_a_full_slow_destination_are_requeued(self) -> None:
        clock = [1000.0]
        lanes = DestinationLimiter(2, clock=lambda: clock[0])
        with await lanes.turn("http://slow.example/"), await lanes.turn("http://slow.example/"):
            waiting = asyncio.create_task(lanes.turn("http://slow.example/"))
            await asyncio.sleep(0.01)
            assert not waiting.done()
            clock[0] += 10
            with pytest.raises(DestinationBusy) as full:
                await asyncio.wait_for(waiting, 5)
            assert full.value.pause > 5

    async def test_own_delays_do_not_make_a_destination_slow(self) -> None:
        clock = [1000.0]
        lanes = DestinationLimiter(2, clock=lambda: clock[0])
        for _ in range(50):
            turn = await lanes.turn("http://quick.example/")
            with turn:
                clock[0] += 0.01
            clock[0] += 60
            turn.end()
        first, _ = await lanes.turn("http://quick.example/"), await lanes.turn("http://quick.example/")
        clock[0] += 60
        waiting = asyncio.create_task(lanes.turn("http://quick.example/"))
        await asyncio.sleep(0.01)
        assert not waiting.done()
        first.end()
        await asyncio.wait_for(waiting, 5)

    async def test_limit_shrinks_for_slow_destinations_and_recovers(self) -> None:
        clock = [1000.0]
        lanes = DestinationLimiter(10, clock=lambda: clock[0])

        async def call(seconds: float) -> None:
            turn = await lanes.turn("http://slow.example/")
            with turn:
                clock[0] += seconds
            turn.end()

        async def room() -> int:
            taken = []
            with suppress(DestinationBusy):
                while len(taken) < 10:
                    taken.append(await asyncio.wait_for(lanes.turn("http://slow.example/"), 5))
            for turn in taken:
                turn.end()
            return len(taken)

        assert await room() == 10
        for _ in range(60):
            await call(15)
        assert await room() == MIN_SLOTS
        for _ in range(60):
            await call(0.01)
        assert await room() == 10

    async def test_canceled_waiting_frees_its_slot(self) -> None:
        lanes = DestinationLimiter(1)
        held = await lanes.turn("http://a.example/")
        gone = asyncio.create_task(lanes.turn("http://a.example/"))
        patient = asyncio.create_task(lanes.turn("http://a.example/"))
        await asyncio.sleep(0.01)
        gone.cancel()
        held.end()  # at the same moment, before the canceled one could release the row
        await asyncio.wait_for(patient, 1)
        with suppress(asyncio.CancelledError):
            await gone
        assert gone.cancelled()

    async def test_closing_requeues_waiting_deliveries(self) -> None:
        lanes = DestinationLimiter(1)
        await lanes.turn("http://a.example/")
        waiting = asyncio.create_task(lanes.turn("http://a.example/"))
        await asyncio.sleep(0.01)
        lanes.close()
        with pytest.raises(DestinationBusy):
            await waiting
        with pytest.raises(DestinationBusy):
            await lanes.turn("http://a.example/")


async def test_dead_receiver_does_not_delay_others(
    start_service: StartService, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Far more deliveries than a worker has slots, to a receiver that never responds; then one to another."""
    monkeypatch.setattr(lanes_module, "SLOW_FROM", 0.2)
    monkeypatch.setattr(lanes_module, "RECHECK_INTERVAL", 0.1)
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
