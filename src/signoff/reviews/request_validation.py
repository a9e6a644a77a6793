"""Validate a request completely, without storing anything, and return a review that can be written."""

from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from signoff.accounts.assignee_lookup import (
    ensure_members_exist,
    find_member_addresses,
    resolve_groups,
    resolve_members,
)
from signoff.accounts.context import Caller
from signoff.agents.errors import unknown_agent
from signoff.forms.media_values import replace_values
from signoff.forms.suggestion import InvalidValues, Suggestion, read_suggestion, suggested_title
from signoff.forms.versions import FormVersion, latest_version
from signoff.media.signed_payloads import strip_media_signatures
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.ids import new_id
from signoff.platform.json_values import MAX_DATA_DEPTH, exceeds_depth, too_deep
from signoff.platform.messages import Message, msg
from signoff.platform.settings import Settings
from signoff.platform.validation_messages import errors_from_pydantic
from signoff.reviews.inserts import ReviewersSetBy
from signoff.reviews.review_media import IngestedMedia
from signoff.reviews.schemas import ReviewRequest, Workflow


@dataclass(frozen=True, slots=True)
class Reviewers:
    """The reviewers of a request. On an update, None means unchanged."""

    users: list[str] | None = None
    """User IDs."""
    groups: list[str] | None = None
    """Group IDs."""
    external: list[str] | None = None
    """Emails of external reviewers."""
    set_by: ReviewersSetBy = "request"

    @property
    def are_named(self) -> bool:
        return any(named is not None for named in (self.users, self.groups, self.external))

    @property
    def assignees(self) -> list[str]:
        return [*(self.users or ()), *(self.groups or ())]


@dataclass(slots=True)
class ValidatedRequest:
    form: FormVersion
    agent_id: str
    data: dict[str, Any]
    config: dict[str, Any] | None
    meta: dict[str, Any] | None
    title: str | None
    """The displayed title."""
    given_title: str | None
    """The request's own title, if it has one in place of the title field's text."""
    suggestion: Suggestion
    auto_approve: bool
    webhook_url: str | None
    webhook_events: list[str] | None
    run_id: str | None
    run_name: str | None
    tell_run_id: bool
    """Whether the response includes the run ID, because the caller didn't provide one."""
    prev_steps: list[str] | None
    batch_id: str | None
    batch_size: int | None
    reviewers: Reviewers
    external_language: str | None
    media: IngestedMedia = field(default_factory=IngestedMedia)
    """For review types with images or videos, after their media has been processed."""


async def validate_request(
    caller: Caller, body: ReviewRequest, form: FormVersion, present: Row | None = None, tx: Executor | None = None
) -> ValidatedRequest:
    """Validate a request. Raises `InvalidRequest` with all of its errors. `present` is the review to update.

    Code inside a transaction must pass it: holding one connection while waiting for another can deadlock.
    """
    db = tx or caller.db
    errors = list(body.errors)
    data, config = _data(body, errors), keep_previous(body, "config", present)
    _ensure_depth(body, data, errors)
    if not errors:
        data, config = strip_media_signatures(caller.settings, data), strip_media_signatures(caller.settings, config)
    suggestion, hidden = Suggestion({}, {}, {}), 0
    try:
        suggestion = read_suggestion(form.definition, data, config)
    except InvalidValues as error:
        errors += error.errors
        hidden = error.total - len(error.errors)
    if present is None:
        agent_id = _agent_id(body, form, errors)
    else:
        agent_id = _ensure_same_review(body, present, errors)
        if _requests_auto_approval(body, caller.settings):
            # Only a new review can be auto-approved; one that waits for people is theirs to decide.
            errors.append(
                ErrorDetail("autoApprove", "not_allowed", msg("isn't allowed when you update a pending review"))
            )
    if body.webhook_events is not None and keep_previous(body, "webhook_url", present) is None:
        errors.append(ErrorDetail("webhookEvents", "no_webhook_url", msg("can only be sent with `webhookUrl`")))
    workflow = _workflow(body, caller.settings, errors)
    if body.batch_size is not None and body.batch_id is None:
        errors.append(ErrorDetail("batchSize", "not_applicable", msg("can only be sent with `batchId`")))
    reviewers = await _named_reviewers(db, caller, body, form, errors)
    if reviewers is None:
        reviewers = Reviewers() if present is not None else await _default_reviewers(db, caller.account_id, form)
    if errors:
        errors += await unknown_agent_errors(db, caller.account_id, agent_id)
        raise InvalidRequest(errors, total=len(errors) + hidden)
    given_title = keep_previous(body, "title", present, "given_title") or None
    return ValidatedRequest(
        form=form,
        agent_id=agent_id,
        data=data,
        config=config,
        meta=keep_previous(body, "meta", present),
        title=given_title or suggested_title(form.definition, suggestion),
        given_title=given_title,
        suggestion=suggestion,
        auto_approve=present is None and (form.auto_approve or _requests_auto_approval(body, caller.settings)),
        webhook_url=keep_previous(body, "webhook_url", present),
        webhook_events=keep_previous(body, "webhook_events", present),
        run_id=_run_id(workflow, present),
        run_name=workflow.run_name if workflow else None,
        tell_run_id=workflow is not None and workflow.run_id is None,
        prev_steps=workflow.prev_steps if workflow else None,
        batch_id=body.batch_id,
        batch_size=body.batch_size,
        reviewers=reviewers,
        external_language=keep_previous(body, "lang", present, "external_language"),
    )


