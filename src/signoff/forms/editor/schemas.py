"""Request and response bodies of the review type editor."""

from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from signoff.forms.definition import Unmapped
from signoff.forms.examples import COMPLETED, DATA, DEFINITION, EDITS, FORM, NEW_FORM, OUTCOME, SUGGESTION
from signoff.forms.schemas import AnyTranslations, Form, UnmappedItem
from signoff.platform import examples
from signoff.platform.schemas import LocalizedAnswer, Name, RequestModel, ResponseModel, Text, example

LAST_VERSION = 2_147_483_647

VersionNumber = Annotated[
    int, Path(alias="version", ge=1, le=LAST_VERSION, description="Version number.", examples=[1])
]


def version_query(alias: str, description: str) -> Any:
    shown = {"first": {"value": 1}}
    return Query(alias=alias, ge=1, le=LAST_VERSION, description=description, openapi_examples={**shown})  # pyright: ignore[reportArgumentType]


FORM_FILE_EXAMPLE = {"signoff": "form/1", **{name: value for name, value in DEFINITION.items() if name != "agentId"}}


class FormCheck(RequestModel):
    model_config = example(
        {
            "form": {**NEW_FORM, "fields": [{**NEW_FORM["fields"][0], "editable": False}, *NEW_FORM["fields"][1:]]},
            "formId": examples.FORM_ID,
        }
    )

    form: dict[str, Any] = Field(description="A definition in the format of `POST /forms`. It can contain errors.")
    form_id: str | None = Field(None, max_length=128, description="ID of the existing review type, if any.")


class Finding(LocalizedAnswer):
    path: str = Field(description="Location, for example `fields[1].type`.")
    code: str
    message: Text
    params: dict[str, Any] | None = Field(
        None, description="The values in `message`.", exclude_if=lambda value: value is None
    )


class BreakingChange(LocalizedAnswer):
    kind: Literal[
        "fieldRemoved",
        "fieldRenamed",
        "typeChanged",
        "pathChanged",
        "becameRequired",
        "optionRemoved",
        "triggerChanged",
        "unmappedRejected",
    ]
    field_id: str | None = Field(description="Field ID (the new one, if renamed). `null` for the whole review type.")
    message: Text


class CompatibleChange(LocalizedAnswer):
    kind: str = Field(description="For example, `fieldAdded`, `layoutChanged`, or `optionAdded`.")
    field_id: str | None
    message: Text


class Changes(ResponseModel):
    from_version: int = Field(description="Current version, which the definition is compared with.")
    open_reviews: int = Field(description="Pending reviews, which keep their version. Counted up to 10,000.")
    breaking: list[BreakingChange] = Field(description="Changes that break existing agents or webhooks.")
    compatible: list[CompatibleChange]


class Check(ResponseModel):
    model_config = example(
        {
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
        }
    )

    valid: bool = Field(description="Whether the definition can be saved.")
    errors: list[Finding] = Field(description="All validation errors.")
    warnings: list[Finding] = Field(description="Likely mistakes that don't prevent saving.")
    changes: Changes | None = Field(description="Changes compared with the current version, if `formId` is set.")


class Submitted(RequestModel):
    response: Literal["approved", "rejected"] | None = None
    data: dict[str, Any] | None = None


class TryOut(RequestModel):
    model_config = example({"form": NEW_FORM, "data": DATA, "submitted": {"response": "approved", "data": EDITS}})

    form: dict[str, Any] = Field(
        description="A definition in the format of `POST /forms`. It doesn't have to be saved."
    )
    data: dict[str, Any] = Field(default_factory=dict)
    config: dict[str, Any] | None = None
    submitted: Submitted | None = Field(
        None, description="The reviewer's submission. Defaults to approving the suggested values."
    )
    form_id: str | None = Field(
        None, max_length=128, description="ID of the existing review type, if any. Included in the sample event."
    )


class TriedOut(ResponseModel):
    model_config = example(
        {
            "title": DATA["draft"]["headline"],
            "values": SUGGESTION.values,
            "configs": {},
            "unmapped": [],
            "hidden": [],
            "responseValues": OUTCOME.response_values,
            "event": {**COMPLETED, "eventId": "evt_preview", "reviewId": "rev_preview", "deliveryId": "whd_preview"},
            "standIns": ["eventId", "reviewId", "deliveryId"],
            "errors": [],
        }
    )

    title: str | None = Field(description="The review's title, if it comes from a field.")
    values: dict[str, Any] = Field(description="Initial values, keyed by field ID.")
    configs: dict[str, Any] = Field(description="`options` from the request, keyed by field ID.")
    unmapped: list[UnmappedItem] = Field(description="Values without a field. Empty if the review type hides them.")
    hidden: list[str] = Field(description="IDs of the fields and groups that rules hide after the submission.")
    response_values: dict[str, Any] = Field(description="Values after the submission, in the format of events.")
    event: dict[str, Any] | None = Field(description="The event a webhook would receive. `null` if there are errors.")
    stand_ins: list[str] = Field(description="Event properties with placeholder values.")
    errors: list[Finding] = Field(description="Errors in `form`, `data`, `config`, or `submitted`.")


