"""One run: the stage is set, load and trouble come, then quiet, and in the end the reckoning."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chaos.collecting import collect, left_after_stop, left_while_idle, unfinished
from chaos.evidence import Evidence
from chaos.load import Load
from chaos.logs import faults
from chaos.receiver import Receiver
from chaos.reconcile import reconcile
from chaos.stage import stage
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
    folder: Path, seed: int, seconds: float, say: Callable[[str], None], *, one_of_each: bool = False, pace: float = 0.1
) -> Outcome:
    """`one_of_each`: every kind of trouble once in the time, instead of as chance has it."""
    began = time.monotonic()

    def timed(text: str) -> None:
        say(f"{time.monotonic() - began:6.1f} s  {text}")

    evidence = Evidence()
    chance = random.Random(seed)
    receiver = Receiver(random.Random(chance.random()))
    await receiver.start()
    try:
        async with stage(folder) as on_stage:
            timed("everything is up")
            trouble = Trouble(on_stage, receiver, random.Random(chance.random()), timed)
            load = Load(on_stage, evidence, receiver, random.Random(chance.random()), pace)
            async with load:
                timed("load begins")
                running = asyncio.create_task(load.run())
                await asyncio.sleep(1.0)
                await (trouble.one_of_each(seconds) if one_of_each else trouble.for_a_while(seconds, pause=3.0))
                timed("no more trouble")
                load.stop()
                receiver.faultless = True
                await running
                timed("the load has ended")
                await on_stage.everything_runs()
                evidence.unfinished = await _settle(lambda: unfinished(on_stage))
                timed("quiet")
                evidence.calls = receiver.calls
                await collect(evidence, load)
                evidence.leftovers = await _settle(lambda: left_while_idle(on_stage), 20.0)
            for kept in on_stage.service:
                if not await kept.stop():
                    evidence.leftovers.append(f"{kept.name} did not stop when asked to")
            evidence.leftovers += await _settle(lambda: left_after_stop(on_stage), 20.0)
            evidence.faults = [fault for kept in on_stage.service for fault in faults(kept.log)]
            timed("everything is read")
    finally:
        await receiver.stop()
    return Outcome(evidence, reconcile(evidence), trouble.counts)


async def _settle(look: Callable[[], list[str]], within: float = SETTLES_WITHIN) -> list[str]:
    """What is still there after the time; empty as soon as nothing is."""
    deadline = time.monotonic() + within
    while (found := await asyncio.to_thread(look)) and time.monotonic() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.5)
    return found