def keep_previous(body: ReviewRequest, name: str, present: Row | None, column: str | None = None) -> Any:
    """Return a member of the request or, if an update omits it, the review's current value. `null` clears it."""
    if present is not None and name not in body.model_fields_set:
        return present[column or name]
    return getattr(body, name)


def replace_media(draft: ValidatedRequest, media: IngestedMedia) -> ValidatedRequest:
    """Return the draft with the URLs of stored media. The request's body isn't changed."""
    if not media.changes:
        return replace(draft, media=media)
    members = replace_values({"data": draft.data, "config": draft.config}, media.changes)
    data: Any = members["data"]
    config: Any = members["config"]
    suggestion = read_suggestion(draft.form.definition, data, config)
    return replace(draft, data=data, config=config, suggestion=suggestion, media=media)


def _data(body: ReviewRequest, errors: list[ErrorDetail]) -> dict[str, Any]:
    if body.data is not None and body.fields is not None:
        errors.append(ErrorDetail("fields", "given_twice", msg("is an alias of `data`; send only one of them")))
    data = body.data if body.data is not None else body.fields
    if data is None and not any(detail.path in ("data", "fields") for detail in errors):
        errors.append(ErrorDetail("data", "missing", msg("is required: an object with the values to review")))
    return data or {}


def _ensure_depth(body: ReviewRequest, data: dict[str, Any], errors: list[ErrorDetail]) -> None:
    name = "data" if body.data is not None else "fields"
    errors += [
        ErrorDetail(path, "too_deep", too_deep(MAX_DATA_DEPTH))
        for path, value in ((name, data), ("config", body.config), ("meta", body.meta))
        if exceeds_depth(value, MAX_DATA_DEPTH)
    ]


def _agent_id(body: ReviewRequest, form: FormVersion, errors: list[ErrorDetail]) -> str:
    agent_id = body.agent_id or form.agent_id
    if agent_id is None:
        message = msg("is required because this review type isn't linked to an agent")
        errors.append(ErrorDetail("agentId", "missing", message))
    elif form.agent_id is not None and agent_id != form.agent_id:
        message = msg("must be '{id}', the review type's agent", id=form.agent_id)
        errors.append(ErrorDetail("agentId", "wrong_agent", message))
    return agent_id or ""


def _ensure_same_review(body: ReviewRequest, present: Row, errors: list[ErrorDetail]) -> str:
    """Check that an update only replaces the content: the review's identity and context must stay the same. Returns
    the agent's ID.
    """
    same = {
        "formId": (body.form_id, present["form_id"]),
        "agentId": (body.agent_id, present["agent_id"]),
        "sessionId": (body.session_id, present["session_id"]),
        "batchId": (body.batch_id, present["batch_id"]),
    }
    errors += [
        ErrorDetail(name, "cannot_change", _unchanged_message(there))
        for name, (given, there) in same.items()
        if given is not None and given != there
    ]
    return present["agent_id"]


