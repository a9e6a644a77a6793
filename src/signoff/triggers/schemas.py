from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from signoff.accounts.schemas import Email
from signoff.forms.examples import NEW_FORM
from signoff.forms.schemas import TranslatedNames
from signoff.platform import examples
from signoff.platform.schemas import RequestModel, ResponseModel, example
from signoff.reviews.schemas import CallerId, PinnedForm, ShownForm, Suggested
from signoff.triggers.examples import DEFINITION_OF_TRIGGER, FILLED_IN, TRIGGER

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
VERSION = "Version of the form. If there's a newer one, the submission is rejected."


CHALLENGE_EXAMPLE = "Yk3vQ0m7cN1xT9aZ5rW2eA.16.1794736975.7cN1xT9aZ5rW2eLhB8uJ4oD6fGsPiKyVtXqEYk3vQ0m"

PUBLIC_LINK_EXAMPLE = {
    "link": f"{examples.URL}/f/{examples.PUBLIC_TOKEN}",
    "perHour": 60,
    "createdAt": examples.BEGAN_AT,
    "createdBy": examples.OWNER,
}


class TriggerRow(ResponseModel):
    form_id: str
    name: str
    translated_names: TranslatedNames = None
    agent_id: str
    agent_name: str
    public: bool = Field(description="Whether the trigger form has a public link.")


class Triggers(ResponseModel):
    model_config = example(
        {
            "items": [
                {
                    "formId": examples.FORM_ID,
                    "name": NEW_FORM["name"],
                    "agentId": examples.AGENT_ID,
                    "agentName": examples.AGENT_NAME,
                    "public": True,
                }
            ]
        }
    )

    items: list[TriggerRow]


class TriggerForm(ResponseModel):
    model_config = example(
        {
            "formId": examples.FORM_ID,
            "agentId": examples.AGENT_ID,
            **TRIGGER,
            "definition": {"formId": examples.FORM_ID, **DEFINITION_OF_TRIGGER},
        }
    )

    form_id: str
    form_name: str
    agent_id: str
    agent_name: str
    version: int
    definition: PinnedForm
    suggestion: Suggested


class TriggerSubmission(RequestModel):
    model_config = example({"data": FILLED_IN, "runName": "Newsletter", "version": 1})

    data: dict[str, Any] = Field(description=DATA)
    session_id: CallerId | None = Field(None, description="Session to continue. Defaults to a new one.")
    run_name: Line | None = Field(None, description="Name of the run.")
    title: Line | None = Field(None, description="Overrides the title field.")
    version: VersionNumber | None = Field(None, description=VERSION)


class WorkflowStarted(ResponseModel):
    model_config = example(
        {
            "reviewId": examples.REVIEW_ID,
            "sessionId": examples.SESSION_ID,
            "workflowRunId": "run_01a1de8ac9c2d85b01f7c64e93a0",
            "svcLink": f"{examples.URL}/reviews/{examples.REVIEW_ID}",
        }
    )

    review_id: str
    session_id: str
    workflow_run_id: str
    svc_link: str = Field(description="Link to the submission in the inbox.")


class PublicLinkTerms(RequestModel):
    model_config = example({"perHour": 60})

    per_hour: Annotated[int, Field(strict=True, ge=1, le=10_000)] = Field(
        60, description="Maximum submissions per hour from all visitors."
    )


class PublicLink(ResponseModel):
    model_config = example(PUBLIC_LINK_EXAMPLE)

    link: str = Field(description="URL where anyone can fill out the form.")
    per_hour: int
    created_at: str
    created_by: str


class PublicForm(ShownForm):
    """The form as visitors see it, without details about the account."""


class PublicTrigger(ResponseModel):
    model_config = example({**TRIGGER, "workspace": "Acme", "definition": DEFINITION_OF_TRIGGER})

    form_name: str
    agent_name: str
    workspace: str = Field(description="Name of the workspace.")
    version: int
    definition: PublicForm
    suggestion: Suggested


class ChallengeAnswer(ResponseModel):
    model_config = example({"challenge": CHALLENGE_EXAMPLE, "bits": 16, "expiresAt": "2026-11-15T10:02:55.000Z"})

    challenge: str
    bits: int = Field(
        description="Number of zero bits that the SHA-256 hash of `<challenge>:<solution>` must start with."
    )
    expires_at: str


class PublicSubmission(RequestModel):
    model_config = example(
        {
            "data": FILLED_IN,
            "challenge": CHALLENGE_EXAMPLE,
            "solution": "48213",
            "name": "Kim Visitor",
            "email": "kim@example.org",
            "version": 1,
        }
    )

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
    model_config = example({"received": True})

    received: Literal[True] = True
