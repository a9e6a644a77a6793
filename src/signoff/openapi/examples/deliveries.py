"""The delivery of the decision to the agent's webhook."""

from typing import Any

from signoff.forms.schemas import EXAMPLE as NEW_FORM
from signoff.openapi.examples.events import COMPLETED
from signoff.platform.examples import (
    ACCOUNT_ID,
    AGENT_ID,
    DELIVERED_AT,
    DELIVERY_ID,
    FORM_ID,
    RESPONDED_AT,
    REVIEW_ID,
    SESSION_ID,
    WEBHOOK,
)

_attempt = {
    "attemptId": "attempt-1",
    "ok": True,
    "statusCode": 200,
    "scheduledBy": "inline",
    "at": DELIVERED_AT,
    "statusText": "OK",
    "durationMs": 48,
}
_delivery_row = {
    "accountId": ACCOUNT_ID,
    "deliveryId": DELIVERY_ID,
    "status": "succeeded",
    "ok": True,
    "statusCode": 200,
    "statusText": "OK",
    "event": "review.completed",
    "target": "agent",
    "urlSource": "request",
    "webhook": WEBHOOK,
    "reviewId": REVIEW_ID,
    "formId": FORM_ID,
    "formName": NEW_FORM["name"],
    "agentId": AGENT_ID,
    "sessionId": SESSION_ID,
    "attemptCount": 1,
    "maxAttempts": 7,
    "retriesCancelled": False,
    "triggeredAt": RESPONDED_AT,
    "updatedAt": DELIVERED_AT,
}

EXAMPLES: dict[str, Any] = {
    "DeliveryRow": _delivery_row,
    "Delivery": {**_delivery_row, "attempts": [_attempt]},
    "SentEvent": COMPLETED,
    "DeliveryChoice": {"deliveryIds": [DELIVERY_ID]},
    "DeliveryOutcomes": {"items": [{"deliveryId": DELIVERY_ID, "ok": True}]},
}
