"""Rate limits of the API processes that `signoff serve` runs, counted in memory that they share.

The memory is a table in a file. A bucket is found by its name's hash, as in any hash table, and a bucket that is full
again can be replaced by another one.
"""

import fcntl
import mmap
import os
import struct
from collections.abc import Callable, Generator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from signoff.platform.rate_limits import (
    BucketStore,
    LocalBuckets,
    Rate,
    RateLimitResult,
    build_result,
    clock_us,
    take_token,
)
from signoff.platform.shared_folder import RATE_LIMITS_ENV

PROBES = 16
_SLOT = struct.Struct("=8sQ")  # the hash, and when the bucket is full again
_LOCK_ATTEMPTS = 100


def open_machine_buckets() -> BucketStore | None:
    """Return the buckets that this process shares, if it shares any."""
    return MachineBuckets(Path(path)) if (path := os.environ.get(RATE_LIMITS_ENV)) is not None else None


class MachineBuckets:
    def __init__(self, path: Path, clock: Callable[[], int] = clock_us) -> None:
        self._file = path.open("r+b")
        self._table = mmap.mmap(self._file.fileno(), 0)
        self._slots = len(self._table) // _SLOT.size
        self._clock = clock
        self._own = LocalBuckets(clock)

    async def take(self, name: str, rate: Rate) -> RateLimitResult:
        digest = blake2b(name.encode(), digest_size=8).digest()
        first = int.from_bytes(digest) % self._slots
        with self._locked(first * _SLOT.size):
            now = self._clock()
            position = self._find(digest, first, now)
            if position is None:  # more accounts are limited at the same time than the table holds
                return await self._own.take(name, rate)
            known, full_at = _SLOT.unpack_from(self._table, position)
            allowed, full_at = take_token(full_at if known == digest else 0, now, rate)
            _SLOT.pack_into(self._table, position, digest, full_at)
        return build_result(allowed, full_at - now, rate)

    def _find(self, digest: bytes, first: int, now: int) -> int | None:
        """Return the position of the bucket, or one that it can have."""
        free = None
        for number in range(first, first + PROBES):
            position = number % self._slots * _SLOT.size
            known, full_at = _SLOT.unpack_from(self._table, position)
            if known == digest:
                return position
            if free is None and full_at <= now:
                free = position
        return free

    @contextmanager
    def _locked(self, position: int) -> Generator[None]:
        """Lock the name's first slot, briefly and without waiting: the process that holds the lock may be frozen."""
        for _ in range(_LOCK_ATTEMPTS):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SLOT.size, position)
            except BlockingIOError:
                continue
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN, _SLOT.size, position)
            return
        yield  # Without the lock, two processes may count a call as one.