class Sample(RequestModel):
    model_config = example({"sample": DATA, "name": NEW_FORM["name"]})

    sample: dict[str, Any] = Field(description="What an agent would send as `data`.")
    name: Name | None = None


class SampledForm(LocalizedAnswer):
    model_config = example(
        {
            "form": {
                "name": "Review AI draft",
                "titleField": "headline",
                "width": "medium",
                "fields": [
                    {
                        "id": "headline",
                        "type": "text",
                        "label": "Headline",
                        "path": "draft.headline",
                        "required": False,
                        "editable": True,
                    },
                    {
                        "id": "score",
                        "type": "number",
                        "label": "Score",
                        "path": "score",
                        "required": False,
                        "editable": True,
                        "integer": False,
                    },
                ],
                "rules": [],
                "layout": [
                    {
                        "kind": "group",
                        "id": "draft",
                        "label": "Draft",
                        "children": [{"kind": "field", "field": "headline"}],
                    },
                    {"kind": "field", "field": "score"},
                ],
                "unmapped": "show",
            },
            "notes": [],
        }
    )

    form: dict[str, Any] = Field(description="A definition for `POST /forms`.")
    notes: list[Text] = Field(description="Notes about skipped or assumed values.")


class LocalizedTemplate(ResponseModel):
    language: str
    name: str
    summary: str
    category: str
    form: dict[str, Any] = Field(description="The same definition with translated text. All IDs are the same.")


class Template(ResponseModel):
    template_id: str
    name: str
    summary: str
    category: str
    form: dict[str, Any] = Field(description="A definition for `POST /forms`.")
    sample: dict[str, Any] = Field(description="Sample `data` for a request.")
    localized: LocalizedTemplate | SkipJsonSchema[None] = Field(
        default=None,
        description=(
            "The same template in the language that `Accept-Language` asks for, if that language is supported and "
            "isn't English."
        ),
        exclude_if=lambda value: value is None,
    )


class Templates(ResponseModel):
    model_config = example(
        {
            "items": [
                {
                    "templateId": "ai-draft",
                    "name": "AI draft",
                    "summary": "Check an AI draft before it's published.",
                    "category": "Content",
                    "form": NEW_FORM,
                    "sample": DATA,
                }
            ]
        }
    )

    items: list[Template]


class ChangedField(ResponseModel):
    field_id: str
    change: Literal["added", "removed", "changed"]
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None


class ChangedMember(ResponseModel):
    member: str = Field(description="Property name, for example `name` or `webhookUrl`.")
    before: Any
    after: Any


class Comparison(ResponseModel):
    model_config = example(
        {
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
                    "message": "'Score' (score) was removed. Values that agents send for it no longer belong to a "
                    "field",
                }
            ],
            "compatible": [{"kind": "layoutChanged", "fieldId": None, "message": "the layout changed"}],
        }
    )

    from_version: int
    to_version: int
    fields: list[ChangedField]
    layout_changed: bool
    rules_changed: bool
    members: list[ChangedMember] = Field(description="Properties that differ, other than fields, layout, and rules.")
    breaking: list[BreakingChange]
    compatible: list[CompatibleChange]


class Restoring(RequestModel):
    model_config = example({"version": 1})

    version: int = Field(ge=1, le=LAST_VERSION, strict=True)


class Duplicating(RequestModel):
    model_config = example({"name": "Review newsletter draft"})

    name: Name | None = Field(None, description="Defaults to “Copy of …”.")


class ImportedForm(LocalizedAnswer):
    model_config = example(
        {
            "form": FORM,
            "notes": ["Group 'Editors' doesn't exist here and was removed."],
        }
    )

    form: Form
    notes: list[Text] = Field(
        description="Members and groups that were removed because they don't exist in this account."
    )


class ExportedForm(ResponseModel):
    model_config = example(FORM_FILE_EXAMPLE)

    signoff: Literal["form/1"]
    name: str
    description: str | None
    title_field: str | None
    width: str
    unmapped: Unmapped
    auto_approve: bool
    allow_retry: bool
    decide_from_chat: bool
    allow_external_reviewers: bool
    trigger: bool
    default_reviewers: dict[str, list[str]] = Field(description="Groups are listed by name.")
    webhook_url: str | None
    tool_webhook_url: str | None
    time_limits: dict[str, Any] | None = Field(description="Deadlines. Groups are listed by name.")
    fields: list[dict[str, Any]]
    layout: list[dict[str, Any]] | None
    rules: list[dict[str, Any]]
    translations: AnyTranslations = None
