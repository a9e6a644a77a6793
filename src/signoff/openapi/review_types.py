"""The schemas of a review type's definition, which a compiler validates rather than a model.

They describe what the compiler accepts, and a little more where JSON Schema can't express it: that IDs are unique, that
a rule's target exists, that rules have no cycle.
"""

from typing import Any

from signoff.forms.definition import MAX_FIELDS, UNMAPPED, WIDTHS
from signoff.forms.editor.schemas import FORM_FILE_EXAMPLE
from signoff.forms.examples import NEW_FORM
from signoff.forms.fields import FIELD_TYPES, FieldType
from signoff.forms.fields.choices import MAX_OPTION_LABEL
from signoff.forms.fields.field import ID_PATTERN
from signoff.forms.layout import MAX_COLUMNS, MAX_GRID_COLUMNS, MAX_GROUP_LABEL
from signoff.forms.rules import MAX_CONDITIONS, MAX_RULES
from signoff.forms.schemas import FormBody
from signoff.forms.translations import MAX_NAME
from signoff.platform.messages import LANGUAGES
from signoff.platform.operators import SYMBOLS, Operation

Schema = dict[str, Any]

BODIES = {
    ("post", "/forms"): ("NewForm", NEW_FORM),
    ("patch", "/forms/{formId}"): (
        "FormChange",
        {"name": "Review newsletter draft", "allowRetry": False, "version": 1},
    ),
    ("post", "/forms/import"): ("FormFile", FORM_FILE_EXAMPLE),
}
"""The requests that contain these schemas, with an example of each."""


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def without_null(schema: Schema) -> None:
    """Turn pydantic's schema for `X | None` into `X`."""
    if "anyOf" in schema:
        [given] = [each for each in schema.pop("anyOf") if each != {"type": "null"}]
        schema |= given


def add_review_types(schemas: dict[str, Schema]) -> None:
    """Add the definition's schemas, and make `Form` refer to them."""
    new = FormBody.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= new.pop("$defs")
    new["properties"] |= _MEMBERS
    schemas["NewForm"] = new | {"description": "A review type definition."}
    schemas["FormChange"] = {
        **{name: value for name, value in new.items() if name != "required"},
        "description": "Leave a property out to keep its value.",
        "properties": {
            **{name: _without_default(member) for name, member in new["properties"].items()},
            "version": {
                "type": ["integer", "null"],
                "description": (
                    "Version your change is based on. If that isn't the current version, the request fails with 409."
                ),
            },
        },
    }
    for name in ("fields", "layout", "rules"):
        schemas["Form"]["properties"][name]["items"] = _MEMBERS[name]["items"]
    schemas["ReviewForm"]["properties"]["fields"]["items"] = ref("Field")
    for name in ("SampledForm", "Template", "LocalizedTemplate"):
        schemas[name]["properties"]["form"] = ref("NewForm") | {"description": "A definition for `POST /forms`."}
    for name in ("Form", "PinnedForm", "PublicForm", "ExportedForm"):
        schemas[name]["properties"]["translations"] = ref("Translations")
    schemas["FormFile"] = _FILE
    schemas |= {_field_schema_name(kind): _field_schema(kind) for kind in FIELD_TYPES.values()}
    schemas |= {"Translations": _TRANSLATIONS, "Translation": _TRANSLATION, "FieldTranslation": _FIELD_TRANSLATION}
    schemas |= {"Field": _FIELD, "LayoutItem": _LAYOUT_ITEM, "Rule": _RULE, "When": _WHEN, "Condition": _CONDITION}


def _without_default(member: Schema) -> Schema:
    return {name: value for name, value in member.items() if name != "default"}


_FILE: Schema = {
    "type": "object",
    "description": "A file from `GET /forms/{formId}/export`.",
    "properties": {
        "signoff": {"const": "form/1", "type": "string"},
        "name": {"type": "string"},
        "agentId": {
            "type": ["string", "null"],
            "description": "ID of the agent in this account that the review type belongs to.",
        },
        "fields": {"type": "array", "items": {"type": "object"}, "minItems": 1},
    },
    "required": ["signoff", "name", "fields"],
}
_ID: Schema = {"type": "string", "pattern": ID_PATTERN}
_MEMBERS: dict[str, Schema] = {
    "titleField": {"type": ["string", "null"], "description": "ID of the text field used as the review title."},
    "width": {"enum": [*WIDTHS, None], "default": "medium"},
    "unmapped": {
        "enum": [*UNMAPPED, None],
        "default": "show",
        "description": (
            "What to do with values in `data` that don't have a field. `show`: show them below the fields. `hide`: "
            "don't show them. `reject`: reject the request. Shown and hidden values are part of the result."
        ),
    },
    "fields": {"type": "array", "items": ref("Field"), "minItems": 1, "maxItems": MAX_FIELDS},
    "layout": {
        "type": ["array", "null"],
        "items": ref("LayoutItem"),
        "description": "Fields that aren't in the layout are shown below it.",
    },
    "rules": {"type": ["array", "null"], "items": ref("Rule"), "maxItems": MAX_RULES},
    "translations": {
        "anyOf": [ref("Translations"), {"type": "null"}],
        "description": "Translations by language. Replaced as a whole.",
    },
}


