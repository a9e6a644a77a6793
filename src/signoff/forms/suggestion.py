"""What an agent suggests: the data of a request, read with the review type it is for.

Every field is in one of these states:

- Its property is null: the field is hidden. It is not validated and no part of the response.
- Its property holds a value: the field shows it. An empty string shows an empty text field.
- Its property is absent: the field is hidden too, unless it brings content of its own. A selectable field does
  with its fixed options (or those of the request's config), a label with its `text`, and any field with a
  `default`, from the review type or, before that, from the request's config. Any other field shows empty if the
  request's config says `empty`.

A suggestion must have the right shape, but it need not keep the limits (required, lengths, ranges, patterns):
correcting it is what the reviewer is for.
"""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from signoff.forms.definition import Definition
from signoff.forms.fields.choices import ChoiceValueType, read_options
from signoff.forms.fields.fault_messages import OBJECT, must_be
from signoff.forms.fields.field import Field
from signoff.forms.fields.value_type import INVALID, NO_CONFIG, FieldConfig, Options, ReadResult
from signoff.forms.paths import MISSING, PathValue, get_path, join_path
from signoff.forms.request_config import parse_config
from signoff.forms.unmapped import unmapped_values
from signoff.platform.faults import MAX_REPORTED_ERRORS, ErrorDetail, ValidationFailed
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import msg

MAX_TITLE: Final = 200


class InvalidValues(ValidationFailed):
    """The values do not fit the review type."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the reviewer starts from. Fields that the review does not show are in none of these."""

    values: JsonObject
    """By field ID, in the order of the fields, in normal form; None where a shown field holds nothing yet."""
    options: dict[str, Options]
    """The options in effect, for each selectable field."""
    configs: dict[str, FieldConfig]
    """What the request configured, with the options in effect."""


def read_suggestion(definition: Definition, data: Json, config: Json = None) -> Suggestion:
    """Read a request, or raise InvalidValues naming everything that is wrong with its data and config."""
    faults: list[ErrorDetail] = []
    configs = parse_config(definition, config, faults)
    suggestion = Suggestion({}, {}, {})
    if isinstance(data, dict):
        for field in definition.fields:
            value = get_path(data, field.path)
            configured = configs.get(field.id, NO_CONFIG)
            if value is not None:
                _suggest(field, value, configured, suggestion, faults)
            elif configured.default is not None:
                _check_unused_default(field, configured, faults)
        _check_branches(definition, data, faults)
        if definition.unmapped == "reject":
            _reject_unmapped(definition, data, suggestion, faults)
    else:
        faults.append(ErrorDetail("data", "wrong_type", must_be(OBJECT, data)))
    if faults:
        raise InvalidValues(faults)
    return suggestion


def unmapped_to_json(definition: Definition, data: JsonObject, suggestion: Suggestion) -> list[JsonObject]:
    """The values without a field that a reviewer sees, as the API gives them."""
    if definition.unmapped == "hide":
        return []
    return [each.to_json() for each in unmapped_values(definition, data, suggestion.values)]


def trigger_suggestion(definition: Definition) -> Suggestion:
    """What a trigger form starts from: every field with its default or empty.

    A selectable field without options of its own is not shown; nothing could ever be chosen in it.
    """
    suggestion = Suggestion({}, {}, {})
    for field in definition.fields:
        shape = field.shape
        if isinstance(shape, ChoiceValueType):
            if shape.options is None:
                continue
            suggestion.options[field.id] = shape.options
        preset = _preset(field, NO_CONFIG)
        suggestion.values[field.id] = shape.cleared() if preset is None else preset
    return suggestion


def suggested_title(definition: Definition, suggestion: Suggestion) -> str | None:
    """The title field's text on one line, or None when it shows no text."""
    if definition.title_field is None:
        return None
    text = suggestion.values.get(definition.title_field)
    if not isinstance(text, str):
        return None
    return " ".join(text[: 10 * MAX_TITLE].split())[:MAX_TITLE].rstrip() or None


