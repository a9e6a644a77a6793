"""Fields without structure: any JSON, and text that is only displayed."""

from typing import Final

from signoff.forms.fields.field import FieldType
from signoff.forms.fields.settings import TextSetting
from signoff.forms.fields.text import TextValueType
from signoff.forms.fields.value_type import INVALID, FieldConfig, ReadResult, ValueType
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import MAX_DEPTH, Json, JsonObject, exceeds_depth, too_deep


class JsonValueType(ValueType):
    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        if exceeds_depth(value, MAX_DEPTH):
            errors.append(ErrorDetail(where, "too_deep", too_deep(MAX_DEPTH)))
            return INVALID
        return value

    def schema(self) -> JsonObject:
        return {}


JSON: Final = FieldType(
    name="json",
    summary="JSON, edited as source",
    category="other",
    value="json",
    value_summary="any JSON",
    limits={"maxDepth": MAX_DEPTH},
    value_type=lambda _: JsonValueType(),
    tracks_edits=True,
)

LABEL: Final = FieldType(
    name="label",
    summary="Read-only text: the `text` setting or the request's value",
    category="other",
    value="none",
    value_summary="string; never part of the response",
    settings=(TextSetting(name="text", summary="The text to show, as Markdown", max_length=10_000),),
    value_type=lambda _: TextValueType(),
    editable=False,
)
