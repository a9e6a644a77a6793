"""What goes wrong: each kind of trouble by itself, and when, by a random number that can be repeated."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from chaos.receiver import Receiver
from chaos.stage import Stage

Cause = Callable[["Trouble"], Awaitable[None]]
KINDS: dict[str, Cause] = {}

OUTLASTS_A_CLAIM = (32.0, 45.0)
"""Seconds after which a worker that was frozen finds that others took its attempts for lost."""


def kind(name: str) -> Callable[[Cause], Cause]:
    def keep(cause: Cause) -> Cause:
        KINDS[name] = cause
        return cause

    return keep


@dataclass
class Trouble:
    stage: Stage
    receiver: Receiver
    chance: random.Random
    say: Callable[[str], None]
    counts: Counter[str] = field(default_factory=Counter)

    async def for_a_while(self, seconds: float, pause: float) -> None:
        """One after the other and at the same time: each kind as often as chance has it, never twice at once."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        under_way: dict[str, asyncio.Task[None]] = {}
        try:
            while loop.time() < until:
                free = [name for name in KINDS if name not in under_way or under_way[name].done()]
                if free:
                    name = self.chance.choice(free)
                    under_way[name] = asyncio.create_task(self.cause(name))
                await asyncio.sleep(min(self.chance.expovariate(1 / pause), max(0.0, until - loop.time())))
        finally:
            await asyncio.gather(*under_way.values())

    async def one_of_each(self, seconds: float) -> None:
        """Spread over the time; what takes longest to get over comes first. Nothing is frozen: that takes too long."""
        first = ["a worker is killed", "PostgreSQL crashes"]
        others = [name for name in KINDS if name not in (*first, "a worker is frozen")]
        names = [*self.chance.sample(first, len(first)), *self.chance.sample(others, len(others))]
        under_way = list[asyncio.Task[None]]()
        for name in names:
            under_way.append(asyncio.create_task(self.cause(name)))
            await asyncio.sleep(seconds / len(names))
        await asyncio.gather(*under_way)

    async def cause(self, name: str) -> None:
        self.counts[name] += 1
        self.say(name)
        await KINDS[name](self)

    async def wait(self, least: float, most: float) -> None:
        await asyncio.sleep(self.chance.uniform(least, most))


@kind("an API is killed")
async def _kill_api(trouble: Trouble) -> None:
    """The whole, as with its machine; or only its main process, or only the one that serves."""
    api = trouble.chance.choice(trouble.stage.apis)
    how = trouble.chance.choice(["whole", "main", "serving"])
    if how == "whole":
        api.kill()
    else:
        api.kill_one(last=how == "serving")


@kind("a worker is killed")
async def _kill_worker(trouble: Trouble) -> None:
    trouble.chance.choice(trouble.stage.workers).kill()


@kind("a worker is frozen")
async def _freeze_worker(trouble: Trouble) -> None:
    worker = trouble.chance.choice(trouble.stage.workers)
    worker.freeze()
    try:
        await trouble.wait(*OUTLASTS_A_CLAIM)
    finally:
        worker.thaw()


@kind("PostgreSQL is restarted")
async def _restart_postgres(trouble: Trouble) -> None:
    await _without_postgres(trouble, signal.SIGINT)


@kind("PostgreSQL crashes")
async def _crash_postgres(trouble: Trouble) -> None:
    await _without_postgres(trouble, signal.SIGQUIT)


async def _without_postgres(trouble: Trouble, number: signal.Signals) -> None:
    async with trouble.stage.postgres.lock:
        await trouble.stage.postgres.stop(number)
        try:
            await trouble.wait(0.2, 2.0)
        finally:
            await trouble.stage.postgres.start()


@kind("the receiver is down")
async def _receiver_down(trouble: Trouble) -> None:
    await trouble.receiver.stop()
    try:
        await trouble.wait(1.0, 5.0)
    finally:
        await trouble.receiver.start()


@kind("Redis is restarted")
async def _restart_redis(trouble: Trouble) -> None:
    await trouble.stage.valkey.stop()
    try:
        await trouble.wait(0.5, 4.0)
    finally:
        await trouble.stage.valkey.start()


@kind("S3 is down")
async def _s3_down(trouble: Trouble) -> None:
    await trouble.stage.s3.stop()
    try:
        await trouble.wait(1.0, 5.0)
    finally:
        await trouble.stage.s3.start()


@kind("nginx is reloaded")
async def _reload_nginx(trouble: Trouble) -> None:
    trouble.stage.nginx.reload()
