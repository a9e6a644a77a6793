"""When things happened: in working hours, more in the mornings, and with faster decisions as the weeks went by."""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Final

from signoff.demo.seed.content.models import SeedReview
from signoff.demo.seed.content.newsroom import LAUNCH, MARKET

DAYS: Final = 28
"""Within the month that insights show, in any time zone."""
OPENING_HOUR: Final = 8
HOURS_OPEN: Final = 9
"""From eight to five in UTC, because the workspace's time zone isn't known yet."""
_MEDIAN: Final = 26 * 60.0
_LONGEST: Final = timedelta(days=2)
RUNS: Final = {LAUNCH: 17, MARKET: 5}
"""How many days ago each started."""
LATEST_TIME_OUT: Final = timedelta(days=4)
"""Reviews that nobody decided in time were requested at least this long ago, so their deadline has passed."""


class Rhythm:
    def __init__(self, now: datetime, seed: int = 187) -> None:
        self.now = now
        self._chance = random.Random(seed)  # noqa: S311 - nothing to guess here

    def month(self, count: int) -> list[datetime]:
        """Return this many times on working days of the last weeks, oldest first."""
        days = self._working_days()
        width = len(days) / count
        return sorted(self._pick_time(days, (number + self._chance.random()) * width) for number in range(count))

    def morning(self, days_ago: int) -> datetime:
        """Return the morning of a working day, this many days ago or a little earlier."""
        return next(day for day in reversed(self._working_days()) if day <= self.now - timedelta(days=days_ago))

    def pick_decision_time(self, requested_at: datetime) -> datetime:
        """Return when someone decided: never in the future, and never at night."""
        age = (self.now - requested_at) / timedelta(days=DAYS)
        seconds = _MEDIAN * (0.5 + age) * self._chance.lognormvariate(0, 1)
        at = self._move_into_hours(requested_at + min(timedelta(seconds=seconds), _LONGEST))
        return at if at < self.now - timedelta(minutes=2) else requested_at + (self.now - requested_at) * 0.4

    def pick_soon_after(self, at: datetime) -> datetime:
        """Return a time some minutes later, as a program or someone at their desk responds."""
        return min(at + timedelta(seconds=self._chance.uniform(90, 900)), self.now - timedelta(minutes=1))

    def shuffled(self, count: int) -> list[int]:
        return self._chance.sample(range(count), count)

    def _working_days(self) -> list[datetime]:
        midnight = self.now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        opening = [midnight - timedelta(days=day) + timedelta(hours=OPENING_HOUR) for day in range(DAYS, -1, -1)]
        return [day for day in opening if day.weekday() < 5 and day < self.now - timedelta(hours=HOURS_OPEN)]

    def _pick_time(self, days: list[datetime], place: float) -> datetime:
        day = days[min(int(place), len(days) - 1)]
        return day + timedelta(hours=HOURS_OPEN * (place % 1) ** 1.3)

    def _move_into_hours(self, at: datetime) -> datetime:
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
        late = at - midnight >= timedelta(hours=OPENING_HOUR + HOURS_OPEN + 1)
        while late or midnight.weekday() > 4:
            midnight += timedelta(days=1)
            late = False
        if midnight > at:
            return midnight + timedelta(hours=OPENING_HOUR, minutes=self._chance.uniform(2, 90))
        return at


def schedule_cases(cases: Sequence[SeedReview], rhythm: Rhythm) -> Iterator[tuple[SeedReview, datetime | None]]:
    """Yield each case with the time of its request. None means right after the steps before it were decided."""
    in_turn = [case for case in cases if case.run is None and case.hours_ago is None]
    for place, requested_at in zip(rhythm.shuffled(len(in_turn)), rhythm.month(len(in_turn)), strict=True):
        case = in_turn[place]
        yield case, min(requested_at, rhythm.now - LATEST_TIME_OUT) if case.by == "time-out" else requested_at
    for run, of_run in groupby(sorted((case for case in cases if case.run), key=_run), key=_run):
        for case in sorted(of_run, key=lambda case: len(case.after)):
            yield case, None if case.after else rhythm.morning(RUNS[run])
    for case in cases:
        if case.hours_ago is not None:
            yield case, rhythm.now - timedelta(hours=case.hours_ago)


def _run(case: SeedReview) -> str:
    return case.run or ""
