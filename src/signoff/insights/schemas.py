from datetime import date
from typing import Annotated

from fastapi import Query
from pydantic import Field

from signoff.forms.examples import NEW_FORM
from signoff.insights.period import Bucket
from signoff.platform import examples
from signoff.platform.schemas import ResponseModel, example


def _day(description: str, alias: str, example: str) -> object:
    return Query(
        alias=alias,
        max_length=100,
        description=description,
        examples=[example],
        json_schema_extra={"format": "date"},
    )


FromDay = Annotated[
    str | None, _day("First day, for example `2026-11-01`. Defaults to 30 days before `to`.", "from", "2026-11-01")
]
ToDay = Annotated[str | None, _day("Last day (inclusive). Defaults to today.", "to", "2026-11-30")]

Seconds = float | None


COUNTS_EXAMPLE = {
    "requested": 6,
    "decided": 4,
    "approved": 3,
    "rejected": 1,
    "edited": 1,
    "autoApproved": 1,
    "medianSeconds": 187.5,
    "p90Seconds": 512.25,
}


class Age(ResponseModel):
    label: str
    up_to_seconds: int | None = Field(description="Upper bound of this age bucket. `null` for no limit.")
    count: int


class Open(ResponseModel):
    total: int = Field(description="Number of currently pending reviews.")
    waiting: int = Field(description="Pending reviews waiting for the agent's changes.")
    oldest_at: str | None = Field(description="When the oldest pending review was requested.")
    ages: list[Age]


class Counted(ResponseModel):
    requested: int
    decided: int = Field(description="Decided by people: approved, rejected, or submitted.")
    approved: int = Field(description="Approved by people.")
    rejected: int
    edited: int = Field(description="Approved with at least one edit.")
    median_seconds: Seconds = Field(
        description=(
            "Median time from the request to a person's decision. `null` if there were no decisions. Off by up to 1% "
            "if the workspace has more than 20,000 decisions in the period."
        )
    )
    p90_seconds: Seconds = Field(description="90th percentile of the time from the request to a person's decision.")


class Totals(Counted):
    auto_approved: int
    previous: Counted = Field(description="Totals for the same number of days immediately before this period.")


class Point(ResponseModel):
    start: str = Field(
        description="Start of the bucket. It lasts until the next bucket starts, or until the end of `to`."
    )
    requested: int
    approved: int
    rejected: int
    auto_approved: int
    edited: int
    median_seconds: Seconds
    p90_seconds: Seconds


class GroupInsights(Counted):
    auto_approved: int
    series: list[int] = Field(description="People's decisions in each bucket.")


class AgentInsights(GroupInsights):
    agent_id: str
    name: str


class FormInsights(GroupInsights):
    form_id: str
    name: str
    agent_id: str | None = Field(description="`null` if the review type isn't linked to an agent.")


class FieldEdits(ResponseModel):
    form_id: str
    field_id: str
    label: str
    shown: int = Field(description="Reviews that people approved and that showed a value in this field.")
    edited: int = Field(description="How many of those reviews had edits to this field.")


class PersonInsights(ResponseModel):
    user_id: str | None = Field(description="`null` for external reviewers.")
    name: str
    decided: int
    approved: int
    rejected: int
    median_seconds: Seconds


class DeliveryPoint(ResponseModel):
    start: str
    succeeded: int
    failed: int = Field(description="Failed so far: `retrying` or `dead`.")


class DeliveryHealth(ResponseModel):
    total: int
    succeeded: int
    retrying: int
    dead: int
    pending: int = Field(description="No attempt has finished yet, or one is in progress.")
    first_try: int = Field(description="Succeeded on the first attempt.")
    median_ms: float | None = Field(
        description="Median duration of each delivery's latest attempt. `null` if there were no attempts."
    )
    series: list[DeliveryPoint]


Hours = Annotated[list[list[int]], Field(description="Seven weekdays, Monday first, of 24 hours each.")]


class Insights(ResponseModel):
    model_config = example(
        {
            "from": "2026-11-15",
            "to": "2026-11-15",
            "timeZone": "UTC",
            "bucket": "hour",
            "open": {
                "total": 1,
                "waiting": 0,
                "oldestAt": examples.REQUESTED_AT,
                "ages": [{"label": "under an hour", "upToSeconds": 3600, "count": 1}],
            },
            "totals": {
                **COUNTS_EXAMPLE,
                "previous": {**dict.fromkeys(COUNTS_EXAMPLE, 0), "medianSeconds": None, "p90Seconds": None},
            },
            "series": [{"start": "2026-11-15T09:00:00.000Z", **COUNTS_EXAMPLE}],
            "agents": [{"agentId": examples.AGENT_ID, "name": examples.AGENT_NAME, **COUNTS_EXAMPLE, "series": [4]}],
            "forms": [
                {
                    "formId": examples.FORM_ID,
                    "name": NEW_FORM["name"],
                    "agentId": examples.AGENT_ID,
                    **COUNTS_EXAMPLE,
                    "series": [4],
                }
            ],
            "fields": [
                {"formId": examples.FORM_ID, "fieldId": "headline", "label": "Headline", "shown": 3, "edited": 1}
            ],
            "people": [
                {
                    "userId": examples.EDITOR_ID,
                    "name": "Eda Torres",
                    "decided": 4,
                    "approved": 3,
                    "rejected": 1,
                    "medianSeconds": 187.5,
                }
            ],
            "hours": [[0] * 24] * 6 + [[0] * 9 + [4] + [0] * 14],
            "requestedHours": [[0] * 24] * 6 + [[0] * 9 + [6] + [0] * 14],
            "deliveries": {
                "total": 4,
                "succeeded": 4,
                "retrying": 0,
                "dead": 0,
                "pending": 0,
                "firstTry": 4,
                "medianMs": 48,
                "series": [{"start": "2026-11-15T09:00:00.000Z", "succeeded": 4, "failed": 0}],
            },
        }
    )

    from_: date = Field(validation_alias="from_", serialization_alias="from")
    to: date
    time_zone: str
    bucket: Bucket
    open: Open
    totals: Totals
    series: list[Point]
    agents: list[AgentInsights] = Field(description="Most decisions first.")
    forms: list[FormInsights] = Field(description="Most decisions first.")
    fields: list[FieldEdits] = Field(description="For the ten review types with the most decisions.")
    people: list[PersonInsights] = Field(description="Most decisions first.")
    hours: Hours = Field(description="People's decisions by weekday (Monday first) and hour of the day.")
    requested_hours: Hours = Field(description="Requests by weekday (Monday first) and hour of the day.")
    deliveries: DeliveryHealth
