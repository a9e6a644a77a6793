"""Building blocks for the JSON Schemas of values."""

from signoff.platform.json_values import Json, JsonObject


def or_null(schema: JsonObject) -> JsonObject:
    """Return the schema, but also accept null."""
    kind, members = schema.get("type"), schema.get("enum")
    if isinstance(kind, str):
        return {**schema, "type": [kind, "null"]}
    if isinstance(members, list):
        return {**schema, "enum": [*members, None]}
    return {"anyOf": [schema, {"type": "null"}]} if schema else {}


def on_one_line(pattern: str, **more: Json) -> JsonObject:
    """Return the schema of a string that matches this pattern. In some languages `$` also matches before a trailing
    line feed, so that is excluded.
    """
    return {"type": "string", "pattern": pattern, "not": {"type": "string", "pattern": "\\n"}, **more}
