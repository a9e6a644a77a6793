"""What follows from an attempt. No clock, no randomness of its own, no database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["queued", "sending", "sent", "failed", "unclear"]


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """How an attempt ended. Without an error, the message was sent."""

    error: str | None = None
    permanent: bool = False
    """The receiver will never accept it."""
    unknown: bool = False
    """It may have arrived, and must not arrive twice."""
    ask_first: bool = False
    """It may have arrived. The next attempt asks the receiver before it sends the message again."""
    at_once: bool = False
    """The attempt says nothing about the receiver: retry without a pause."""
    counts: bool = True
    """Whether it's one of the attempts that a message has."""
    retry_after: float | None = None
    """Seconds that the receiver asked us to wait."""
    seconds: float | None = None
    """How long the receiver took, if that's known better than how long the attempt took."""
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What the history of attempts shows in addition, as JSON members."""
    result: Any = None
    """What the channel writes about this attempt."""
    fallback: "AttemptOutcome | None" = None
    """What to record instead if the database doesn't accept what the receiver returned."""


SENT = AttemptOutcome()


@dataclass(frozen=True, slots=True)
class RetryDecision:
    state: State
    pause: float = 0.0
    """Seconds until the next attempt of a message that's queued again."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    schedule: Sequence[float]
    """The pauses before the second attempt, the third, and so on. There's one attempt more than pauses."""
    jitter: float = 0.0
    """The share by which a pause is longer or shorter at random."""

    def decide(
        self, outcome: AttemptOutcome, *, attempt: int, chance: float, last: int | None = None, manual: bool = False
    ) -> RetryDecision:
        """Decide what follows the `attempt`-th attempt that counts (1 is the first) or a manual one, which has none
        after it. `last` is the number of attempts of a message that was queued under another schedule. `chance` is a
        random number from 0 to 1.
        """
        if outcome.error is None:
            return RetryDecision("sent")
        if outcome.unknown:
            return RetryDecision("unclear")
        if outcome.permanent:
            return RetryDecision("failed")
        if manual:
            return RetryDecision("queued" if outcome.at_once else "failed")
        if outcome.counts and attempt >= (last or len(self.schedule) + 1):
            return RetryDecision("failed")
        if outcome.at_once:
            return RetryDecision("queued")
        if outcome.retry_after is not None:
            return RetryDecision("queued", outcome.retry_after)
        pause = self.schedule[min(attempt, len(self.schedule)) - 1] if self.schedule else 0.0
        return RetryDecision("queued", pause * (1 + self.jitter * (2 * chance - 1)))
