from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field

from signoff.platform import examples
from signoff.platform.schemas import Name, PatchModel, RequestModel, ResponseModel, example
from signoff.reviews.filters import ReviewFilters
from signoff.reviews.schemas import ReviewRow
from signoff.sessions.examples import MESSAGE
from signoff.sessions.schemas import Message

ViewId = Annotated[str, Path(alias="viewId", max_length=128, description="Saved view ID.", examples=[examples.VIEW_ID])]


VIEW_EXAMPLE = {
    "viewId": examples.VIEW_ID,
    "name": "Newsletters, mine",
    "filters": {"state": "pending", "formId": examples.FORM_ID, "assignedTo": "me"},
    "createdAt": examples.JOINED_AT,
}


class NewView(RequestModel):
    model_config = example({name: VIEW_EXAMPLE[name] for name in ("name", "filters")})

    name: Name
    filters: ReviewFilters


class ViewChange(PatchModel):
    model_config = example({"name": "My newsletters"})

    name: Name = ""
    filters: ReviewFilters = ReviewFilters.model_construct()


class View(ResponseModel):
    model_config = example(VIEW_EXAMPLE)

    view_id: str
    name: str
    filters: dict[str, Any] = Field(description="Filters, named like the query parameters of `GET /reviews`.")
    created_at: str


class Views(ResponseModel):
    model_config = example({"items": [VIEW_EXAMPLE]})

    items: list[View]


class ViewCounts(ResponseModel):
    mine: int = Field(description="Assigned to you.")
    my_groups: int = Field(description="Assigned to one of your groups.")
    unassigned: int = Field(description="Not assigned to anyone.")
    all: int
    waiting: int = Field(description="Waiting for the agent's changes. Not included in other counts.")


class TimelineItem(ResponseModel):
    model_config = example({"kind": "message", "at": examples.RESPONDED_AT, "message": MESSAGE})

    kind: Literal["message", "review", "trigger"] = Field(description="`trigger`: a trigger form that was submitted.")
    at: str
    message: Message | None = Field(None, description="Set for messages.")
    review: ReviewRow | None = Field(None, description="Set for reviews and trigger forms.")


class ChatCounts(ResponseModel):
    unread: int = Field(description="Sessions with unread messages. 100 means at least 100.")


class Counts(ResponseModel):
    """Pending review counts, as shown in the sidebar."""

    model_config = example(
        {
            "views": {"mine": 3, "myGroups": 12, "unassigned": 40, "all": 55, "waiting": 2},
            "agents": {examples.AGENT_ID: 55},
            "forms": {examples.FORM_ID: 55},
            "saved": {examples.VIEW_ID: 3},
            "chat": {"unread": 1},
            "incomplete": [],
            "ceiling": 1_000,
        }
    )

    views: ViewCounts
    agents: dict[str, int] = Field(description="Keyed by agent ID. Agents without pending reviews are left out.")
    forms: dict[str, int] = Field(
        description="Keyed by review type ID. Review types without pending reviews are left out."
    )
    saved: dict[str, int] = Field(description="Keyed by saved view ID.")
    incomplete: list[str] = Field(
        description=(
            "IDs of saved views whose count in `saved` is a minimum, even below `ceiling`, because only some of their "
            "reviews were checked."
        )
    )
    chat: ChatCounts
    ceiling: int = Field(
        description="Counts stop at this number. If a count reaches it, the actual number may be higher."
    )
