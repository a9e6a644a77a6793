"""The plans and their numbers, as data: what an account may do a second, read at once, and send in a month.

`caller.plan` is the plan of whoever calls; it costs no query of its own.
"""

from dataclasses import dataclass
from typing import Literal

from signoff.platform.rate_limits import Rate

PlanName = Literal["self-hosted", "free", "starter", "team", "business"]


@dataclass(frozen=True, slots=True)
class FairUse:
    """What each billable seat may send in a calendar month."""

    requests: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Plan:
    name: PlanName
    rate: Rate | None
    """Of calls with an API key, for the whole account. `None`: as fast as they come."""
    memory_ceiling: int
    """Maximum number of responses per memory request."""
    fair_use: FairUse | None
    """`None`: no ceiling."""


RATE = Rate(per_second=1, burst=10)
# A GB is 10^9 bytes here, as disks and networks count.
FAIR_USE = FairUse(requests=10_000, bytes=10 * 1000**3)

SELF_HOSTED = Plan("self-hosted", rate=None, memory_ceiling=500, fair_use=None)

PLANS: dict[str, Plan] = {
    plan.name: plan
    for plan in (
        SELF_HOSTED,
        Plan("free", RATE, memory_ceiling=20, fair_use=FAIR_USE),
        Plan("starter", RATE, memory_ceiling=50, fair_use=FAIR_USE),
        Plan("team", RATE, memory_ceiling=100, fair_use=FAIR_USE),
        Plan("business", RATE, memory_ceiling=500, fair_use=FAIR_USE),
    )
}
