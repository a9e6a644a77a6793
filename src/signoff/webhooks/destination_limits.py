"""Limit concurrent calls per destination, according to its speed, so that a slow one can't hold up the others.

A worker runs a limited number of calls. Each destination gets a part of them, which shrinks as its calls take longer,
down to two for a receiver that only times out. If a fast destination is busy, a delivery waits for a slot; if a slow
one is, the delivery is requeued, so that it doesn't occupy the worker, and comes back later.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import urlsplit

FAST_SECONDS = 1.0
"""Seconds that a call may take before the destination's limit shrinks."""
SLOW_FROM = 2.0
"""Seconds per call from which on nobody waits for the destination."""
RECHECK_INTERVAL = 1.0
MIN_SLOTS = 2
MAX_PAUSE = 300.0
FIRST_GUESS = 0.05
WEIGHT_OF_NEWEST = 0.1
MAX_IDLE_DESTINATIONS = 1000


@lru_cache(maxsize=4096)
def _destination(url: str) -> str:
    return "{0.scheme}://{0.netloc}".format(urlsplit(url))


class DestinationBusy(Exception):
    """The destination is busy; `pause` is the number of seconds until the next try."""

    def __init__(self, pause: float) -> None:
        super().__init__(f"busy for about {pause:.1f} s")
        self.pause = pause


class Slot:
    """A slot for a call. Only the call itself is timed, not what we do before and after it."""

    __slots__ = ("_clock", "began", "slots", "took")

    def __init__(self, slots: "DestinationSlots", clock: Callable[[], float]) -> None:
        self.slots = slots
        self._clock = clock
        self.began: float | None = None
        self.took: float | None = None

    def __enter__(self) -> None:
        self.began = self._clock()

    def __exit__(self, *_: object) -> None:
        assert self.began is not None
        self.took = self._clock() - self.began

    def end(self) -> None:
        self.slots.leave(self)


class DestinationSlots:
    def __init__(self, widest: int, clock: Callable[[], float]) -> None:
        self._widest = widest
        self._clock = clock
        self._seconds = FIRST_GUESS
        self._inside: dict[Slot, None] = {}  # ordered: the oldest first
        self._waiting: deque[asyncio.Future[Slot]] = deque()
        self._looking: asyncio.TimerHandle | None = None
        self._handed_back = 0

    @property
    def idle(self) -> bool:
        return not self._inside and not self._waiting

    def _pace(self) -> float:
        """Return the seconds per call: the average of finished ones, or the age of the oldest unfinished one if
        that is longer.
        """
        oldest = next((turn.began for turn in self._inside if turn.began is not None and turn.took is None), None)
        return max(self._seconds, self._clock() - oldest if oldest is not None else 0.0)

    def _width(self) -> int:
        fitting = int(self._widest * FAST_SECONDS / self._pace())
        return min(self._widest, max(MIN_SLOTS, fitting))

    def leave(self, turn: Slot) -> None:
        del self._inside[turn]
        if turn.took is not None:
            self._seconds += WEIGHT_OF_NEWEST * (turn.took - self._seconds)
        if self._waiting:
            room = self._width() - len(self._inside)
            while room > 0 and (place := self._next_waiting()) is not None:
                place.set_result(self._admit())
                room -= 1

    def _next_waiting(self) -> "asyncio.Future[Slot] | None":
        """Return the longest-waiting delivery that hasn't been canceled."""
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                return place
        return None

    async def enter(self) -> Slot:
        self._handed_back = max(0, self._handed_back - 1)
        if not self._waiting and len(self._inside) < self._width():
            return self._admit()
        if self._pace() >= SLOW_FROM:
            raise self._full()
        loop = asyncio.get_running_loop()
        place: asyncio.Future[Slot] = loop.create_future()
        self._waiting.append(place)
        if self._looking is None:
            self._looking = loop.call_later(RECHECK_INTERVAL, self._look_after_waiting)
        try:
            return await place
        except asyncio.CancelledError:
            if place in self._waiting:
                self._waiting.remove(place)
            elif not place.cancelled():
                self.leave(place.result())
            raise

    def _look_after_waiting(self) -> None:
        """Requeue waiting deliveries if the receiver has stopped responding: then no slot becomes free, and nothing
        else would.
        """
        self._looking = None
        if self._pace() >= SLOW_FROM:
            while (place := self._next_waiting()) is not None:
                place.set_exception(self._full())
        elif self._waiting:
            self._looking = asyncio.get_running_loop().call_later(RECHECK_INTERVAL, self._look_after_waiting)

    def _admit(self) -> Slot:
        turn = Slot(self, self._clock)
        self._inside[turn] = None
        return turn

    def _full(self) -> DestinationBusy:
        self._handed_back += 1
        pause = min(MAX_PAUSE, self._pace() * (1 + self._handed_back / self._width()))
        return DestinationBusy(pause * random.uniform(0.8, 1.2))  # noqa: S311

    def send_back_waiting(self) -> None:
        while (place := self._next_waiting()) is not None:
            place.set_exception(DestinationBusy(0.0))


class DestinationLimiter:
    def __init__(self, widest: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._widest = widest
        self._clock = clock
        self._slots: dict[str, DestinationSlots] = {}
        self._closed = False

    async def turn(self, url: str) -> Slot:
        """Wait for a slot to call that destination: use `with turn:` around the call, and `turn.end()`. Raises
        `DestinationBusy`.
        """
        if self._closed:
            raise DestinationBusy(0.0)
        destination = _destination(url)
        slots = self._slots.get(destination)
        if slots is None:
            if len(self._slots) > MAX_IDLE_DESTINATIONS:
                self._slots = {key: slots for key, slots in self._slots.items() if not slots.idle}
            slots = self._slots[destination] = DestinationSlots(self._widest, self._clock)
        return await slots.enter()

    def close(self) -> None:
        """Hand out no more slots, and requeue those who wait."""
        self._closed = True
        for slots in self._slots.values():
            slots.send_back_waiting()
