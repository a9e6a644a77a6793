"""What goes wrong: each kind of trouble by itself, and when, by a random number that can be repeated."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import psutil

from chaos.embedded import EmbeddedStage
from chaos.receiver import Receiver
from chaos.stage import Stage

Cause = Callable[[Any], Awaitable[None]]
KINDS: dict[str, Cause] = {}
"""For a cluster."""
EMBEDDED_KINDS: dict[str, Cause] = {}
"""For `signoff serve` with its own database."""

OUTLASTS_A_CLAIM = (32.0, 45.0)
"""Seconds after which a worker that was frozen finds that others took its attempts for lost."""


def kind(name: str, *registers: dict[str, Cause]) -> Callable[[Cause], Cause]:
    def keep(cause: Cause) -> Cause:
        for register in registers or (KINDS,):
            register[name] = cause
        return cause

    return keep


OnStage = TypeVar("OnStage", bound=Stage | EmbeddedStage)


@dataclass
class Trouble(Generic[OnStage]):
    stage: OnStage
    receiver: Receiver
    chance: random.Random
    say: Callable[[str], None]
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def kinds(self) -> dict[str, Cause]:
        """What can go wrong here."""
        if isinstance(self.stage, Stage):
            return KINDS
        return {name: cause for name, cause in EMBEDDED_KINDS.items() if self.stage.disk.is_small or name != DISK_FULL}

    async def for_a_while(self, seconds: float, pause: float) -> None:
        """One after the other and at the same time: each kind as often as chance has it, never twice at once."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        under_way: dict[str, asyncio.Task[None]] = {}
        try:
            while loop.time() < until:
                free = [name for name in self.kinds if name not in under_way or under_way[name].done()]
                if free:
                    name = self.chance.choice(free)
                    under_way[name] = asyncio.create_task(self.cause(name))
                await asyncio.sleep(min(self.chance.expovariate(1 / pause), max(0.0, until - loop.time())))
        finally:
            await asyncio.gather(*under_way.values())

    async def one_of_each(self, seconds: float) -> None:
        """Spread over the time; what takes longest to get over comes first. Nothing is frozen: that takes too long."""
        first = [name for name in ("a worker is killed", "PostgreSQL crashes") if name in self.kinds]
        others = [name for name in self.kinds if name not in (*first, "a worker is frozen")]
        names = [*self.chance.sample(first, len(first)), *self.chance.sample(others, len(others))]
        under_way = list[asyncio.Task[None]]()
        for name in names:
            under_way.append(asyncio.create_task(self.cause(name)))
            await asyncio.sleep(seconds / len(names))
        await asyncio.gather(*under_way)

    async def cause(self, name: str) -> None:
        self.counts[name] += 1
        self.say(name)
        await self.kinds[name](self)

    async def wait(self, least: float, most: float) -> None:
        await asyncio.sleep(self.chance.uniform(least, most))


@kind("an API is killed")
async def _kill_api(trouble: Trouble[Stage]) -> None:
    """The whole, as with its machine; or only its main process, or only the one that serves."""
    api = trouble.chance.choice(trouble.stage.apis)
    how = trouble.chance.choice(["whole", "main", "serving"])
    if how == "whole":
        api.kill()
    else:
        api.kill_one(last=how == "serving")


@kind("a worker is killed")
async def _kill_worker(trouble: Trouble[Stage]) -> None:
    trouble.chance.choice(trouble.stage.workers).kill()


@kind("a worker is frozen")
async def _freeze_worker(trouble: Trouble[Stage]) -> None:
    worker = trouble.chance.choice(trouble.stage.workers)
    worker.freeze()
    try:
        await trouble.wait(*OUTLASTS_A_CLAIM)
    finally:
        worker.thaw()


@kind("PostgreSQL is restarted")
async def _restart_postgres(trouble: Trouble[Stage]) -> None:
    await _without_postgres(trouble, signal.SIGINT)


@kind("PostgreSQL crashes")
async def _crash_postgres(trouble: Trouble[Stage]) -> None:
    await _without_postgres(trouble, signal.SIGQUIT)


