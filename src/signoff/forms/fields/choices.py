"""Selectable fields. A single choice is an option ID; a multiple choice is an array of `{id, label}`."""

from dataclasses import dataclass
from typing import Any, Final

from signoff.forms.fields.error_messages import at_most_characters, at_most_items
from signoff.forms.fields.field import FieldType
from signoff.forms.fields.settings import CountSetting, FlagSetting, Setting, Settings, SettingType, check_order
from signoff.forms.fields.value_type import (
    INVALID,
    FieldConfig,
    InvalidValue,
    Options,
    ReadResult,
    ValueType,
    report_wrong_type,
)
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import msg, msgs

MAX_OPTIONS: Final = 1_000
MAX_OPTION_ID: Final = 200
MAX_OPTION_LABEL: Final = 1_000
_ANY_OPTION_ID: Final[JsonObject] = {"type": "string", "minLength": 1, "maxLength": MAX_OPTION_ID}
OPTIONS_SCHEMA: Final[JsonObject] = {
    "type": "array",
    "maxItems": MAX_OPTIONS,
    "uniqueItems": True,
    "items": {
        "type": "object",
        "properties": {
            "id": _ANY_OPTION_ID,
            "label": {"type": "string", "maxLength": MAX_OPTION_LABEL},
        },
        "required": ["id", "label"],
        "additionalProperties": False,
    },
}


def read_options(raw: Json, where: str, errors: list[ErrorDetail]) -> Options | None:
    """Return options by ID, or None after reporting every error in them."""
    if not isinstance(raw, list):
        report_wrong_type(raw, msg("an array of objects with `id` and `label`"), where, errors)
        return None
    if len(raw) > MAX_OPTIONS:
        errors.append(
            ErrorDetail(
                where,
                "too_many_options",
                msgs("must have at most {count} option", "must have at most {count} options", count=MAX_OPTIONS),
            )
        )
        return None
    before = len(errors)
    options: dict[str, str] = {}
    for index, option in enumerate(raw):
        if isinstance(option, dict) and len(option) == 2:
            identifier, label = option.get("id"), option.get("label")
            if (
                isinstance(identifier, str)
                and isinstance(label, str)
                and 0 < len(identifier) <= MAX_OPTION_ID
                and len(label) <= MAX_OPTION_LABEL
                and identifier not in options
            ):
                options[identifier] = label
                continue
        _explain_option(option, options, f"{where}[{index}]", errors)
    return options if len(errors) == before else None


def _explain_option(option: Json, earlier: Options, where: str, errors: list[ErrorDetail]) -> None:
    """Report what's wrong with an option that is known to be invalid."""
    if not isinstance(option, dict):
        report_wrong_type(option, msg("an object with `id` and `label`"), where, errors)
        return
    identifier, label = option.get("id"), option.get("label")
    if not isinstance(identifier, str) or not identifier:
        errors.append(ErrorDetail(f"{where}.id", "missing_option_id", msg("is required and must be a string")))
    elif len(identifier) > MAX_OPTION_ID:
        errors.append(ErrorDetail(f"{where}.id", "too_long", at_most_characters(MAX_OPTION_ID)))
    elif identifier in earlier:
        errors.append(
            ErrorDetail(f"{where}.id", "duplicate_option_id", msg("'{id}' is used by another option", id=identifier))
        )
    if not isinstance(label, str):
        errors.append(ErrorDetail(f"{where}.label", "missing_option_label", msg("is required and must be a string")))
    elif len(label) > MAX_OPTION_LABEL:
        errors.append(ErrorDetail(f"{where}.label", "too_long", at_most_characters(MAX_OPTION_LABEL)))
    errors.extend(
        ErrorDetail(f"{where}.{name}", "unknown_member", msg("isn't allowed: an option can only have `id` and `label`"))
        for name in option
        if name not in ("id", "label")
    )


def options_json(options: Options) -> list[Json]:
    return [{"id": identifier, "label": label} for identifier, label in options.items()]


