"""What the JSON Schemas of values are put together from."""

from signoff.platform.json_values import Json, JsonObject


def or_null(schema: JsonObject) -> JsonObject:
    """The schema, accepting null as well."""
    kind, members = schema.get("type"), schema.get("enum")
    if isinstance(kind, str):
        return {**schema, "type": [kind, "null"]}
    if isinstance(members, list):
        return {**schema, "enum": [*members, None]}
    return {"anyOf": [schema, {"type": "null"}]} if schema else {}


def on_one_line(pattern: str, **more: Json) -> JsonObject:
    """A string of this form. In some languages `$` also matches before a line feed at the end, so that is excluded."""
    return {"type": "string", "pattern": pattern, "not": {"type": "string", "pattern": "\\n"}, **more}
