"""Read an agent's suggestion: the data of a request, together with its review type.

Every field is in one of these states:

- Its property is null: the field is hidden. It isn't validated, and `responseValues` omits it.
- Its property has a value: the field shows it. An empty string shows an empty text field.
- Its property is absent: the field is hidden too, unless it has content of its own. A selectable field has its fixed
  options (or those of the request's config), a label has its `text`, and any field may have a `default`, from the
  request's config or otherwise from the review type. Any other field is shown empty if the request's config says
  `empty`.

A suggestion must have the right types but needn't meet the limits (required, lengths, ranges, patterns): the reviewer
can correct it.
"""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from signoff.forms.definition import Definition
from signoff.forms.fields.choices import ChoiceValueType, read_options
from signoff.forms.fields.error_messages import OBJECT, must_be
from signoff.forms.fields.field import Field
from signoff.forms.fields.value_type import INVALID, NO_CONFIG, FieldConfig, Options, ReadResult
from signoff.forms.paths import MISSING, PathValue, get_path, join_path
from signoff.forms.request_config import parse_config
from signoff.forms.unmapped import unmapped_values
from signoff.platform.errors import MAX_REPORTED_ERRORS, ErrorDetail, ValidationFailed
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import msg

MAX_TITLE: Final = 200


class InvalidValues(ValidationFailed):
    """The values don't match the review type."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the reviewer starts from. None of its members include fields that the review doesn't show."""

    values: JsonObject
    """By field ID, in the order of the fields, in normal form; None for a shown field without a value."""
    options: dict[str, Options]
    """The options in effect, for each selectable field."""
    configs: dict[str, FieldConfig]
    """What the request configured, with the options in effect."""


def read_suggestion(definition: Definition, data: Json, config: Json = None) -> Suggestion:
    """Read a request, or raise an error that lists everything that's wrong with its data and config."""
    errors: list[ErrorDetail] = []
    configs = parse_config(definition, config, errors)
    suggestion = Suggestion({}, {}, {})
    if isinstance(data, dict):
        for field in definition.fields:
            value = get_path(data, field.path)
            configured = configs.get(field.id, NO_CONFIG)
            if value is not None:
                _suggest(field, value, configured, suggestion, errors)
            elif configured.default is not None:
                _check_unused_default(field, configured, errors)
        _check_branches(definition, data, errors)
        if definition.unmapped == "reject":
            _reject_unmapped(definition, data, suggestion, errors)
    else:
        errors.append(ErrorDetail("data", "wrong_type", must_be(OBJECT, data)))
    if errors:
        raise InvalidValues(errors)
    return suggestion


def unmapped_to_json(definition: Definition, data: JsonObject, suggestion: Suggestion) -> list[JsonObject]:
    """Return the values without a field that a reviewer sees, in the API's format."""
    if definition.unmapped == "hide":
        return []
    return [each.to_json() for each in unmapped_values(definition, data, suggestion.values)]


def trigger_suggestion(definition: Definition) -> Suggestion:
    """Return the initial state of a trigger form: every field with its default, or empty.

    A selectable field without options isn't shown, because nothing could ever be selected.
    """
    suggestion = Suggestion({}, {}, {})
    for field in definition.fields:
        value_type = field.value_type
        if isinstance(value_type, ChoiceValueType):
            if value_type.options is None:
                continue
            suggestion.options[field.id] = value_type.options
        preset = _preset(field, NO_CONFIG)
        suggestion.values[field.id] = value_type.cleared() if preset is None else preset
    return suggestion


def suggested_title(definition: Definition, suggestion: Suggestion) -> str | None:
    """Return the title field's text on one line, or None if it's empty."""
    if definition.title_field is None:
        return None
    text = suggestion.values.get(definition.title_field)
    if not isinstance(text, str):
        return None
    return " ".join(text[: 10 * MAX_TITLE].split())[:MAX_TITLE].rstrip() or None


