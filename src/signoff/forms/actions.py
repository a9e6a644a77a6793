"""Actions on review types. A change creates a new version; open reviews stay on theirs."""

from typing import Any

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.forms.errors import AgentGone, VersionConflict
from signoff.forms.queries import get_form_row, get_version_row, to_form
from signoff.forms.schemas import Form
from signoff.forms.validation import ensure_valid_form, has_agent
from signoff.forms.versions import ADDED_MEMBERS, invalidate_current_version
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail
from signoff.platform.ids import new_id
from signoff.platform.json_values import same_json
from signoff.platform.messages import msg


async def create_form(caller: Caller, raw: dict[str, Any]) -> Form:
    async with caller.db.transaction() as tx:
        definition = await ensure_valid_form(tx, caller.account_id, raw, raw)
        return await insert_form(tx, caller, definition)


async def insert_form(tx: Executor, caller: Caller, definition: dict[str, Any], **made_from: str) -> Form:
    """Insert a review type whose definition has been validated; `made_from` tells the audit log what it was created
    from.
    """
    form_id = new_id("frm")
    await tx.execute(
        "insert into forms (form_id, account_id, agent_id, name, version) values ($1, $2, $3, $4, 1)",
        form_id,
        caller.account_id,
        definition["agentId"],
        definition["name"],
    )
    await _add_version(tx, caller, form_id, 1, definition)
    await writer.record_audit(tx, caller.actor, "form.created", form_id, {"name": definition["name"], **made_from})
    return to_form(await get_form_row(tx, caller.account_id, form_id))


async def update_form(caller: Caller, form_id: str, raw: dict[str, Any]) -> Form:
    """Update a review type. Omitted members stay unchanged. `version`, if given, must be the current one, to
    prevent accidental overwrites.
    """
    change = dict(raw)
    expected = change.pop("version", None)
    errors = (
        []
        if expected is None or type(expected) is int
        else [ErrorDetail("version", "wrong_type", msg("must be a whole number"))]
    )
    async with caller.db.transaction() as tx:
        row = await get_form_row(tx, caller.account_id, form_id, lock=True)
        if not errors and expected not in (None, row["version"]):
            _ensure_current_version(row, expected)
        definition = await ensure_valid_form(tx, caller.account_id, {**row["definition"], **change}, change, errors)
        form = await _next_version(tx, caller, row, definition)
    invalidate_current_version(caller.db, caller.account_id, form_id)
    return form


async def restore_version(caller: Caller, form_id: str, version: int) -> Form:
    """Save an earlier version's definition as a new version.

    If the earlier version's agent has been deleted, the review type stays with its current one. Former members stay in
    the assignees, as they do in a review type that nobody edits: requests skip them.
    """
    async with caller.db.transaction() as tx:
        row = await get_form_row(tx, caller.account_id, form_id, lock=True)
        earlier = dict((await get_version_row(tx, form_id, version))["definition"])
        if earlier["agentId"] is not None and not await has_agent(tx, caller.account_id, earlier["agentId"], lock=True):
            earlier["agentId"] = row["definition"]["agentId"]
        definition = await ensure_valid_form(tx, caller.account_id, earlier, ())
        form = await _next_version(tx, caller, row, definition, restored=version)
    invalidate_current_version(caller.db, caller.account_id, form_id)
    return form


async def archive_form(caller: Caller, form_id: str) -> None:
    """Stop new reviews; existing ones stay."""
    async with caller.db.transaction() as tx:
        row = await get_form_row(tx, caller.account_id, form_id, lock=True)
        if row["archived_at"] is None:
            await tx.execute("update forms set archived_at = now() where form_id = $1", form_id)
            await writer.record_audit(tx, caller.actor, "form.archived", form_id)
    invalidate_current_version(caller.db, caller.account_id, form_id)


async def unarchive_form(caller: Caller, form_id: str) -> Form:
    """Allow new reviews again. Refused while its agent is deleted."""
    async with caller.db.transaction() as tx:
        row = await get_form_row(tx, caller.account_id, form_id, lock=True)
        if row["archived_at"] is None:
            return to_form(row)
        agent_id = row["definition"]["agentId"]
        if agent_id is not None and not await has_agent(tx, caller.account_id, agent_id, lock=True):
            raise AgentGone(agent_id)
        await tx.execute("update forms set archived_at = null where form_id = $1", form_id)
        await writer.record_audit(tx, caller.actor, "form.unarchived", form_id)
        return to_form(await get_form_row(tx, caller.account_id, form_id))


def _ensure_current_version(row: Row, expected: int) -> None:
    raise VersionConflict(expected, row["version"], row["saved_by"], row["saved_at"])


async def _next_version(tx: Executor, caller: Caller, row: Row, definition: dict[str, Any], **details: int) -> Form:
    """Save a validated definition as the next version, if it differs from the current one. The row must be locked."""
    present = {**ADDED_MEMBERS, **row["definition"]}
    changed = sorted(
        name for name in {**present, **definition} if not same_json(definition.get(name), present.get(name))
    )
    if not changed:
        return to_form(row)
    form_id, version = row["form_id"], row["version"] + 1
    await _add_version(tx, caller, form_id, version, definition)
    await tx.execute(
        "update forms set version = $2, name = $3, agent_id = $4, updated_at = now() where form_id = $1",
        form_id,
        version,
        definition["name"],
        definition["agentId"],
    )
    audit_details = {"version": version, "changed": changed, **details}
    await writer.record_audit(tx, caller.actor, "form.changed", form_id, audit_details)
    return to_form(await get_form_row(tx, caller.account_id, form_id))


async def _add_version(tx: Executor, caller: Caller, form_id: str, version: int, definition: dict[str, Any]) -> None:
    await tx.execute(
        "insert into form_versions (form_id, version, definition, created_by) values ($1, $2, $3, $4)",
        form_id,
        version,
        definition,
        caller.actor.name,
    )
