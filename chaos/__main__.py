"""`make chaos MINUTES=5`: runs, prints the reckoning, and ends with 1 if anything disagrees."""

import argparse
import asyncio
import logging
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from chaos.mutations import MUTATIONS, mutate
from chaos.report import report
from chaos.run import run, run_without_failures


async def find_mutations(folder: Path, seed: int, say: Callable[[str], None]) -> int:
    """0 if the sound service adds up and every fault in it is found."""
    missed: list[str] = []
    for number, mutation in enumerate([None, *MUTATIONS]):
        place = folder / str(number)
        source = mutate(place, [mutation] if mutation else [])
        outcome = await run_without_failures(place, seed, 5.0, lambda _: None, source)
        failed = [promise for promise, lines in outcome.disagreements.items() if lines]
        name = mutation.name if mutation else "nothing"
        if outcome.adds_up != (mutation is None):
            missed.append(name)
        say(f"{'MISSED' if name in missed else 'ok':>6}  {name}: {'; '.join(failed) or 'everything adds up'}")
    say(f"{len(MUTATIONS) + 1 - len(missed)} of {len(MUTATIONS) + 1} as expected, seed {seed}")
    return 1 if missed else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m chaos")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=None, help="repeats the choices of an earlier run")
    parser.add_argument("--pace", type=float, default=0.1, help="seconds that an agent rests between two requests")
    parser.add_argument("--keep", action="store_true", help="leave the logs and the database behind")
    parser.add_argument("--figures", action="store_true", help="measure instead: how many a second with 1, 2, 3 APIs")
    parser.add_argument("--rounds", type=int, default=3, help="of measuring")
    parser.add_argument("--embedded", action="store_true", help="`signoff serve` with its own database, no cluster")
    parser.add_argument("--mutations", action="store_true", help="put faults into the service: is each found?")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    folder = Path(tempfile.mkdtemp(prefix="signoff-chaos-"))
    say = partial(print, flush=True)
    # Our receiver breaks connections off on purpose, and its server would complain each time.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    try:
        if options.figures:
            from chaos.throughput import measure

            say(asyncio.run(measure(folder, options.rounds)))
            return 0
        if options.mutations:
            return asyncio.run(find_mutations(folder, seed, say))
        say(f"seed {seed}, logs in {folder}")
        outcome = asyncio.run(
            run(folder, seed, options.minutes * 60, say, embedded=options.embedded, pace=options.pace)
        )
        say(report(outcome.evidence, outcome.disagreements, outcome.failure_counts, seed))
        return 0 if outcome.adds_up else 1
    finally:
        if options.keep:
            say(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
