"""Failures of the cluster, and an injector that causes them at random times from a repeatable seed."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import psutil

from chaos.cluster import Cluster
from chaos.embedded import EmbeddedService
from chaos.receiver import Receiver

Inject = Callable[[Any], Awaitable[None]]
FAILURES: dict[str, Inject] = {}
"""For a cluster."""
EMBEDDED_FAILURES: dict[str, Inject] = {}
"""For `signoff serve` with its own database."""

LONGER_THAN_A_CLAIM = (32.0, 45.0)
"""Seconds for which a worker is frozen, so that others assume its attempts lost."""


def failure(name: str, *registers: dict[str, Inject]) -> Callable[[Inject], Inject]:
    def keep(cause: Inject) -> Inject:
        for register in registers or (FAILURES,):
            register[name] = cause
        return cause

    return keep


Target = TypeVar("Target", bound=Cluster | EmbeddedService)


@dataclass
class FailureInjector(Generic[Target]):
    cluster: Target
    receiver: Receiver
    chance: random.Random
    say: Callable[[str], None]
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def kinds(self) -> dict[str, Inject]:
        """The failures that are possible here."""
        if isinstance(self.cluster, Cluster):
            return FAILURES
        return {
            name: cause for name, cause in EMBEDDED_FAILURES.items() if self.cluster.disk.is_small or name != DISK_FULL
        }

    async def inject_at_random(self, seconds: float, pause: float) -> None:
        """Cause failures in sequence and at the same time, but never the same one twice at once."""
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

    async def inject_each_once(self, seconds: float) -> None:
        """Spread over the time, slowest recovery first. Workers aren't frozen, since that takes too long."""
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


@failure("an API is killed")
async def _kill_api(injector: FailureInjector[Cluster]) -> None:
    """Kill the whole process group, only the main process, or only the one that serves requests."""
    api = injector.chance.choice(injector.cluster.apis)
    how = injector.chance.choice(["whole", "main", "serving"])
    if how == "whole":
        api.kill()
    else:
        api.kill_one(last=how == "serving")


@failure("a worker is killed")
async def _kill_worker(injector: FailureInjector[Cluster]) -> None:
    injector.chance.choice(injector.cluster.workers).kill()


@failure("a worker is frozen")
async def _freeze_worker(injector: FailureInjector[Cluster]) -> None:
    worker = injector.chance.choice(injector.cluster.workers)
    worker.freeze()
    try:
        await injector.wait(*LONGER_THAN_A_CLAIM)
    finally:
        worker.thaw()


@failure("PostgreSQL is restarted")
async def _restart_postgres(injector: FailureInjector[Cluster]) -> None:
    await _stop_postgres(injector, signal.SIGINT)


@failure("PostgreSQL crashes")
async def _crash_postgres(injector: FailureInjector[Cluster]) -> None:
    await _stop_postgres(injector, signal.SIGQUIT)


@failure("PostgreSQL's main process is killed")
async def _kill_postgres(injector: FailureInjector[Cluster]) -> None:
    await _stop_postgres(injector, signal.SIGKILL)


@failure("a backend of PostgreSQL is killed")
async def _kill_backend(injector: FailureInjector[Cluster]) -> None:
    """All other backends end with it, and the database recovers automatically."""
    async with injector.cluster.postgres.lock:
        backends = await asyncio.to_thread(injector.cluster.postgres.backends)
        if backends:
            with suppress(psutil.NoSuchProcess):
                injector.chance.choice(backends).kill()


async def _stop_postgres(injector: FailureInjector[Cluster], number: signal.Signals) -> None:
    async with injector.cluster.postgres.lock:
        await injector.cluster.postgres.stop(number)
        try:
            await injector.wait(0.2, 2.0)
        finally:
            await injector.cluster.postgres.start()


@failure("the receiver is down", FAILURES, EMBEDDED_FAILURES)
async def _stop_receiver(injector: FailureInjector[Any]) -> None:
    await injector.receiver.stop()
    try:
        await injector.wait(1.0, 5.0)
    finally:
        await injector.receiver.start()


@failure("the receiver hangs", FAILURES, EMBEDDED_FAILURES)
async def _hang_receiver(injector: FailureInjector[Any]) -> None:
    """For longer than the service waits for a response."""
    injector.receiver.hang()
    try:
        await injector.wait(5.5, 8.0)
    finally:
        injector.receiver.resume()


@failure("Redis is restarted")
async def _restart_redis(injector: FailureInjector[Cluster]) -> None:
    await injector.cluster.valkey.stop()
    try:
        await injector.wait(0.5, 4.0)
    finally:
        await injector.cluster.valkey.start()


@failure("S3 is down")
async def _stop_s3(injector: FailureInjector[Cluster]) -> None:
    await injector.cluster.s3.stop()
    try:
        await injector.wait(1.0, 5.0)
    finally:
        await injector.cluster.s3.start()


@failure("nginx is reloaded")
async def _reload_nginx(injector: FailureInjector[Cluster]) -> None:
    injector.cluster.nginx.reload()


# `signoff serve` ---------------------------------------------------------------------------------------------------

DISK_FULL = "the disk is full"


@failure("the API is killed", EMBEDDED_FAILURES)
async def _kill_embedded_api(injector: FailureInjector[EmbeddedService]) -> None:
    injector.cluster.kill(injector.cluster.child("api"))


@failure("the worker is killed", EMBEDDED_FAILURES)
async def _kill_embedded_worker(injector: FailureInjector[EmbeddedService]) -> None:
    injector.cluster.kill(injector.cluster.child("worker"))


@failure("the database is killed", EMBEDDED_FAILURES)
async def _kill_embedded_postgres(injector: FailureInjector[EmbeddedService]) -> None:
    injector.cluster.kill(injector.cluster.postgres.main())


@failure("a backend of the database is killed", EMBEDDED_FAILURES)
async def _kill_embedded_backend(injector: FailureInjector[EmbeddedService]) -> None:
    backends = injector.cluster.postgres.backends()
    injector.cluster.kill(injector.chance.choice(backends) if backends else None)


@failure("the database is killed, and the API while it recovers", EMBEDDED_FAILURES)
async def _kill_both(injector: FailureInjector[EmbeddedService]) -> None:
    before = injector.cluster.child("api")
    injector.cluster.kill(injector.cluster.postgres.main())
    loop = asyncio.get_running_loop()
    until = loop.time() + 30
    while ((api := injector.cluster.child("api")) is None or api == before) and loop.time() < until:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)
    injector.cluster.kill(injector.cluster.child("api"))


@failure(DISK_FULL, EMBEDDED_FAILURES)
async def _fill_disk(injector: FailureInjector[EmbeddedService]) -> None:
    injector.cluster.kills += 1
    await asyncio.to_thread(injector.cluster.disk.fill)
    try:
        await injector.wait(2.0, 4.0)
    finally:
        await asyncio.to_thread(injector.cluster.disk.empty)
