"""One run: start the cluster, apply load and failures, wait until it settles, and check the records."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chaos.cluster import Cluster, start_cluster
from chaos.collector import collect, leftovers_after_stop, leftovers_while_idle, unfinished
from chaos.embedded import EmbeddedService, start_embedded_service
from chaos.evidence import Evidence
from chaos.failures import FailureInjector
from chaos.load import Load
from chaos.logs import find_errors
from chaos.receiver import Receiver
from chaos.reconcile import LIVE, RULES, reconcile

SETTLE_SECONDS = 240.0
"""A worker is assumed dead after 20 s, its attempts lost after 30 s; storage is retried after 10 s."""


@dataclass
class RunResult:
    evidence: Evidence
    disagreements: dict[str, list[str]]
    failure_counts: Counter[str]

    @property
    def adds_up(self) -> bool:
        return not any(self.disagreements.values())


async def run(
    folder: Path,
    seed: int,
    seconds: float,
    say: Callable[[str], None],
    *,
    embedded: bool = False,
    each_once: bool = False,
    pace: float = 0.1,
) -> RunResult:
    """A cluster, or `signoff serve` with its own database.

    `each_once`: every failure once, instead of at random.
    """

    async def inject_failures(injector: FailureInjector[Any]) -> None:
        await (injector.inject_each_once(seconds) if each_once else injector.inject_at_random(seconds, pause=3.0))

    setting = start_embedded_service(folder) if embedded else start_cluster(folder)
    return await _run(setting, seed, say, inject_failures, pace)


async def run_without_failures(
    folder: Path, seed: int, seconds: float, say: Callable[[str], None], source: Path | None = None
) -> RunResult:
    """A small cluster without failures, running the code in `source`: every disagreement is a bug of the service."""

    async def wait(_: FailureInjector[Any]) -> None:
        await asyncio.sleep(seconds)

    small = start_cluster(folder, apis=1, workers=1, source=source)
    return await _run(small, seed, say, wait, pace=0.1, fail_receiver=False, settle_seconds=30.0)


async def _run(
    setting: AbstractAsyncContextManager[Cluster | EmbeddedService],
    seed: int,
    say: Callable[[str], None],
    inject_failures: Callable[[FailureInjector[Any]], Awaitable[None]],
    pace: float,
    *,
    fail_receiver: bool = True,
    settle_seconds: float = SETTLE_SECONDS,
) -> RunResult:
    began = time.monotonic()

    def timed(text: str) -> None:
        say(f"{time.monotonic() - began:6.1f} s  {text}")

    evidence = Evidence()
    chance = random.Random(seed)
    receiver = Receiver(random.Random(chance.random()), always_succeeds=not fail_receiver)
    await receiver.start()
    try:
        async with setting as cluster:
            timed("everything is up")
            injector = FailureInjector(cluster, receiver, random.Random(chance.random()), timed)
            load = Load(cluster, evidence, receiver, random.Random(chance.random()), pace)
            async with load:
                timed("load begins")
                watching = asyncio.create_task(load.watch())
                running = asyncio.create_task(load.run())
                await asyncio.sleep(1.0)
                await inject_failures(injector)
                timed("no more trouble")
                load.stop()
                receiver.always_succeeds = True
                await running
                timed("the load has ended")
                await cluster.wait_until_running()
                evidence.unfinished = await _wait_until_empty(lambda: unfinished(cluster), settle_seconds)
                timed("quiet")
                evidence.calls = receiver.calls
                await collect(evidence, load)
                await _wait_until_empty(lambda: list(RULES[LIVE](evidence)), min(20.0, settle_seconds))
                watching.cancel()
                evidence.leftovers = await _wait_until_empty(lambda: leftovers_while_idle(cluster), 20.0)
            for process in cluster.service:
                if not isinstance(cluster, Cluster) and process.has_ended:
                    evidence.leftovers.append(f"{process.name} ended by itself")
                if not await process.stop():
                    evidence.leftovers.append(f"{process.name} did not stop when asked to")
            if isinstance(cluster, Cluster):  # the embedded database has stopped too
                evidence.leftovers += await _wait_until_empty(lambda: leftovers_after_stop(cluster), 20.0)
            evidence.errors = [error for process in cluster.service for error in find_errors(process.log)]
            timed("everything is read")
    finally:
        await receiver.stop()
    return RunResult(evidence, reconcile(evidence), injector.counts)


async def _wait_until_empty(look: Callable[[], list[str]], within: float) -> list[str]:
    """Wait until `look` returns nothing, and return what is left after the time."""
    deadline = time.monotonic() + within
    while (found := await asyncio.to_thread(look)) and time.monotonic() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.5)
    return found
