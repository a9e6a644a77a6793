"""JSON Schema (2020-12): one document with a definition for each payload."""

import json

from signoff.forms.codegen.identifiers import comment
from signoff.forms.codegen.types import ArrayOf, Either, MapOf, ObjectOf, OneOf, Plain, Type
from signoff.forms.definition import Definition
from signoff.forms.json_schema import DIALECT, config_schema, data_schema
from signoff.platform.json_values import Json, JsonObject


def write_json_schema(title: str, definition: Definition, response_values: ObjectOf, event: ObjectOf) -> str:
    """Write a document that describes the event; `#/$defs/data`, `config`, and `responseValues` describe the other
    payloads.
    """
    parts: JsonObject = {
        "data": _without_dialect(data_schema(definition)),
        "config": _without_dialect(config_schema(definition)),
        "responseValues": type_schema(response_values),
        "event": type_schema(event),
    }
    document: JsonObject = {"$schema": DIALECT, "title": comment(title), "$ref": "#/$defs/event", "$defs": parts}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _without_dialect(schema: JsonObject) -> JsonObject:
    return {name: value for name, value in schema.items() if name != "$schema"}


def type_schema(each: Type) -> JsonObject:
    if isinstance(each, Plain):
        return {} if each.name == "anything" else {"type": each.name}
    if isinstance(each, OneOf):
        known: list[Json] = list(each.texts)
        return {"type": "string", "examples": known} if each.others else {"enum": known}
    if isinstance(each, ArrayOf):
        return {"type": "array", "items": type_schema(each.items)}
    if isinstance(each, MapOf):
        return {"type": "object", "additionalProperties": type_schema(each.values)}
    if isinstance(each, Either):
        return {"anyOf": [type_schema(part) for part in each.parts]}
    properties: JsonObject = {}
    for member in each.members:
        described: JsonObject = {"description": member.words} if member.words else {}
        properties[member.name] = {**described, **type_schema(member.type)}
    required: list[Json] = [member.name for member in each.members if not member.optional]
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
        **({} if each.more else {"additionalProperties": False}),
    }