def _unchanged_message(value: str | None) -> Message:
    if value is None:
        return msg("must be left out: the review you're updating has none")
    return msg("must be '{value}', as in the review you're updating", value=value)


async def unknown_agent_errors(db: Executor, account_id: str, agent_id: str) -> list[ErrorDetail]:
    """Return an error if the agent doesn't exist. A missing agent is reported elsewhere."""
    known = not agent_id or await db.fetchval(
        "select true from agents where account_id = $1 and agent_id = $2 and deleted_at is null",
        account_id,
        agent_id,
    )
    return [] if known else [ErrorDetail("agentId", "unknown_agent", unknown_agent(agent_id))]


def _workflow(body: ReviewRequest, settings: Settings, errors: list[ErrorDetail]) -> Workflow | None:
    raw: Any = body.workflow
    path = "workflow"
    name = next((name for name in settings.named("_{}Workflow") if (body.meta or {}).get(name) is not None), None)
    if body.meta is not None and name is not None:
        raw, path = body.meta[name], f"meta.{name}"
    if raw is None:
        return None
    try:
        return Workflow.model_validate(raw)
    except ValidationError as error:
        details = errors_from_pydantic(error.errors())
        errors += [ErrorDetail(f"{path}.{detail.path}".rstrip("."), detail.code, detail.message) for detail in details]
        return None


def _run_id(workflow: Workflow | None, present: Row | None) -> str | None:
    if workflow is None:
        return None
    run_id: str | None = present["run_id"] if present is not None else None
    return workflow.run_id or run_id or new_id("run")


def _requests_auto_approval(body: ReviewRequest, settings: Settings) -> bool:
    meta = body.meta or {}
    return body.auto_approve is True or any(meta.get(name) is True for name in settings.named("_{}AutoApprove"))


async def _named_reviewers(
    db: Executor, caller: Caller, body: ReviewRequest, form: FormVersion, errors: list[ErrorDetail]
) -> Reviewers | None:
    """Return the reviewers named in the request, or None if it names nobody. A member that is null names nobody of
    its kind.
    """
    named = body.named_reviewers
    users, groups, external = (named.get(name) for name in ("assign_to", "assign_to_groups", "ext_reviewers"))
    if external:
        await ensure_no_external_reviewers(db, caller.account_id, form, "extReviewers", errors)
        await ensure_members_exist(db, caller.account_id, external, "extReviewers", errors)
    if not named or (body.update_for_review_id is None and not body.names_reviewers):
        return None
    return Reviewers(
        users=None if users is None else await resolve_members(db, caller.account_id, users, "assignTo", errors),
        groups=None
        if groups is None
        else await resolve_groups(db, caller.account_id, groups, "assignToGroups", errors),
        external=None if external is None else list(dict.fromkeys(external)),
        set_by="person" if caller.actor.kind == "user" else "request",
    )


async def ensure_no_external_reviewers(
    db: Executor, account_id: str, form: FormVersion, path: str, errors: list[ErrorDetail]
) -> None:
    """Refuse external reviewers unless both the review's version and the latest version allow them: the latest one
    decides whom to trust from now on.
    """
    newest = await latest_version(db, account_id, form.form_id)
    if not (form.allow_external_reviewers and newest.allow_external_reviewers):
        message = msg("can't be used: the review type '{name}' doesn't allow external reviewers", name=form.name)
        errors.append(ErrorDetail(path, "external_not_allowed", message))


async def _default_reviewers(db: Executor, account_id: str, form: FormVersion) -> Reviewers:
    """Return the review type's reviewers. One who has left the account isn't an error; an external one who has
    joined is assigned as a member.
    """
    gone = list[ErrorDetail]()
    joined = await find_member_addresses(db, account_id, form.external_reviewers) if form.external_reviewers else ()
    emails = [*form.reviewer_emails, *(email for email in form.external_reviewers if email in joined)]
    return Reviewers(
        users=await resolve_members(db, account_id, emails, "assignTo", gone) if emails else [],
        groups=await resolve_groups(db, account_id, form.reviewer_groups, "assignToGroups", gone)
        if form.reviewer_groups
        else [],
        external=[email for email in dict.fromkeys(form.external_reviewers) if email not in joined],
        set_by="form" if form.names_reviewers else "request",
    )
