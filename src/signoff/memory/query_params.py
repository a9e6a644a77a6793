"""Parse the query string, or respond with a 400 that names the error."""

import orjson

from signoff.forms.errors import unknown_field
from signoff.forms.versions import latest_version
from signoff.memory.form_fields import fields_of_all_versions
from signoff.memory.response_formats import Only
from signoff.memory.responses import META
from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail, InvalidQuery, summarize_errors, unstorable_text
from signoff.platform.json_values import Json
from signoff.platform.messages import Message, msg
from signoff.platform.operators import Condition, parse_condition

FILTERS = "filterResponseValues"
MAX_FILTERS = 50
MAX_FIELDS = 500


def read_conditions(text: str | None) -> list[Condition]:
    """Parse `filterResponseValues`: a JSON array as text."""
    if text is None:
        return []
    try:
        raw: Json = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise _invalid_query(FILTERS, "not_json", msg("isn't valid JSON: {error}", error=str(error))) from None
    if not isinstance(raw, list):
        raise _invalid_query(FILTERS, "not_an_array", msg("must be a JSON array of filters, as a string"))
    if len(raw) > MAX_FILTERS:
        raise _invalid_query(
            FILTERS, "too_many", msg("has {number} filters; the limit is {limit}", number=len(raw), limit=MAX_FILTERS)
        )
    errors: list[ErrorDetail] = []
    read = [parse_condition(each, f"{FILTERS}[{place}]", errors) for place, each in enumerate(raw)]
    if errors:
        raise InvalidQuery(summarize_errors(errors), errors)
    conditions = [condition for condition in read if condition is not None]
    if any(isinstance(condition.value, str) and "\x00" in condition.value for condition in conditions):
        raise unstorable_text()
    return conditions


def read_response(requested: str | None, *, approved_only: bool, rejected_only: bool) -> tuple[str | None, Only | None]:
    """Return which responses are requested, and whether only one side of them is."""
    if approved_only and rejected_only:
        raise _invalid_query("rejectedValuesOnly", "contradiction", msg("can't be combined with `approvedValuesOnly`"))
    if not approved_only and not rejected_only:
        return requested, None
    response, only = ("approved", "approved") if approved_only else ("rejected", "suggested")
    if requested not in (None, response):
        name = "approvedValuesOnly" if approved_only else "rejectedValuesOnly"
        message = msg("must be '{response}' or left out when you use `{parameter}`", response=response, parameter=name)
        raise _invalid_query("filterResponse", "contradiction", message)
    return response, only


async def read_field_ids(db: Executor, account_id: str, form_id: str, text: str) -> list[str]:
    """Parse field IDs of any version of the review type, and `meta.<key>`, in the order given."""
    known = (await latest_version(db, account_id, form_id)).definition.by_id
    field_ids = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if not field_ids:
        raise _invalid_query("fieldIds", "missing", msg("must include at least one field"))
    if len(field_ids) > MAX_FIELDS:
        raise _invalid_query(
            "fieldIds",
            "too_many",
            msg("has {number} fields; the limit is {limit}", number=len(field_ids), limit=MAX_FIELDS),
        )
    strange = [each for each in field_ids if each not in known and not (each.startswith(META) and each != META)]
    if strange:
        ever = await fields_of_all_versions(db, form_id)
        strange = [each for each in strange if each not in ever]
    if strange:
        errors = [ErrorDetail("fieldIds", "unknown_field", unknown_field(each)) for each in strange]
        raise InvalidQuery(summarize_errors(errors), errors)
    return field_ids


def _invalid_query(path: str, code: str, message: Message) -> InvalidQuery:
    errors = [ErrorDetail(path, code, message)]
    return InvalidQuery(summarize_errors(errors), errors)
