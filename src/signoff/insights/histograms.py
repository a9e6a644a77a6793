"""Histograms of how long decisions took, which can be added up.

A bin is wider the longer the times are, so a percentile differs from the exact one by at most 1%, or a millisecond.
"""

from collections.abc import Sequence
from typing import Final, LiteralString

GROWTH: Final = 1.02
"""How much longer the longest time of a bin is than that of the bin before it."""

BIN: Final[LiteralString] = "greatest(0, ceil(ln(greatest(seconds, 0.001) * 1000) / ln(1.02)))::smallint"
"""SQL for the bin of `seconds`. The first one ends at a millisecond."""


def percentile(bins: Sequence[int], counts: Sequence[int], part: float) -> float:
    """Return a percentile in seconds, interpolated like PostgreSQL's `percentile_cont`. `bins` are in order, and at
    least one value is counted.
    """
    place = part * (sum(counts) - 1)
    rank = int(place)
    low, high = _value(bins, counts, rank), _value(bins, counts, rank + 1)
    return low + (high - low) * (place - rank)


def _value(bins: Sequence[int], counts: Sequence[int], rank: int) -> float:
    """Return the value with a rank, counted from 0, or the last one."""
    for number, count in zip(bins, counts, strict=True):
        if rank < count:
            return _middle(number)
        rank -= count
    return _middle(bins[-1])


def _middle(number: int) -> float:
    """Return the value that's wrong by the same share at both ends of the bin."""
    return 0.0 if number == 0 else 2 * GROWTH**number / (GROWTH + 1) / 1000
