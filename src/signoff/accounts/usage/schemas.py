from typing import Annotated

from fastapi import Query
from pydantic import Field

from signoff.accounts.plans import PlanName
from signoff.platform.schemas import Answer

MonthQuery = Annotated[
    str | None,
    Query(pattern=r"^[12][0-9]{3}-(0[1-9]|1[0-2])$", description="Like `2026-11`; the present month, if left out."),
]


class Metered(Answer):
    used: int
    included: int | None = Field(description="By the plan, for all billable seats together. Null: no ceiling.")
    overage: int | None = Field(description="What was used beyond that.")


class RateLimits(Answer):
    per_second: int
    burst: int = Field(description="Most calls at once, after a rest.")


class Limits(Answer):
    rate: RateLimits | None = Field(description="Of calls with an API key, for the whole account. Null: none.")
    memory_ceiling: int = Field(description="Most responses that one call to the memory gives.")


class MonthlyUsage(Answer):
    month: str
    review_requests: int
    data_bytes: int


class Usage(Answer):
    plan: PlanName
    month: str = Field(description="A calendar month in UTC.")
    billable_seats: int = Field(description="Enabled people who can act and have signed in; at least one.")
    review_requests: Metered
    data_bytes: Metered
    enforced: bool = Field(description="Whether more than what is included is refused.")
    resets_at: str = Field(description="When the month ends.")
    limits: Limits
    history: list[MonthlyUsage] = Field(description="Twelve months up to this one, the latest first.")
