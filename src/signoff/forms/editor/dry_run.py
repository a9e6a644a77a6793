"""Try out an unsaved review type: what a reviewer would see, and the resulting event.

The event has the members of a real one, built by the same functions wherever they have an effect. Values that only a
real review has, mainly its identifiers, are placeholders: `standIns` lists these members, and such identifiers end in
`_preview`.
"""

import asyncio
from typing import Any

from signoff.accounts.context import Caller
from signoff.forms.definition import Definition
from signoff.forms.editor.checks import findings
from signoff.forms.editor.schemas import TryOut
from signoff.forms.queries import get_form_row
from signoff.forms.submission import Response, SubmissionResult, apply_submission, response_errors, response_values
from signoff.forms.suggestion import InvalidValues, Suggestion, read_suggestion, suggested_title, unmapped_to_json
from signoff.forms.validation import validate_form
from signoff.platform.clock import iso, now
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.json_values import MAX_DATA_DEPTH, JsonObject, exceeds_depth, too_deep


async def dry_run_form(caller: Caller, dry_run: TryOut) -> dict[str, Any]:
    """Run the dry run. The response lists errors with paths of this request; parts that can't be shown because of
    them are empty.
    """
    _ensure_depth(dry_run)
    if dry_run.form_id is not None:
        await get_form_row(caller.db, caller.account_id, dry_run.form_id)
    reading = await validate_form(caller.db, caller.account_id, dry_run.form, dry_run.form)
    errors = [ErrorDetail(f"form.{detail.path}", detail.code, detail.message) for detail in reading.errors]
    if reading.definition is None:
        return _answer(errors)
    definition, form = reading.definition, reading.normal
    try:
        suggestion = await asyncio.to_thread(read_suggestion, definition, dry_run.data, dry_run.config)
    except InvalidValues as error:
        return _answer([*errors, *error.errors])
    decided = None
    try:
        decided = await asyncio.to_thread(_decide, definition, form, suggestion, dry_run)
    except InvalidValues as error:
        errors += [ErrorDetail(f"submitted.{detail.path}", detail.code, detail.message) for detail in error.errors]
    values = response_values(definition, suggestion) if decided is None else decided.response_values
    return _answer(
        errors,
        title=suggested_title(definition, suggestion),
        values=suggestion.values,
        configs=_configs(suggestion),
        unmapped=unmapped_to_json(definition, dry_run.data, suggestion),
        # Values hidden by rules are already missing, so hiding them again changes nothing.
        hidden=sorted(definition.rules.hidden(values)),
        responseValues=values,
        **({} if decided is None else _event(caller, dry_run, form, decided)),
    )


def _answer(errors: list[ErrorDetail], **members: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {"title": None, "values": {}, "configs": {}, "unmapped": []}
    nothing |= {"hidden": [], "responseValues": {}}
    error_members = [finding.model_dump(by_alias=True) for finding in findings(errors)]
    return {**nothing, "event": None, "standIns": [], **members, "errors": error_members}


def _ensure_depth(dry_run: TryOut) -> None:
    submitted: JsonObject | None = dry_run.submitted.data if dry_run.submitted else None
    given = {"form": dry_run.form, "data": dry_run.data, "config": dry_run.config, "submitted.data": submitted}
    errors = [
        ErrorDetail(path, "too_deep", too_deep(MAX_DATA_DEPTH))
        for path, value in given.items()
        if exceeds_depth(value, MAX_DATA_DEPTH)
    ]
    if errors:
        raise InvalidRequest(errors)


def _configs(suggestion: Suggestion) -> dict[str, Any]:
    """Return the configuration as in `GET /reviews/{reviewId}/suggestion`: the options that a request supplied."""
    return {name: shown for name, config in suggestion.configs.items() if (shown := config.shown())}


def _decide(definition: Definition, form: dict[str, Any], suggestion: Suggestion, dry_run: TryOut) -> SubmissionResult:
    """Check the submission like a real decision. Without one, approve the suggestion."""
    submitted = dry_run.submitted
    if submitted is None:
        return apply_submission(
            definition, suggestion, dry_run.data, None, _response(form, dry_run), enforce_limits=False
        )
    if errors := response_errors(submitted.response, trigger=form["trigger"]):
        raise InvalidValues(errors)
    return apply_submission(definition, suggestion, dry_run.data, submitted.data, submitted.response)


def _response(form: dict[str, Any], dry_run: TryOut) -> Response | None:
    if form["trigger"]:
        return None
    return "approved" if dry_run.submitted is None else dry_run.submitted.response


def _event(caller: Caller, dry_run: TryOut, form: dict[str, Any], outcome: SubmissionResult) -> dict[str, Any]:
    """Return `event` and `standIns`."""
    automatic = dry_run.submitted is None and form["autoApprove"]
    response, at = _response(form, dry_run), iso(now())
    stand_ins = ["eventId", "sessionId", "createdAt", "reviewId", "reviewResult.respondedAt", "deliveryId", "fileCache"]
    stand_ins += [] if dry_run.form_id else ["formId"]
    stand_ins += [] if form["agentId"] else ["agentId"]
    who = {"respondingUser": "reviewer@example.com", "respondingUserId": "usr_preview"}
    if automatic:
        who = {"respondingUser": "auto-approve", "respondingUserId": "system"}
    elif caller.actor.kind == "user":
        who = {"respondingUser": caller.actor.name, "respondingUserId": caller.actor.id}
    else:
        stand_ins += [f"reviewResult.{name}" for name in who]
    links = caller.settings.named("{}Link")
    event = {
        "event": "trigger.submitted" if form["trigger"] else "review.completed",
        "eventId": "evt_preview",
        "accountId": caller.account_id,
        "agentId": form["agentId"] or "agt_preview",
        "sessionId": "ses_preview",
        "createdAt": at,
        "reviewId": "rev_preview",
        "formId": dry_run.form_id or "frm_preview",
        "formName": form["name"],
        "reviewResult": {
            **({} if response is None else {"response": response}),
            **who,
            "respondedAt": at,
            "data": outcome.data,
            "responseValues": outcome.response_values,
            "changed": list(outcome.changed),
            **({} if response == "rejected" else {"approvedArguments": outcome.arguments}),
        },
        **({} if dry_run.config is None else {"config": dry_run.config}),
        "fileCache": {},
        **({"autoApproved": True} if automatic else {}),
        **dict.fromkeys(links, f"{caller.settings.url}/reviews/rev_preview"),
        "deliveryId": "whd_preview",
    }
    return {"event": event, "standIns": [*stand_ins, *links]}
