from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from signoff.accounts.schemas import Email
from signoff.forms.schemas import AnyTranslations, TranslatedNames
from signoff.platform import examples
from signoff.platform.schemas import RequestModel, ResponseModel
from signoff.reviews.schemas import CallerId, PinnedForm, Suggested

LinkToken = Annotated[
    str,
    Path(
        alias="token",
        max_length=128,
        description="Token at the end of a public form link.",
        examples=[examples.PUBLIC_TOKEN],
    ),
]
VersionNumber = Annotated[int, Field(strict=True, ge=1, le=2**31 - 1)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]

DATA = "Values by field. Fields left out keep their initial values."
VERSION = "Version of the form. Rejected if there's a newer one."


class TriggerRow(ResponseModel):
    form_id: str
    name: str
    translated_names: TranslatedNames = None
    agent_id: str
    agent_name: str
    public: bool = Field(description="Whether there is a public link to it.")


class Triggers(ResponseModel):
    items: list[TriggerRow]


class TriggerForm(ResponseModel):
    form_id: str
    form_name: str
    agent_id: str
    agent_name: str
    version: int
    definition: PinnedForm
    suggestion: Suggested


class TriggerSubmission(RequestModel):
    data: dict[str, Any] = Field(description=DATA)
    session_id: CallerId | None = Field(None, description="Session to continue. Defaults to a new one.")
    run_name: Line | None = Field(None, description="Name of the run.")
    title: Line | None = Field(None, description="Overrides the title field.")
    version: VersionNumber | None = Field(None, description=VERSION)


class WorkflowStarted(ResponseModel):
    review_id: str
    session_id: str
    workflow_run_id: str
    svc_link: str = Field(description="Link to the submission in the inbox.")


class PublicLinkTerms(RequestModel):
    per_hour: Annotated[int, Field(strict=True, ge=1, le=10_000)] = Field(
        60, description="Maximum submissions per hour from all visitors."
    )


class PublicLink(ResponseModel):
    link: str = Field(description="URL where anyone can fill out the form.")
    per_hour: int
    created_at: str
    created_by: str


class PublicForm(ResponseModel):
    """The public form. It reveals nothing about the account except the form itself."""

    version: int
    name: str
    title_field: str | None = None
    width: str
    fields: list[dict[str, Any]]
    layout: list[dict[str, Any]] | None = Field(None, description="If absent, fields are shown in order.")
    rules: list[dict[str, Any]]
    translations: AnyTranslations = None


class PublicTrigger(ResponseModel):
    form_name: str
    agent_name: str
    workspace: str = Field(description="Name of the workspace.")
    version: int
    definition: PublicForm
    suggestion: Suggested


class ChallengeAnswer(ResponseModel):
    challenge: str
    bits: int = Field(
        description="Number of zero bits that the SHA-256 hash of `<challenge>:<solution>` must start with."
    )
    expires_at: str


class PublicSubmission(RequestModel):
    data: dict[str, Any] = Field(description=DATA)
    challenge: str = Field(max_length=200, description="The challenge as issued.")
    solution: str = Field(max_length=64, description="Solution to the challenge.")
    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] | None = Field(
        None, description="Name of the person (optional)."
    )
    email: Email | None = Field(None, description="Email of the person (optional, not verified).")
    website: Annotated[str, StringConstraints(max_length=2_000)] | None = Field(
        None, description="Spam trap. Must be empty."
    )
    version: VersionNumber | None = Field(None, description=VERSION)


class Received(ResponseModel):
    received: Literal[True] = True
