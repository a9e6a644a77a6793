"""A review as a conversation: the request and the answer.

The request names the review type and shows what the reviewer couldn't change: the context for the answer. The answer is
the values of the fields that could change, or of those requested by name: as a JSON object by field ID or, if a single
field was requested, just its value. Selections are option IDs, as an agent sends them.
"""

from collections.abc import Mapping

import orjson

from signoff.forms.definition import Definition
from signoff.forms.fields import Field
from signoff.forms.fields.choices import ChoiceValueType
from signoff.forms.versions import FormVersion
from signoff.memory.export.query_params import Export
from signoff.platform.json_values import Json, JsonObject


def answer_fields(export: Export, definition: Definition) -> list[Field]:
    """Return the fields of the answer, in the order of the review type."""
    if export.named:
        return [field for field in definition.fields if field.id in export.named]
    return [field for field in definition.fields if field.editable and field.type.has_value]


def as_sent(field: Field, value: Json) -> Json:
    """Return a value as an agent would send it."""
    if isinstance(field.value_type, ChoiceValueType) and isinstance(value, list):
        return [each["id"] for each in value if isinstance(each, dict)]
    return value


def is_empty(field: Field, value: Json) -> bool:
    return value is None or field.value_type.is_empty(value)


def question(export: Export, form: FormVersion, suggested: Mapping[str, Json], answered: list[Field]) -> str:
    definition = form.definition
    answers = {field.id for field in answer_fields(export, definition)}
    given = [
        f"{field.label}: {as_text(as_sent(field, suggested[field.id]))}"
        for field in definition.fields
        if _is_context(field)
        and field.id not in answers
        and field.id in suggested
        and not is_empty(field, suggested[field.id])
    ]
    if _is_plain(export):
        instruction = f"Write: {answered[0].label}"
    else:
        instruction = "Write as JSON: " + ", ".join(f"{field.id} ({field.label})" for field in answered)
    return "\n\n".join(filter(None, (form.name, "\n".join(given), instruction)))


def answer(export: Export, values: JsonObject) -> str:
    """Return the values of the answer's fields, by ID."""
    if _is_plain(export):
        [value] = values.values()
        return as_text(value)
    return orjson.dumps(values).decode()


def as_text(value: Json) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _is_context(field: Field) -> bool:
    return not field.type.has_value or not field.editable


def _is_plain(export: Export) -> bool:
    return len(export.named) == 1
