"""What can be done to a review type. A change makes a new version; open reviews stay on theirs."""

from collections.abc import Collection
from typing import Any

from pydantic import ValidationError

from signoff.accounts import audit
from signoff.accounts.access import Caller
from signoff.accounts.members import find_groups, find_members
from signoff.forms.definition import MEMBERS, DefinitionFaults, compile_definition
from signoff.forms.errors import VersionConflict
from signoff.forms.queries import get_form_row, to_form
from signoff.forms.schemas import Form, FormBody
from signoff.forms.versions import forget_current
from signoff.platform.db import Executor
from signoff.platform.errors import Invalid
from signoff.platform.faults import Fault
from signoff.platform.http import faults_of
from signoff.platform.ids import new_id
from signoff.platform.json_values import same_json


async def create_form(caller: Caller, raw: dict[str, Any]) -> Form:
    form_id = new_id("frm")
    async with caller.db.transaction() as tx:
        definition = await _checked(tx, caller.account_id, raw, raw, [])
        await tx.execute(
            "insert into forms (form_id, account_id, agent_id, name, version) values ($1, $2, $3, $4, 1)",
            form_id,
            caller.account_id,
            definition["agentId"],
            definition["name"],
        )
        await _add_version(tx, caller, form_id, 1, definition)
        await audit.record(tx, caller.actor, "form.created", form_id, {"name": definition["name"]})
        return to_form(await get_form_row(tx, caller.account_id, form_id))


async def change_form(caller: Caller, form_id: str, raw: dict[str, Any]) -> Form:
    """Members that are left out stay. `version`, if given, must be the present one: nobody overwrites unknowingly."""
    change = dict(raw)
    expected = change.pop("version", None)
    faults = [] if expected is None or type(expected) is int else [Fault("version", "wrong_type", "must be a number")]
    async with caller.db.transaction() as tx:
        row = await get_form_row(tx, caller.account_id, form_id, lock=True)
        if not faults and expected not in (None, row["version"]):
            raise VersionConflict(
                f"You changed version {expected}; the present version is {row['version']}.",
                version=row["version"],
            )
        present = row["definition"]
        definition = await _checked(tx, caller.account_id, {**present, **change}, change, faults)
        changed = sorted(name for name in definition if not same_json(definition[name], present.get(name)))
        if not changed:
            return to_form(row)
        version = row["version"] + 1
        await _add_version(tx, caller, form_id, version, definition)
        await tx.execute(
            "update forms set version = $2, name = $3, agent_id = $4, updated_at = now() where form_id = $1",
            form_id,
            version,
            definition["name"],
            definition["agentId"],
        )
        await audit.record(tx, caller.actor, "form.changed", form_id, {"version": version, "changed": changed})
        form = to_form(await get_form_row(tx, caller.account_id, form_id))
    forget_current(caller.account_id, form_id)
    return form


async def archive_form(caller: Caller, form_id: str) -> None:
    """No new reviews; what exists stays."""
    async with caller.db.transaction() as tx:
        row = await get_form_row(tx, caller.account_id, form_id, lock=True)
        if row["archived_at"] is None:
            await tx.execute("update forms set archived_at = now() where form_id = $1", form_id)
            await audit.record(tx, caller.actor, "form.archived", form_id)
    forget_current(caller.account_id, form_id)


async def _add_version(tx: Executor, caller: Caller, form_id: str, version: int, definition: dict[str, Any]) -> None:
    await tx.execute(
        "insert into form_versions (form_id, version, definition, created_by) values ($1, $2, $3, $4)",
        form_id,
        version,
        definition,
        caller.actor.name,
    )


async def _checked(
    db: Executor, account_id: str, raw: dict[str, Any], named: Collection[str], faults: list[Fault]
) -> dict[str, Any]:
    """The normal form of a review type, or `Invalid` with every fault of every kind at once.

    `named` are the members that the caller sent: whom the others refer to was checked when they were sent.
    """
    body = _read_body(raw, faults)
    normal = body.model_dump(by_alias=True, exclude=_compiled_members())
    await _check_references(db, account_id, body, named, faults)
    try:
        compiled = compile_definition(raw).to_json()
        normal |= {"layout": None, **compiled}
    except DefinitionFaults as error:
        # A missing `fields` is told by both; one cause, one fault.
        told = {fault.path for fault in faults}
        faults += [fault for fault in error.faults if fault.path not in told]
    if faults:
        raise Invalid(faults)
    return normal


def _read_body(raw: dict[str, Any], faults: list[Fault]) -> FormBody:
    """As much of it as can be read: a fault in one member must not hide those in the others."""
    try:
        return FormBody.model_validate(raw)
    except ValidationError as error:
        faults += faults_of(error.errors())
        wrong = {fault["loc"][0] for fault in error.errors()}
        readable = {name: value for name, value in raw.items() if name not in wrong}
        return FormBody.model_validate({"name": "unnamed", "fields": None, **readable})


def _compiled_members() -> set[str]:
    return {name for name, field in FormBody.model_fields.items() if field.alias in MEMBERS}


async def _check_references(
    db: Executor, account_id: str, body: FormBody, named: Collection[str], faults: list[Fault]
) -> None:
    if (
        "agentId" in named
        and body.agent_id is not None
        and not await db.fetchval(
            "select true from agents where account_id = $1 and agent_id = $2 and deleted_at is null for share",
            account_id,
            body.agent_id,
        )
    ):
        faults.append(Fault("agentId", "unknown_agent", f"there is no agent {body.agent_id!r}"))
    if "defaultReviewers" in named:
        reviewers = body.default_reviewers
        await find_members(db, account_id, reviewers.users, "defaultReviewers.users", faults)
        await find_groups(db, account_id, reviewers.groups, "defaultReviewers.groups", faults)
