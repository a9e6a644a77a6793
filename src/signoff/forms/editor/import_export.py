"""Review types as files: exported from one workspace and imported into another, or copied within one.

A file has no identifiers of its workspace: it names groups and leaves out the agent.
"""

import re
from typing import Any, Final, cast

from signoff.accounts.assignee_lookup import resolve_groups, resolve_members
from signoff.accounts.context import Caller
from signoff.forms.actions import insert_form
from signoff.forms.deadlines import escalation_targets, replace_escalation_targets
from signoff.forms.editor.schemas import ImportedForm
from signoff.forms.queries import get_form_row
from signoff.forms.schemas import Form
from signoff.forms.translations import MAX_NAME
from signoff.forms.validation import ensure_valid_form, has_agent
from signoff.forms.versions import ADDED_MEMBERS
from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.messages import Message, msg

FORMAT: Final = "form/1"
_FORMATS: Final = re.compile(r"form/[0-9]{1,6}")


async def export_form(caller: Caller, form_id: str) -> tuple[str, dict[str, Any]]:
    """Return a file name and the content."""
    row = await get_form_row(caller.db, caller.account_id, form_id)
    definition: dict[str, Any] = row["definition"]
    reviewers, limits = definition["defaultReviewers"], definition.get("timeLimits")
    targets = escalation_targets(limits)
    groups = await caller.db.fetch(
        "select group_id, name from groups where account_id = $1 and group_id = any($2::text[])",
        caller.account_id,
        [*reviewers["groups"], *(group_id for to in targets.values() for group_id in to["groups"])],
    )
    names = {group["group_id"]: group["name"] for group in groups}
    document = {
        "signoff": FORMAT,
        **ADDED_MEMBERS,
        **{name: value for name, value in definition.items() if name != "agentId"},
        "defaultReviewers": {**reviewers, "groups": _group_names(reviewers["groups"], names)},
        "timeLimits": limits
        and replace_escalation_targets(
            limits, {index: {**to, "groups": _group_names(to["groups"], names)} for index, to in targets.items()}
        ),
    }
    return f"{_file_name(definition['name']) or form_id}.signoff.json", document


def _group_names(group_ids: list[str], names: dict[str, str]) -> list[str]:
    return [names[group_id] for group_id in group_ids if group_id in names]


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()[:80].strip("-")


async def import_form(caller: Caller, document: dict[str, Any]) -> ImportedForm:
    """Create a review type from a file. Errors have the paths of the file."""
    errors = _format_errors(document.get("signoff"))
    raw = {name: value for name, value in document.items() if name != "signoff"}
    if errors and not isinstance(raw.get("fields"), list):
        raise InvalidRequest(errors)  # not a review type at all, so missing members would be misleading errors
    notes: list[str] = []
    async with caller.db.transaction() as tx:
        raw = await _keep_known_references(tx, caller.account_id, raw, notes)
        definition = await ensure_valid_form(tx, caller.account_id, raw, raw, errors)
        form = await insert_form(tx, caller, definition, importedFrom=FORMAT)
    return ImportedForm(form=form, notes=notes)


def _format_errors(stated: Any) -> list[ErrorDetail]:
    if stated == FORMAT:
        return []
    if isinstance(stated, str) and _FORMATS.fullmatch(stated):
        return [ErrorDetail("signoff", "unsupported_format", unsupported_format(stated))]
    message = msg("must be {format}. This isn't a review type export", format=FORMAT)
    return [ErrorDetail("signoff", "unknown_format", message)]