def _suggest(
    field: Field, value: PathValue, config: FieldConfig, suggestion: Suggestion, errors: list[ErrorDetail]
) -> None:
    if isinstance(field.value_type, ChoiceValueType):
        _suggest_choice(field, field.value_type, value, config, suggestion, errors)
        return
    read = _read_or_preset(field, value, config, field.where, errors)
    if read is INVALID:
        return
    if read is not None or (value is MISSING and config.empty):
        suggestion.values[field.id] = field.value_type.cleared() if read is None else read
        if config is not NO_CONFIG:
            suggestion.configs[field.id] = config


def _suggest_choice(
    field: Field,
    value_type: ChoiceValueType,
    value: PathValue,
    config: FieldConfig,
    suggestion: Suggestion,
    errors: list[ErrorDetail],
) -> None:
    """Read a choice: what is selected, or `{options, default}`. Options of the request replace the fixed ones."""
    where = field.where
    if isinstance(value, dict):
        before = len(errors)
        config = _read_offer(value, config, where, errors)
        if len(errors) > before:
            return
        value, where = value.get("default"), f"{where}.default"
        value = MISSING if value is None else value
    options = value_type.options if config.options is None else config.options
    read = _read_or_preset(field, value, config, where, errors)
    if read is INVALID or options is None:
        return
    # An empty selection preselects nothing; it isn't a reviewer's answer yet.
    suggestion.values[field.id] = read or None
    suggestion.options[field.id] = options
    if config is not NO_CONFIG:
        suggestion.configs[field.id] = config


def _read_offer(value: JsonObject, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> FieldConfig:
    errors.extend(
        ErrorDetail(
            f"{where}.{name[:100]}",
            "unknown_member",
            msg("isn't allowed: this field only takes `options` and `default`"),
        )
        for name in value
        if name not in ("options", "default")
    )
    raw = value.get("options")
    if raw is None:
        return config
    return replace(config, options=read_options(raw, f"{where}.options", errors))


def _read_or_preset(
    field: Field, value: PathValue, config: FieldConfig, where: str, errors: list[ErrorDetail]
) -> ReadResult:
    """Return the value, or what the field shows without one."""
    preset: ReadResult = None
    if config.default is not None:
        # Checked even if a value makes it unnecessary: an invalid default is an error in every request.
        preset = _read_default(field, config, errors)
    elif value is MISSING:
        preset = _preset(field, config)
    return preset if value is MISSING else field.value_type.read(value, config, where, errors)


def _read_default(field: Field, config: FieldConfig, errors: list[ErrorDetail]) -> ReadResult:
    return field.value_type.read(config.default, config, f"config.fields.{field.id}.default", errors)


def _check_unused_default(field: Field, config: FieldConfig, errors: list[ErrorDetail]) -> None:
    """Check the default of a field that the request hides. A choice may refer to options that the request would
    have supplied.
    """
    if not isinstance(field.value_type, ChoiceValueType):
        _read_default(field, config, errors)


def _preset(field: Field, config: FieldConfig) -> Json:
    """Return what the review type shows in a field that a request leaves out."""
    if not field.type.has_value:
        return field.settings["text"]
    if config.options is not None and isinstance(field.value_type, ChoiceValueType):
        return field.value_type.keep_offered(field.default, config.options)
    return field.default


def _reject_unmapped(
    definition: Definition, data: JsonObject, suggestion: Suggestion, errors: list[ErrorDetail]
) -> None:
    unmapped = (
        ErrorDetail(
            each.where, "unmapped_property", msg("isn't mapped to a field, and this review type rejects such values")
        )
        for each in unmapped_values(definition, data, suggestion.values)
        if not each.is_mapped
    )
    errors.extend(islice(unmapped, MAX_REPORTED_ERRORS))


def _check_branches(definition: Definition, data: JsonObject, errors: list[ErrorDetail]) -> None:
    """Check that every path that fields map into is an object or missing."""
    for branch in definition.branches:
        value = get_path(data, branch)
        if value is not MISSING and value is not None and not isinstance(value, dict):
            where = f"data.{join_path(branch)}"
            errors.append(ErrorDetail(where, "wrong_type", must_be(OBJECT, value)))
