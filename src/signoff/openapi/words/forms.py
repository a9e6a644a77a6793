"""The operations under "Review types"."""

from signoff.forms.errors import AgentGone, VersionConflict
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.errors import ErrorDetail, InvalidRequest, NotFound
from signoff.platform.messages import msg

_BAD_FORM = InvalidRequest(
    [
        ErrorDetail(
            "fields[1].type",
            "unknown_type",
            msg("must be one of these: {values}", values=["text", "longText", "markdown", "…"]),
        ),
        ErrorDetail("rules[0].target", "unknown_target", msg("must be the ID of a field or group")),
    ]
)

_NOT_FOUND = NotFound(msg("review type"), story.FORM_ID)

OPERATIONS: Operations = {
    ("get", "/forms"): Words("listForms", "List review types"),
    ("post", "/forms"): Words("createForm", "Create a review type", problems=(_BAD_FORM,)),
    ("get", "/forms/{formId}"): Words("getForm", "Get a review type", "Returns the current version of a review type."),
    ("patch", "/forms/{formId}"): Words(
        "changeForm",
        "Update a review type",
        problems=(
            VersionConflict(
                msg(
                    "{who} saved version {current} on {when}, after you started from version {expected}. Reload to see "
                    "their changes, then save again.",
                    who=story.EDITOR,
                    current="2",
                    when=story.RESPONDED,
                    expected="1",
                ),
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
        "Unarchive a review type",
        problems=(
            AgentGone(
                msg("This review type's agent was deleted. Set another `agentId` first."), agentId=story.AGENT_ID
            ),
        ),
    ),
    ("post", "/forms/{formId}/duplicate"): Words("duplicateForm", "Duplicate a review type"),
    ("get", "/forms/templates"): Words("listFormTemplates", "List templates"),
    ("post", "/forms/check"): Words("checkForm", "Validate a review type", problems=(_NOT_FOUND,)),
    ("post", "/forms/preview"): Words("tryOutForm", "Preview a review type", problems=(_NOT_FOUND,)),
    ("post", "/forms/fromSample"): Words("makeFormFromSample", "Generate a review type from sample data"),
    ("post", "/forms/import"): Words(
        "importForm",
        "Import a review type",
        problems=(
            invalid(
                "signoff",
                "unsupported_format",
                msg(
                    "uses format {format}; this version of Signoff supports {supported}",
                    format="form/2",
                    supported="form/1",
                ),
            ),
        ),
    ),
    ("post", "/forms/{formId}/preview"): Words(
        "previewForm",
        "Preview a request",
        problems=(
            invalid(
                "data.score",
                "wrong_type",
                msg("must be {expected}, not {type}", expected=msg("a number"), type=msg("a string")),
            ),
        ),
    ),
    ("get", "/fetchReviewForms"): Words(
        "fetchReviewForms", "List review types with fields", "**Access:** all members; any valid API key."
    ),
    ("get", "/fetchSchemaForFormFields"): Words(
        "fetchSchemaForFormFields",
        "Get JSON Schemas for requests",
        "**Access:** all members; any valid API key.",
        problems=(_NOT_FOUND,),
    ),
}
