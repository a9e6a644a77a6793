"""The field types, each declared once: settings, value type, checks."""

from typing import Final

from signoff.forms.fields import json_and_label, lists
from signoff.forms.fields.field import Field, FieldType, read_field
from signoff.platform.json_values import JsonObject

_ORDER: Final = (
    *("text", "longText", "markdown", "richText", "number", "rating", "boolean", "date", "datetime", "email"),
    *("link", "json", "code", "buttons", "checkboxes", "dropdown", "image", "video", "audio", "file"),
    *("list", "label", "table"),
)
_DECLARED: Final = {
    kind.name: kind for kind in (*lists.ITEM_TYPES.values(), lists.LIST, json_and_label.LABEL, lists.TABLE)
}

FIELD_TYPES: Final[dict[str, FieldType]] = {name: _DECLARED[name] for name in _ORDER}
"""Every field type by name, in the order of the documentation."""


def field_types_json() -> JsonObject:
    """Return the catalog of field types, which the OpenAPI document contains and the web app is built with."""
    return {name: kind.to_json() for name, kind in FIELD_TYPES.items()}


__all__ = ["FIELD_TYPES", "Field", "FieldType", "field_types_json", "read_field"]
