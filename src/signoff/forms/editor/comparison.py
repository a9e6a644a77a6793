"""Compare two versions of a review type."""

from typing import Any

from signoff.accounts.context import Caller
from signoff.forms.definition import MEMBERS, compile_definition
from signoff.forms.editor.checks import breaking_changes, compare_trigger, compatible_changes
from signoff.forms.editor.diff import compare_definitions
from signoff.forms.editor.schemas import ChangedField, ChangedMember, Comparison
from signoff.forms.queries import get_form_row, get_version_row
from signoff.forms.versions import ADDED_MEMBERS
from signoff.platform.json_values import same_json


async def compare_versions(
    caller: Caller, form_id: str, from_version: int | None, to_version: int | None
) -> Comparison:
    """By default, compare the current version with the previous one."""
    row = await get_form_row(caller.db, caller.account_id, form_id)
    present: int = row["version"]
    after = present if to_version is None else to_version
    before = max(after - 1, 1) if from_version is None else from_version
    was: dict[str, Any] = {**ADDED_MEMBERS, **(await get_version_row(caller.db, form_id, before))["definition"]}
    now: dict[str, Any] = {**ADDED_MEMBERS, **(await get_version_row(caller.db, form_id, after))["definition"]}
    differences = compare_definitions(compile_definition(was), compile_definition(now))
    compare_trigger(was["trigger"], now["trigger"], differences)
    return Comparison(
        from_version=before,
        to_version=after,
        fields=_fields(was["fields"], now["fields"]),
        layout_changed=not same_json(was.get("layout"), now.get("layout")),
        rules_changed=not same_json(was["rules"], now["rules"]),
        members=[
            ChangedMember(member=name, before=was.get(name), after=now.get(name))
            for name in {**was, **now}
            if (name not in MEMBERS or name in ("titleField", "width", "unmapped", "translations"))
            and not same_json(was.get(name), now.get(name))
        ],
        breaking=breaking_changes(differences),
        compatible=compatible_changes(differences),
    )


def _fields(was: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[ChangedField]:
    """List the removed fields in the old order, then the added and changed ones in the new order."""
    before, after = {each["id"]: each for each in was}, {each["id"]: each for each in now}
    changed = [
        ChangedField(field_id=name, change="removed", before=field)
        for name, field in before.items()
        if name not in after
    ]
    for name, field in after.items():
        if name not in before:
            changed.append(ChangedField(field_id=name, change="added", after=field))
        elif not same_json(before[name], field):
            changed.append(ChangedField(field_id=name, change="changed", before=before[name], after=field))
    return changed