@dataclass(frozen=True, slots=True)
class ChoiceValueType(ValueType):
    options: Options | None
    """The fixed options; None if every request supplies its own."""
    multiple: bool = False
    fewest: int | None = None
    most: int | None = None

    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        options = self.options if config.options is None else config.options
        if options is None:
            errors.append(
                ErrorDetail(where, "options_missing", msg("can't have a value because this field has no options"))
            )
            return INVALID
        if self.multiple:
            return self._read_several(value, options, where, errors)
        if not isinstance(value, str):
            return report_wrong_type(value, msg("an option ID"), where, errors)
        if value in options:
            return value
        return None if not value else _unknown_option(value, where, errors)

    def _read_several(self, value: Json, options: Options, where: str, errors: list[ErrorDetail]) -> ReadResult:
        """Read a mix of IDs and `{id, label}` in any order; labels always come from the options."""
        if isinstance(value, str):
            if not value:
                return None
            value = [value]
        elif not isinstance(value, list):
            return report_wrong_type(value, msg("an array of option IDs"), where, errors)
        if len(value) > MAX_OPTIONS:
            errors.append(ErrorDetail(where, "too_many_items", at_most_items(MAX_OPTIONS)))
            return INVALID
        chosen: set[str] = set()
        valid = True
        for index, element in enumerate(value):
            identifier = element.get("id") if isinstance(element, dict) else element
            if isinstance(identifier, str) and identifier in options:
                chosen.add(identifier)
                continue
            valid = False
            if isinstance(identifier, str):
                _unknown_option(identifier, f"{where}[{index}]", errors)
            else:
                report_wrong_type(element, msg("an option ID"), f"{where}[{index}]", errors)
        if not valid:
            return INVALID
        # In the order of the options, so that the same choice always has the same value.
        return [{"id": identifier, "label": options[identifier]} for identifier in options if identifier in chosen]

    def keep_offered(self, chosen: Json, options: Options) -> Json:
        """Return the part of a choice among other options that also exists in these; None for nothing."""
        if isinstance(chosen, str):
            return chosen if chosen in options else None
        entries = chosen if isinstance(chosen, list) else []
        ids = [entry["id"] for entry in entries if isinstance(entry, dict)]
        offered: list[Json] = [{"id": each, "label": label} for each, label in options.items() if each in ids]
        return offered or None

    @property
    def unanswered(self) -> Json:
        """Return the `responseValues` entry for a visible choice that wasn't made."""
        return [] if self.multiple else None

    def is_empty(self, value: Json) -> bool:
        return not value

    def cleared(self, before: Json = None) -> Json:
        """Return the cleared value: an emptied multiple choice is `[]`; one that never had a value stays unanswered."""
        return [] if self.multiple and before else None

    def check(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> None:
        count = len(value) if isinstance(value, list) else 1
        if self.fewest is not None and count < self.fewest:
            errors.append(
                ErrorDetail(
                    where,
                    "too_few_items",
                    msgs(
                        "must have at least {count} option selected",
                        "must have at least {count} options selected",
                        count=self.fewest,
                    ),
                )
            )
        if self.most is not None and count > self.most:
            errors.append(
                ErrorDetail(
                    where,
                    "too_many_items",
                    msgs(
                        "must have at most {count} option selected",
                        "must have at most {count} options selected",
                        count=self.most,
                    ),
                )
            )

    def schema(self) -> JsonObject:
        """Return the schema of a choice among the fixed options, or of any ID if there are none."""
        return self.schema_among(self.options)

    def schema_among(self, options: Options | None) -> JsonObject:
        """Return the schema of a choice among these options, or among unknown ones; the empty string selects
        nothing.
        """
        listed: JsonObject = _ANY_OPTION_ID if options is None else {"enum": list(options)}
        one: JsonObject = {**listed, "minLength": 0} if options is None else {"enum": [*options, ""]}
        if not self.multiple:
            return one
        entry: JsonObject = {"type": "object", "properties": {"id": listed}, "required": ["id"]}
        several: JsonObject = {"type": "array", "maxItems": MAX_OPTIONS, "items": {"anyOf": [listed, entry]}}
        return {"anyOf": [one, several]}


def _unknown_option(identifier: str, where: str, errors: list[ErrorDetail]) -> InvalidValue:
    errors.append(ErrorDetail(where, "unknown_option", msg("'{id}' isn't an option", id=identifier[:MAX_OPTION_ID])))
    return INVALID


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsSetting(Setting):
    type: SettingType = "options"

    def read(self, raw: Json, where: str, errors: list[ErrorDetail]) -> Options | InvalidValue:
        options = read_options(raw, where, errors)
        if options is None:
            return INVALID
        if not options:
            errors.append(ErrorDetail(where, "no_options", msg("must have at least one option, or be left out")))
            return INVALID
        return options

    def write(self, value: Any) -> Json:
        return options_json(value)

    def schema(self) -> JsonObject:
        return {**OPTIONS_SCHEMA, "minItems": 1}


_OPTIONS: Final = OptionsSetting(name="options", summary="Fixed options. Leave out if each request sends its own")
_BOUNDS: Final = (
    CountSetting(
        name="minSelected",
        summary="Minimum number of selections, if multiple options can be selected",
        most=MAX_OPTIONS,
    ),
    CountSetting(
        name="maxSelected",
        summary="Maximum number of selections, if multiple options can be selected",
        least=1,
        most=MAX_OPTIONS,
    ),
)
_MULTIPLE: Final = FlagSetting(name="multiple", summary="Whether multiple options can be selected")


def _shape(settings: Settings) -> ValueType:
    return ChoiceValueType(
        settings["options"], settings.get("multiple", True), settings["minSelected"], settings["maxSelected"]
    )


def _bounds_fit(settings: Settings, where: str, errors: list[ErrorDetail]) -> None:
    check_order(settings, "minSelected", "maxSelected", where, errors)
    if not settings.get("multiple", True):
        errors.extend(
            ErrorDetail(f"{where}.{bound.name}", "not_applicable", msg("is only allowed if `multiple` is true"))
            for bound in _BOUNDS
            if settings[bound.name] is not None
        )


def _choice(name: str, summary: str, *, may_be_single: bool) -> FieldType:
    value = "option ID, or array of {id, label} if `multiple` is true" if may_be_single else "array of {id, label}"
    return FieldType(
        name=name,
        summary=summary,
        category="choices",
        value="choice" if may_be_single else "choices",
        value_summary=value,
        limits={"maxItems": MAX_OPTIONS},
        settings=(_OPTIONS, *((_MULTIPLE,) if may_be_single else ()), *_BOUNDS),
        value_type=_shape,
        cross_check=_bounds_fit,
    )


TYPES: Final = (
    _choice("buttons", "Buttons", may_be_single=True),
    _choice("checkboxes", "Checkboxes", may_be_single=False),
    _choice("dropdown", "Dropdown", may_be_single=True),
)
