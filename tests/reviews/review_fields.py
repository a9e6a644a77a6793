"""The members of a review that only people get."""

from typing import Any

FOR_PEOPLE = {"mayDecide", "allowRetry", "trigger", "agentName"}
"""And `sessionName` and `runName` where there are any."""


def as_agents_see(review: dict[str, Any]) -> dict[str, Any]:
    assert set(review) >= FOR_PEOPLE
    return {name: value for name, value in review.items() if name not in FOR_PEOPLE | {"sessionName", "runName"}}
