"""The operations under "Review types"."""

from signoff.forms.errors import AgentGone, VersionConflict
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.errors import Invalid, NotFound
from signoff.platform.faults import Fault

_BAD_FORM = Invalid(
    [
        Fault("fields[1].type", "unknown_type", "must be one of text, longText, markdown, …"),
        Fault("rules[0].target", "unknown_target", "must be the ID of a field or group"),
    ]
)

OPERATIONS: Operations = {
    ("get", "/forms"): Words("listForms", "List review types"),
    ("post", "/forms"): Words("createForm", "Create a review type", problems=(_BAD_FORM,)),
    ("get", "/forms/{formId}"): Words("getForm", "Get a review type", "Returns the current version of a review type."),
    ("patch", "/forms/{formId}"): Words(
        "changeForm",
        "Update a review type",
        problems=(
            VersionConflict(
                f"You changed version 1; the present version is 2, saved by {story.EDITOR} at {story.RESPONDED_AT}.",
                version=2,
                currentVersion=2,
                savedBy=story.EDITOR,
                savedAt=story.RESPONDED_AT,
            ),
            _BAD_FORM,
        ),
    ),
    ("delete", "/forms/{formId}"): Words("archiveForm", "Archive a review type"),
    ("get", "/forms/{formId}/versions"): Words("listFormVersions", "List versions"),
    ("get", "/forms/{formId}/versions/{version}"): Words(
        "getFormVersion", "Get a version", "Returns one version with its definition."
    ),
    ("get", "/forms/{formId}/compare"): Words("compareFormVersions", "Compare versions"),
    ("get", "/forms/{formId}/code"): Words("getFormCode", "Generate types for a review type"),
    ("get", "/forms/{formId}/export"): Words("exportForm", "Export a review type"),
    ("post", "/forms/{formId}/restore"): Words("restoreFormVersion", "Restore a version"),
    ("post", "/forms/{formId}/unarchive"): Words(
        "unarchiveForm",
        "Restore a review type",
        problems=(
            AgentGone("The agent it belongs to was deleted. Give it another agentId first.", agentId=story.AGENT_ID),
        ),
    ),
    ("post", "/forms/{formId}/duplicate"): Words("duplicateForm", "Duplicate a review type"),
    ("get", "/forms/templates"): Words("listFormTemplates", "List templates"),
    ("post", "/forms/check"): Words(
        "checkForm", "Validate a review type", problems=(NotFound("review type", story.FORM_ID),)
    ),
    ("post", "/forms/preview"): Words(
        "tryOutForm", "Preview a review type", problems=(NotFound("review type", story.FORM_ID),)
    ),
    ("post", "/forms/fromSample"): Words("makeFormFromSample", "Generate a review type from sample data"),
    ("post", "/forms/import"): Words(
        "importForm",
        "Import a review type",
        problems=(invalid("signoff", "unsupported_format", "is form/2, of another version of the service"),),
    ),
    ("post", "/forms/{formId}/preview"): Words(
        "previewForm",
        "Preview a request",
        problems=(invalid("data.score", "wrong_type", "must be a number, not a string"),),
    ),
    ("get", "/fetchReviewForms"): Words(
        "fetchReviewForms", "List review types with fields", "**Access:** all members; any valid API key."
    ),
    ("get", "/fetchSchemaForFormFields"): Words(
        "fetchSchemaForFormFields",
        "Get JSON Schemas for requests",
        "**Access:** all members; any valid API key.",
        problems=(NotFound("review type", story.FORM_ID),),
    ),
}
