from typing import Annotated, Literal

from fastapi import Path, Query
from fastapi.openapi.models import Example
from pydantic import Field

from signoff.platform import examples
from signoff.platform.schemas import LocalizedAnswer, ResponseModel, Text, example

_EXAMPLE: dict[str, Example] = {
    "of a person": {"value": "email:usr_01a1440c01c07a93e15d0b84f26c:Jc0mQ7fK2vXe5sYd9bTgRwUaNzLhP4ioM1kC8xVqE3s"}
}
MailState = Literal["waiting", "sending", "sent", "failed", "unclear"]
MailId = Annotated[str, Path(alias="mailId", max_length=128, description="Email ID.", examples=[examples.MAIL_ID])]
UnsubscribeToken = Annotated[
    str, Query(max_length=400, description="Token from the link in the email.", openapi_examples=_EXAMPLE)
]


class Mail(ResponseModel):
    """An email without its content, which can contain personal links."""

    model_config = example(
        {
            "mailId": examples.MAIL_ID,
            "kind": "external_review",
            "to": examples.OUTSIDER,
            "userId": None,
            "state": "waiting",
            "attempts": 1,
            "error": "Mail server response: 450 4.2.1 Mailbox busy",
            "createdAt": examples.REQUESTED_AT,
            "nextAttemptAt": "2026-11-15T09:31:00.412Z",
            "settledAt": None,
        }
    )

    mail_id: str
    kind: str = Field(description="For example, `invitation`, `password_reset`, `external_review`, or `digest`.")
    to: str = Field(description="The recipient's address.")
    user_id: str | None = Field(description="`null` if the recipient isn't a member.")
    state: MailState = Field(
        description="`unclear`: the connection or worker was lost while sending. The email may have arrived."
    )
    attempts: int
    error: str | None = Field(description="Last error from the mail server.")
    created_at: str
    next_attempt_at: str | None = Field(description="When the next attempt is due, if there is one.")
    settled_at: str | None = Field(description="When the email was sent or failed.")


class TestMail(LocalizedAnswer):
    model_config = example(
        {
            "delivered": True,
            "to": examples.OWNER,
            "via": "smtp",
            "detail": "Accepted by mail.example.com.",
            "durationMs": 212,
        }
    )

    delivered: bool
    to: str
    via: Literal["smtp", "file"] = Field(
        description="`file`: without a mail server, emails are saved in the data directory."
    )
    detail: Text = Field(description="What the mail server said, or where the file is.")
    duration_ms: int


class Unsubscribed(ResponseModel):
    model_config = example({"unsubscribed": True, "email": examples.EDITOR})

    unsubscribed: Literal[True] = True
    email: str = Field(description="Email address that no longer receives review notifications.")
