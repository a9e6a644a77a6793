"""A review from its request to its decision. The result is computed."""

from typing import Any

from signoff.forms.schemas import EXAMPLE as NEW_FORM
from signoff.forms.submission import apply_submission, response_values
from signoff.forms.suggestion import read_suggestion
from signoff.openapi.examples.agents import AGENT
from signoff.openapi.examples.forms import COMPILED
from signoff.platform.examples import (
    ACCOUNT_ID,
    AGENT_ID,
    DELIVERY_ID,
    EDITOR,
    EDITOR_ID,
    FORM_ID,
    KEY_ID,
    OUTSIDER,
    REQUESTED_AT,
    RESPONDED_AT,
    REVIEW_ID,
    RUN_ID,
    SESSION_ID,
    TOKEN,
    URL,
)
from signoff.platform.json_values import JsonObject
from signoff.reviews.schemas import EXAMPLE as REVIEW_REQUEST

DATA: dict[str, Any] = REVIEW_REQUEST["data"]
SUGGESTION = read_suggestion(COMPILED, DATA, None)
EDITS: JsonObject = {"draft": {"headline": "Autumn news from Acme"}, "channel": "blog"}
OUTCOME = apply_submission(COMPILED, SUGGESTION, DATA, EDITS, "approved")
SUBMITTED = {
    "respondingUser": EDITOR,
    "respondingUserId": EDITOR_ID,
    "respondedAt": RESPONDED_AT,
    "reason": "The headline says more now.",
    "data": OUTCOME.data,
    "changed": list(OUTCOME.changed),
    "approvedArguments": OUTCOME.arguments,
}
RESULT = {"response": "approved", **SUBMITTED}
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
    "meta": REVIEW_REQUEST["meta"],
    "svcLink": f"{URL}/reviews/{REVIEW_ID}",
    "webhookDeliveryId": DELIVERY_ID,
    "workflowRunId": RUN_ID,
    "assignedTo": {"users": [EDITOR], "groups": [], "external": []},
    "mayDecide": True,
    "allowRetry": True,
    "trigger": False,
    "agentName": AGENT["name"],
    "runName": "Newsletter",
}
RETRY = {
    "at": "2026-11-15T09:34:02.118Z",
    "by": EDITOR,
    "instructions": "Name the company in the headline.",
    "fieldIds": ["headline"],
}
_DECIDED = {"state", "reviewResult", "webhookDeliveryId", "fileCache"}
_draft = {"data": EDITS, "reason": "The headline says more now.", "revision": 1}

_ROW: dict[str, Any] = {
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

EXAMPLES: dict[str, Any] = {
    "ReviewRequest": REVIEW_REQUEST,
    "ReviewRequested": {
        "reviewId": REVIEW_ID,
        "sessionId": SESSION_ID,
        "svcLink": f"{URL}/reviews/{REVIEW_ID}",
    },
    "Review": REVIEW,
    "Assignment": {"users": [EDITOR], "groups": [], "external": [OUTSIDER], "note": "Legal should see it."},
    "ReassignedReview": {
        **{name: value for name, value in REVIEW.items() if name not in _DECIDED},
        "state": "pending",
        "assignedTo": {"users": [EDITOR], "groups": [], "external": [OUTSIDER]},
        "extReviewerLinks": [{"email": OUTSIDER, "link": f"{URL}/external/{REVIEW_ID}?token=ext_{TOKEN[4:]}"}],
    },
    "ReviewRow": _ROW,
    "Batch": {
        "batchId": "newsletter-2026-46",
        "state": "pending",
        "size": 1,
        "counts": {"total": 1, "pending": 1, "approved": 0, "rejected": 0, "submitted": 0},
        "reviews": [_ROW],
    },
    "PinnedForm": {"formId": FORM_ID, "version": 1, "name": NEW_FORM["name"], **COMPILED.to_json()},
    "Suggested": {
        "revision": 1,
        "values": SUGGESTION.values,
        "responseValues": response_values(COMPILED, SUGGESTION),
    },
    "DraftBody": _draft,
    "DraftAnswer": {"draft": {**_draft, "savedAt": RESPONDED_AT}},
    "Presence": {"people": [{"userId": EDITOR_ID, "name": "Eda Torres", "email": EDITOR, "since": REQUESTED_AT}]},
    "Submission": {
        "response": "approved",
        "data": EDITS,
        "revision": 1,
        "reason": "The headline says more now.",
    },
    "Extension": {"minutes": 240, "note": "Eda is back this afternoon."},
    "LinkRenewed": {"accepted": True},
    "MediaRetry": {"url": "https://images.example.com/autumn.png"},
    "RetryRequest": {"instructions": RETRY["instructions"], "fieldIds": ["headline"], "revision": 1},
    "DeleteRequest": {"reviewId": REVIEW_ID},
    "Deleted": {"deleted": True, "reviewId": REVIEW_ID},
    "Revisions": {"items": [{"revision": 1, "createdAt": REQUESTED_AT, "data": DATA, "meta": REVIEW_REQUEST["meta"]}]},
    "History": {
        "items": [
            {
                "at": REQUESTED_AT,
                "action": "review.requested",
                "actor": {"kind": "key", "id": KEY_ID, "name": "Newsletter writer"},
            },
            {
                "at": RESPONDED_AT,
                "action": "review.approved",
                "actor": {"kind": "user", "id": EDITOR_ID, "name": EDITOR},
                "details": {"revision": 1},
            },
        ]
    },
}