async def _keep_known_references(
    tx: Executor, account_id: str, raw: dict[str, Any], notes: list[str]
) -> dict[str, Any]:
    """Return the definition with only the members and groups that exist here. Malformed parts stay, so that
    validation reports them.
    """
    limits = raw.get("timeLimits")
    targets = {
        index: {
            "users": await _keep_members(
                tx, account_id, to["users"], notes, msg("deadline step {step}", step=index + 1)
            ),
            "groups": await _keep_groups(tx, account_id, to["groups"], notes),
        }
        for index, to in escalation_targets(limits).items()
    }
    notes += [
        msg("Deadline step {step} had no one left to escalate to, so it now sends a reminder.", step=index + 1)
        for index, to in targets.items()
        if not (to["users"] or to["groups"])
    ]
    if targets:
        raw = {**raw, "timeLimits": replace_escalation_targets(cast(dict[str, Any], limits), targets)}
    reviewers = raw.get("defaultReviewers")
    if not isinstance(reviewers, dict):
        return raw
    named = cast(dict[str, Any], reviewers)
    here: dict[str, Any] = {}
    if (users := _texts(named.get("users"))) is not None:
        here["users"] = await _keep_members(tx, account_id, users, notes, msg("the default reviewers"))
    if (groups := _texts(named.get("groups"))) is not None:
        here["groups"] = await _keep_groups(tx, account_id, groups, notes)
    return {**raw, "defaultReviewers": {**named, **here}}


def _texts(value: Any) -> list[str] | None:
    """Return the array's items, if all of them are strings."""
    if not isinstance(value, list):
        return None
    items = cast(list[Any], value)
    return items if all(isinstance(each, str) for each in items) else None


async def _keep_members(
    tx: Executor, account_id: str, emails: list[str], notes: list[str], left_out_of: str
) -> list[str]:
    """Return the emails of members here. Malformed emails stay too: they're errors, not missing members."""
    missing: list[ErrorDetail] = []
    await resolve_members(tx, account_id, [email.lower() for email in emails], "users", missing)
    absent = {int(error.path[len("users[") : -1]) for error in missing}
    gone = [email for index, email in enumerate(emails) if index in absent and "@" in email]
    notes += [
        msg("'{email}' isn't a member of this workspace and was removed from {place}.", email=email, place=left_out_of)
        for email in gone
    ]
    return [email for email in emails if email not in gone]


async def _keep_groups(tx: Executor, account_id: str, names: list[str], notes: list[str]) -> list[str]:
    rows = await tx.fetch(
        "select group_id, name from groups where account_id = $1 and name = any($2::text[])", account_id, names
    )
    known = {row["name"]: row["group_id"] for row in rows}
    notes += [
        msg("Group '{name}' doesn't exist in this workspace and was removed.", name=name)
        for name in names
        if name not in known
    ]
    return [known[name] for name in names if name in known]


async def duplicate_form(caller: Caller, form_id: str, name: str | None) -> Form:
    """Create an independent copy at version 1, without references to deleted members or objects."""
    async with caller.db.transaction() as tx:
        row = await get_form_row(tx, caller.account_id, form_id)
        copy = dict(row["definition"])
        copy["name"] = name or f"Copy of {copy['name']}"[:MAX_NAME].rstrip()
        if copy["agentId"] is not None and not await has_agent(tx, caller.account_id, copy["agentId"], lock=True):
            copy["agentId"] = None
        reviewers, limits = copy["defaultReviewers"], copy.get("timeLimits")
        copy["defaultReviewers"] = {**reviewers, **await _existing(tx, caller.account_id, reviewers)}
        if limits is not None:
            targets = {
                index: await _existing(tx, caller.account_id, to) for index, to in escalation_targets(limits).items()
            }
            copy["timeLimits"] = replace_escalation_targets(limits, targets)
        definition = await ensure_valid_form(tx, caller.account_id, copy, copy)
        return await insert_form(tx, caller, definition, duplicateOf=form_id)


async def _existing(tx: Executor, account_id: str, named: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return those members and groups that still exist."""
    gone: list[ErrorDetail] = []
    groups = await resolve_groups(tx, account_id, named["groups"], "groups", gone)
    return {"users": await _keep_members(tx, account_id, named["users"], [], ""), "groups": groups}


def unsupported_format(stated: str) -> Message:
    return msg("uses format {format}; this version of Signoff supports {supported}", format=stated, supported=FORMAT)
