from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import Field, StringConstraints

from signoff.agents.event_names import AgentEvent, AgentEvents
from signoff.platform import examples
from signoff.platform.schemas import Name, PatchModel, RequestModel, ResponseModel, WebhookUrl, example, id_cursor

AgentFilter = Annotated[
    str | None, Query(alias="agentId", max_length=128, description="Agent ID.", examples=[examples.AGENT_ID])
]
AgentId = Annotated[str, Path(alias="agentId", max_length=128, description="Agent ID.", examples=[examples.AGENT_ID])]
AgentCursor = Annotated[str | None, id_cursor("agt")]
Chat = Literal["off", "on", "replyOnly"]
Description = Annotated[str, StringConstraints(max_length=4000)]


AGENT_EXAMPLE = {
    "agentId": examples.AGENT_ID,
    "name": "Newsletter writer",
    "description": "Drafts the monthly newsletter.",
    "webhookUrl": examples.WEBHOOK,
    "webhookEvents": ["review.completed", "review.retry_requested", "review.deleted"],
    "chat": "off",
    "createdAt": examples.BEGAN_AT,
    "updatedAt": examples.BEGAN_AT,
}


class NewAgent(RequestModel):
    model_config = example({name: AGENT_EXAMPLE[name] for name in ("name", "description", "webhookUrl")})

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
    model_config = example({"webhookUrl": "https://agent.example.com/v2/hooks/signoff"})

    nullable = frozenset({"webhook_url", "webhook_events"})

    name: Name | None = None
    description: Description | None = None
    webhook_url: WebhookUrl | None = Field(None, description="`null` removes the webhook.")
    webhook_events: AgentEvents | None = Field(None, description="`null` for the default events.")
    chat: Chat | None = None


class Agent(ResponseModel):
    model_config = example(AGENT_EXAMPLE)

    agent_id: str
    name: str
    description: str
    webhook_url: str | None
    webhook_events: list[AgentEvent] = Field(description="Events that the webhook receives.")
    chat: Chat
    created_at: str
    updated_at: str


class AgentWithSecret(Agent):
    model_config = example({**AGENT_EXAMPLE, "webhookSecret": examples.SECRET})

    webhook_secret: str = Field(
        description="Signing secret for the agent's webhooks (Standard Webhooks). Shown only once."
    )
