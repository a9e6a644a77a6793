from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import Field

from signoff.accounts.schemas import Email
from signoff.forms.deadlines import TimeLimits
from signoff.forms.definition import Unmapped
from signoff.forms.examples import COMPILED, DATA, DEFINITION, FORM, FORM_ROW, NEW_FORM
from signoff.forms.json_schema import config_schema, data_schema
from signoff.platform import examples
from signoff.platform.schemas import Name, RequestModel, ResponseModel, WebhookUrl, example, id_cursor

FormFilter = Annotated[
    str | None, Query(alias="formId", max_length=128, description="Review type ID.", examples=[examples.FORM_ID])
]
RequiredFormId = Annotated[
    str, Query(alias="formId", min_length=1, max_length=128, description="Review type ID.", examples=[examples.FORM_ID])
]
FormId = Annotated[
    str, Path(alias="formId", max_length=128, description="Review type ID.", examples=[examples.FORM_ID])
]
FormCursor = Annotated[str | None, id_cursor("frm")]
VersionCursor = Annotated[str | None, Query(pattern="^[0-9]{0,9}$", description="`nextCursor` from the previous page.")]

AnyTranslations = Annotated[dict[str, Any] | None, Field(exclude_if=lambda value: value is None)]
"""Left out of an answer when there are none. What it holds stands in `signoff.openapi.review_types`."""
TranslatedNames = Annotated[
    dict[str, str] | None,
    Field(
        description="Translations of the name, keyed by language. Left out if there are none.",
        exclude_if=lambda value: value is None,
    ),
]


class DefaultReviewers(RequestModel):
    users: list[Email] = Field([], max_length=200, description="Emails of members.")
    groups: list[str] = Field([], max_length=200, description="Group IDs.")
    external: list[Email] = Field([], max_length=200, description="Emails of external reviewers.")


class FormBody(RequestModel):
    """A review type as it is written. What is `Any` here is compiled elsewhere."""

    name: Name
    description: str | None = Field(
        None,
        max_length=2_000,
        description="What the review type is for and when to use it. Agents see this description; reviewers don't.",
    )
    agent_id: str | None = Field(None, max_length=128, description="ID of the agent that the review type belongs to.")
    title_field: Any = Field(None, description="ID of the text field used as the review title.")
    width: Any = Field("medium", description="`narrow`, `medium`, `wide`, or `full`.")
    unmapped: Any = Field("show", description="What to do with values in `data` that don't have a field.")
    auto_approve: bool = Field(False, strict=True)
    allow_retry: bool = Field(False, strict=True)
    decide_from_chat: bool = Field(False, strict=True, description="Whether reviews can be decided from Slack.")
    allow_external_reviewers: bool = Field(
        True,
        strict=True,
        description="Whether reviews can be assigned to external reviewers, who don't need an account.",
    )
    trigger: bool = Field(
        False, strict=True, description="Whether this is a trigger form, which people fill out to start a workflow."
    )
    default_reviewers: DefaultReviewers = DefaultReviewers()  # pyright: ignore[reportCallIssue]
    webhook_url: WebhookUrl | None = Field(None, description="Webhook URL. Overrides the agent's.")
    tool_webhook_url: WebhookUrl | None = Field(
        None, description="Webhook called before the agent's, for approved reviews only."
    )
    time_limits: TimeLimits | None = Field(None, description="Deadlines for undecided reviews.")
    fields: Any = Field(description="The fields, 1 to 200.")
    layout: Any = Field(None, description="If left out, fields are shown in order.")
    rules: Any = Field(None, description="Rules that show or hide fields and groups.")
    translations: Any = Field(None, description="Translations by language.")


class Form(ResponseModel):
    model_config = example(FORM)

    form_id: str
    version: int
    name: str
    description: str | None = None
    agent_id: str | None
    title_field: str | None
    width: str
    unmapped: Unmapped = "show"
    auto_approve: bool
    allow_retry: bool
    decide_from_chat: bool = False
    allow_external_reviewers: bool = True
    trigger: bool
    default_reviewers: dict[str, list[str]]
    webhook_url: str | None
    tool_webhook_url: str | None
    time_limits: TimeLimits | None = None
    fields: list[dict[str, Any]]
    layout: list[dict[str, Any]]
    rules: list[dict[str, Any]]
    translations: AnyTranslations = None
    created_at: str
    updated_at: str
    archived_at: str | None = None


class FormRow(ResponseModel):
    """A review type without its definition."""

    model_config = example(FORM_ROW)

    form_id: str
    version: int
    name: str
    translated_names: TranslatedNames = None
    description: str | None = None
    agent_id: str | None
    created_at: str
    updated_at: str


class Version(ResponseModel):
    model_config = example(
        {
            "version": 1,
            "createdAt": examples.BEGAN_AT,
            "createdBy": examples.OWNER,
            "current": True,
            "definition": DEFINITION,
        }
    )

    version: int
    created_at: str
    created_by: str
    current: bool
    definition: dict[str, Any]


class PreviewRequest(RequestModel):
    model_config = example({"data": DATA})

    data: dict[str, Any] = Field(default_factory=dict)
    config: dict[str, Any] | None = None


class PreviewField(ResponseModel):
    id: str
    type: str
    state: Literal["shown", "hidden_by_request", "hidden_by_rule"]
    value: Any = None
    options: list[dict[str, Any]] | None = None


class UnmappedItem(ResponseModel):
    path: list[str | int] = Field(description="Path to the value in `data`: property names and array indexes.")
    value: Any = Field(description="The value as it was sent.")
    field_id: str | None = Field(
        None,
        exclude_if=lambda value: value is None,
        description="The field whose item contains the value, or the field that couldn't show it.",
    )


class Preview(ResponseModel):
    model_config = example(
        {
            "title": "Autumn news",
            "fields": [
                {"id": "headline", "type": "text", "state": "shown", "value": "Autumn news", "options": None},
                {"id": "score", "type": "number", "state": "shown", "value": 7, "options": None},
                {
                    "id": "channel",
                    "type": "dropdown",
                    "state": "shown",
                    "value": None,
                    "options": [{"id": "blog", "label": "Blog"}, {"id": "mail", "label": "Mail"}],
                },
            ],
            "unmapped": [],
            "responseValues": {
                "headline": {"value": "Autumn news", "wasEdited": False},
                "score": {"value": 7, "wasEdited": False},
                "channel": {"value": None},
            },
        }
    )

    title: str | None
    fields: list[PreviewField]
    unmapped: list[UnmappedItem] = Field(description="Values without a field. Empty if the review type hides them.")
    response_values: dict[str, Any]


class ReviewForm(ResponseModel):
    id: str
    name: str
    agent_id: str | None = Field(description="`null` if each request sets its own.")
    fields: list[dict[str, Any]]


class ReviewForms(ResponseModel):
    model_config = example(
        {
            "forms": [
                {
                    "id": examples.FORM_ID,
                    "name": NEW_FORM["name"],
                    "agentId": examples.AGENT_ID,
                    "fields": COMPILED.to_json()["fields"],
                }
            ]
        }
    )

    forms: list[ReviewForm]


class FieldSchemas(ResponseModel):
    model_config = example(
        {"formId": examples.FORM_ID, "fields": data_schema(COMPILED), "config": config_schema(COMPILED)}
    )

    form_id: str
    fields: dict[str, Any] = Field(description="JSON Schema (2020-12) for a request's `data`.")
    config: dict[str, Any] = Field(description="JSON Schema (2020-12) for a request's `config`.")
