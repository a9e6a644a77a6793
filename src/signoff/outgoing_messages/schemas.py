from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import Field, StringConstraints

from signoff.platform import examples
from signoff.platform.outbox.retry_policy import State
from signoff.platform.schemas import LocalizedAnswer, RequestModel, ResponseModel, Text, example
from signoff.webhooks.schemas import DeliveryError, Target

ChannelName = Literal["webhook", "mail", "chat", "media"]
Action = Literal["retry", "cancel"]
MessageId = Annotated[
    str, Path(alias="messageId", max_length=128, description="Message ID.", examples=[examples.DELIVERY_ID])
]
MessageCursor = Annotated[
    str | None, Query(pattern="^([0-9a-f]{28})?$", description="`nextCursor` from the previous page.")
]

EXAMPLE = {
    "messageId": examples.DELIVERY_ID,
    "channel": "webhook",
    "destination": "https://agent.example.com",
    "state": "sent",
    "canceled": False,
    "subject": {
        "text": "review.completed",
        "event": "review.completed",
        "target": "agent",
        "deliveryId": examples.DELIVERY_ID,
        "reviewId": examples.REVIEW_ID,
        "agentId": examples.AGENT_ID,
        "formName": "Newsletter",
    },
    "attemptCount": 1,
    "createdAt": examples.RESPONDED_AT,
    "settledAt": examples.DELIVERED_AT,
    "actions": ["retry"],
}


class MessageSubject(LocalizedAnswer):
    """What a message is about. Properties that don't apply are omitted."""

    text: Text = Field(description="The subject in words. For webhooks, the event's name.")
    event: str | None = Field(None, description="Webhooks only.")
    target: Target | None = Field(None, description="Webhooks only.")
    delivery_id: str | None = Field(None, description="Webhooks only. The same as `messageId`.")
    mail_id: str | None = Field(None, description="Emails only. The same as `messageId`.")
    mail_kind: str | None = Field(None, description="Emails only: the type of email, such as `invitation` or `digest`.")
    chat_app: str | None = Field(None, description="Posts only: `slack` or `mattermost`.")
    url: str | None = Field(None, description="Copies of files only: the original URL, without its query.")
    review_id: str | None = None
    agent_id: str | None = None
    form_name: str | None = None


class OutgoingMessageRow(ResponseModel):
    """A message in a list, without its attempts."""

    model_config = example(EXAMPLE)

    message_id: str = Field(description="For webhooks, the delivery's ID. For emails, the email's ID.")
    channel: ChannelName = Field(
        description="`chat`: a post in Slack or Mattermost. `media`: a copy of an image or video."
    )
    destination: str = Field(
        description="The receiver's host, the email address, or the channel in the chat app. For `media`, the host "
        "that has the file."
    )
    state: State = Field(
        description=(
            "`queued`: waiting for the next attempt. `unclear`: the email may have arrived, so it isn't sent again "
            "automatically."
        )
    )
    canceled: bool = Field(description="Whether automatic attempts were stopped before the message was sent.")
    subject: MessageSubject
    error: str | None = Field(None, description="Error from the latest attempt, or the reason no attempt was made.")
    attempt_count: int = Field(description="Automatic attempts so far.")
    max_attempts: int | None = Field(None, description="Maximum number of automatic attempts, if it's fixed.")
    created_at: str
    next_attempt_at: str | None = Field(None, description="When the next attempt is due, if that's known.")
    settled_at: str | None = Field(None, description="When the message was sent or failed.")
    actions: list[Action] = Field(description="What you can do with the message now.")


class MessageAttempt(ResponseModel):
    at: str
    ok: bool
    is_manual: bool = Field(description="Whether someone requested this attempt.")
    status_code: int | None = Field(None, description="HTTP status of the response, if there was one.")
    status_text: str | None = None
    error: str | None = None
    note: str | None = Field(None, description="Note about the response, if it needs an explanation.")
    duration_ms: int | None = None


class OutgoingMessage(OutgoingMessageRow):
    model_config = example(
        {
            **EXAMPLE,
            "attempts": [
                {
                    "at": examples.DELIVERED_AT,
                    "ok": True,
                    "isManual": False,
                    "statusCode": 200,
                    "statusText": "OK",
                    "durationMs": 48,
                }
            ],
        }
    )

    attempts: list[MessageAttempt] = Field(description="Up to the last 100, oldest first.")


class MessageChoice(RequestModel):
    model_config = example({"messageIds": [examples.DELIVERY_ID, examples.MAIL_ID]})

    message_ids: list[Annotated[str, StringConstraints(max_length=128)]] = Field(min_length=1, max_length=200)


class MessageOutcome(ResponseModel):
    message_id: str
    ok: bool
    error: DeliveryError | None = Field(
        None, description="Error for this message: the same one that the single-message endpoint would return."
    )


class MessageOutcomes(ResponseModel):
    model_config = example({"items": [{"messageId": examples.DELIVERY_ID, "ok": True}]})

    items: list[MessageOutcome] = Field(description="One for each message in the request, in the same order.")
