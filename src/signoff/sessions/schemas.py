from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import Field, StringConstraints

from signoff.platform import examples
from signoff.platform.schemas import CallerId, Name, RequestModel, ResponseModel, example
from signoff.sessions.examples import ATTACHMENT, MESSAGE, SESSION_ROW

MAX_TEXT_LENGTH = 32_000
MAX_ATTACHMENTS = 20

SessionFilter = Annotated[
    str | None, Query(alias="sessionId", max_length=128, description="Session ID.", examples=[examples.SESSION_ID])
]
SessionId = Annotated[
    str, Path(alias="sessionId", max_length=128, description="Session ID.", examples=[examples.SESSION_ID])
]
MessageId = Annotated[
    str, Path(alias="messageId", max_length=128, description="Message ID.", examples=[examples.MESSAGE_ID])
]
Text = Annotated[str, StringConstraints(max_length=MAX_TEXT_LENGTH)]
Flag = Annotated[bool, Field(strict=True)]
NamedId = Annotated[str, StringConstraints(min_length=1, max_length=128)]
Role = Literal["human", "agent"]
Chat = Literal["off", "on", "replyOnly"]


class NewSession(RequestModel):
    model_config = example({"agentId": examples.AGENT_ID, "name": "The November newsletter"})

    agent_id: NamedId
    name: Name | None = None
    session_id: CallerId | None = Field(None, description="Your ID for the session. Generated if left out.")


class SessionName(RequestModel):
    model_config = example({"name": "The November newsletter"})

    name: Name


class AttachmentBody(RequestModel):
    url: Annotated[str, StringConstraints(min_length=1, max_length=2_048)] = Field(
        description="A `downloadURL` from `POST /uploadFiles`."
    )
    name: Name | None = Field(None, description="File name.")


class NewMessage(RequestModel):
    model_config = example(
        {
            "text": MESSAGE["text"],
            "attachments": [{"url": ATTACHMENT["url"], "name": ATTACHMENT["name"]}],
        }
    )

    text: Text = Field(
        "", description="Markdown. Required unless there's an attachment or a review, or `streaming` is true."
    )
    attachments: list[AttachmentBody] = Field([], max_length=MAX_ATTACHMENTS)
    review_id: NamedId | None = Field(
        None, description="ID of a review in this session, shown in the chat. Agents only."
    )
    streaming: Flag = Field(False, description="Whether more text follows in chunks. Agents only.")
    agent_id: NamedId | None = Field(None, description="Agent ID. Required to start a new session. Agents only.")


class Piece(RequestModel):
    model_config = example({"offset": 0, "text": "How about *Autumn news from Acme*", "done": False})

    offset: Annotated[int, Field(strict=True, ge=0, le=MAX_TEXT_LENGTH)] = Field(
        description="Length of the message so far, in Unicode code points."
    )
    text: Text
    done: Flag = Field(False, description="Whether this is the last chunk.")


class Working(RequestModel):
    model_config = example({"working": True, "text": "Looking for a better headline"})

    working: Flag
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] | None = Field(
        None, description="What the agent is doing, in a few words."
    )


class ReadUpTo(RequestModel):
    model_config = example({"messageId": examples.MESSAGE_ID})

    message_id: NamedId


class Someone(ResponseModel):
    user_id: str
    name: str


class PersonInSession(Someone):
    email: str


class Author(ResponseModel):
    id: str
    email: str
    name: str


class LastMessage(ResponseModel):
    message_id: str
    role: Role
    text: str = Field(description="First 200 characters of the message.")
    at: str
    by: str = Field(description="Name of the person or agent who wrote it.")


class SessionRow(ResponseModel):
    model_config = example(SESSION_ROW)

    session_id: str
    name: str | None
    agent_id: str
    agent_name: str
    created_at: str
    active_at: str = Field(description="When the latest message, review, or trigger form was created.")
    message_count: int
    unread: int = Field(description="Your unread messages, if you're a participant.")
    last_message: LastMessage | None = None
    open_reviews: int = Field(description="Pending reviews among the latest 200.")


class AgentAtWork(ResponseModel):
    text: str | None = None
    since: str


class RunOfSession(ResponseModel):
    run_id: str
    name: str | None


class Session(SessionRow):
    model_config = example(
        {
            **SESSION_ROW,
            "chat": "on",
            "participants": [{"userId": examples.EDITOR_ID, "name": "Eda Torres", "email": examples.EDITOR}],
            "working": {"text": "Looking for a better headline", "since": examples.RESPONDED_AT},
            "typing": [],
            "runs": [{"runId": examples.RUN_ID, "name": "Newsletter"}],
            "mayWrite": True,
        }
    )

    chat: Chat = Field(description="The agent's chat setting.")
    participants: list[PersonInSession] = Field(description="Members who started this session or wrote in it.")
    working: AgentAtWork | None
    typing: list[Someone]
    runs: list[RunOfSession] = Field(description="The first 20 runs.")
    may_write: bool | None = Field(
        None, description="Whether you can write messages in this session. Omitted for API keys."
    )


class Attachment(ResponseModel):
    url: str
    name: str
    content_type: str
    size: int


class MessageDelivery(ResponseModel):
    delivery_id: str
    status: Literal["pending", "delivering", "succeeded", "retrying", "dead"]


class Message(ResponseModel):
    model_config = example(MESSAGE)

    message_id: str
    session_id: str
    number: int = Field(description="Number of the message in its session, starting at 1 without gaps.")
    role: Role
    text: str
    attachments: list[Attachment]
    review_id: str | None = None
    state: Literal["complete", "streaming", "interrupted"] = Field(
        description="`interrupted`: no chunk arrived for two minutes. More chunks can still follow."
    )
    created_at: str
    updated_at: str
    user: Author | None = Field(None, description="Author of the message, if it's a person.")
    agent_id: str
    delivery: MessageDelivery | None = Field(None, description="Delivery to the agent's webhook.")


class Messages(ResponseModel):
    model_config = example({"items": [MESSAGE]})

    items: list[Message] = Field(description="Messages, oldest first.")
    next_before: str | None = Field(
        None, description="Pass as `before` to get older messages. Omitted if there are none."
    )
