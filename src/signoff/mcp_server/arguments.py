"""The arguments of each tool. Models read the descriptions before they call one."""

import math
import re
from typing import Annotated, Any, Final, Literal, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from signoff.platform.messages import msg
from signoff.platform.schemas import MAX_WAIT_SECONDS, CallerId

DEFAULT_WAIT = 45
"""Seconds. Many programs cancel a call after a minute."""
_AUTO_APPROVE_NAME: Final = re.compile(r"_.*AutoApprove", re.DOTALL)
"""A name in `meta` with which a request approves itself. The prefix may be any: another server may have its own."""


def _finite(value: Any) -> Any:
    """Refuse infinity: a number such as 1e999 can be parsed from JSON as infinity, but not written back."""
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, float) and not math.isfinite(each):
            raise ValueError(msg("contains a number that's too large"))
        if isinstance(each, dict):
            left.extend(cast(dict[str, Any], each).values())
        elif isinstance(each, list):
            left.extend(cast(list[Any], each))
    return value


def _for_people_to_decide(meta: dict[str, Any]) -> dict[str, Any]:
    if named := next(filter(_AUTO_APPROVE_NAME.fullmatch, meta), None):
        raise ValueError(msg("can't contain '{name}': only people can approve", name=named[:100]))
    return meta


Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,128}$")]
SessionId = CallerId
IdempotencyKey = Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,255}$")]
Data = Annotated[
    dict[str, Any],
    AfterValidator(_finite),
    Field(
        description="The values to review, matching `dataSchema` from get_review_type. Leave a field out or send null "
        "to hide it. Send an empty string to let the reviewer fill it in. Extra properties are stored and returned."
    ),
]
Config = Annotated[
    dict[str, Any],
    AfterValidator(_finite),
    Field(description="Settings for this request, by field: `{fields: {<fieldId>: {options, default, …}}}`."),
]
Meta = Annotated[
    dict[str, Any],
    AfterValidator(_finite),
    AfterValidator(_for_people_to_decide),
    Field(description="Your own metadata. Returned with the review and not shown as content."),
]
Title = Annotated[str, Field(description="Title in the inbox. Defaults to the title field's text.")]
Lang = Annotated[
    str,
    Field(
        max_length=35,
        description="The language of the external reviewers' emails and page, such as `de` or `pt-BR`.",
    ),
]
Once = Annotated[
    IdempotencyKey,
    Field(
        description="Idempotency key. If you repeat the call with the same key and arguments within 24 hours, nothing "
        "is created twice and you get the original response. Set it if you might retry."
    ),
]


