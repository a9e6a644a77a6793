"""Example data for a review type: a valid value for each of its fields."""

from collections.abc import Mapping, Sequence
from typing import Any

from signoff.forms.fields import FIELD_TYPES
from signoff.forms.paths import split_path

_BY_TYPE: dict[str, Any] = {
    "number": 1,
    "rating": 1,
    "boolean": True,
    "date": "2026-01-31",
    "datetime": "2026-01-31T12:00:00Z",
    "email": "somebody@example.com",
    "link": "https://example.com",
    "image": "https://example.com/picture.png",
    "video": "https://example.com/film.mp4",
    "audio": "https://example.com/recording.mp3",
    "file": "https://example.com/document.pdf",
    "json": {"any": "JSON"},
    "code": "print('hello')",
    "richText": "<p>Some text</p>",
    "markdown": "Some *text*",
}


def build_example(fields: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the request's `data`. Fields that need nothing from the agent, such as labels, are left out."""
    data: dict[str, Any] = {}
    for field in fields:
        value = _value(field)
        if value is None:
            continue
        *parents, name = split_path(str(field.get("path") or field["id"]))
        place = data
        for parent in parents:
            place = place.setdefault(parent, {})
        place[name] = value
    return data


def _value(field: Mapping[str, Any]) -> Any:
    kind = FIELD_TYPES[field["type"]]
    if field.get("default") is not None or not kind.has_value:
        return field.get("default")
    if kind.selectable:
        return _choice(field)
    if children := field.get("item") or field.get("columns"):
        return [{child["id"]: value for child in children if (value := _value(child)) is not None}]
    for bound in ("min", "max"):
        if kind.name != "rating" and field.get(bound) is not None:
            return field[bound]
    return _BY_TYPE.get(kind.name, f"Example {field.get('label') or field['id']}")


def _choice(field: Mapping[str, Any]) -> Any:
    several = FIELD_TYPES[field["type"]].value == "choices" or bool(field.get("multiple"))
    if options := field.get("options"):
        first = options[0]["id"]
        return [first] if several else first
    return {"options": [{"id": "one", "label": "One"}, {"id": "two", "label": "Two"}], "default": "one"}
