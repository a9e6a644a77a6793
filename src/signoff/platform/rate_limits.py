"""Rate limits: a token bucket that holds a burst of calls and refills at a steady rate.

A bucket is stored as one number: the time at which it will be full again. It's kept in this process or, if several
processes share a limit, in Redis. While Redis is unreachable, each process counts on its own, or together with the
others on its machine (`machine_buckets.py`).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from signoff.platform.logs import get_logger

log = get_logger("rate_limits")

SECOND = 1_000_000
"""Time is counted in whole microseconds, so that Redis scripts and Python get exactly the same results."""
REDIS_RETRY_AFTER = 2 * SECOND
MAX_CACHED = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of calls per second in the long run, and a burst that is allowed after a pause."""

    per_second: int
    burst: int

    @property
    def step(self) -> int:
        """Return the time it takes to refill one call."""
        return SECOND // self.per_second

    @property
    def whole(self) -> int:
        """Return the time it takes to refill the whole bucket."""
        return self.step * self.burst


@dataclass(frozen=True, slots=True)
class RateLimitResult:
    allowed: bool
    remaining: int
    """Calls that could be made right after this one."""
    next_in: int
    """Microseconds until one more call is possible."""

    @property
    def seconds_to_next(self) -> int:
        """Return whole seconds, rounded up, so that waiting this long is always enough."""
        return max(1, -(-self.next_in // SECOND))


def take_token(full_at: int, now: int, rate: Rate) -> tuple[bool, int]:
    """Return whether the bucket has a call left, and when it will be full after that. A refused call takes nothing
    from it.
    """
    # A clock that was set back must not block a bucket for long.
    full_at = min(max(full_at, now), now + rate.whole)
    allowed = full_at + rate.step <= now + rate.whole
    return allowed, full_at + rate.step if allowed else full_at


def build_result(allowed: bool, missing: int, rate: Rate) -> RateLimitResult:
    """`missing` is the time until the bucket is full."""
    remaining = (rate.whole - missing) // rate.step
    return RateLimitResult(allowed, remaining, missing - (rate.burst - remaining - 1) * rate.step)


class BucketStore(Protocol):
    async def take(self, name: str, rate: Rate) -> RateLimitResult: ...


class SharedBuckets(BucketStore, Protocol):
    """Buckets that several processes share. All methods but `close` raise `BucketsUnreachable`."""

    async def reach(self) -> None: ...

    async def close(self) -> None: ...


class BucketsUnreachable(Exception):
    """The shared buckets don't respond."""


def clock_us() -> int:
    """Return the time in microseconds, which is the same in all processes of a machine."""
    return time.monotonic_ns() // 1000


class LocalBuckets:
    """Buckets in this process."""

    def __init__(self, clock: Callable[[], int] = clock_us) -> None:
        self._clock = clock
        self._full_at: dict[str, int] = {}

    async def take(self, name: str, rate: Rate) -> RateLimitResult:
        now = self._clock()
        allowed, full_at = take_token(self._full_at.get(name, 0), now, rate)
        if len(self._full_at) >= MAX_CACHED:
            self._full_at = {name: at for name, at in self._full_at.items() if at > now}  # the others are full
        self._full_at[name] = full_at
        return build_result(allowed, full_at - now, rate)


class RateLimiter:
    """Uses the buckets in Redis while it's reachable, otherwise those of this process or this machine."""

    def __init__(
        self, shared: SharedBuckets | None, own: BucketStore | None = None, clock: Callable[[], int] = clock_us
    ) -> None:
        self.shared = shared
        self._own = own or LocalBuckets(clock)
        self._clock = clock
        self._ask_again_at = 0
        self._lost = False
        self._empty_until: dict[str, int] = {}

    async def take(self, name: str, rate: Rate) -> RateLimitResult:
        now = self._clock()
        if self.shared is None or now < self._ask_again_at:
            return await self._own.take(name, rate)
        if (wait := self._empty_until.get(name, 0) - now) > 0:
            # The bucket can't have refilled since it refused a call, so a client that keeps calling doesn't reach
            # Redis.
            return RateLimitResult(False, 0, wait)
        if self._lost:
            # One call checks whether Redis is back; the others don't wait for it.
            self._ask_again_at = now + REDIS_RETRY_AFTER
        try:
            outcome = await self.shared.take(name, rate)
        except BucketsUnreachable as error:
            self._mark_unreachable(error)
            return await self._own.take(name, rate)
        self._mark_reachable()
        if not outcome.allowed:
            self._note_empty(name, outcome)
        return outcome

    async def close(self) -> None:
        if self.shared is not None:
            await self.shared.close()

    def _note_empty(self, name: str, outcome: RateLimitResult) -> None:
        now = self._clock()
        if len(self._empty_until) >= MAX_CACHED:
            self._empty_until = {name: until for name, until in self._empty_until.items() if until > now}
        self._empty_until[name] = now + outcome.next_in

    def _mark_unreachable(self, error: BucketsUnreachable) -> None:
        self._ask_again_at = self._clock() + REDIS_RETRY_AFTER
        if not self._lost:
            self._lost = True
            log.warning("Redis unreachable: rate limits apply per process", error=str(error))

    def _mark_reachable(self) -> None:
        self._ask_again_at = 0
        if self._lost:
            self._lost = False
            self._empty_until.clear()
            log.info("Redis reconnected: rate limits shared again")
