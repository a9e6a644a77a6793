"""The newsletter's review type."""

from typing import Any

from signoff.forms.definition import compile_definition
from signoff.forms.json_schema import config_schema, data_schema
from signoff.forms.schemas import EXAMPLE as NEW_FORM
from signoff.platform.examples import AGENT_ID, BEGAN_AT, FORM_ID, OWNER

# Values that follow from the request are computed, so that they match the service's response.
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
_form_row = {
    "formId": FORM_ID,
    "version": 1,
    "name": NEW_FORM["name"],
    "agentId": AGENT_ID,
    "createdAt": BEGAN_AT,
    "updatedAt": BEGAN_AT,
}
FORM = {**DEFINITION, **_form_row, "archivedAt": None}

EXAMPLES: dict[str, Any] = {
    "NewForm": NEW_FORM,
    "FormChange": {"name": "Review newsletter draft", "allowRetry": False, "version": 1},
    "FormRow": _form_row,
    "Form": FORM,
    "Version": {
        "version": 1,
        "createdAt": BEGAN_AT,
        "createdBy": OWNER,
        "current": True,
        "definition": DEFINITION,
    },
    "ReviewForms": {
        "forms": [
            {"id": FORM_ID, "name": NEW_FORM["name"], "agentId": AGENT_ID, "fields": COMPILED.to_json()["fields"]}
        ]
    },
    "FieldSchemas": {"formId": FORM_ID, "fields": data_schema(COMPILED), "config": config_schema(COMPILED)},
}