@kind("PostgreSQL's main process is killed")
async def _kill_postgres(trouble: Trouble[Stage]) -> None:
    await _without_postgres(trouble, signal.SIGKILL)


@kind("a backend of PostgreSQL is killed")
async def _kill_backend(trouble: Trouble[Stage]) -> None:
    """All others end with it, and the database recovers by itself."""
    async with trouble.stage.postgres.lock:
        backends = await asyncio.to_thread(trouble.stage.postgres.backends)
        if backends:
            with suppress(psutil.NoSuchProcess):
                trouble.chance.choice(backends).kill()


async def _without_postgres(trouble: Trouble[Stage], number: signal.Signals) -> None:
    async with trouble.stage.postgres.lock:
        await trouble.stage.postgres.stop(number)
        try:
            await trouble.wait(0.2, 2.0)
        finally:
            await trouble.stage.postgres.start()


@kind("the receiver is down", KINDS, EMBEDDED_KINDS)
async def _receiver_down(trouble: Trouble[Any]) -> None:
    await trouble.receiver.stop()
    try:
        await trouble.wait(1.0, 5.0)
    finally:
        await trouble.receiver.start()


@kind("the receiver hangs", KINDS, EMBEDDED_KINDS)
async def _receiver_hangs(trouble: Trouble[Any]) -> None:
    """Longer than the service waits for an answer."""
    trouble.receiver.hang()
    try:
        await trouble.wait(5.5, 8.0)
    finally:
        trouble.receiver.go_on()


@kind("Redis is restarted")
async def _restart_redis(trouble: Trouble[Stage]) -> None:
    await trouble.stage.valkey.stop()
    try:
        await trouble.wait(0.5, 4.0)
    finally:
        await trouble.stage.valkey.start()


@kind("S3 is down")
async def _s3_down(trouble: Trouble[Stage]) -> None:
    await trouble.stage.s3.stop()
    try:
        await trouble.wait(1.0, 5.0)
    finally:
        await trouble.stage.s3.start()


@kind("nginx is reloaded")
async def _reload_nginx(trouble: Trouble[Stage]) -> None:
    trouble.stage.nginx.reload()


# `signoff serve` ---------------------------------------------------------------------------------------------------

DISK_FULL = "the disk is full"


@kind("the API is killed", EMBEDDED_KINDS)
async def _kill_embedded_api(trouble: Trouble[EmbeddedStage]) -> None:
    trouble.stage.kill(trouble.stage.child("api"))


@kind("the worker is killed", EMBEDDED_KINDS)
async def _kill_embedded_worker(trouble: Trouble[EmbeddedStage]) -> None:
    trouble.stage.kill(trouble.stage.child("worker"))


@kind("the database is killed", EMBEDDED_KINDS)
async def _kill_embedded_postgres(trouble: Trouble[EmbeddedStage]) -> None:
    trouble.stage.kill(trouble.stage.postgres.main())


@kind("a backend of the database is killed", EMBEDDED_KINDS)
async def _kill_embedded_backend(trouble: Trouble[EmbeddedStage]) -> None:
    backends = trouble.stage.postgres.backends()
    trouble.stage.kill(trouble.chance.choice(backends) if backends else None)


@kind("the database is killed, and the API while it recovers", EMBEDDED_KINDS)
async def _kill_both(trouble: Trouble[EmbeddedStage]) -> None:
    before = trouble.stage.child("api")
    trouble.stage.kill(trouble.stage.postgres.main())
    loop = asyncio.get_running_loop()
    until = loop.time() + 30
    while ((api := trouble.stage.child("api")) is None or api == before) and loop.time() < until:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)
    trouble.stage.kill(trouble.stage.child("api"))


@kind(DISK_FULL, EMBEDDED_KINDS)
async def _fill_disk(trouble: Trouble[EmbeddedStage]) -> None:
    trouble.stage.kills += 1
    await asyncio.to_thread(trouble.stage.disk.fill)
    try:
        await trouble.wait(2.0, 4.0)
    finally:
        await asyncio.to_thread(trouble.stage.disk.empty)
