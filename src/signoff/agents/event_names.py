"""The names of the events that webhooks receive."""

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

ReviewEvent = Literal[
    "review.completed", "review.retry_requested", "review.deleted", "trigger.submitted", "batch.completed"
]
AgentEvent = Literal[ReviewEvent, "session.human_message"]

DEFAULT_EVENTS: Final = ("review.completed", "review.retry_requested", "trigger.submitted", "session.human_message")
"""The events of a webhook that names none. Events added later are only sent to webhooks that name them."""


def _remove_duplicates(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))


ReviewEvents = Annotated[list[ReviewEvent], Field(min_length=1, max_length=20), AfterValidator(_remove_duplicates)]
AgentEvents = Annotated[list[AgentEvent], Field(min_length=1, max_length=20), AfterValidator(_remove_duplicates)]
