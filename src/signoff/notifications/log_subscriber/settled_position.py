"""The settled position: the number up to which no audit log entry can still appear.

Entries get their number when they're written but become visible when their transaction commits, which is a different
order. So an entry can appear below the highest one seen. Three readings solve this: the first sees a highest number. By
the second, at least `SETTLED_AFTER` later, every transaction that took a lower number has a transaction ID, and the
transactions in progress are known. Once those have ended, everything up to the first reading's number has been seen.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

SETTLED_AFTER: Final = 0.5
"""Seconds. An entry's number is taken a moment before its transaction has an ID."""
MAX_WAIT_SECONDS: Final = 60.0
"""Seconds. A transaction that lasts longer isn't waited for: one of another database can last for hours."""


@dataclass(slots=True)
class _Candidate:
    number: int
    seen_at: float
    fence: int | None = None
    """Transactions with lower IDs may still write below."""


class SettledPosition:
    def __init__(self, position: int) -> None:
        self.position = position
        """No entry can appear at or below this number."""
        self._candidates: deque[_Candidate] = deque()

    def update(self, highest: int, under_way: int, following: int, now: float) -> int:
        """Take a reading: the highest entry seen, the oldest transaction in progress, the ID of the next one, and
        the time. Returns the position.
        """
        for candidate in self._candidates:
            if candidate.fence is None and now - candidate.seen_at >= SETTLED_AFTER:
                candidate.fence = following
        while self._candidates and self._is_settled(self._candidates[0], under_way, now):
            self.position = self._candidates.popleft().number
        known = self._candidates[-1].number if self._candidates else self.position
        if highest > known:
            self._candidates.append(_Candidate(highest, now))
        return self.position

    @property
    def waits(self) -> bool:
        """Whether something has been seen that isn't settled yet."""
        return bool(self._candidates)

    @staticmethod
    def _is_settled(candidate: _Candidate, under_way: int, now: float) -> bool:
        ended = candidate.fence is not None and candidate.fence <= under_way
        return ended or now - candidate.seen_at > MAX_WAIT_SECONDS
