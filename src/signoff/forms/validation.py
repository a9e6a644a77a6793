"""Validate a whole review type as submitted: with its models, with the compiler, and against what it refers to."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from signoff.accounts.assignee_lookup import ensure_members_exist, resolve_groups, resolve_members
from signoff.agents.errors import unknown_agent
from signoff.forms.deadlines import validate_deadlines
from signoff.forms.definition import MEMBERS, Definition, InvalidDefinition, compile_definition
from signoff.forms.schemas import FormBody
from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.messages import msg
from signoff.platform.sql import Sql
from signoff.platform.validation_messages import errors_from_pydantic


@dataclass(frozen=True, slots=True)
class FormValidation:
    """The readable parts of a review type, and every error in it."""

    normal: dict[str, Any]
    """The normal form, as stored. Only complete if there are no errors."""
    definition: Definition | None
    """Compiled, or None if the compiler found errors."""
    errors: list[ErrorDetail]


async def validate_form(
    db: Executor, account_id: str, raw: dict[str, Any], named: Collection[str], *, lock: bool = False
) -> FormValidation:
    """Report errors of every kind together.

    `named` are the members that the caller sent: references in the others were checked when they were sent. `lock`
    prevents the agent from being deleted until the transaction ends.
    """
    errors: list[ErrorDetail] = []
    body = _read_body(raw, errors)
    normal = body.model_dump(by_alias=True, exclude=_compiled_members())
    await _check_references(db, account_id, body, named, errors, lock=lock)
    definition = None
    try:
        definition = compile_definition(raw)
        normal |= {"layout": None, **definition.to_json()}
    except InvalidDefinition as error:
        # Both report a missing `fields`; show it once.
        reported = {detail.path for detail in errors}
        errors += [detail for detail in error.errors if detail.path not in reported]
    return FormValidation(normal, definition, errors)


async def ensure_valid_form(
    tx: Executor, account_id: str, raw: dict[str, Any], named: Collection[str], errors: list[ErrorDetail] | None = None
) -> dict[str, Any]:
    """Return the normal form of a review type to be saved, or raise `InvalidRequest`. `errors` were found earlier."""
    reading = await validate_form(tx, account_id, raw, named, lock=True)
    details = [*(errors or ()), *reading.errors]
    if details:
        raise InvalidRequest(details)
    return reading.normal


def _read_body(raw: dict[str, Any], errors: list[ErrorDetail]) -> FormBody:
    """Read as much of the body as possible: an error in one member must not hide errors in the others."""
    try:
        return FormBody.model_validate(raw)
    except ValidationError as error:
        errors += errors_from_pydantic(error.errors())
        wrong = {detail["loc"][0] for detail in error.errors()}
        readable = {name: value for name, value in raw.items() if name not in wrong}
        return FormBody.model_validate({"name": "unnamed", "fields": None, **readable})


def _compiled_members() -> set[str]:
    return {name for name, field in FormBody.model_fields.items() if field.alias in MEMBERS}


async def _check_references(
    db: Executor, account_id: str, body: FormBody, named: Collection[str], errors: list[ErrorDetail], *, lock: bool
) -> None:
    if "agentId" in named and body.agent_id is not None and not await has_agent(db, account_id, body.agent_id, lock):
        errors.append(ErrorDetail("agentId", "unknown_agent", unknown_agent(body.agent_id)))
    if "defaultReviewers" in named:
        reviewers = body.default_reviewers
        await resolve_members(db, account_id, reviewers.users, "defaultReviewers.users", errors)
        await resolve_groups(db, account_id, reviewers.groups, "defaultReviewers.groups", errors)
        await ensure_members_exist(db, account_id, reviewers.external, "defaultReviewers.external", errors)
    if not body.allow_external_reviewers and body.default_reviewers.external:
        message = msg("must be empty because the review type doesn't allow external reviewers")
        errors.append(ErrorDetail("defaultReviewers.external", "external_not_allowed", message))
    if "timeLimits" in named and body.time_limits is not None:
        await validate_deadlines(db, account_id, body.time_limits, errors)


HAS_AGENT = Sql(
    "select true from agents where account_id = :account_id and agent_id = :agent_id and deleted_at is null"
)
LOCK_AGENT = Sql("{has_agent} for share", has_agent=HAS_AGENT)


async def has_agent(db: Executor, account_id: str, agent_id: str, lock: bool = False) -> bool:
    """Whether the agent exists and hasn't been deleted; `lock` keeps it that way until the transaction ends."""
    statement = LOCK_AGENT if lock else HAS_AGENT
    agent_found = await statement.fetch_value(db, account_id=account_id, agent_id=agent_id)
    return agent_found is True
