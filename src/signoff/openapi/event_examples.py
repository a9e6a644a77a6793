"""An example of each event."""

from typing import Any

from signoff.forms.examples import COMPILED, COMPLETED, DATA, EVENT, EVENT_END, OUTCOME, SUBMITTED, SUGGESTION
from signoff.forms.submission import response_values
from signoff.platform.examples import (
    ACCOUNT_ID,
    AGENT_ID,
    BATCH_ID,
    DELIVERY_ID,
    EVENT_ID,
    MESSAGE_ID,
    REQUESTED_AT,
    RESPONDED_AT,
    REVIEW_ID,
    SESSION_ID,
)
from signoff.reviews.examples import RETRY
from signoff.sessions.examples import ATTACHMENT, AUTHOR, MESSAGE

_MESSAGE = {
    "id": MESSAGE_ID,
    "text": MESSAGE["text"],
    "attachments": [ATTACHMENT],
    "createdAt": RESPONDED_AT,
    "user": AUTHOR,
}

EXAMPLES: dict[str, Any] = {
    "ReviewCompleted": COMPLETED,
    "TriggerSubmitted": {
        "event": "trigger.submitted",
        **EVENT,
        "reviewResult": {**SUBMITTED, "responseValues": OUTCOME.response_values},
        "fileCache": {},
        **EVENT_END,
    },
    "RetryRequestedEvent": {
        "event": "review.retry_requested",
        **EVENT,
        "createdAt": RETRY["at"],
        "revision": 1,
        "retry": RETRY,
        "data": DATA,
        "responseValues": response_values(COMPILED, SUGGESTION),
        **EVENT_END,
    },
    "ReviewDeletedEvent": {
        "event": "review.deleted",
        **EVENT,
        "state": "responded",
        "deletedBy": "Publisher",
        "deletedAt": EVENT["createdAt"],
    },
    "BatchCompleted": {
        "event": "batch.completed",
        "eventId": EVENT_ID,
        "accountId": ACCOUNT_ID,
        "agentId": AGENT_ID,
        "sessionId": SESSION_ID,
        "deliveryId": DELIVERY_ID,
        "createdAt": RESPONDED_AT,
        "batchId": BATCH_ID,
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
        "message": _MESSAGE,
        "session": {"id": SESSION_ID, "name": "The November newsletter", "createdAt": REQUESTED_AT},
        "history": [{"role": "human", **_MESSAGE}],
    },
}
