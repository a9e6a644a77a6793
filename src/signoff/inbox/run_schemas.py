from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field

from signoff.platform import examples
from signoff.platform.schemas import Name, RequestModel, ResponseModel, example
from signoff.reviews.examples import REVIEW
from signoff.reviews.filters import Response, State

RunId = Annotated[str, Path(alias="runId", max_length=128, description="Run ID.", examples=[examples.RUN_ID])]


RUN_EXAMPLE = {"runId": examples.RUN_ID, "name": "Newsletter", "createdAt": examples.REQUESTED_AT}

STEP_EXAMPLE: dict[str, Any] = {
    **{name: REVIEW[name] for name in ("reviewId", "title", "formId", "formName", "agentId", "agentName")},
    "sessionId": examples.SESSION_ID,
    "kind": "review",
    "state": "responded",
    "response": "approved",
    "retryRequested": False,
    "respondingUser": examples.EDITOR,
    "createdAt": examples.REQUESTED_AT,
    "respondedAt": examples.RESPONDED_AT,
    "waitedMs": 375_520,
    "prevSteps": [],
}


class RunRow(ResponseModel):
    model_config = example({**RUN_EXAMPLE, "steps": 1, "open": 0, "lastAt": examples.RESPONDED_AT})

    run_id: str
    name: str | None = None
    created_at: str
    steps: int = Field(description="Number of steps, up to 500.")
    open: int = Field(description="How many of these steps are pending.")
    last_at: str = Field(description="When something last happened in one of these steps.")


class RunName(RequestModel):
    model_config = example({"name": "Newsletter of November"})

    name: Name


class Step(ResponseModel):
    """A review as a step in its run: what came before it, who decided what, and how long it took."""

    review_id: str
    title: str | None = None
    form_id: str
    form_name: str
    agent_id: str
    agent_name: str
    session_id: str
    kind: Literal["review", "trigger"] = Field(description="`trigger` for trigger forms.")
    state: State
    response: Response | None = None
    retry_requested: bool = Field(description="`true` while changes are requested.")
    auto_approved: bool | None = Field(None, description="`true` if the review was auto-approved.")
    timed_out: bool | None = Field(None, description="Present and `true` if a deadline decided it.")
    responding_user: str | None = None
    created_at: str
    responded_at: str | None = None
    waited_ms: int | None = Field(None, description="Time from the request to the response, in milliseconds.")
    prev_steps: list[str] = Field(description="Review IDs from the request. Some may not belong to an existing review.")


class Run(ResponseModel):
    model_config = example({**RUN_EXAMPLE, "sessions": [examples.SESSION_ID], "steps": [STEP_EXAMPLE], "more": False})

    run_id: str
    name: str | None = None
    created_at: str
    sessions: list[str] = Field(description="IDs of the sessions that its steps belong to.")
    steps: list[Step] = Field(description="Oldest first, at most 500.")
    more: bool = Field(description="Whether there are more steps.")
