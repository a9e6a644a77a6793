from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import Field, RootModel, StringConstraints

from signoff.forms.examples import COMPLETED, NEW_FORM
from signoff.platform import examples
from signoff.platform.schemas import LocalizedAnswer, RequestModel, ResponseModel, Text, example, id_cursor

DeliveryId = Annotated[
    str, Path(alias="deliveryId", max_length=128, description="Delivery ID.", examples=[examples.DELIVERY_ID])
]
DeliveryCursor = Annotated[str | None, id_cursor("whd")]
Status = Literal["pending", "delivering", "succeeded", "retrying", "dead"]
Target = Literal["agent", "tool", "audit"]
TargetFilter = Annotated[Target | None, Query(description="Only deliveries to this kind of webhook.")]
EventFilter = Annotated[
    str | None, Query(max_length=128, description="Only deliveries of this event, for example `review.completed`.")
]

ATTEMPT_EXAMPLE = {
    "attemptId": "attempt-1",
    "ok": True,
    "statusCode": 200,
    "scheduledBy": "inline",
    "at": examples.DELIVERED_AT,
    "statusText": "OK",
    "durationMs": 48,
}

DELIVERY_EXAMPLE = {
    "accountId": examples.ACCOUNT_ID,
    "deliveryId": examples.DELIVERY_ID,
    "status": "succeeded",
    "ok": True,
    "statusCode": 200,
    "statusText": "OK",
    "event": "review.completed",
    "target": "agent",
    "urlSource": "request",
    "webhook": examples.WEBHOOK,
    "reviewId": examples.REVIEW_ID,
    "formId": examples.FORM_ID,
    "formName": NEW_FORM["name"],
    "agentId": examples.AGENT_ID,
    "sessionId": examples.SESSION_ID,
    "attemptCount": 1,
    "maxAttempts": 7,
    "retriesCancelled": False,
    "triggeredAt": examples.RESPONDED_AT,
    "updatedAt": examples.DELIVERED_AT,
}


class EventPage(ResponseModel):
    model_config = example({"items": [COMPLETED], "nextCursor": "1042"})

    items: list[dict[str, Any]] = Field(description="Events in the same format as in webhooks, oldest first.")
    next_cursor: str = Field(description="Pass as `after` to get the next events. Always present.")


class Attempt(ResponseModel):
    attempt_id: str = Field(examples=["attempt-1"])
    ok: bool
    status_code: int = Field(0, description="HTTP status of the response; `0` if there was none.")
    scheduled_by: Literal["inline", "cloud-task", "manual"] = Field(
        description="`inline`: first attempt. `cloud-task`: automatic retry. `manual`: manual retry."
    )
    at: str
    status_text: str | None = Field(None, description="HTTP status text of the response, or why there was no response.")
    error: str | None = Field(None, description="Error, if there was no HTTP response.")
    note: str | None = Field(None, description="Note about the response, if it needs an explanation.")
    duration_ms: int | None = None


class DeliveryRow(ResponseModel):
    """A delivery in a list, without its attempts."""

    model_config = example(DELIVERY_EXAMPLE)

    account_id: str
    delivery_id: str
    status: Status = Field(description="`succeeded` and `dead` are final.")
    ok: bool = Field(description="Whether the latest attempt got a 2xx response.")
    status_code: int = Field(description="HTTP status of the latest attempt; `0` if there was no response.")
    status_text: str | None = Field(
        None, description="HTTP status text of the latest attempt, or why there was no response."
    )
    event: str = Field(description="For example, `review.completed` or `session.human_message`.")
    target: Target = Field(description="`audit`: the account's webhook that gets a copy of every event.")
    url_source: Literal["request", "form", "agent", "account"] = Field(description="Which webhook URL was used.")
    webhook: str = Field(description="URL the event is sent to.")
    review_id: str | None = None
    form_id: str | None = None
    form_name: str | None = None
    agent_id: str
    session_id: str
    line_number: int | None = Field(
        None, description="Number of the chat message. Messages in a session are delivered in this order."
    )
    attempt_count: int = Field(description="Automatic attempts so far.")
    max_attempts: int = Field(description="Maximum number of automatic attempts.")
    next_retry_at: str | None = Field(None, description="When the next attempt is due, if the status is `retrying`.")
    retries_cancelled: bool = Field(
        description="`true` if a person or a `410` response stopped the automatic attempts; the status is then `dead`."
    )
    triggered_at: str
    updated_at: str


class Delivery(DeliveryRow):
    model_config = example({**DELIVERY_EXAMPLE, "attempts": [ATTEMPT_EXAMPLE]})

    attempts: list[Attempt]


class SentEvent(RootModel[dict[str, Any]]):
    """An event, exactly as Signoff sends it."""

    model_config = example(COMPLETED)


class DeliveryChoice(RequestModel):
    model_config = example({"deliveryIds": [examples.DELIVERY_ID]})

    delivery_ids: list[Annotated[str, StringConstraints(max_length=128)]] = Field(min_length=1, max_length=200)


class DeliveryError(LocalizedAnswer):
    code: str
    detail: Text


class DeliveryOutcome(ResponseModel):
    delivery_id: str
    ok: bool
    error: DeliveryError | None = Field(
        None, description="Error for this delivery: the same one that the single-delivery endpoint would return."
    )


class DeliveryOutcomes(ResponseModel):
    model_config = example({"items": [{"deliveryId": examples.DELIVERY_ID, "ok": True}]})

    items: list[DeliveryOutcome] = Field(description="One for each delivery in the request, in the same order.")


class TestRequest(ResponseModel):
    headers: dict[str, str] = Field(description="Headers set by Signoff.")
    body: str = Field(description="The exact body that was signed.")


class TestAnswer(ResponseModel):
    status_code: int
    status_text: str
    headers: dict[str, str]
    body: str = Field(description="Response body as text, up to 10,000 characters.")
    body_cut: bool = Field(description="Whether the body was truncated.")


class TestOutcome(LocalizedAnswer):
    model_config = example(
        {
            "deliveryUrl": examples.WEBHOOK,
            "request": {
                "headers": {
                    "content-type": "application/json",
                    "webhook-id": examples.TOOL_DELIVERY_ID,
                    "webhook-timestamp": "1794735375",
                    "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
                },
                "body": f'{{"event":"test","accountId":"{examples.ACCOUNT_ID}","agentId":"{examples.AGENT_ID}"}}',
            },
            "response": {
                "statusCode": 200,
                "statusText": "OK",
                "headers": {"content-type": "text/plain"},
                "body": "ok",
                "bodyCut": False,
            },
            "error": None,
            "durationMs": 48,
            "ok": True,
        }
    )

    delivery_url: str
    request: TestRequest
    response: TestAnswer | None = Field(description="`null` if there was no response.")
    error: Text | None = Field(description="Error, if there was no response.")
    duration_ms: int
    ok: bool = Field(description="Whether the response status was 2xx.")
