"""Per-field settings of a request: `config.fields.<fieldId>`."""

from collections.abc import Mapping
from typing import Final

from signoff.forms.definition import Definition
from signoff.forms.fields.choices import read_options
from signoff.forms.fields.error_messages import OBJECT, TRUE_OR_FALSE, must_be, one_of
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import ListValueType
from signoff.forms.fields.media import MediaValueType
from signoff.forms.fields.transform import read_transform
from signoff.forms.fields.value_type import FieldConfig
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json
from signoff.platform.messages import Message, msg

MEMBERS: Final = ("isBase64", "transform", "options", "default", "empty", "listItemConfig")


def config_members(field: Field, *, child: bool) -> tuple[str, ...]:
    """Return which of MEMBERS apply to a field; a list's items are data, so they have no defaults."""
    if isinstance(field.value_type, MediaValueType) and field.value_type.takes_base64:
        members = ("isBase64", "transform")
    elif isinstance(field.value_type, ListValueType):
        members = ("listItemConfig",)
    elif field.type.selectable:
        members = ("options",)
    else:
        members = ()
    if child or not field.type.has_value:
        return members
    # A selectable field is shown without a choice anyway, and without options there would be nothing to choose.
    return (*members, "default") if field.type.selectable else (*members, "default", "empty")


def parse_config(definition: Definition, raw: Json, errors: list[ErrorDetail]) -> dict[str, FieldConfig]:
    """Read the configuration by field ID. A `default` is only copied: reading it requires the final options."""
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        errors.append(ErrorDetail("config", "wrong_type", must_be(OBJECT, raw)))
        return {}
    errors.extend(
        ErrorDetail(f"config.{name[:100]}", "unknown_member", msg("isn't allowed: `config` can only have `fields`"))
        for name in raw
        if name != "fields"
    )
    by_field = raw.get("fields")
    if by_field is None:
        return {}
    return _read_each(
        by_field,
        definition.by_id,
        "config.fields",
        errors,
        unknown=msg("isn't a field of this review type"),
        child=False,
    )


def _read_each(
    raw: Json, fields: Mapping[str, Field], where: str, errors: list[ErrorDetail], *, unknown: Message, child: bool
) -> dict[str, FieldConfig]:
    if not isinstance(raw, dict):
        errors.append(ErrorDetail(where, "wrong_type", must_be(OBJECT, raw)))
        return {}
    configs: dict[str, FieldConfig] = {}
    for name, settings in raw.items():
        field = fields.get(name)
        if field is None:
            errors.append(ErrorDetail(f"{where}.{name[:100]}", "unknown_field", unknown))
        elif settings is not None:
            configs[name] = _read_one(field, settings, f"{where}.{name}", errors, child=child)
    return configs


def _read_one(field: Field, raw: Json, where: str, errors: list[ErrorDetail], *, child: bool) -> FieldConfig:
    if not isinstance(raw, dict):
        errors.append(ErrorDetail(where, "wrong_type", must_be(OBJECT, raw)))
        return FieldConfig()
    applicable = config_members(field, child=child)
    for name in raw:
        if name not in MEMBERS:
            errors.append(ErrorDetail(f"{where}.{name[:100]}", "unknown_member", one_of(MEMBERS)))
        elif name not in applicable:
            errors.append(
                ErrorDetail(
                    f"{where}.{name}", "not_applicable", msg("isn't supported for {type} fields", type=field.type.name)
                )
            )
    given = {name: raw[name] for name in applicable if raw.get(name) is not None}
    errors.extend(
        ErrorDetail(f"{where}.{name}", "wrong_type", TRUE_OR_FALSE)
        for name in ("isBase64", "empty")
        if not isinstance(given.get(name, False), bool)
    )
    items: dict[str, FieldConfig] = {}
    if "listItemConfig" in given and isinstance(field.value_type, ListValueType):
        children = {each.id: each for each in field.value_type.children}
        place = f"{where}.listItemConfig"
        items = _read_each(
            given["listItemConfig"],
            children,
            place,
            errors,
            unknown=msg("isn't one of this field's child fields"),
            child=True,
        )
    return FieldConfig(
        options=read_options(given["options"], f"{where}.options", errors) if "options" in given else None,
        default=given.get("default"),
        empty=given.get("empty") is True,
        is_base64=given.get("isBase64") is True,
        transform=read_transform(given["transform"], f"{where}.transform", errors) if "transform" in given else None,
        items=items,
    )
