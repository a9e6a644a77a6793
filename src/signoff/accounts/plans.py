"""The plans as data: calls per second, responses per memory request, and monthly fair use."""

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
    """Rate of calls with an API key, for the whole account. `None` means unlimited."""
    memory_ceiling: int
    """Maximum number of responses per memory request."""
    fair_use: FairUse | None
    """`None` means unlimited."""


RATE = Rate(per_second=1, burst=10)
# A GB is 10^9 bytes here, as for disks and networks.
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
