"""The review type in the API reference's examples, a request for it, and its result. What follows from the request is
computed, so that it matches the service's response.
"""

from typing import Any

from signoff.forms.definition import compile_definition
from signoff.forms.submission import apply_submission
from signoff.forms.suggestion import read_suggestion
from signoff.platform.examples import (
    ACCOUNT_ID,
    AGENT_ID,
    BEGAN_AT,
    DELIVERY_ID,
    EDITOR,
    EDITOR_ID,
    EVENT_ID,
    FORM_ID,
    RESPONDED_AT,
    REVIEW_ID,
    RUN_ID,
    SESSION_ID,
    URL,
)
from signoff.platform.json_values import JsonObject

NEW_FORM: dict[str, Any] = {
    "name": "Review AI draft",
    "description": "Use this before publishing or emailing a drafted article.",
    "agentId": AGENT_ID,
    "titleField": "headline",
    "width": "medium",
    "allowRetry": True,
    "fields": [
        {"id": "headline", "type": "text", "label": "Headline", "path": "draft.headline", "required": True},
        {"id": "score", "type": "number", "label": "Score", "min": 0, "max": 10},
        {
            "id": "channel",
            "type": "dropdown",
            "label": "Channel",
            "options": [{"id": "blog", "label": "Blog"}, {"id": "mail", "label": "Mail"}],
        },
    ],
    "layout": [
        {"kind": "field", "field": "headline"},
        {"kind": "field", "field": "score"},
        {
            "kind": "group",
            "id": "publishing",
            "label": "Publishing",
            "children": [{"kind": "field", "field": "channel"}],
        },
    ],
    "rules": [
        {
            "target": "publishing",
            "effect": "show",
            "when": {"all": [{"field": "score.value", "operation": "greaterThanOrEqual", "value": 5}]},
        }
    ],
}
COMPILED = compile_definition(NEW_FORM)
DEFINITION: dict[str, Any] = {
    "autoApprove": False,
    "trigger": False,
    "defaultReviewers": {"users": [], "groups": [], "external": []},
    "webhookUrl": None,
    "toolWebhookUrl": None,
    "timeLimits": None,
    "decideFromChat": False,
    "allowExternalReviewers": True,
    **NEW_FORM,
    **COMPILED.to_json(),
}
FORM_ROW = {
    "formId": FORM_ID,
    "version": 1,
    "name": NEW_FORM["name"],
    "agentId": AGENT_ID,
    "createdAt": BEGAN_AT,
    "updatedAt": BEGAN_AT,
}
FORM = {**DEFINITION, **FORM_ROW, "archivedAt": None}
DATA: dict[str, Any] = {"draft": {"headline": "Autumn news"}, "score": 7}
META = {"ticket": "A-17", "_svcWorkflow": {"runId": RUN_ID, "runName": "Newsletter"}}
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
EVENT = {
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
EVENT_END = {
    "meta": META,
    "workflowRunId": RUN_ID,
    "svcLink": f"{URL}/reviews/{REVIEW_ID}",
}
COMPLETED = {
    "event": "review.completed",
    **EVENT,
    "reviewResult": {**RESULT, "responseValues": OUTCOME.response_values},
    "fileCache": {},
    **EVENT_END,
}
