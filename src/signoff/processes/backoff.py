"""The pauses between retries."""

import time

MIN_BACKOFF, MAX_BACKOFF = 0.5, 10.0
STEADY_AFTER = 60.0
"""Seconds of uptime after which a process counts as healthy, and its next failure as its first."""


class Backoff:
    """Pauses that double from half a second to ten seconds, and start over after a stable period."""

    def __init__(self) -> None:
        self.failures = 0
        self.pause = 0.0
        self._tried_at = time.monotonic()
        self._again_at = 0.0

    def begin(self) -> None:
        """Start an attempt."""
        self._tried_at = time.monotonic()

    @property
    def is_steady(self) -> bool:
        """Whether the last attempt has been running long enough."""
        return time.monotonic() - self._tried_at > STEADY_AFTER

    def fail(self) -> None:
        self.failures += 1
        self.pause = min(self.pause * 2, MAX_BACKOFF) if self.pause and not self.is_steady else MIN_BACKOFF
        self._again_at = time.monotonic() + self.pause

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._again_at