def _suggest(
    field: Field, value: PathValue, config: FieldConfig, suggestion: Suggestion, faults: list[ErrorDetail]
) -> None:
    if isinstance(field.shape, ChoiceValueType):
        _suggest_choice(field, field.shape, value, config, suggestion, faults)
        return
    read = _read_or_preset(field, value, config, field.where, faults)
    if read is INVALID:
        return
    if read is not None or (value is MISSING and config.empty):
        suggestion.values[field.id] = field.shape.cleared() if read is None else read
        if config is not NO_CONFIG:
            suggestion.configs[field.id] = config


def _suggest_choice(
    field: Field,
    shape: ChoiceValueType,
    value: PathValue,
    config: FieldConfig,
    suggestion: Suggestion,
    faults: list[ErrorDetail],
) -> None:
    """A choice comes as what is chosen, or as `{options, default}`; options of the request replace the fixed ones."""
    where = field.where
    if isinstance(value, dict):
        before = len(faults)
        config = _read_offer(value, config, where, faults)
        if len(faults) > before:
            return
        value, where = value.get("default"), f"{where}.default"
        value = MISSING if value is None else value
    options = shape.options if config.options is None else config.options
    read = _read_or_preset(field, value, config, where, faults)
    if read is INVALID or options is None:
        return
    # An empty selection preselects nothing; it is not yet a reviewer's answer.
    suggestion.values[field.id] = read or None
    suggestion.options[field.id] = options
    if config is not NO_CONFIG:
        suggestion.configs[field.id] = config


def _read_offer(value: JsonObject, config: FieldConfig, where: str, faults: list[ErrorDetail]) -> FieldConfig:
    faults.extend(
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
    return replace(config, options=read_options(raw, f"{where}.options", faults))


def _read_or_preset(
    field: Field, value: PathValue, config: FieldConfig, where: str, faults: list[ErrorDetail]
) -> ReadResult:
    """The value, or what the field shows when there is none."""
    preset: ReadResult = None
    if config.default is not None:
        # Checked even where a value makes it unnecessary: a wrong default is wrong in every request.
        preset = _read_default(field, config, faults)
    elif value is MISSING:
        preset = _preset(field, config)
    return preset if value is MISSING else field.shape.read(value, config, where, faults)


def _read_default(field: Field, config: FieldConfig, faults: list[ErrorDetail]) -> ReadResult:
    return field.shape.read(config.default, config, f"config.fields.{field.id}.default", faults)


def _check_unused_default(field: Field, config: FieldConfig, faults: list[ErrorDetail]) -> None:
    """Of a field that the request hides. A choice may be meant for options that the request would have brought."""
    if not isinstance(field.shape, ChoiceValueType):
        _read_default(field, config, faults)


def _preset(field: Field, config: FieldConfig) -> Json:
    """What the review type itself puts into a field that a request leaves out."""
    if not field.type.has_value:
        return field.settings["text"]
    if config.options is not None and isinstance(field.shape, ChoiceValueType):
        return field.shape.keep_offered(field.default, config.options)
    return field.default


def _reject_unmapped(
    definition: Definition, data: JsonObject, suggestion: Suggestion, faults: list[ErrorDetail]
) -> None:
    unmapped = (
        ErrorDetail(
            each.where, "unmapped_property", msg("isn't mapped to a field, and this review type rejects such values")
        )
        for each in unmapped_values(definition, data, suggestion.values)
        if not each.is_mapped
    )
    faults.extend(islice(unmapped, MAX_REPORTED_ERRORS))


def _check_branches(definition: Definition, data: JsonObject, faults: list[ErrorDetail]) -> None:
    """Where fields map into an object, there must be an object, or nothing."""
    for branch in definition.branches:
        found = get_path(data, branch)
        if found is not MISSING and found is not None and not isinstance(found, dict):
            where = f"data.{join_path(branch)}"
            faults.append(ErrorDetail(where, "wrong_type", must_be(OBJECT, found)))
