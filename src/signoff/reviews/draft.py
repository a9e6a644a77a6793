"""From a request's body to a review that could be written: everything checked, nothing stored yet."""

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from signoff.accounts.access import Caller
from signoff.accounts.members import find_groups, find_members
from signoff.forms.values import Suggestion, ValueFaults, prepare, title
from signoff.forms.versions import FormVersion
from signoff.platform.errors import Invalid
from signoff.platform.faults import Fault
from signoff.platform.http import faults_of
from signoff.platform.ids import new_id, new_token
from signoff.platform.settings import Settings
from signoff.reviews.schemas import ReviewRequest, Workflow


@dataclass(slots=True)
class Draft:
    form: FormVersion
    agent_id: str
    data: dict[str, Any]
    config: dict[str, Any] | None
    meta: dict[str, Any] | None
    title: str | None
    suggestion: Suggestion
    auto_approve: bool
    webhook_url: str | None
    run_id: str | None
    run_name: str | None
    made_run_id: bool
    prev_steps: list[str] | None
    assignees: list[str]
    """User and group IDs."""
    external_tokens: dict[str, str]
    """A fresh token for each external reviewer's address."""


async def read_draft(caller: Caller, body: ReviewRequest, form: FormVersion) -> Draft:
    """Raises `Invalid` naming every fault of the request at once."""
    faults: list[Fault] = []
    data = _data(body, faults)
    suggestion = Suggestion({}, {}, {})
    try:
        suggestion = prepare(form.definition, data, body.config)
    except ValueFaults as error:
        faults += error.faults
    agent_id = _agent_id(body, form, faults)
    workflow = _workflow(body, caller.settings, faults)
    assignees = await _assignees(caller, body, form, faults)
    if faults:
        raise Invalid(faults)
    made_run_id = workflow is not None and workflow.run_id is None
    return Draft(
        form=form,
        agent_id=agent_id,
        data=data,
        config=body.config,
        meta=body.meta,
        title=body.title or title(form.definition, suggestion),
        suggestion=suggestion,
        auto_approve=_auto_approve(body, form, caller.settings),
        webhook_url=body.webhook_url,
        run_id=new_id("run") if made_run_id else workflow.run_id if workflow else None,
        run_name=workflow.run_name if workflow else None,
        made_run_id=made_run_id,
        prev_steps=workflow.prev_steps if workflow else None,
        assignees=assignees,
        external_tokens={email: new_token("ext") for email in _external(body, form)},
    )


def _data(body: ReviewRequest, faults: list[Fault]) -> dict[str, Any]:
    if body.data is not None and body.fields is not None:
        faults.append(Fault("fields", "given_twice", "is another name for data; send one of them"))
    data = body.data if body.data is not None else body.fields
    if data is None:
        faults.append(Fault("data", "missing", "is needed: the values to review, by property"))
    return data or {}


def _agent_id(body: ReviewRequest, form: FormVersion, faults: list[Fault]) -> str:
    agent_id = body.agent_id or form.agent_id
    if agent_id is None:
        faults.append(Fault("agentId", "missing", "is needed: the review type belongs to no agent"))
    elif form.agent_id is not None and agent_id != form.agent_id:
        faults.append(Fault("agentId", "wrong_agent", f"the review type belongs to agent {form.agent_id!r}"))
    return agent_id or ""


def _workflow(body: ReviewRequest, settings: Settings, faults: list[Fault]) -> Workflow | None:
    name = f"_{settings.name_prefix}Workflow"
    raw: Any = body.workflow
    path = "workflow"
    if body.meta is not None and body.meta.get(name) is not None:
        raw, path = body.meta[name], f"meta.{name}"
    if raw is None:
        return None
    try:
        return Workflow.model_validate(raw)
    except ValidationError as error:
        found = faults_of(error.errors())
        faults += [Fault(f"{path}.{fault.path}".rstrip("."), fault.code, fault.message) for fault in found]
        return None


def _auto_approve(body: ReviewRequest, form: FormVersion, settings: Settings) -> bool:
    by_meta = (body.meta or {}).get(f"_{settings.name_prefix}AutoApprove") is True
    return body.auto_approve is True or by_meta or form.auto_approve


async def _assignees(caller: Caller, body: ReviewRequest, form: FormVersion, faults: list[Fault]) -> list[str]:
    """What the request names; if it names nobody at all, the review type's defaults."""
    if _names_reviewers(body):
        emails, groups = body.assign_to or (), body.assign_to_groups or ()
        own_faults = faults
    else:
        # A default that left the account since then does not stand in the way of a request.
        emails, groups = form.reviewer_emails, form.reviewer_groups
        own_faults = []
    assignees: list[str] = []
    if emails:
        assignees += await find_members(caller.db, caller.account_id, emails, "assignTo", own_faults)
    if groups:
        assignees += await find_groups(caller.db, caller.account_id, groups, "assignToGroups", own_faults)
    return assignees


def _external(body: ReviewRequest, form: FormVersion) -> list[str]:
    emails = (body.ext_reviewers or ()) if _names_reviewers(body) else form.external_reviewers
    return list(dict.fromkeys(emails))


def _names_reviewers(body: ReviewRequest) -> bool:
    return any(named is not None for named in (body.assign_to, body.assign_to_groups, body.ext_reviewers))
