"""One run: the stage is set, load and trouble come, then quiet, and in the end the reckoning."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chaos.collecting import collect, left_after_stop, left_while_idle, unfinished
from chaos.embedded import EmbeddedStage, embedded_stage
from chaos.evidence import Evidence
from chaos.load import Load
from chaos.logs import faults
from chaos.receiver import Receiver
from chaos.reconcile import LIVE, RULES, reconcile
from chaos.stage import Stage, stage
from chaos.trouble import Trouble

SETTLES_WITHIN = 240.0
"""Seconds. A worker is taken for dead after 20, its attempts for lost after 30; storage is asked again after 10."""


@dataclass
class Outcome:
    evidence: Evidence
    disagreements: dict[str, list[str]]
    troubles: Counter[str]

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
    one_of_each: bool = False,
    pace: float = 0.1,
) -> Outcome:
    """A cluster, or `signoff serve` with its own database.

    `one_of_each`: every kind of trouble once in the time, instead of as chance has it.
    """

    async def make_trouble(trouble: Trouble[Any]) -> None:
        await (trouble.one_of_each(seconds) if one_of_each else trouble.for_a_while(seconds, pause=3.0))

    setting = embedded_stage(folder) if embedded else stage(folder)
    return await _run(setting, seed, say, make_trouble, pace)


async def run_quietly(
    folder: Path, seed: int, seconds: float, say: Callable[[str], None], source: Path | None = None
) -> Outcome:
    """A small cluster without trouble, of the service in the folder `source`: what is wrong is the service's own."""

    async def wait(_: Trouble[Any]) -> None:
        await asyncio.sleep(seconds)

    small = stage(folder, apis=1, workers=1, source=source)
    return await _run(small, seed, say, wait, pace=0.1, receiver_fails=False, settles_within=30.0)


async def _run(
    setting: AbstractAsyncContextManager[Stage | EmbeddedStage],
    seed: int,
    say: Callable[[str], None],
    make_trouble: Callable[[Trouble[Any]], Awaitable[None]],
    pace: float,
    *,
    receiver_fails: bool = True,
    settles_within: float = SETTLES_WITHIN,
) -> Outcome:
    began = time.monotonic()

    def timed(text: str) -> None:
        say(f"{time.monotonic() - began:6.1f} s  {text}")

    evidence = Evidence()
    chance = random.Random(seed)
    receiver = Receiver(random.Random(chance.random()), faultless=not receiver_fails)
    await receiver.start()
    try:
        async with setting as on_stage:
            timed("everything is up")
            trouble = Trouble(on_stage, receiver, random.Random(chance.random()), timed)
            load = Load(on_stage, evidence, receiver, random.Random(chance.random()), pace)
            async with load:
                timed("load begins")
                watching = asyncio.create_task(load.watch())
                running = asyncio.create_task(load.run())
                await asyncio.sleep(1.0)
                await make_trouble(trouble)
                timed("no more trouble")
                load.stop()
                receiver.faultless = True
                await running
                timed("the load has ended")
                await on_stage.everything_runs()
                evidence.unfinished = await _settle(lambda: unfinished(on_stage), settles_within)
                timed("quiet")
                evidence.calls = receiver.calls
                await collect(evidence, load)
                await _settle(lambda: list(RULES[LIVE](evidence)), min(20.0, settles_within))
                watching.cancel()
                evidence.leftovers = await _settle(lambda: left_while_idle(on_stage), 20.0)
            for kept in on_stage.service:
                if not isinstance(on_stage, Stage) and kept.has_ended:
                    evidence.leftovers.append(f"{kept.name} ended by itself")
                if not await kept.stop():
                    evidence.leftovers.append(f"{kept.name} did not stop when asked to")
            if isinstance(on_stage, Stage):  # the embedded database has stopped too
                evidence.leftovers += await _settle(lambda: left_after_stop(on_stage), 20.0)
            evidence.faults = [fault for kept in on_stage.service for fault in faults(kept.log)]
            timed("everything is read")
    finally:
        await receiver.stop()
    return Outcome(evidence, reconcile(evidence), trouble.counts)


async def _settle(look: Callable[[], list[str]], within: float) -> list[str]:
    """What is still there after the time; empty as soon as nothing is."""
    deadline = time.monotonic() + within
    while (found := await asyncio.to_thread(look)) and time.monotonic() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.5)
    return found
