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


async def dry_run_form(caller: Caller, asked: TryOut) -> dict[str, Any]:
    """Run the dry run. The response lists errors with paths of this request; parts that can't be shown because of
    them are empty.
    """
    _ensure_depth(asked)
    if asked.form_id is not None:
        await get_form_row(caller.db, caller.account_id, asked.form_id)
    reading = await validate_form(caller.db, caller.account_id, asked.form, asked.form)
    errors = [ErrorDetail(f"form.{detail.path}", detail.code, detail.message) for detail in reading.errors]
    if reading.definition is None:
        return _answer(errors)
    definition, form = reading.definition, reading.normal
    try:
        suggestion = await asyncio.to_thread(read_suggestion, definition, asked.data, asked.config)
    except InvalidValues as error:
        return _answer([*errors, *error.errors])
    decided = None
    try:
        decided = await asyncio.to_thread(_decide, definition, form, suggestion, asked)
    except InvalidValues as error:
        errors += [ErrorDetail(f"submitted.{detail.path}", detail.code, detail.message) for detail in error.errors]
    values = response_values(definition, suggestion) if decided is None else decided.response_values
    return _answer(
        errors,
        title=suggested_title(definition, suggestion),
        values=suggestion.values,
        configs=_configs(suggestion),
        unmapped=unmapped_to_json(definition, asked.data, suggestion),
        # Values hidden by rules are already missing, so hiding them again changes nothing.
        hidden=sorted(definition.rules.hidden(values)),
        responseValues=values,
        **({} if decided is None else _event(caller, asked, form, decided)),
    )


def _answer(errors: list[ErrorDetail], **found: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {"title": None, "values": {}, "configs": {}, "unmapped": []}
    nothing |= {"hidden": [], "responseValues": {}}
    told = [finding.model_dump(by_alias=True) for finding in findings(errors)]
    return {**nothing, "event": None, "standIns": [], **found, "errors": told}


def _ensure_depth(asked: TryOut) -> None:
    submitted: JsonObject | None = asked.submitted.data if asked.submitted else None
    given = {"form": asked.form, "data": asked.data, "config": asked.config, "submitted.data": submitted}
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


def _decide(definition: Definition, form: dict[str, Any], suggestion: Suggestion, asked: TryOut) -> SubmissionResult:
    """Check the submission like a real decision. Without one, approve the suggestion."""
    submitted = asked.submitted
    if submitted is None:
        return apply_submission(definition, suggestion, asked.data, None, _response(form, asked), enforce_limits=False)
    if errors := response_errors(submitted.response, trigger=form["trigger"]):
        raise InvalidValues(errors)
    return apply_submission(definition, suggestion, asked.data, submitted.data, submitted.response)


def _response(form: dict[str, Any], asked: TryOut) -> Response | None:
    if form["trigger"]:
        return None
    return "approved" if asked.submitted is None else asked.submitted.response


def _event(caller: Caller, asked: TryOut, form: dict[str, Any], outcome: SubmissionResult) -> dict[str, Any]:
    """Return `event` and `standIns`."""
    automatic = asked.submitted is None and form["autoApprove"]
    response, moment = _response(form, asked), iso(now())
    stand_ins = ["eventId", "sessionId", "createdAt", "reviewId", "reviewResult.respondedAt", "deliveryId", "fileCache"]
    stand_ins += [] if asked.form_id else ["formId"]
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
        "createdAt": moment,
        "reviewId": "rev_preview",
        "formId": asked.form_id or "frm_preview",
        "formName": form["name"],
        "reviewResult": {
            **({} if response is None else {"response": response}),
            **who,
            "respondedAt": moment,
            "data": outcome.data,
            "responseValues": outcome.response_values,
            "changed": list(outcome.changed),
            **({} if response == "rejected" else {"approvedArguments": outcome.arguments}),
        },
        **({} if asked.config is None else {"config": asked.config}),
        "fileCache": {},
        **({"autoApproved": True} if automatic else {}),
        **dict.fromkeys(links, f"{caller.settings.url}/reviews/rev_preview"),
        "deliveryId": "whd_preview",
    }
    return {"event": event, "standIns": [*stand_ins, *links]}
