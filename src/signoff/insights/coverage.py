"""Which days are rolled up, and what has to be computed from the rows themselves.

A day that's rolled up is read from its few rows of statistics. Everything else is computed from the reviews and
deliveries: today, days with changes since they were rolled up, and what a period has of a day at its ends if statistics
are only kept by day.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from signoff.platform.db import Executor
from signoff.platform.ids import id_at
from signoff.platform.sql import Sql

Part = Literal["decisions", "deliveries", "requests"]
DAY: Final = timedelta(days=1)
QUARTER: Final = timedelta(minutes=15)
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
SKEW: Final = 3600.0
"""Maximum difference in seconds between the clocks that created an ID and a row."""

Range = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Split:
    """A period in two: what's read from statistics, and ranges that are computed from rows."""

    covered: Range
    """Without the changed days."""
    changed: Sequence[datetime]
    rows: Sequence[Range]

    def parameters(self, prefix: str | None = None) -> dict[str, Any]:
        """Return the parameters of statements that read both. `prefix` is that of IDs that sort by creation time, so
        that the primary key finds the rows.
        """
        values: dict[str, Any] = {
            "covered_from": self.covered[0],
            "covered_until": self.covered[1],
            "changed": list(self.changed),
            "begins": [begin for begin, _ in self.rows],
            "ends": [end for _, end in self.rows],
        }
        if prefix is not None:
            values["begin_ids"] = [id_at(prefix, begin, -SKEW) for begin, _ in self.rows]
            values["end_ids"] = [id_at(prefix, end, SKEW) for _, end in self.rows]
        return values


@dataclass(frozen=True, slots=True)
class Coverage:
    first_day: datetime
    next_day: datetime
    """The first day that isn't rolled up."""
    changed: dict[Part, list[datetime]]

    def split(self, part: Part, begin: datetime, end: datetime, unit: timedelta) -> Split:
        """Split a period. `unit` is what the part's statistics are kept by."""
        covered_from = max(begin + (EPOCH - begin) % unit, self.first_day)
        covered_until = min(end - (end - EPOCH) % unit, self.next_day)
        if covered_from >= covered_until:
            return Split((begin, begin), [], [(begin, end)])
        changed = [day for day in self.changed[part] if day + DAY > covered_from and day < covered_until]
        rows = [
            (begin, covered_from),
            *((max(day, covered_from), min(day + DAY, covered_until)) for day in changed),
            (covered_until, end),
        ]
        return Split((covered_from, covered_until), changed, [each for each in rows if each[0] < each[1]])


NOTHING: Final = Coverage(EPOCH, EPOCH, {"decisions": [], "deliveries": [], "requests": []})

_DAYS = Sql("select first_day, next_day from insight_days where account_id = :account_id")
_CHANGES = Sql("select distinct part, day from insight_changes where account_id = :account_id order by day")


async def read_coverage(db: Executor, account_id: str) -> Coverage:
    # The days first: a day that's rolled up in between may then have a change too many, never one too few.
    days = await _DAYS.fetch_one(db, account_id=account_id)
    if days is None:
        return NOTHING
    changed: dict[Part, list[datetime]] = {"decisions": [], "deliveries": [], "requests": []}
    for row in await _CHANGES.fetch(db, account_id=account_id):
        changed[row["part"]].append(row["day"])
    return Coverage(days["first_day"], days["next_day"], changed)
