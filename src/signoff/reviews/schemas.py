from typing import Annotated, Any, Literal, Self, cast

from fastapi import Path
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from signoff.accounts.schemas import Email
from signoff.agents.event_names import ReviewEvents
from signoff.forms.deadlines import Action as DueAction
from signoff.forms.definition import Unmapped
from signoff.forms.examples import COMPILED, DATA, EDITS, META, NEW_FORM, SUGGESTION
from signoff.forms.schemas import AnyTranslations, UnmappedItem
from signoff.forms.submission import response_values
from signoff.platform import examples
from signoff.platform.errors import ErrorDetail
from signoff.platform.messages import LANGUAGES, Language, match_language, msg
from signoff.platform.schemas import CallerId, RequestModel, ResponseModel, WebhookUrl, example, id_cursor
from signoff.platform.validation_messages import errors_from_pydantic
from signoff.reviews.examples import DECIDED, DRAFT, RETRY, REVIEW, REVIEW_REQUEST, ROW
from signoff.reviews.filters import Response, State

ReviewId = Annotated[
    str, Path(alias="reviewId", max_length=128, description="Review ID.", examples=[examples.REVIEW_ID])
]
ReviewCursor = Annotated[str | None, id_cursor("rev")]
RevisionNumber = Annotated[int, Field(strict=True, ge=1)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000)]


def _to_language(tag: str) -> Language:
    language = match_language(tag)
    if language is None:
        message = msg("must be one of {languages}, not '{tag}'", languages=LANGUAGES, tag=tag)
        raise PydanticCustomError("unknown_language", "{error}", {"error": ValueError(message)})
    return language


LanguageTag = Annotated[str, StringConstraints(max_length=35), AfterValidator(_to_language)]


class Workflow(BaseModel):
    """What `meta._svcWorkflow` (or `workflow`) says about the review's run."""

    model_config = ConfigDict(alias_generator=to_camel, extra="ignore")

    run_id: CallerId | None = None
    run_name: Annotated[str, StringConstraints(max_length=500)] | None = None
    prev_steps: Annotated[list[Annotated[str, StringConstraints(max_length=128)]], Field(max_length=500)] | None = None


