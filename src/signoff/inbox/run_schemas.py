from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field

from signoff.platform import examples
from signoff.platform.schemas import Name, RequestModel, ResponseModel
from signoff.reviews.filters import Response, State

RunId = Annotated[str, Path(alias="runId", max_length=128, description="Run ID.", examples=[examples.RUN_ID])]


class RunRow(ResponseModel):
    run_id: str
    name: str | None = None
    created_at: str
    steps: int = Field(description="Number of steps, up to 500.")
    open: int = Field(description="How many of these steps are pending.")
    last_at: str = Field(description="When something last happened in one of these steps.")


class RunName(RequestModel):
    name: Name


class Step(ResponseModel):
    """A review as a step of its run: what came before it, who decided what, and how long it took."""

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
    prev_steps: list[str] = Field(description="Review IDs from the request. They may not exist.")


class Run(ResponseModel):
    run_id: str
    name: str | None = None
    created_at: str
    sessions: list[str] = Field(description="IDs of the sessions that its steps belong to.")
    steps: list[Step] = Field(description="Oldest first, at most 500.")
    more: bool = Field(description="Whether there are more steps.")
