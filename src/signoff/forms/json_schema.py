"""JSON Schema (2020-12) of a request for a review type: one schema for its data, one for its config.

They accept whatever `read_suggestion` accepts, with one exception: a selectable field with fixed options lists them, so
a request that replaces them in its `config` must not be validated against that list.

They accept more than `read_suggestion` only in these cases, which JSON Schema can't express:

- A default is one of the options in effect, and there are options to choose from: if the request supplies them, they're
  elsewhere in it.
- Options in a request have unique IDs. (Two options with the same ID and label are refused.)
- A base64 image is declared by `isBase64`, which is in the other document or elsewhere in this one.
- A URL in the media storage names a file of the account. (This is checked after `read_suggestion`.)
- Values nest at most 32 levels. (This could be expressed, with a definition for every level.)

They don't include what applies to every request, whatever its review type: its size, 200 levels, and no NUL.
"""

from typing import Final

from signoff.forms.definition import Definition, PathTree
from signoff.forms.fields.choices import OPTIONS_SCHEMA, ChoiceValueType
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import ListValueType
from signoff.forms.fields.media import ADDRESS_SCHEMA
from signoff.forms.fields.schema_fragments import or_null
from signoff.forms.fields.transform import transform_schema
from signoff.forms.request_config import config_members
from signoff.platform.json_values import Json, JsonObject

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def data_schema(definition: Definition) -> JsonObject:
    closed = definition.unmapped == "reject"
    return {"$schema": DIALECT, "type": "object", **_properties(definition.paths, closed=closed)}


def config_schema(definition: Definition) -> JsonObject:
    by_field: JsonObject = {field.id: _field_config(field, child=False) for field in definition.fields}
    return {"$schema": DIALECT, "type": ["object", "null"], **_closed_object({"fields": or_null(_object(by_field))})}


def _properties(tree: PathTree, *, closed: bool) -> JsonObject:
    """Return the properties' schema; with `closed`, a request may have no other properties."""
    properties: JsonObject = {
        name: _value(node, closed=closed)
        if isinstance(node, Field)
        else {"type": ["object", "null"], **_properties(node, closed=closed)}
        for name, node in tree.items()
    }
    return _closed_object(properties) if closed else {"properties": properties}


def _value(field: Field, *, closed: bool) -> JsonObject:
    described: JsonObject = {"title": field.label}
    if field.help is not None:
        described["description"] = field.help
    if field.default is not None:
        described["default"] = field.default
    value_type = field.value_type
    if isinstance(value_type, ChoiceValueType):
        value = _choice(value_type)
    elif isinstance(value_type, ListValueType):
        value = value_type.schema(closed=closed)
    else:
        value = value_type.schema()
    return {**described, **or_null(value)}


def _choice(value_type: ChoiceValueType) -> JsonObject:
    """Return the schema of a choice, or of `{options, default}`. Without options in it, the choice is among those
    defined elsewhere.
    """
    chosen = value_type.schema()
    own: JsonObject = {
        **_object({"options": OPTIONS_SCHEMA, "default": or_null(value_type.schema_among(None))}),
        "required": ["options"],
    }
    others = _object({"options": {"type": "null"}, "default": or_null(chosen)})
    return {"anyOf": [chosen, own, others]}


def _field_config(field: Field, *, child: bool) -> JsonObject:
    value_type = field.value_type
    members: JsonObject = {}
    for name in config_members(field, child=child):
        if name in ("isBase64", "empty"):
            members[name] = {"type": ["boolean", "null"]}
        elif name == "transform":
            members[name] = or_null(transform_schema())
        elif name == "options":
            members[name] = or_null(OPTIONS_SCHEMA)
        elif name == "listItemConfig" and isinstance(value_type, ListValueType):
            items: JsonObject = {each.id: _field_config(each, child=True) for each in value_type.children}
            members[name] = or_null(_object(items))
        else:
            chosen = value_type.schema_among(None) if isinstance(value_type, ChoiceValueType) else value_type.schema()
            members[name] = or_null(chosen)
    described = or_null(_object(members))
    if {"isBase64", "default"} <= members.keys():
        announced: JsonObject = {"properties": {"isBase64": {"const": True}}, "required": ["isBase64"]}
        address: JsonObject = {"properties": {"default": or_null(ADDRESS_SCHEMA)}}
        alternatives: list[Json] = [announced, address]
        described["anyOf"] = alternatives
    return described


def _object(properties: JsonObject) -> JsonObject:
    return {"type": "object", **_closed_object(properties)}


def _closed_object(properties: JsonObject) -> JsonObject:
    return {"properties": properties, "additionalProperties": False}
