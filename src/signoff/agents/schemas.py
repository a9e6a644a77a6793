from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import Field, StringConstraints

from signoff.agents.event_names import AgentEvent, AgentEvents
from signoff.platform import examples
from signoff.platform.schemas import Name, PatchModel, RequestModel, ResponseModel, WebhookUrl, id_cursor

AgentFilter = Annotated[
    str | None, Query(alias="agentId", max_length=128, description="Agent ID.", examples=[examples.AGENT_ID])
]
AgentId = Annotated[str, Path(alias="agentId", max_length=128, description="Agent ID.", examples=[examples.AGENT_ID])]
AgentCursor = Annotated[str | None, id_cursor("agt")]
Chat = Literal["off", "on", "replyOnly"]
Description = Annotated[str, StringConstraints(max_length=4000)]


class NewAgent(RequestModel):
    name: Name
    description: Description = ""
    webhook_url: WebhookUrl | None = Field(None, description="Receives the agent's events.")
    webhook_events: AgentEvents | None = Field(
        None,
        description="Events that the webhook receives. Defaults to `review.completed`, `review.retry_requested`, "
        "`trigger.submitted`, and `session.human_message`.",
    )
    chat: Chat = "off"


class AgentChange(PatchModel):
    nullable = frozenset({"webhook_url", "webhook_events"})

    name: Name | None = None
    description: Description | None = None
    webhook_url: WebhookUrl | None = Field(None, description="`null` removes the webhook.")
    webhook_events: AgentEvents | None = Field(None, description="`null` for the default events.")
    chat: Chat | None = None


class Agent(ResponseModel):
    agent_id: str
    name: str
    description: str
    webhook_url: str | None
    webhook_events: list[AgentEvent] = Field(description="Events that the webhook receives.")
    chat: Chat
    created_at: str
    updated_at: str


class AgentWithSecret(Agent):
    webhook_secret: str = Field(
        description="Signing secret for the agent's webhooks (Standard Webhooks). Shown only once."
    )
