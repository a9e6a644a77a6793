"""The values of a review, from the agent's suggestion to the person's decision.

`read_suggestion` reads a request, `response_values` formats it for events, and `apply_submission` merges what a person
sends.
"""

from signoff.forms.submission import Response, SubmissionResult, apply_submission, response_errors, response_values
from signoff.forms.suggestion import (
    InvalidValues,
    Suggestion,
    read_suggestion,
    suggested_title,
    trigger_suggestion,
    unmapped_to_json,
)

__all__ = [
    "InvalidValues",
    "Response",
    "SubmissionResult",
    "Suggestion",
    "apply_submission",
    "read_suggestion",
    "response_errors",
    "response_values",
    "suggested_title",
    "trigger_suggestion",
    "unmapped_to_json",
]
