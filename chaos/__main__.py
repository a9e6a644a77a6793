"""`make chaos MINUTES=5`: runs, prints the reckoning, and ends with 1 if anything disagrees."""

import argparse
import asyncio
import logging
import random
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from chaos.report import report
from chaos.run import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m chaos")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=None, help="repeats the choices of an earlier run")
    parser.add_argument("--pace", type=float, default=0.1, help="seconds that an agent rests between two requests")
    parser.add_argument("--keep", action="store_true", help="leave the logs and the database behind")
    parser.add_argument("--figures", action="store_true", help="measure instead: how many a second with 1, 2, 3 APIs")
    parser.add_argument("--rounds", type=int, default=3, help="of measuring")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    folder = Path(tempfile.mkdtemp(prefix="signoff-chaos-"))
    say = partial(print, flush=True)
    # Our receiver breaks connections off on purpose, and its server would complain each time.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    try:
        if options.figures:
            from chaos.figures import measure

            say(asyncio.run(measure(folder, options.rounds)))
            return 0
        say(f"seed {seed}, logs in {folder}")
        outcome = asyncio.run(run(folder, seed, options.minutes * 60, say, pace=options.pace))
        say(report(outcome.evidence, outcome.disagreements, outcome.troubles, seed))
        return 0 if outcome.adds_up else 1
    finally:
        if options.keep:
            say(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
