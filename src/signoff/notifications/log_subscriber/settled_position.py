"""Up to which entry of the log nothing can show up any more.

Entries get their number when they are written and are seen when their transaction commits, which is another order. So
an entry can show up below the highest that was seen. Three looks make sure: the first sees a highest number. At the
second, at least `SETTLED_AFTER` later, every transaction that took a lower number has a number of its own, and it is
known which were under way. Once those have ended, all up to the first look's number has been seen.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

SETTLED_AFTER: Final = 0.5
"""Seconds. An entry's number is taken a moment before its transaction has one."""
MAX_WAIT_SECONDS: Final = 60.0
"""Seconds. A transaction that lasts longer is not waited for: one of another database can last for hours."""


@dataclass(slots=True)
class _Candidate:
    number: int
    seen_at: float
    fence: int | None = None
    """Transactions with lower numbers may still write below."""


class SettledPosition:
    def __init__(self, position: int) -> None:
        self.position = position
        """Nothing shows up at this number or below."""
        self._candidates: deque[_Candidate] = deque()

    def update(self, highest: int, under_way: int, following: int, moment: float) -> int:
        """One look: the highest entry seen, the oldest transaction under way, the number that the next one gets, and
        when it was. Answers the position."""
        for candidate in self._candidates:
            if candidate.fence is None and moment - candidate.seen_at >= SETTLED_AFTER:
                candidate.fence = following
        while self._candidates and self._is_settled(self._candidates[0], under_way, moment):
            self.position = self._candidates.popleft().number
        known = self._candidates[-1].number if self._candidates else self.position
        if highest > known:
            self._candidates.append(_Candidate(highest, moment))
        return self.position

    @property
    def waits(self) -> bool:
        """Whether something was seen that is not settled yet."""
        return bool(self._candidates)

    @staticmethod
    def _is_settled(candidate: _Candidate, under_way: int, moment: float) -> bool:
        ended = candidate.fence is not None and candidate.fence <= under_way
        return ended or moment - candidate.seen_at > MAX_WAIT_SECONDS
