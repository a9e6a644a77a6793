"""Past decisions, as agents fetch them."""

from typing import Any

from signoff.openapi.examples.reviews import SUGGESTION
from signoff.platform.examples import REQUESTED_AT, RESPONDED_AT, REVIEW_ID

EXAMPLES: dict[str, Any] = {
    "Responses": [
        {
            "reviewId": REVIEW_ID,
            "createdAt": REQUESTED_AT,
            "respondedAt": RESPONDED_AT,
            "response": "approved",
            "fields": {
                "headline": {
                    "suggestedValue": SUGGESTION.values["headline"],
                    "approvedValue": "Autumn news from Acme",
                },
                "score": {"suggestedValue": 7, "approvedValue": 7},
            },
        }
    ],
}
