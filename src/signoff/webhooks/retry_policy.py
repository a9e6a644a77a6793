"""The retry policy: attempt result in, decision out. It has no clock, no randomness of its own, and no database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Literal

MAX_RETRY_AFTER = 24 * 3600.0
ASKS_FOR_PATIENCE = frozenset({429, 503})
GONE = 410


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """How an attempt ended: with a status, or with an error that prevented a response."""

    status_code: int | None = None
    status_text: str | None = None
    error: str | None = None
    retry_after: float | None = None
    """Seconds that the receiver asked us to wait."""
    at_once: bool = False
    """The attempt says nothing about the receiver (our worker died): retry without a pause."""

    @property
    def ok(self) -> bool:
        return self.error is None and self.status_code is not None and 200 <= self.status_code < 300


@dataclass(frozen=True, slots=True)
class RetryDecision:
    status: Literal["succeeded", "retrying", "dead"]
    pause: float = 0.0


def decide_retry(
    outcome: AttemptOutcome,
    *,
    attempt: int,
    last: int,
    manual: bool,
    schedule: Sequence[float],
    jitter: float,
    chance: float,
) -> RetryDecision:
    """Decide what follows the `attempt`-th automatic attempt of `last` (1 is the first), or a manual one.

    `schedule` has the pauses before attempts 2, 3, …; its last one is repeated if needed. `chance` is a random number
    from 0 to 1.
    """
    if outcome.ok:
        return RetryDecision("succeeded")
    if manual:
        return RetryDecision("retrying" if outcome.at_once else "dead")
    if outcome.status_code == GONE or attempt >= last:
        return RetryDecision("dead")
    if outcome.at_once:
        return RetryDecision("retrying")
    if outcome.retry_after is not None:
        return RetryDecision("retrying", min(outcome.retry_after, MAX_RETRY_AFTER))
    return RetryDecision("retrying", schedule[min(attempt, len(schedule)) - 1] * (1 + jitter * (2 * chance - 1)))


def parse_retry_after(status_code: int, header: str | None, now: datetime) -> float | None:
    """Parse seconds or a date, only for statuses that give it a meaning. Invalid values count as absent."""
    if header is None or status_code not in ASKS_FOR_PATIENCE:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:10]), MAX_RETRY_AFTER)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # the second one for numbers that no date has
        return None
    if date.tzinfo is None:
        return None
    return max(0.0, (date - now).total_seconds())
