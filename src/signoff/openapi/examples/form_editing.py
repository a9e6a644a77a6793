"""Work on the review type: validating, trying out, comparing, exporting."""

from typing import Any

from signoff.forms.form_templates import load_templates
from signoff.forms.inference.form_builder import infer_form
from signoff.forms.preview import preview
from signoff.forms.schemas import EXAMPLE as NEW_FORM
from signoff.openapi.examples.events import COMPLETED
from signoff.openapi.examples.forms import DEFINITION, FORM
from signoff.openapi.examples.reviews import DATA, EDITS, OUTCOME, SUGGESTION
from signoff.platform.examples import FORM_ID

_form_file = {"signoff": "form/1", **{name: value for name, value in DEFINITION.items() if name != "agentId"}}

EXAMPLES: dict[str, Any] = {
    "FormCheck": {
        "form": {**NEW_FORM, "fields": [{**NEW_FORM["fields"][0], "editable": False}, *NEW_FORM["fields"][1:]]},
        "formId": FORM_ID,
    },
    "Check": {
        "valid": True,
        "errors": [],
        "warnings": [
            {
                "path": "fields[0].required",
                "code": "required_not_editable",
                "message": "has no effect on a read-only field",
            }
        ],
        "changes": {
            "fromVersion": 1,
            "openReviews": 3,
            "breaking": [],
            "compatible": [
                {
                    "kind": "editableChanged",
                    "fieldId": "headline",
                    "message": "reviewers can no longer edit 'Headline' (headline)",
                }
            ],
        },
    },
    "TryOut": {"form": NEW_FORM, "data": DATA, "submitted": {"response": "approved", "data": EDITS}},
    "TriedOut": {
        "title": DATA["draft"]["headline"],
        "values": SUGGESTION.values,
        "configs": {},
        "unmapped": [],
        "hidden": [],
        "responseValues": OUTCOME.response_values,
        "event": {**COMPLETED, "eventId": "evt_preview", "reviewId": "rev_preview", "deliveryId": "whd_preview"},
        "standIns": ["eventId", "reviewId", "deliveryId"],
        "errors": [],
    },
    "Sample": {"sample": DATA, "name": NEW_FORM["name"]},
    "SampledForm": infer_form(DATA, NEW_FORM["name"]).model_dump(by_alias=True),
    "Templates": {"items": [load_templates().items[0].model_dump(by_alias=True)]},
    "FormFile": _form_file,
    "ExportedForm": _form_file,
    "ImportedForm": {
        "form": FORM,
        "notes": ["Group 'Editors' doesn't exist here and was removed."],
    },
    "Comparison": {
        "fromVersion": 1,
        "toVersion": 2,
        "fields": [
            {
                "fieldId": "score",
                "change": "removed",
                "before": {"id": "score", "type": "number", "label": "Score", "min": 0, "max": 10},
                "after": None,
            }
        ],
        "layoutChanged": True,
        "rulesChanged": False,
        "members": [{"member": "name", "before": NEW_FORM["name"], "after": "Review newsletter draft"}],
        "breaking": [
            {
                "kind": "fieldRemoved",
                "fieldId": "score",
                "message": "'Score' (score) was removed. Values that agents send for it are no longer shown",
            }
        ],
        "compatible": [{"kind": "layoutChanged", "fieldId": None, "message": "the layout changed"}],
    },
    "Restoring": {"version": 1},
    "Duplicating": {"name": "Review newsletter draft"},
    "PreviewRequest": {"data": DATA},
    "Preview": preview(NEW_FORM, DATA, None).model_dump(by_alias=True),
}
