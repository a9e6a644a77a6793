"""Limits on concurrent attempts per destination, according to its speed, so that a slow one can't hold up the others.

A channel makes a limited number of attempts at once. Each destination gets a part of them, which shrinks as its
attempts take longer, down to two for one that only times out. What doesn't fit isn't claimed. If so much is due that it
would hide messages for other destinations, it's pushed back to about the time when it's its turn.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

FAST_SECONDS = 1.0
"""Seconds that an attempt may take before the destination's limit shrinks."""
MIN_SLOTS = 2
FIRST_GUESS = 0.05
WEIGHT_OF_NEWEST = 0.1
MAX_IDLE_DESTINATIONS = 1000


@dataclass(frozen=True, slots=True)
class Load:
    """A destination that can't take as many messages now as an idle one."""

    channel: str
    destination: str
    free: int
    """How many more attempts it can take now."""
    seconds_each: float
    """How often an attempt ends, at its present speed."""
    pushed_back: int
    """How many messages wait for their turn."""


class Slot:
    """An attempt under way."""

    __slots__ = ("_destination", "began")

    def __init__(self, destination: "_Destination", began: float) -> None:
        self._destination = destination
        self.began = began

    def end(self, seconds: float | None) -> None:
        """`seconds` is how long the receiver took; None if it wasn't called."""
        self._destination.end(self, seconds)


class _Destination:
    def __init__(self, widest: int, clock: Callable[[], float]) -> None:
        self._widest = widest
        self._clock = clock
        self._seconds = FIRST_GUESS
        self._running: dict[Slot, None] = {}  # ordered: the oldest first
        self.pushed_back = 0

    @property
    def is_idle(self) -> bool:
        return not self._running

    @property
    def is_limited(self) -> bool:
        return self._free() < self._widest

    def start(self) -> Slot:
        slot = Slot(self, self._clock())
        self._running[slot] = None
        self.pushed_back = max(0, self.pushed_back - 1)
        return slot

    def end(self, slot: Slot, seconds: float | None) -> None:
        del self._running[slot]
        if seconds is not None:
            self._seconds += WEIGHT_OF_NEWEST * (seconds - self._seconds)

    def load(self, channel: str, destination: str) -> Load:
        return Load(channel, destination, self._free(), self._pace() / self._width(), self.pushed_back)

    def _free(self) -> int:
        return max(0, self._width() - len(self._running))

    def _width(self) -> int:
        return min(self._widest, max(MIN_SLOTS, int(self._widest * FAST_SECONDS / self._pace())))

    def _pace(self) -> float:
        """Return the seconds per attempt: the average of finished ones, or the age of the oldest unfinished one if
        that is longer.
        """
        oldest = next(iter(self._running), None)
        return max(self._seconds, self._clock() - oldest.began if oldest is not None else 0.0)


class DestinationLimits:
    """Those of one channel."""

    def __init__(self, channel: str, widest: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._channel = channel
        self._clock = clock
        self._destinations: dict[str, _Destination] = {}
        self.widest = widest
        """The limit of a fast destination."""

    def start(self, destination: str) -> Slot:
        known = self._destinations.get(destination)
        if known is None:
            if len(self._destinations) > MAX_IDLE_DESTINATIONS:
                self._destinations = {name: each for name, each in self._destinations.items() if not each.is_idle}
            known = self._destinations[destination] = _Destination(self.widest, self._clock)
        return known.start()

    def loads(self) -> list[Load]:
        """The destinations that can't take as many messages as an idle one."""
        return [each.load(self._channel, name) for name, each in self._destinations.items() if each.is_limited]

    def push_back(self, counts: Mapping[str, int]) -> None:
        """Note how many messages were pushed back, by destination."""
        for name, count in counts.items():
            if name in self._destinations:
                self._destinations[name].pushed_back += count
