"""A review in the API reference's examples, from its request to its decision."""

from typing import Any

from signoff.forms.examples import DATA, EDITS, META, NEW_FORM, RESULT
from signoff.platform.examples import (
    ACCOUNT_ID,
    AGENT_ID,
    AGENT_NAME,
    DELIVERY_ID,
    EDITOR,
    EDITOR_ID,
    FORM_ID,
    REQUESTED_AT,
    RESPONDED_AT,
    REVIEW_ID,
    RUN_ID,
    SESSION_ID,
    URL,
    WEBHOOK,
)

REVIEW_REQUEST: dict[str, Any] = {
    "formId": FORM_ID,
    "data": DATA,
    "meta": META,
    "webhookUrl": WEBHOOK,
    "assignTo": [EDITOR],
}
REVIEW = {
    "accountId": ACCOUNT_ID,
    "reviewId": REVIEW_ID,
    "agentId": AGENT_ID,
    "sessionId": SESSION_ID,
    "formId": FORM_ID,
    "formName": NEW_FORM["name"],
    "formVersion": 1,
    "title": DATA["draft"]["headline"],
    "revision": 1,
    "data": DATA,
    "createdAt": REQUESTED_AT,
    "state": "responded",
    "reviewResult": RESULT,
    "fileCache": {},
    "meta": META,
    "svcLink": f"{URL}/reviews/{REVIEW_ID}",
    "webhookDeliveryId": DELIVERY_ID,
    "workflowRunId": RUN_ID,
    "assignedTo": {"users": [EDITOR], "groups": [], "external": []},
    "mayDecide": True,
    "allowRetry": True,
    "trigger": False,
    "agentName": AGENT_NAME,
    "runName": "Newsletter",
}
RETRY = {
    "at": "2026-11-15T09:34:02.118Z",
    "by": EDITOR,
    "instructions": "Name the company in the headline.",
    "fieldIds": ["headline"],
}
DECIDED = {"state", "reviewResult", "webhookDeliveryId", "fileCache"}
DRAFT = {"data": EDITS, "reason": "The headline says more now.", "revision": 1}
ROW: dict[str, Any] = {
    **{name: REVIEW[name] for name in ("reviewId", "agentId", "sessionId", "formId", "formName", "title")},
    "revision": 1,
    "state": "responded",
    "retryRequested": False,
    "response": "approved",
    "autoApproved": False,
    "respondingUser": EDITOR,
    "respondedAt": RESPONDED_AT,
    "workflowRunId": RUN_ID,
    "createdAt": REQUESTED_AT,
    "updatedAt": RESPONDED_AT,
    "assigneeIds": [EDITOR_ID],
    "external": False,
}
