from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from signoff.accounts.schemas import Email
from signoff.platform.ids import CALLER_ID
from signoff.platform.schemas import Answer, Body, WebhookUrl

ReviewId = Annotated[str, Path(alias="reviewId", max_length=128)]
CallerId = Annotated[str, StringConstraints(pattern=rf"^{CALLER_ID.pattern}$")]
State = Literal["pending", "responded"]

EXAMPLE: dict[str, Any] = {
    "formId": "frm_0q3v9k2m8n4p6r1s5t7u9v0w2x",
    "data": {"draft": {"headline": "Autumn news"}, "score": 7},
    "meta": {"ticket": "A-17", "_svcWorkflow": {"runId": "run-2026-11-15", "runName": "Newsletter"}},
    "webhookUrl": "https://agent.example.com/hooks/signoff",
    "assignTo": ["editor@example.com"],
}


class Workflow(BaseModel):
    """What `meta._svcWorkflow` (or `workflow`) says about the run that the review belongs to."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")

    run_id: CallerId | None = None
    run_name: Annotated[str, StringConstraints(max_length=500)] | None = None
    prev_steps: Annotated[list[Annotated[str, StringConstraints(max_length=128)]], Field(max_length=500)] | None = None


class ReviewRequest(BaseModel):
    """Members that we do not know are ignored: clients send `origin`, `millis` and the like."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="ignore", json_schema_extra={"examples": [EXAMPLE]}
    )

    form_id: str = Field(max_length=128, description="The review type.")
    agent_id: str | None = Field(
        None, max_length=128, description="May be left out when the review type belongs to one agent."
    )
    data: dict[str, Any] | None = Field(None, description="One property for each mapped field, and any others.")
    fields: dict[str, Any] | None = Field(None, description="Another name for `data`, for older clients.")
    config: dict[str, Any] | None = Field(None, description="`fields.<fieldId>`: settings for this request.")
    meta: dict[str, Any] | None = Field(None, description="Echoed back with the result.")
    title: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] | None = Field(
        None, description="Instead of the title field's text."
    )
    auto_approve: bool | None = None
    webhook_url: WebhookUrl | None = Field(None, description="Where this review's result goes.")
    session_id: CallerId | None = Field(None, description="Links the review to a session; made on first use.")
    assign_to: list[Email] | None = Field(None, max_length=200, description="E-mail addresses of members.")
    assign_to_groups: list[str] | None = Field(None, max_length=200, description="Group IDs.")
    ext_reviewers: list[Email] | None = Field(None, max_length=50, description="People without an account.")
    update_for_review_id: str | None = Field(
        None, max_length=128, description="Replace the content of this pending review (a retry)."
    )
    workflow: dict[str, Any] | None = Field(None, description="Older name for `meta._svcWorkflow`.")


class ExternalLink(Answer):
    email: str
    link: str


class ReviewRequested(Answer):
    review_id: str
    session_id: str
    svc_link: str
    ext_reviewer_links: list[ExternalLink] | None = None
    workflow_run_id: str | None = Field(None, description="When the service made the run's ID.")


class Submission(Body):
    response: Literal["approved", "rejected"] | None = Field(None, description="Left out for trigger forms.")
    data: dict[str, Any] | None = Field(None, description="What was changed or chosen, as in the request's `data`.")
    revision: int | None = Field(None, ge=1, description="The revision that the decision was made on.")


class RetryRequest(Body):
    instructions: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000)]
    field_ids: list[str] | None = Field(None, max_length=200, description="Left out: the whole review.")
    revision: int | None = Field(None, ge=1)


class DeleteRequest(Body):
    review_id: str = Field(max_length=128)


class Deleted(Answer):
    deleted: Literal[True] = True
    review_id: str


class ReviewResult(Answer):
    response: Literal["approved", "rejected"] | None = None
    responding_user: str
    responding_user_id: str
    responded_at: str
    data: dict[str, Any]


class RetryRequested(Answer):
    at: str
    by: str
    instructions: str
    field_ids: list[str] | None = None


class Assigned(Answer):
    users: list[str] = Field(description="E-mail addresses.")
    groups: list[str] = Field(description="Group IDs.")
    external: list[str] = Field(description="E-mail addresses.")


class Review(Answer):
    account_id: str
    review_id: str
    agent_id: str
    session_id: str
    form_id: str
    form_name: str
    form_version: int
    title: str | None = None
    revision: int
    data: dict[str, Any]
    config: dict[str, Any] | None = None
    created_at: str
    state: State
    review_result: ReviewResult | None = None
    file_cache: dict[str, str] | None = None
    meta: dict[str, Any] | None = None
    svc_link: str
    webhook_delivery_id: str | None = None
    tool_webhook_delivery_id: str | None = None
    delivery_note: str | None = Field(None, description="Says so where there was no webhook to deliver to.")
    auto_approved: bool | None = None
    retry_requested: RetryRequested | None = None
    workflow_run_id: str | None = None
    assigned_to: Assigned


class ReviewRow(Answer):
    """A review in a list: without its payload."""

    review_id: str
    agent_id: str
    session_id: str
    form_id: str
    form_name: str
    title: str | None = None
    revision: int
    state: State
    retry_requested: bool
    response: Literal["approved", "rejected"] | None = None
    auto_approved: bool
    responding_user: str | None = None
    responded_at: str | None = None
    workflow_run_id: str | None = None
    created_at: str
    updated_at: str


class Revision(Answer):
    revision: int
    created_at: str
    data: dict[str, Any]
    config: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    retry: RetryRequested | None = None


class Revisions(Answer):
    items: list[Revision]


class HistoryActor(Answer):
    kind: str
    id: str
    name: str


class HistoryEntry(Answer):
    at: str
    action: str
    actor: HistoryActor
    details: dict[str, Any] | None = None


class History(Answer):
    items: list[HistoryEntry]
