from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from signoff.platform.schemas import Answer, Body, Change, Name, WebhookUrl, id_cursor

AgentId = Annotated[str, Path(alias="agentId", max_length=128)]
AgentCursor = Annotated[str | None, id_cursor("agt")]
Chat = Literal["off", "on", "replyOnly"]
Description = Annotated[str, StringConstraints(max_length=4000)]


class NewAgent(Body):
    name: Name
    description: Description = ""
    webhook_url: WebhookUrl | None = Field(None, description="Receives every event of the agent.")
    chat: Chat = "off"


class AgentChange(Change):
    nullable = frozenset({"webhook_url"})

    name: Name | None = None
    description: Description | None = None
    webhook_url: WebhookUrl | None = Field(None, description="`null` removes the webhook.")
    chat: Chat | None = None


class Agent(Answer):
    agent_id: str
    name: str
    description: str
    webhook_url: str | None
    chat: Chat
    created_at: str
    updated_at: str


class AgentWithSecret(Agent):
    webhook_secret: str = Field(description="Signs the agent's webhooks (Standard Webhooks). Shown this once.")