class Arguments(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")


class Workflow(Arguments):
    """Links the reviews of one workflow run."""

    run_id: Annotated[SessionId, Field(description="Your ID for the run. Generated if left out.")] | None = None
    run_name: Annotated[str, Field(max_length=500)] | None = None
    prev_steps: Annotated[list[Id], Field(max_length=500, description="`reviewId`s of the previous steps.")] | None = (
        None
    )


class ListReviewTypes(Arguments):
    agent_id: Annotated[Id, Field(description="Only the review types of this agent.")] | None = None
    cursor: Annotated[str, Field(max_length=200, description="`nextCursor` from the previous page.")] | None = None
    limit: int = Field(50, ge=1, le=200, description="Maximum number of review types to return.")


class GetReviewType(Arguments):
    form_id: Id = Field(description="`formId` of the review type, from list_review_types.")


class RequestReview(Arguments):
    form_id: Id = Field(description="`formId` of the review type, from list_review_types.")
    data: Data
    title: Title | None = None
    assign_to: Annotated[list[str], Field(max_length=200, description="Emails of the members to assign.")] | None = None
    assign_to_groups: Annotated[list[str], Field(max_length=200, description="IDs of the groups to assign.")] | None = (
        None
    )
    ext_reviewers: (
        Annotated[
            list[str],
            Field(
                max_length=50,
                description="Emails of external reviewers without an account. Each gets a personal link by email.",
            ),
        ]
        | None
    ) = None
    lang: Lang | None = None
    session_id: (
        Annotated[
            SessionId,
            Field(description="Your ID for the conversation. Its reviews and messages are shown together."),
        ]
        | None
    ) = None
    agent_id: Annotated[Id, Field(description="Required only if the review type isn't linked to an agent.")] | None = (
        None
    )
    workflow: Workflow | None = None
    meta: Meta | None = None
    config: Config | None = None
    webhook_url: Annotated[str, Field(description="URL that also receives the result.")] | None = None
    idempotency_key: Once | None = None


class WaitForReview(Arguments):
    review_id: Id = Field(description="`reviewId` from request_review.")
    timeout_seconds: float = Field(
        DEFAULT_WAIT,
        ge=0,
        le=MAX_WAIT_SECONDS,
        allow_inf_nan=False,
        description="How long this call waits. Decisions can take minutes or days, so call again as often as needed.",
    )


class GetReview(Arguments):
    review_id: Id


class ListReviews(Arguments):
    state: Annotated[Literal["pending", "responded"], Field(description="Only reviews in this state.")] | None = None
    form_id: Annotated[Id, Field(description="Only reviews of this type.")] | None = None
    agent_id: Annotated[Id, Field(description="Only this agent's reviews.")] | None = None
    session_id: Annotated[SessionId, Field(description="Only reviews of this session.")] | None = None
    run_id: Annotated[SessionId, Field(description="Only reviews of this workflow run.")] | None = None
    retry_requested: Annotated[bool, Field(description="Only reviews waiting for your changes.")] | None = None
    q: Annotated[str, Field(max_length=500, description="Search text.")] | None = None
    cursor: Annotated[str, Field(max_length=200, description="`nextCursor` from the previous page.")] | None = None
    limit: int = Field(20, ge=1, le=200, description="Maximum number of reviews to return, newest first.")


class UpdateReview(Arguments):
    review_id: Id = Field(description="The pending review to update.")
    data: Data
    title: Title | None = None
    lang: Lang | None = None
    workflow: Workflow | None = None
    meta: Meta | None = None
    config: Config | None = None
    idempotency_key: Once | None = None


class Condition(Arguments):
    field: str = Field(
        description=(
            "`<fieldId>.value` for the value after the decision, `<fieldId>.wasEdited`, or `<fieldId>.value[].id`."
        ),
        max_length=500,
    )
    operation: str = Field(
        description=(
            "One of equal, notEqual, greaterThan, greaterThanOrEqual, lessThan, lessThanOrEqual, contains, "
            "startsWith, endsWith, isTrue, isFalse, arrayIncludes, arrayExcludes, arrayIsEmpty, and arrayIsNotEmpty."
        ),
        max_length=100,
    )
    value: Annotated[Any, AfterValidator(_finite)] = Field(
        None, description="The value to compare with, if the operation needs one."
    )


class ListResponses(Arguments):
    form_id: Id = Field(description="`formId` of the review type.")
    field_ids: list[Annotated[str, StringConstraints(pattern=r"^[^,]{1,200}$")]] = Field(
        min_length=1, max_length=500, description="IDs of the fields to return. Use `meta.<key>` for a metadata value."
    )
    response: (
        Annotated[Literal["approved", "rejected"], Field(description="Only reviews with this response.")] | None
    ) = None
    filters: Annotated[list[Condition], Field(max_length=50, description="All filters must match.")] | None = None
    approved_values_only: bool = Field(
        False, description="Only approved values from approved reviews (the shortest result)."
    )
    rejected_values_only: bool = Field(False, description="Only suggested values from rejected reviews.")
    group_by_field: bool = Field(False, description="Group by field instead of by review.")
    limit: int = Field(20, ge=1, le=500, description="Maximum number of responses to return, newest first.")


class SendMessage(Arguments):
    session_id: SessionId = Field(
        description="The session to send the message in: a review's `sessionId`, or an ID of your own."
    )
    text: str = Field(min_length=1, max_length=32_000, description="Message text, as Markdown.")
    review_id: Annotated[Id, Field(description="A review of this session, shown with the message.")] | None = None
    agent_id: Annotated[Id, Field(description="The session's agent. Required to start a new session.")] | None = None
    idempotency_key: Once | None = None


class ListMessages(Arguments):
    session_id: SessionId
    after: Annotated[Id, Field(description="Only messages after this `messageId`.")] | None = None
    before: Annotated[Id, Field(description="`nextBefore` from the previous result, to get older messages.")] | None = (
        None
    )
    limit: int = Field(50, ge=1, le=200, description="Maximum number of messages to return, oldest first.")


def arguments_schema(model: type[Arguments]) -> dict[str, Any]:
    """Return the model's JSON Schema without the parts that don't help a reader: titles, and that a member may be
    null.
    """
    return cast(dict[str, Any], _plain(model.model_json_schema(by_alias=True)))


def _plain(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_plain(each) for each in cast(list[Any], schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast(dict[str, Any], schema)
    others = [each for each in members.get("anyOf", []) if each != {"type": "null"}]
    if members.get("default", ...) is None and len(others) == 1:
        cleaned = {name: value for name, value in members.items() if name not in {"anyOf", "default"}}
        members = {**others[0], **cleaned}
    return {
        name: {key: _plain(each) for key, each in value.items()} if name in {"properties", "$defs"} else _plain(value)
        for name, value in members.items()
        if name != "title" or not isinstance(value, str)
    }
