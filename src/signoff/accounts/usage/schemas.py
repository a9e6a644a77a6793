from typing import Annotated

from fastapi import Query
from pydantic import Field

from signoff.accounts.plans import PlanName
from signoff.platform import examples
from signoff.platform.clock import iso
from signoff.platform.schemas import ResponseModel, example

MonthQuery = Annotated[
    str | None,
    Query(
        pattern=r"^[12][0-9]{3}-(0[1-9]|1[0-2])$",
        description="For example, `2026-11`. Defaults to the current month.",
        examples=["2026-11"],
    ),
]


class Metered(ResponseModel):
    used: int
    included: int | None = Field(description="Included in the plan for all billable seats. `null` if unlimited.")
    overage: int | None = Field(description="Usage above what's included.")


class RateLimits(ResponseModel):
    per_second: int
    burst: int = Field(description="Number of requests allowed in a burst.")


class Limits(ResponseModel):
    rate: RateLimits | None = Field(description="Rate limit for API keys across the account. `null` if none.")
    memory_ceiling: int = Field(description="Maximum number of responses per memory request.")


class MonthlyUsage(ResponseModel):
    month: str
    review_requests: int
    data_bytes: int


class Usage(ResponseModel):
    model_config = example(
        {
            "plan": "team",
            "month": "2026-11",
            "billableSeats": 2,
            "reviewRequests": {"used": 20_412, "included": 20_000, "overage": 412},
            "dataBytes": {"used": 1_830_442_116, "included": 20_000_000_000, "overage": 0},
            "enforced": False,
            "resetsAt": iso(examples.MONTH_ENDS),
            "limits": {"rate": {"perSecond": 1, "burst": 10}, "memoryCeiling": 100},
            "history": [
                {"month": "2026-11", "reviewRequests": 20_412, "dataBytes": 1_830_442_116},
                {"month": "2026-10", "reviewRequests": 17_003, "dataBytes": 1_519_237_540},
            ],
        }
    )

    plan: PlanName
    month: str = Field(description="A calendar month in UTC.")
    billable_seats: int = Field(description="Active members who can decide and have signed in. At least 1.")
    review_requests: Metered
    data_bytes: Metered
    enforced: bool = Field(description="Whether requests above the limit are rejected.")
    resets_at: str = Field(description="When usage resets.")
    limits: Limits
    history: list[MonthlyUsage] = Field(description="The last twelve months, newest first.")
