"""Check an unsaved review type: errors, warnings, and what saving it would break."""

from typing import Any

from signoff.accounts.context import Caller
from signoff.forms.definition import Definition, compile_definition
from signoff.forms.editor.diff import Differences, compare_definitions
from signoff.forms.editor.schemas import BreakingChange, Changes, Check, CompatibleChange, Finding, FormCheck
from signoff.forms.editor.warnings import find_warnings
from signoff.forms.queries import get_form_row
from signoff.forms.validation import validate_form
from signoff.platform.db import Executor, Row
from signoff.platform.errors import MAX_REPORTED_ERRORS, ErrorDetail
from signoff.platform.messages import msg

OPEN_REVIEWS_CEILING = 10_000
"""Counting stops here, as in the inbox: an exact number beyond this isn't worth the wait."""


async def check_form(caller: Caller, check: FormCheck) -> Check:
    """Return every error that saving would report, with the same paths. Writes nothing."""
    row = None
    if check.form_id is not None:
        row = await get_form_row(caller.db, caller.account_id, check.form_id)
    raw = {name: value for name, value in check.form.items() if name != "version"} if row else check.form
    reading = await validate_form(caller.db, caller.account_id, raw, raw)
    trigger = reading.normal.get("trigger") is True
    warnings = [] if reading.definition is None else find_warnings(reading.definition, trigger=trigger)
    changes = None
    if row is not None and reading.definition is not None:
        changes = await _changes(caller, row, reading.definition, trigger=trigger)
    return Check(
        valid=not reading.errors, errors=findings(reading.errors), warnings=findings(warnings), changes=changes
    )


async def _changes(caller: Caller, row: Row, definition: Definition, *, trigger: bool) -> Changes:
    present: dict[str, Any] = row["definition"]
    differences = compare_definitions(compile_definition(present), definition)
    compare_trigger(present["trigger"], trigger, differences)
    return Changes(
        from_version=row["version"],
        open_reviews=await _count_open(caller.db, caller.account_id, row["form_id"]),
        breaking=breaking_changes(differences),
        compatible=compatible_changes(differences),
    )


def compare_trigger(was: bool, now: bool, differences: Differences) -> None:
    if was != now:
        events = ("review.completed", "trigger.submitted")
        message = msg(
            "webhooks now receive the {event} event instead of {before}", event=events[now], before=events[was]
        )
        differences.add_breaking("triggerChanged", None, message)


async def _count_open(db: Executor, account_id: str, form_id: str) -> int:
    """Count the open reviews of a review type. Each keeps the version it was created with."""
    return await db.fetchval(
        """
        select count(*) from (
            select from reviews where account_id = $1 and form_id = $2 and phase in ('open', 'waiting') limit $3
        ) as open_ones
        """,
        account_id,
        form_id,
        OPEN_REVIEWS_CEILING,
    )


def breaking_changes(differences: Differences) -> list[BreakingChange]:
    return [
        BreakingChange.model_validate({"kind": each.kind, "fieldId": each.field_id, "message": each.message})
        for each in differences.breaking
    ]


def compatible_changes(differences: Differences) -> list[CompatibleChange]:
    return [
        CompatibleChange(kind=each.kind, field_id=each.field_id, message=each.message)
        for each in differences.compatible
    ]


def findings(errors: list[ErrorDetail]) -> list[Finding]:
    return [Finding.model_validate(error.as_json()) for error in errors[:MAX_REPORTED_ERRORS]]
