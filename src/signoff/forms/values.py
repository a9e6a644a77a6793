"""The values of a review, from the agent's suggestion to the person's decision.

`prepare` reads a request, `response_values` shows it as events do, `submit` merges what a person sends.
"""

from signoff.forms.submission import Outcome, Response, response_faults, response_values, submit
from signoff.forms.suggestion import Suggestion, ValueFaults, prepare, shown_unmapped, title, trigger_suggestion

__all__ = [
    "Outcome",
    "Response",
    "Suggestion",
    "ValueFaults",
    "prepare",
    "response_faults",
    "response_values",
    "shown_unmapped",
    "submit",
    "title",
    "trigger_suggestion",
]
