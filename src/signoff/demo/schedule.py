"""Which case came when: those of a run one after another, those that wait at their hour, all others over the month."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final

from signoff.demo.content.newsroom import LAUNCH, MARKET
from signoff.demo.content.telling import Case
from signoff.demo.rhythm import Rhythm

RUNS: Final = {LAUNCH: 17, MARKET: 5}
"""How many days ago each began."""
LATEST_TIME_OUT: Final = timedelta(days=4)
"""What nobody decided in time was asked so long ago that the time is over."""


def when(cases: Sequence[Case], rhythm: Rhythm) -> Iterator[tuple[Case, datetime | None]]:
    """Each case with the moment at which it was asked. None: once the steps before it were decided."""
    in_turn = [case for case in cases if case.run is None and case.hours_ago is None]
    for place, asked in zip(rhythm.shuffled(len(in_turn)), rhythm.month(len(in_turn)), strict=True):
        case = in_turn[place]
        yield case, min(asked, rhythm.now - LATEST_TIME_OUT) if case.by == "time-out" else asked
    for run, of_run in groupby(sorted((case for case in cases if case.run), key=_run), key=_run):
        for case in sorted(of_run, key=lambda case: len(case.after)):
            yield case, None if case.after else rhythm.morning(RUNS[run])
    for case in cases:
        if case.hours_ago is not None:
            yield case, rhythm.now - timedelta(hours=case.hours_ago)


def _run(case: Case) -> str:
    return case.run or ""