def _field_schema_name(kind: FieldType) -> str:
    return f"{kind.name[0].upper()}{kind.name[1:]}Field"


def _field_schema(kind: FieldType) -> Schema:
    properties: dict[str, Schema] = {"id": _ID, "type": {"const": kind.name, "type": "string"}}
    properties["path"] = {
        "type": "string",
        "description": "Path of the value in `data`, with dots between property names. Defaults to the field ID.",
    }
    for setting in kind.all_settings():
        properties[setting.name] = {**setting.schema(), "description": f"{setting.summary}."}
    if kind.has_value:
        properties["default"] = {"description": "Default value if the request doesn't send one."}
    return {
        "type": "object",
        "description": f"{kind.summary}. Value: {kind.value_summary}.",
        "properties": properties,
        "required": ["id", "type"],
        "additionalProperties": False,
    }


_FIELD: Schema = {
    "description": "A field. `type` determines its settings. `null` is the same as leaving a setting out.",
    "oneOf": [ref(_field_schema_name(kind)) for kind in FIELD_TYPES.values()],
    "discriminator": {
        "propertyName": "type",
        "mapping": {kind.name: ref(_field_schema_name(kind))["$ref"] for kind in FIELD_TYPES.values()},
    },
}
_CHILDREN: Schema = {"type": "array", "items": ref("LayoutItem")}


def _object(required: list[str], /, **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


_LAYOUT_ITEM: Schema = {
    "description": "A layout entry: a field, columns, a grid, or a group.",
    "oneOf": [
        _object(["kind", "field"], kind={"const": "field"}, field={"type": "string", "description": "Field ID."}),
        _object(
            ["kind", "columns"],
            kind={"const": "columns"},
            columns={"type": "array", "items": _CHILDREN, "minItems": 1, "maxItems": MAX_COLUMNS},
        ),
        _object(
            ["kind", "id", "children"],
            kind={"const": "group"},
            id=_ID,
            label={"type": ["string", "null"], "maxLength": MAX_GROUP_LABEL},
            children=_CHILDREN,
        ),
        _object(
            ["kind", "columns", "children"],
            kind={"const": "grid"},
            columns={"type": "integer", "minimum": 1, "maximum": MAX_GRID_COLUMNS},
            children=_CHILDREN,
        ),
    ],
}


def _text(max_length: int) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": max_length}


def _by_id(schema: Schema, description: str) -> Schema:
    return {"type": "object", "additionalProperties": schema, "description": description}


_TRANSLATIONS: Schema = _object([], **{language: ref("Translation") for language in LANGUAGES}) | {
    "description": (
        "Translations of a review type's text, by language. People see the text in their own language, or the "
        "original where there's no translation. `data`, `responseValues`, and option IDs are the same in every "
        "language."
    )
}
_TRANSLATION: Schema = _object(
    [],
    name=_text(MAX_NAME),
    fields=_by_id(ref("FieldTranslation"), "Keyed by field ID."),
    groups=_by_id(_object([], label=_text(MAX_GROUP_LABEL)), "Keyed by group ID."),
) | {"description": "The text of a review type in one language. Leave out anything that isn't translated."}
_FIELD_TRANSLATION: Schema = _object(
    [],
    **{
        name: _text(setting.max_length) | {"description": f"{setting.summary}."}
        for kind in FIELD_TYPES.values()
        for name, setting in kind.texts().items()
    },
    options=_by_id(
        _object([], label=_text(MAX_OPTION_LABEL)),
        "Labels of the review type's own options, keyed by option ID. Options from a request are shown as sent.",
    ),
    fields=_by_id(ref("FieldTranslation"), "The fields of a list or the columns of a table, by ID."),
) | {"description": "The text of a field in one language. The available properties depend on the field's type."}
_RULE: Schema = _object(
    ["target", "effect", "when"],
    target={"type": "string", "description": "ID of a field or group."},
    effect={"enum": ["show", "hide"]},
    when=ref("When"),
) | {"description": "Shows or hides a field or group depending on the values."}
_PARTS: Schema = {"type": "array", "items": ref("When"), "minItems": 1, "maxItems": MAX_CONDITIONS}
_WHEN: Schema = {
    "description": "A condition, or multiple conditions combined with `all`, `any`, and `not`.",
    "oneOf": [
        ref("Condition"),
        _object(["all"], all=_PARTS),
        _object(["any"], any=_PARTS),
        _object(["not"], **{"not": ref("When")}),
    ],
}
_CONDITION: Schema = _object(
    ["field", "operation"],
    field={
        "type": "string",
        "description": "`<fieldId>.value`, `<fieldId>.wasEdited`, or `<fieldId>.value[].<property>` "
        "for a property of the objects in an array value.",
    },
    operation={"enum": [*(operation.value for operation in Operation), *SYMBOLS]},
    value={
        "type": ["string", "number", "boolean", "null"],
        "description": "Value to compare with, if the operation needs one.",
    },
)
