"""Fields with a string value: prose, code, addresses, and dates."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from signoff.forms.fields.error_messages import STRING, at_least_characters, at_most_characters
from signoff.forms.fields.field import FieldType
from signoff.forms.fields.patterns import MAX_INPUT, Pattern, compile_pattern
from signoff.forms.fields.schema_fragments import on_one_line
from signoff.forms.fields.settings import CountSetting, PatternSetting, Setting, Settings, TextSetting, check_order
from signoff.forms.fields.value_type import INVALID, FieldConfig, InvalidValue, ReadResult, ValueType, report_wrong_type
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import Term, msg

MAX_TEXT: Final = 1_000_000
MAX_EMAIL: Final = 254

# These patterns are published in JSON Schemas, so they only use syntax that regular expressions in all languages have.
LINK_PATTERN: Final = r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\x00-\x20\x7f][^\x00-\x20\x7f]*$"

_YEAR: Final = "(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
_DAY_OF_ANY_YEAR: Final = (
    "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
)
_BY_FOUR: Final = "(0[48]|[2468][048]|[13579][26])"
_LEAP_YEAR: Final = f"([0-9]{{2}}{_BY_FOUR}|{_BY_FOUR}00)"
_DAY: Final = f"({_YEAR}-{_DAY_OF_ANY_YEAR}|{_LEAP_YEAR}-02-29)"
_TIME: Final = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?"
_ZONE: Final = "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
DATE_PATTERN: Final = f"^{_DAY}$"
DATETIME_PATTERN: Final = f"^{_DAY}T{_TIME}{_ZONE}?$"

_EMAIL: Final = re.compile(r"[^@\s]{1,64}@[^@\s.]+(?:\.[^@\s.]+)+")
_LINK: Final = re.compile(LINK_PATTERN[1:-1])
_DATE: Final = re.compile(DATE_PATTERN[1:-1])
_DATETIME: Final = re.compile(DATETIME_PATTERN[1:-1])


@dataclass(frozen=True, slots=True)
class TextValueType(ValueType):
    """Any string. Lengths count code points."""

    min_length: int | None = None
    max_length: int | None = None
    pattern: Pattern | None = None

    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        return value if isinstance(value, str) else report_wrong_type(value, STRING, where, errors)

    def is_empty(self, value: Json) -> bool:
        """Whitespace alone counts as empty."""
        return not isinstance(value, str) or not value or value.isspace()

    def cleared(self, before: Json = None) -> Json:
        """A cleared text is the empty string: clearing an empty field isn't an edit."""
        return ""

    def check(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> None:
        text = value if isinstance(value, str) else ""
        if self.min_length is not None and len(text) < self.min_length:
            errors.append(ErrorDetail(where, "too_short", at_least_characters(self.min_length)))
        most = MAX_TEXT if self.max_length is None else self.max_length
        if self.pattern is not None:
            most = min(most, MAX_INPUT)
        if len(text) > most:
            errors.append(ErrorDetail(where, "too_long", at_most_characters(most)))
        elif self.pattern is not None and not self.pattern.matches(text):
            errors.append(ErrorDetail(where, "pattern_mismatch", msg("doesn't match the required format")))

    def schema(self) -> JsonObject:
        return {"type": "string"}


class EmailValueType(TextValueType):
    """An email. A suggestion may be any string, since the reviewer can correct it."""

    def check(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> None:
        if not isinstance(value, str) or len(value) > MAX_EMAIL or not _EMAIL.fullmatch(value):
            errors.append(ErrorDetail(where, "bad_email", msg("must be an email address")))


class LinkValueType(TextValueType):
    """A web address. Other addresses are refused even as suggestions, because the reviewer's page makes it a
    clickable link.
    """

    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        if not isinstance(value, str):
            return report_wrong_type(value, STRING, where, errors)
        return value if not value or is_web_address(value) else _malformed("link", where, errors)

    def schema(self) -> JsonObject:
        return on_one_line(f"^$|{LINK_PATTERN}")


@dataclass(frozen=True, slots=True)
class DateValueType(TextValueType):
    """`YYYY-MM-DD`; an empty string shows an empty field."""

    earliest: str | None = None
    latest: str | None = None

    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        if not isinstance(value, str):
            return report_wrong_type(value, STRING, where, errors)
        return value if not value or is_date(value) else _malformed("date", where, errors)

    def check(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> None:
        parsed = self.parse_time(value if isinstance(value, str) else "")
        if self.earliest is not None and parsed < self.parse_time(self.earliest):
            message = msg("must be on or after {date}", date=self.term(self.earliest))
            errors.append(ErrorDetail(where, "too_small", message))
        if self.latest is not None and parsed > self.parse_time(self.latest):
            message = msg("must be on or before {date}", date=self.term(self.latest))
            errors.append(ErrorDetail(where, "too_large", message))

    def parse_time(self, text: str) -> datetime:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)

    def term(self, text: str) -> Term:
        return Term(text, self.parse_time(text).date())

    def schema(self) -> JsonObject:
        return on_one_line(f"^$|{DATE_PATTERN}")


class DatetimeValueType(DateValueType):
    """`YYYY-MM-DDTHH:MM`, with optional seconds, fraction, and offset. Without an offset it's interpreted as UTC."""

    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        if not isinstance(value, str):
            return report_wrong_type(value, STRING, where, errors)
        return value if not value or is_datetime(value) else _malformed("datetime", where, errors)

    def parse_time(self, text: str) -> datetime:
        parsed = datetime.fromisoformat(text)
        return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)

    def term(self, text: str) -> Term:
        return Term(text, self.parse_time(text))

    def schema(self) -> JsonObject:
        return on_one_line(f"^$|{DATETIME_PATTERN}")


_FORMAT_ERRORS: Final = {
    "link": ("bad_link", msg("must be a URL that starts with http:// or https://")),
    "date": ("bad_date", msg("must be a date in the format YYYY-MM-DD")),
    "datetime": ("bad_datetime", msg("must be a date and time in the format YYYY-MM-DDTHH:MM:SS, with Z or an offset")),
}


def _malformed(form: str, where: str, errors: list[ErrorDetail]) -> InvalidValue:
    errors.append(ErrorDetail(where, *_FORMAT_ERRORS[form]))
    return INVALID


def is_web_address(text: str) -> bool:
    return _LINK.fullmatch(text) is not None


def is_date(text: str) -> bool:
    """Whether it's a date. The pattern includes the lengths of months and leap years."""
    return _DATE.fullmatch(text) is not None


def is_datetime(text: str) -> bool:
    return _DATETIME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentSetting(Setting):
    """A date, or a date and time: a limit of such a field."""

    def read(self, raw: Json, where: str, errors: list[ErrorDetail]) -> str | InvalidValue:
        right = is_datetime if self.type == "datetime" else is_date
        return raw if isinstance(raw, str) and right(raw) else _malformed(self.type, where, errors)

    def schema(self) -> JsonObject:
        return {"type": "string", "pattern": DATETIME_PATTERN if self.type == "datetime" else DATE_PATTERN}


_LENGTHS: Final = (
    CountSetting(name="minLength", summary="Minimum number of characters", most=MAX_TEXT),
    CountSetting(name="maxLength", summary="Maximum number of characters", most=MAX_TEXT),
)
_PLACEHOLDER: Final = TextSetting(name="placeholder", summary="Text shown when the field is empty")
_PATTERN: Final = PatternSetting(
    name="pattern",
    summary="Regular expression that the whole value must match. Supports a linear-time subset of JavaScript's syntax",
)
_LANGUAGE: Final = TextSetting(
    name="language",
    summary="Language for syntax highlighting, for example `python`",
    max_length=40,
    translatable=False,
)


def _text_shape(settings: Settings) -> ValueType:
    pattern = settings.get("pattern")
    return TextValueType(
        settings["minLength"], settings["maxLength"], None if pattern is None else compile_pattern(pattern)
    )


def _lengths_in_order(settings: Settings, where: str, errors: list[ErrorDetail]) -> None:
    check_order(settings, "minLength", "maxLength", where, errors)


def _text_type(name: str, summary: str, *settings: Setting, titles: bool = False) -> FieldType:
    return FieldType(
        name=name,
        summary=summary,
        category="text",
        value="text",
        value_summary="string",
        limits={"maxLength": MAX_TEXT},
        settings=(*_LENGTHS, *settings),
        value_type=_text_shape,
        cross_check=_lengths_in_order,
        tracks_edits=True,
        titles=titles,
    )


def _date_type(
    name: Literal["date", "datetime"], summary: str, value_summary: str, value_type: type[DateValueType]
) -> FieldType:
    def in_order(settings: Settings, where: str, errors: list[ErrorDetail]) -> None:
        bounds = value_type(earliest=settings["min"], latest=settings["max"])
        if (
            settings["min"]
            and settings["max"]
            and bounds.parse_time(settings["min"]) > bounds.parse_time(settings["max"])
        ):
            errors.append(
                ErrorDetail(f"{where}.max", "out_of_order", msg("can't be before `{setting}`", setting="min"))
            )

    return FieldType(
        name=name,
        summary=summary,
        category="numbers",
        value=name,
        value_summary=value_summary,
        settings=(
            MomentSetting(name="min", summary="Earliest value allowed", type=name),
            MomentSetting(name="max", summary="Latest value allowed", type=name),
        ),
        value_type=lambda settings: value_type(earliest=settings["min"], latest=settings["max"]),
        cross_check=in_order,
        tracks_edits=True,
    )


TYPES: Final = (
    _text_type("text", "A single line of text", _PATTERN, _PLACEHOLDER, titles=True),
    _text_type("longText", "Multi-line text", _PLACEHOLDER, titles=True),
    _text_type("markdown", "Markdown, edited as source and shown rendered", titles=True),
    _text_type("richText", "Rich text (HTML, sanitized before display)"),
    _text_type("code", "Source code", _LANGUAGE),
    FieldType(
        name="email",
        summary="Email",
        category="text",
        value="text",
        value_summary="string",
        limits={"maxLength": MAX_EMAIL},
        settings=(_PLACEHOLDER,),
        value_type=lambda _: EmailValueType(),
        tracks_edits=True,
        titles=True,
    ),
    FieldType(
        name="link",
        summary="Link",
        category="text",
        value="text",
        value_summary="string, http:// or https://",
        limits={"maxLength": MAX_TEXT, "pattern": LINK_PATTERN},
        settings=(_PLACEHOLDER,),
        value_type=lambda _: LinkValueType(),
        tracks_edits=True,
        titles=True,
    ),
    _date_type("date", "A calendar date", "string, YYYY-MM-DD", DateValueType),
    _date_type("datetime", "Date and time", "string, YYYY-MM-DDTHH:MM:SS with Z or an offset", DatetimeValueType),
)
