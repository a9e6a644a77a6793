"""What a decision stores about its fields for statistics, so that payloads don't have to be read."""

from collections.abc import Sequence
from typing import NamedTuple

from signoff.forms.definition import Definition
from signoff.platform.json_values import Json, JsonObject


class FieldEditSummary(NamedTuple):
    """IDs of fields whose edits are tracked (`wasEdited`). None means no field."""

    edited: Sequence[str] | None
    absent: Sequence[str] | None
    """Hidden or without a value: the decision says nothing about them."""


def summarize_edits(definition: Definition, response_values: JsonObject) -> FieldEditSummary:
    told = [field.id for field in definition.fields if field.type.tracks_edits]
    absent = [name for name in told if name not in response_values]
    edited = [name for name in told if _was_edited(response_values.get(name))]
    return FieldEditSummary(edited or None, absent or None)


def _was_edited(entry: Json) -> bool:
    return isinstance(entry, dict) and entry.get("wasEdited") is True
