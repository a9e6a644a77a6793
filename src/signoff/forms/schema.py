"""JSON Schema (2020-12) of what a request for a review type may hold.

The schemas accept what `prepare` accepts. They accept a little more where JSON Schema has no words for a rule:
that a default is one of the options sent with it, that option IDs differ, that the 30th of February is no date,
that nesting ends somewhere, and that base64 has to be announced in `config`. A selectable field with fixed
options lists them, as though no request brought others in its `config`.
"""

from typing import Final

from signoff.forms.config import config_members
from signoff.forms.definition import Definition, PathTree
from signoff.forms.fields.choices import OPTIONS_SCHEMA, ChoiceShape
from signoff.forms.fields.field import Field
from signoff.forms.fields.repeated import RepeatedShape
from signoff.forms.fields.shape import or_null
from signoff.forms.fields.transform import transform_schema
from signoff.platform.json_values import Json, JsonObject

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def data_schema(definition: Definition) -> JsonObject:
    return {"$schema": DIALECT, "type": "object", "properties": _properties(definition.paths)}


def config_schema(definition: Definition) -> JsonObject:
    by_field: JsonObject = {field.id: _field_config(field, child=False) for field in definition.fields}
    return {"$schema": DIALECT, "type": ["object", "null"], **_closed({"fields": or_null(_object(by_field))})}


def _properties(tree: PathTree) -> JsonObject:
    return {
        name: _value(node) if isinstance(node, Field) else {"type": ["object", "null"], "properties": _properties(node)}
        for name, node in tree.items()
    }


def _value(field: Field) -> JsonObject:
    described: JsonObject = {"title": field.label}
    if field.help is not None:
        described["description"] = field.help
    shape = field.shape
    return {**described, **or_null(_choice(shape) if isinstance(shape, ChoiceShape) else shape.schema())}


def _choice(shape: ChoiceShape) -> JsonObject:
    """What is chosen, or an offer `{options, default}`; without fixed options only an offer will do."""
    with_options: JsonObject = {
        **_object({"options": OPTIONS_SCHEMA, "default": or_null(shape.schema_among(None))}),
        "required": ["options"],
    }
    fixed = shape.schema() if shape.options is not None else None
    default: JsonObject = {"type": "null"} if fixed is None else or_null(fixed)
    without_options = _object({"options": {"type": "null"}, "default": default})
    forms: list[Json] = [with_options, without_options]
    return {"anyOf": forms if fixed is None else [fixed, *forms]}


def _field_config(field: Field, *, child: bool) -> JsonObject:
    shape = field.shape
    members: JsonObject = {}
    for name in config_members(field, child=child):
        if name == "isBase64":
            members[name] = {"type": ["boolean", "null"]}
        elif name == "transform":
            members[name] = or_null(transform_schema())
        elif name == "options":
            members[name] = or_null(OPTIONS_SCHEMA)
        elif name == "listItemConfig" and isinstance(shape, RepeatedShape):
            items: JsonObject = {each.id: _field_config(each, child=True) for each in shape.children}
            members[name] = or_null(_object(items))
        else:
            chosen = shape.schema_among(None) if isinstance(shape, ChoiceShape) else shape.schema()
            members[name] = or_null(chosen)
    return or_null(_object(members))


def _object(properties: JsonObject) -> JsonObject:
    return {"type": "object", **_closed(properties)}


def _closed(properties: JsonObject) -> JsonObject:
    return {"properties": properties, "additionalProperties": False}