class ReviewRequest(BaseModel):
    """Unknown properties are ignored."""

    model_config = ConfigDict(
        alias_generator=to_camel, extra="ignore", json_schema_extra={"examples": [REVIEW_REQUEST]}
    )

    _errors: tuple[ErrorDetail, ...] = ()

    form_id: str = Field(max_length=128, description="Review type ID.")
    agent_id: str | None = Field(None, max_length=128, description="Optional if the review type is linked to an agent.")
    data: dict[str, Any] | None = Field(
        None, description="The values to review, one property per field. Extra properties are stored and returned."
    )
    fields: dict[str, Any] | None = Field(None, description="Alias of `data` for older clients.")
    config: dict[str, Any] | None = Field(
        None, description="Field settings for this request, under `fields.<fieldId>`."
    )
    meta: dict[str, Any] | None = Field(
        None,
        description=(
            "Your metadata, returned with the result. `_svcWorkflow` (`runId`, `runName`, `prevSteps`) "
            "links the review to a run. `_svcAutoApprove: true` auto-approves it."
        ),
    )
    title: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] | None = Field(
        None, description="Overrides the title field."
    )
    auto_approve: Annotated[bool, Field(strict=True)] | None = Field(None, description="Auto-approves the review.")
    webhook_url: WebhookUrl | None = Field(None, description="Webhook URL for this review's result.")
    webhook_events: ReviewEvents | None = Field(
        None,
        description="Events that `webhookUrl` receives. Defaults to `review.completed`, `review.retry_requested`, and "
        "`trigger.submitted`. Other events go to the review type's or agent's webhook, if it receives them.",
    )
    session_id: CallerId | None = Field(None, description="Session ID. Created on first use.")
    batch_id: CallerId | None = Field(
        None,
        description=(
            "Adds the review to a batch. `batch.completed` is sent when every review in the batch is decided or "
            "deleted."
        ),
    )
    batch_size: Annotated[int, Field(strict=True, ge=1, le=100_000)] | None = Field(
        None,
        description="How many reviews the batch will have. The batch isn't complete until all of them are requested.",
    )
    assign_to: list[Email] | None = Field(None, max_length=200, description="Emails of members.")
    assign_to_groups: list[str] | None = Field(None, max_length=200, description="Group IDs.")
    ext_reviewers: list[Email] | None = Field(
        None, max_length=50, description="External reviewers, who don't need an account."
    )
    lang: LanguageTag | None = Field(
        None,
        description="Language of the external reviewers' emails and page, such as `de` or `pt-BR`. Defaults to the "
        "account's language for emails and the browser's for the page.",
    )
    update_for_review_id: str | None = Field(
        None,
        max_length=128,
        description="Replaces the content of this pending review (a retry). Allowed for people and for the API key "
        "that requested it. Properties you leave out keep their values; `null` clears them.",
    )
    workflow: dict[str, Any] | None = Field(None, description="Alias of `meta._svcWorkflow`.")

    @model_validator(mode="wrap")
    @classmethod
    def _collect_errors(cls, raw: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        """Drop invalid members but keep their errors, so that they're reported together with those of the values."""
        try:
            return read(raw)
        except ValidationError as error:
            wrong = {detail["loc"][0] for detail in error.errors() if detail["loc"]}
            if not wrong or "formId" in wrong:
                raise
            request = read({name: value for name, value in cast(dict[str, Any], raw).items() if name not in wrong})
            request._errors = tuple(errors_from_pydantic(error.errors()))  # noqa: SLF001 - this class's own
            return request

    @property
    def errors(self) -> tuple[ErrorDetail, ...]:
        """Return the errors of individual members. With any of them, the request is refused."""
        return self._errors

    @property
    def names_reviewers(self) -> bool:
        return any(named is not None for named in (self.assign_to, self.assign_to_groups, self.ext_reviewers))

    @property
    def named_reviewers(self) -> dict[str, list[str]]:
        """Return the request's members about reviewers, by name; `null` becomes an empty list."""
        names = ("assign_to", "assign_to_groups", "ext_reviewers")
        return {name: getattr(self, name) or [] for name in names if name in self.model_fields_set}


class ExternalLink(ResponseModel):
    email: str
    link: str


class ReviewRequested(ResponseModel):
    model_config = example(
        {
            "reviewId": examples.REVIEW_ID,
            "sessionId": examples.SESSION_ID,
            "svcLink": f"{examples.URL}/reviews/{examples.REVIEW_ID}",
        }
    )

    review_id: str
    session_id: str
    svc_link: str = Field(description="Link to the review in the inbox.")
    ext_reviewer_links: list[ExternalLink] | None = Field(
        None,
        description="Present if the review has external reviewers. An update creates new links, and the earlier ones "
        "still work. For API keys, links for reviewers that a person chose are left out.",
    )
    reviewers_kept: bool | None = Field(
        None,
        description=(
            "Present and true if an update's reviewers were ignored because a person or the review type chose the "
            "current ones."
        ),
    )
    workflow_run_id: str | None = Field(None, description="Only present if Signoff generated the run ID.")


class Submission(RequestModel):
    model_config = example(
        {
            "response": "approved",
            "data": EDITS,
            "revision": 1,
            "reason": "The headline says more now.",
        }
    )

    response: Response | None = Field(None, description="Not used for trigger forms.")
    data: dict[str, Any] | None = Field(
        None, description="Edited and selected values, in the format of the request's `data`."
    )
    revision: RevisionNumber | None = Field(None, description="The revision you're deciding on.")
    reason: Text | None = Field(None, description="Reason for the decision.")


class RetryRequest(RequestModel):
    model_config = example({"instructions": RETRY["instructions"], "fieldIds": ["headline"], "revision": 1})

    instructions: Text
    field_ids: list[str] | None = Field(
        None, max_length=200, description="Fields to change. Leave out for the whole review."
    )
    revision: RevisionNumber | None = None


class Extension(RequestModel):
    model_config = example({"minutes": 240, "note": "Eda is back this afternoon."})

    minutes: Annotated[int, Field(strict=True, ge=1, le=43_200)] = Field(
        description="Number of minutes to postpone the deadline by, regardless of business hours."
    )
    note: Text | None = Field(None, description="Reason, shown in the history.")


class DeleteRequest(RequestModel):
    model_config = example({"reviewId": examples.REVIEW_ID})

    review_id: str = Field(max_length=128)


class Deleted(ResponseModel):
    model_config = example({"deleted": True, "reviewId": examples.REVIEW_ID})

    deleted: Literal[True] = True
    review_id: str


class LinkRenewed(ResponseModel):
    """The link is sent by email only."""

    model_config = example({"accepted": True})

    accepted: Literal[True] = True


class ReviewResult(ResponseModel):
    response: Response | None = Field(None, description="Omitted for trigger forms.")
    responding_user: str = Field(
        description="Email of the reviewer, `auto-approve`, or `time-out` if the deadline passed."
    )
    responding_user_id: str = Field(description="ID of the reviewer, or `system`.")
    external: bool | None = Field(
        None, description="Present and true if an external reviewer decided, using a link instead of an account."
    )
    responded_at: str
    reason: str | None = Field(None, description="Reason, if the reviewer gave one.")
    data: dict[str, Any] = Field(description="The request's `data`, including the reviewer's edits.")
    changed: list[str] | None = Field(
        None,
        description=(
            "IDs of the fields whose values differ from the suggestion. Omitted for decisions made before this "
            "property was introduced."
        ),
    )
    approved_arguments: dict[str, Any] | None = Field(
        None,
        description=(
            "The approved values in the format you sent: call your tool with these. Unchanged values are exactly as "
            "you sent them. Omitted if the review was rejected, and for decisions made before this property was "
            "introduced."
        ),
    )


class RetryRequested(ResponseModel):
    at: str
    by: str = Field(description="Email of the reviewer.")
    instructions: str
    field_ids: list[str] = Field(description="Empty for the whole review.")
    reminders: int | None = Field(None, description="Number of reminders sent to the agent.")
    reminded_at: str | None = Field(None, description="When the agent was last reminded.")


class Assigned(ResponseModel):
    users: list[str] = Field(description="Emails of the assigned members.")
    groups: list[str] = Field(description="Group IDs.")
    external: list[str] = Field(description="Emails of the external reviewers.")


class Assignment(RequestModel):
    """The complete list of reviewers. Anyone who isn't listed is removed."""

    model_config = example(
        {"users": [examples.EDITOR], "groups": [], "external": [examples.OUTSIDER], "note": "Legal should see it."}
    )

    users: list[Email] = Field(max_length=200, description="Emails of members.")
    groups: list[Annotated[str, StringConstraints(max_length=128)]] = Field(max_length=200, description="Group IDs.")
    external: list[Email] = Field(max_length=50, description="Emails of external reviewers.")
    note: Text | None = Field(None, description="Reason, shown in the history.")


class TakenBy(ResponseModel):
    user_id: str
    name: str
    email: str
    at: str


class MediaRetry(RequestModel):
    model_config = example({"url": "https://images.example.com/autumn.png"})

    url: Annotated[str, StringConstraints(min_length=1, max_length=100_000)] | None = Field(
        None, description="Original URL of one file. Defaults to all files of the review that have no copy."
    )


class MediaNotice(ResponseModel):
    url: str = Field(description="The original URL, used instead of a copy.")
    message: str = Field(description="Why the file couldn't be copied.")
    state: Literal["failed", "retrying"] | None = Field(
        None,
        description="`retrying`: an attempt failed, and more will follow automatically. `failed`: the last attempt "
        "failed. Omitted from events.",
    )


class Review(ResponseModel):
    model_config = example(REVIEW)

    account_id: str
    review_id: str
    agent_id: str
    session_id: str = Field(description="The session that this review belongs to.")
    form_id: str
    form_name: str
    form_version: int = Field(description="Version of the review type at the time of the request.")
    title: str | None = None
    revision: int = Field(description="Revision of the content, starting at 1.")
    data: dict[str, Any] = Field(description="The complete `data` of the request.")
    config: dict[str, Any] | None = Field(None, description="Only present if the request included it.")
    created_at: str
    state: State = Field(description="`responded` is final.")
    review_result: ReviewResult | None = Field(None, description="Only present once the review is decided.")
    file_cache: dict[str, str] | None = Field(
        None,
        description="Maps media URLs to stored copies. Always present once the review is decided.",
    )
    media_notices: list[MediaNotice] | None = Field(None, description="Files that couldn't be copied.")
    meta: dict[str, Any] | None = Field(None, description="Only present if the request included it.")
    svc_link: str = Field(description="Link to the review in the inbox.")
    webhook_delivery_id: str | None = Field(
        None, description="ID of the delivery that sends the result to the agent's webhook."
    )
    tool_webhook_delivery_id: str | None = Field(
        None, description="ID of the delivery to the review type's tool webhook, if any."
    )
    delivery_note: str | None = Field(
        None, description="Why there was no delivery. Only present if there was no webhook URL."
    )
    auto_approved: bool | None = Field(None, description="`true` if the review was auto-approved.")
    timed_out: bool | None = Field(None, description="`true` if the deadline decided the review.")
    due_at: str | None = Field(None, description="Next deadline.")
    due_action: DueAction | None = Field(None, description="What happens at the deadline.")
    reminded_at: str | None = Field(None, description="When a deadline step last reminded the reviewers, if ever.")
    retry_requested: RetryRequested | None = Field(None, description="Only present while changes are requested.")
    workflow_run_id: str | None = Field(None, description="Run ID, if the review belongs to a run.")
    batch_id: str | None = Field(None, description="Batch ID, if the review belongs to a batch.")
    assigned_to: Assigned | None = Field(None, description="Omitted for external reviewers.")
    taken_by: TakenBy | None = Field(
        None,
        description=(
            "Set if a member claimed the review. Other members can't decide it, except admins and the member's "
            "delegate."
        ),
    )
    standing_in_for: list[str] | None = Field(
        None, description="Emails of out-of-office reviewers you're a delegate for. Only for members."
    )
    may_decide: bool | None = Field(
        None,
        description="Whether you can decide this review. Omitted for API keys.",
    )
    allow_retry: bool | None = Field(None, description="Whether reviewers can request changes. Omitted for API keys.")
    language: Language | None = Field(None, description="The language set with `lang`. Only for external reviewers.")
    trigger: bool | None = Field(
        None, description="Whether this is a trigger form, which isn't approved or rejected. Omitted for API keys."
    )
    agent_name: str | None = Field(None, description="Name of the agent. Omitted for API keys.")
    session_name: str | None = Field(None, description="Name of the session, if it has one. Only for members.")
    run_name: str | None = Field(None, description="Name of the run, if it has one. Only for members.")


class ReassignedReview(Review):
    model_config = example(
        {
            **{name: value for name, value in REVIEW.items() if name not in DECIDED},
            "state": "pending",
            "assignedTo": {"users": [examples.EDITOR], "groups": [], "external": [examples.OUTSIDER]},
            "extReviewerLinks": [
                {
                    "email": examples.OUTSIDER,
                    "link": f"{examples.URL}/external/{examples.REVIEW_ID}?token=ext_{examples.TOKEN[4:]}",
                }
            ],
        }
    )

    ext_reviewer_links: list[ExternalLink] | None = Field(
        None, description="Links for new external reviewers. Shown only once."
    )


class ShownForm(ResponseModel):
    """What a page needs to show a version of a review type."""

    version: int
    name: str
    title_field: str | None
    width: str
    unmapped: Unmapped
    fields: list[dict[str, Any]]
    layout: list[dict[str, Any]] | None = Field(None, description="If omitted, fields are shown in order.")
    rules: list[dict[str, Any]]
    translations: AnyTranslations = None


class PinnedForm(ShownForm):
    """The review type as it was when the review was created."""

    model_config = example({"formId": examples.FORM_ID, "version": 1, "name": NEW_FORM["name"], **COMPILED.to_json()})

    form_id: str


class SuggestedOption(ResponseModel):
    id: str
    label: str


class SuggestedConfig(ResponseModel):
    options: list[SuggestedOption] | None = Field(
        None, description="Options from the request, replacing the field's own."
    )
    empty: bool | None = Field(
        None, description="`true` if the request leaves the field empty for the reviewer to fill in."
    )
    items: dict[str, "SuggestedConfig"] | None = Field(
        None, description="For lists and tables: settings keyed by child field ID."
    )


class Suggested(ResponseModel):
    model_config = example(
        {
            "revision": 1,
            "values": SUGGESTION.values,
            "responseValues": response_values(COMPILED, SUGGESTION),
        }
    )

    revision: int = Field(description="Revision of this content. It can be newer than the review you loaded.")
    values: dict[str, Any] = Field(
        description="Initial values by field ID. `null` for empty fields; hidden fields are omitted."
    )
    configs: dict[str, SuggestedConfig] | None = Field(
        None, description="Settings from the request, keyed by field ID."
    )
    unmapped: list[UnmappedItem] | None = Field(
        None,
        description=(
            "Values without a field. They're part of the result. Omitted if there are none, or if the review type "
            "hides them."
        ),
    )
    response_values: dict[str, Any] = Field(description="Values before any edits, in the format of events.")


class DraftBody(RequestModel):
    model_config = example(DRAFT)

    data: dict[str, Any] = Field(description="Edits in the draft: an object of at most 1 MiB.")
    reason: str | None = Field(None, max_length=10_000)
    instructions: str | None = Field(None, max_length=10_000, description="Instructions for a change request.")
    revision: Annotated[int, Field(strict=True, ge=1, le=2**31 - 1)] = Field(
        description="Revision the draft is based on."
    )


class SavedDraft(ResponseModel):
    data: dict[str, Any]
    reason: str | None = None
    instructions: str | None = None
    revision: int
    saved_at: str


class DraftAnswer(ResponseModel):
    model_config = example({"draft": {**DRAFT, "savedAt": examples.RESPONDED_AT}})

    draft: SavedDraft | None


class PresentPerson(ResponseModel):
    user_id: str
    name: str
    email: str
    since: str = Field(description="When this member opened the review.")


class Presence(ResponseModel):
    model_config = example(
        {
            "people": [
                {
                    "userId": examples.EDITOR_ID,
                    "name": "Eda Torres",
                    "email": examples.EDITOR,
                    "since": examples.REQUESTED_AT,
                }
            ]
        }
    )

    people: list[PresentPerson] = Field(
        description="Members who have this review open, including you, in the order they opened it."
    )


class ReviewRow(ResponseModel):
    """A review in a list, without its payload."""

    model_config = example(ROW)

    review_id: str
    agent_id: str
    session_id: str
    form_id: str
    form_name: str
    title: str | None = None
    revision: int
    state: State
    retry_requested: bool = Field(description="`true` while changes are requested.")
    response: Response | None = None
    auto_approved: bool
    timed_out: bool | None = Field(None, description="`true` if the deadline decided the review.")
    due_at: str | None = Field(None, description="Next deadline.")
    due_action: DueAction | None = Field(None, description="What happens at the deadline.")
    reminded_at: str | None = Field(None, description="When a deadline step last reminded the reviewers, if ever.")
    responding_user: str | None = None
    responded_at: str | None = None
    workflow_run_id: str | None = Field(None, description="Run ID, if the review belongs to a run.")
    batch_id: str | None = Field(None, description="Batch ID, if the review belongs to a batch.")
    created_at: str
    updated_at: str
    assignee_ids: list[str] = Field(description="IDs of assigned members and groups.")
    external: bool = Field(description="`true` if external reviewers are assigned.")
    taken_by: str | None = Field(None, description="ID of the member who claimed the review.")


class Revision(ResponseModel):
    revision: int
    created_at: str
    data: dict[str, Any]
    config: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    retry: RetryRequested | None = Field(None, description="Change request for this revision, if any.")


class Revisions(ResponseModel):
    model_config = example({"items": [{"revision": 1, "createdAt": examples.REQUESTED_AT, "data": DATA, "meta": META}]})

    items: list[Revision]


class HistoryActor(ResponseModel):
    kind: str
    id: str
    name: str


class HistoryEntry(ResponseModel):
    at: str
    action: str
    actor: HistoryActor
    details: dict[str, Any] | None = None


class History(ResponseModel):
    model_config = example(
        {
            "items": [
                {
                    "at": examples.REQUESTED_AT,
                    "action": "review.requested",
                    "actor": {"kind": "key", "id": examples.KEY_ID, "name": "Newsletter writer"},
                },
                {
                    "at": examples.RESPONDED_AT,
                    "action": "review.approved",
                    "actor": {"kind": "user", "id": examples.EDITOR_ID, "name": examples.EDITOR},
                    "details": {"revision": 1},
                },
            ]
        }
    )

    items: list[HistoryEntry]
