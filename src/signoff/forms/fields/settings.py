"""The settings a field type can declare: each one reads its JSON, writes it back, and describes itself."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from signoff.forms.fields.error_messages import BOOLEAN, NUMBER, STRING, at_most_characters, out_of_range_message
from signoff.forms.fields.patterns import MAX_INPUT, MAX_SOURCE, PatternError, compile_pattern
from signoff.forms.fields.value_type import InvalidValue, report_wrong_type
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject, is_number
from signoff.platform.messages import msg

Settings: TypeAlias = Mapping[str, Any]
"""The settings of one field in normal form, by name; a setting without value and default is None."""

SettingType: TypeAlias = Literal[
    "text", "boolean", "integer", "number", "pattern", "date", "datetime", "options", "fields"
]
_LIMITS: Final = ("minimum", "maximum", "maxLength", "minItems", "maxItems")
"""The parts of a setting's schema that the catalog repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(ABC):
    name: str
    summary: str
    type: SettingType
    """What it accepts, in one word."""
    default: Json = None

    @abstractmethod
    def read(self, raw: Json, where: str, errors: list[ErrorDetail]) -> Any:
        """Return the normal form, or INVALID after reporting the errors. Never called with null."""

    def write(self, value: Any) -> Json:
        """Return the JSON that `read` turns into `value`."""
        return value

    @abstractmethod
    def schema(self) -> JsonObject: ...

    def to_json(self) -> JsonObject:
        """Return the setting's entry in the catalog. Its summary and complete schema are in the OpenAPI schemas."""
        limits: JsonObject = {name: value for name, value in self.schema().items() if name in _LIMITS}
        return {"type": self.type, **limits} | ({} if self.default is None else {"default": self.default})


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagSetting(Setting):
    type: SettingType = "boolean"
    default: Json = False

    def read(self, raw: Json, where: str, errors: list[ErrorDetail]) -> bool | InvalidValue:
        return raw if isinstance(raw, bool) else report_wrong_type(raw, BOOLEAN, where, errors)

    def schema(self) -> JsonObject:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSetting(Setting):
    type: SettingType = "text"
    max_length: int = 200
    translatable: bool = True
    """Whether people read it, so that a review type can have it in several languages."""

    def read(self, raw: Json, where: str, errors: list[ErrorDetail]) -> str | InvalidValue:
        return read_text(raw, self.max_length, where, errors)

    def schema(self) -> JsonObject:
        return {"type": "string", "maxLength": self.max_length}

    def to_json(self) -> JsonObject:
        return Setting.to_json(self) | ({"translatable": True} if self.translatable else {})


def read_text(raw: Json, max_length: int, where: str, errors: list[ErrorDetail]) -> str | InvalidValue:
    if not isinstance(raw, str):
        return report_wrong_type(raw, STRING, where, errors)
    if len(raw) > max_length:
        errors.append(ErrorDetail(where, "too_long", at_most_characters(max_length)))
        return InvalidValue.INVALID
    return raw


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternSetting(Setting):
    type: SettingType = "pattern"

    def read(self, raw: Json, where: str, errors: list[ErrorDetail]) -> str | InvalidValue:
        if not isinstance(raw, str):
            return report_wrong_type(raw, STRING, where, errors)
        try:
            compile_pattern(raw)
        except PatternError as error:
            errors.append(ErrorDetail(where, "bad_pattern", error.message))
            return InvalidValue.INVALID
        return raw

    def schema(self) -> JsonObject:
        return {"type": "string", "maxLength": MAX_SOURCE, "format": "regex"}

    def to_json(self) -> JsonObject:
        return Setting.to_json(self) | {"maxValueLength": MAX_INPUT}


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSetting(Setting):
    type: SettingType = "number"

    def read(self, raw: Json, where: str, errors: list[ErrorDetail]) -> Any:
        return raw if is_number(raw) else report_wrong_type(raw, NUMBER, where, errors)

    def schema(self) -> JsonObject:
        return {"type": "number"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CountSetting(Setting):
    """A whole number within bounds."""

    type: SettingType = "integer"
    least: int = 0
    most: int

    def read(self, raw: Json, where: str, errors: list[ErrorDetail]) -> int | InvalidValue:
        if not isinstance(raw, int) or isinstance(raw, bool):
            return report_wrong_type(raw, msg("a whole number"), where, errors)
        if not self.least <= raw <= self.most:
            errors.append(ErrorDetail(where, "out_of_range", out_of_range_message(self.least, self.most)))
            return InvalidValue.INVALID
        return raw

    def schema(self) -> JsonObject:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


def check_order(settings: Settings, low: str, high: str, where: str, errors: list[ErrorDetail]) -> None:
    """Report a pair of settings whose lower bound is above the upper one."""
    if settings[low] is not None and settings[high] is not None and settings[low] > settings[high]:
        errors.append(
            ErrorDetail(f"{where}.{high}", "out_of_order", msg("can't be less than `{setting}`", setting=low))
        )
