"""The memory's responses for the API reference; `response_formats.py` builds the actual ones."""

from typing import Any, Literal

from pydantic import Field, RootModel

from signoff.forms.examples import SUGGESTION
from signoff.platform import examples
from signoff.platform.schemas import ResponseModel, example


class Pair(ResponseModel):
    suggested_value: Any = Field(description="What the agent sent. `null` if it sent nothing.")
    approved_value: Any = Field(
        description="Approved value. `null` if the review was rejected or the field was hidden."
    )


class Remembered(ResponseModel):
    review_id: str
    created_at: str
    responded_at: str
    response: Literal["approved", "rejected"] | None = Field(description="`null` for a trigger form.")


class RememberedReview(Remembered):
    fields: dict[str, Pair] = Field(description="Keyed by field ID.")


class RememberedValue(Remembered, Pair):
    pass


class Responses(
    RootModel[list[RememberedReview] | dict[str, list[RememberedValue]] | list[dict[str, Any]] | dict[str, list[Any]]]
):
    """Decisions grouped by review, or by field if `groupByField` is true. With `approvedValuesOnly` or
    `rejectedValuesOnly`, only the values.
    """

    model_config = example(
        [
            {
                "reviewId": examples.REVIEW_ID,
                "createdAt": examples.REQUESTED_AT,
                "respondedAt": examples.RESPONDED_AT,
                "response": "approved",
                "fields": {
                    "headline": {
                        "suggestedValue": SUGGESTION.values["headline"],
                        "approvedValue": "Autumn news from Acme",
                    },
                    "score": {"suggestedValue": 7, "approvedValue": 7},
                },
            }
        ]
    )
