"""The events sent to the agent's webhook."""

from typing import Any

from signoff.forms.schemas import EXAMPLE as NEW_FORM
from signoff.forms.submission import response_values
from signoff.openapi.examples.forms import COMPILED
from signoff.openapi.examples.reviews import DATA, OUTCOME, RESULT, RETRY, SUBMITTED, SUGGESTION
from signoff.openapi.examples.sessions import TOLD_MESSAGE
from signoff.platform.examples import (
    ACCOUNT_ID,
    AGENT_ID,
    DELIVERY_ID,
    EVENT_ID,
    FORM_ID,
    REQUESTED_AT,
    RESPONDED_AT,
    REVIEW_ID,
    RUN_ID,
    SESSION_ID,
    URL,
)
from signoff.reviews.schemas import EXAMPLE as REVIEW_REQUEST

_event = {
    "eventId": EVENT_ID,
    "accountId": ACCOUNT_ID,
    "agentId": AGENT_ID,
    "sessionId": SESSION_ID,
    "deliveryId": DELIVERY_ID,
    "createdAt": RESPONDED_AT,
    "reviewId": REVIEW_ID,
    "formId": FORM_ID,
    "formName": NEW_FORM["name"],
}
_event_end = {
    "meta": REVIEW_REQUEST["meta"],
    "workflowRunId": RUN_ID,
    "svcLink": f"{URL}/reviews/{REVIEW_ID}",
}
COMPLETED = {
    "event": "review.completed",
    **_event,
    "reviewResult": {**RESULT, "responseValues": OUTCOME.response_values},
    "fileCache": {},
    **_event_end,
}

EXAMPLES: dict[str, Any] = {
    "ReviewCompleted": COMPLETED,
    "EventPage": {"items": [COMPLETED], "nextCursor": "1042"},
    "TriggerSubmitted": {
        "event": "trigger.submitted",
        **_event,
        "reviewResult": {**SUBMITTED, "responseValues": OUTCOME.response_values},
        "fileCache": {},
        **_event_end,
    },
    "RetryRequestedEvent": {
        "event": "review.retry_requested",
        **_event,
        "createdAt": RETRY["at"],
        "revision": 1,
        "retry": RETRY,
        "data": DATA,
        "responseValues": response_values(COMPILED, SUGGESTION),
        **_event_end,
    },
    "ReviewDeletedEvent": {
        "event": "review.deleted",
        **_event,
        "state": "responded",
        "deletedBy": "Publisher",
        "deletedAt": _event["createdAt"],
    },
    "BatchCompleted": {
        "event": "batch.completed",
        "eventId": EVENT_ID,
        "accountId": ACCOUNT_ID,
        "agentId": AGENT_ID,
        "sessionId": SESSION_ID,
        "deliveryId": DELIVERY_ID,
        "createdAt": RESPONDED_AT,
        "batchId": "newsletter-2026-46",
        "completion": 1,
        "counts": {"total": 1, "pending": 0, "approved": 1, "rejected": 0, "submitted": 0},
        "reviews": [{"reviewId": REVIEW_ID, "response": "approved", "respondedAt": RESPONDED_AT}],
    },
    "SessionHumanMessage": {
        "event": "session.human_message",
        "eventId": EVENT_ID,
        "accountId": ACCOUNT_ID,
        "agentId": AGENT_ID,
        "sessionId": SESSION_ID,
        "deliveryId": DELIVERY_ID,
        "createdAt": RESPONDED_AT,
        "message": TOLD_MESSAGE,
        "session": {"id": SESSION_ID, "name": "The November newsletter", "createdAt": REQUESTED_AT},
        "history": [{"role": "human", **TOLD_MESSAGE}],
    },
}
