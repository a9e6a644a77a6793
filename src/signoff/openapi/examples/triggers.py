"""The same form, filled in by a person rather than by the agent."""

from typing import Any

from signoff.forms.schemas import EXAMPLE as NEW_FORM
from signoff.forms.submission import response_values
from signoff.forms.suggestion import trigger_suggestion
from signoff.openapi.examples.agents import AGENT
from signoff.openapi.examples.forms import COMPILED
from signoff.platform.examples import AGENT_ID, BEGAN_AT, FORM_ID, OWNER, PUBLIC_TOKEN, REVIEW_ID, SESSION_ID, URL
from signoff.platform.json_values import JsonObject

_empty = trigger_suggestion(COMPILED)
FILLED_IN: JsonObject = {"draft": {"headline": "Autumn news"}, "score": 7}
TRIGGER = {
    "formName": NEW_FORM["name"],
    "agentName": AGENT["name"],
    "version": 1,
    "suggestion": {
        "revision": 1,
        "values": _empty.values,
        "responseValues": response_values(COMPILED, _empty),
    },
}
DEFINITION_OF_TRIGGER = {"version": 1, "name": NEW_FORM["name"], **COMPILED.to_json()}
_public_link = {"link": f"{URL}/f/{PUBLIC_TOKEN}", "perHour": 60, "createdAt": BEGAN_AT, "createdBy": OWNER}

EXAMPLES: dict[str, Any] = {
    "Triggers": {
        "items": [
            {
                "formId": FORM_ID,
                "name": NEW_FORM["name"],
                "agentId": AGENT_ID,
                "agentName": AGENT["name"],
                "public": True,
            }
        ]
    },
    "TriggerForm": {
        "formId": FORM_ID,
        "agentId": AGENT_ID,
        **TRIGGER,
        "definition": {"formId": FORM_ID, **DEFINITION_OF_TRIGGER},
    },
    "TriggerSubmission": {"data": FILLED_IN, "runName": "Newsletter", "version": 1},
    "WorkflowStarted": {
        "reviewId": REVIEW_ID,
        "sessionId": SESSION_ID,
        "workflowRunId": "run_01a1de8ac9c2d85b01f7c64e93a0",
        "svcLink": f"{URL}/reviews/{REVIEW_ID}",
    },
    "PublicLinkTerms": {"perHour": 60},
    "PublicLink": _public_link,
}
