"""Summarize a review in a few lines: the first suggested values, as people read them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from signoff.forms.definition import Definition
from signoff.forms.fields.choices import ChoiceValueType
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import ListValueType
from signoff.forms.fields.media import MediaValueType
from signoff.forms.fields.numbers import BooleanValueType, NumberValueType
from signoff.forms.fields.text import DatetimeValueType, DateValueType
from signoff.forms.fields.value_type import NO_CONFIG, FieldConfig
from signoff.forms.submission import response_values
from signoff.forms.suggestion import Suggestion, unmapped_to_json
from signoff.forms.translations import UNTRANSLATED_FIELD, FieldTranslation
from signoff.platform.dates import format_day, format_exact_time
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import babel_locale, format_number, join_items, msg, msgs, strip_direction_controls

MAX_VALUES, MAX_VALUE_LENGTH = 3, 200
MAX_TITLE_LENGTH = 140
"""All chat apps show a title of this length without truncating it."""
_FORMATTED = ("code", "json", "richText")
"""Types with meaningful line breaks and spaces."""
_FRACTION = re.compile(r"(?<=\.)[0-9]+")


@dataclass(frozen=True, slots=True)
class Summary:
    values: list[dict[str, str]]
    """`label` and `text` of each."""
    is_complete: bool
    """Whether the title and these values are everything that would be approved."""


def summarize(definition: Definition, suggestion: Suggestion, data: JsonObject, title: str, language: str) -> Summary:
    """Summarize the values, without those hidden by rules, the title, and values that have no short form."""
    visible = suggestion.values.keys() - definition.rules.hidden(response_values(definition, suggestion))
    translations = definition.translation(language).fields
    summary: list[dict[str, str]] = []
    is_complete = not unmapped_to_json(definition, data, suggestion)
    for field in definition.fields:
        value = suggestion.values.get(field.id)
        if field.id not in visible or value is None or field.value_type.is_empty(value):
            continue
        if field.id == definition.title_field:
            is_complete = is_complete and _is_whole_title(value, title)
            continue
        translation = translations.get(field.id, UNTRANSLATED_FIELD)
        config = suggestion.configs.get(field.id, NO_CONFIG)
        text, is_whole = _get_text(field, value, config, translation, language)
        if not text or len(summary) == MAX_VALUES:
            is_complete = False
            continue
        label = translation.texts.get("label") or field.label or field.id
        summary.append({"label": truncate_line(label), "text": truncate_line(text)})
        is_complete = is_complete and is_whole
    return Summary(summary, is_complete)


def summarize_values(definition: Definition, suggestion: Suggestion, language: str) -> list[dict[str, str]]:
    return summarize(definition, suggestion, {}, "", language).values


def _get_text(
    field: Field, value: Json, config: FieldConfig, translation: FieldTranslation, language: str
) -> tuple[str, bool]:
    """Return a value's text, empty if it has no short form, like media and notes; and whether the text is complete."""
    if not field.type.has_value or isinstance(field.value_type, MediaValueType):
        return "", False
    text, is_whole = _value_text(field, value, config, translation, language)
    shortened = text if field.type.name in _FORMATTED else _on_one_line(text)
    return text, is_whole and truncate_line(text) == shortened


def _value_text(
    field: Field, value: Json, config: FieldConfig, translation: FieldTranslation, language: str
) -> tuple[str, bool]:
    match field.value_type, value:
        case ChoiceValueType() as value_type, _:
            return _choice_text(value_type, value, config, translation, language)
        case ListValueType() as value_type, list():
            return _items(value_type, value, config, translation, language)
        case BooleanValueType(), bool():
            setting = "trueLabel" if value else "falseLabel"
            label = translation.texts.get(setting) or field.settings[setting]
            return label or _plain_text(value, language)[0], True
        case NumberValueType(), int() | float() if unit := translation.texts.get("unit") or field.settings.get("unit"):
            return f"{_plain_text(value, language)[0]} {unit}", True
        case DateValueType() as value_type, str() if value:
            return _date(value_type, value, language), True
        case _:
            return _plain_text(value, language)


def _choice_text(
    value_type: ChoiceValueType, value: Json, config: FieldConfig, translation: FieldTranslation, language: str
) -> tuple[str, bool]:
    """The translations are those of the field's own options. A request's options are shown as it sent them."""
    if config.options is None:
        labels, translated = value_type.options or {}, translation.options
    else:
        labels, translated = config.options, UNTRANSLATED_FIELD.options

    def label_of(chosen: Json) -> tuple[str, bool]:
        identifier = str(chosen["id"]) if isinstance(chosen, dict) else str(chosen)
        return translated.get(identifier) or labels.get(identifier) or identifier, True

    if isinstance(value, list):
        return _join([label_of(each) for each in value[:MAX_VALUE_LENGTH]], len(value), language)
    return label_of(value)


def _items(
    value_type: ListValueType, items: list[Json], config: FieldConfig, translation: FieldTranslation, language: str
) -> tuple[str, bool]:
    """Plain values are written out; items with several values are only counted."""
    child = value_type.plain_child
    if child is None or any(isinstance(item, dict) for item in items):
        return _join([], len(items), language)
    child_translation = translation.children.get(child.id, UNTRANSLATED_FIELD)
    child_config = config.items.get(child.id, NO_CONFIG)
    parts = [_value_text(child, item, child_config, child_translation, language) for item in items[:MAX_VALUE_LENGTH]]
    text, is_whole = _join(parts, len(items), language)
    return text, is_whole and not child.type.media


def _date(value_type: DateValueType, value: str, language: str) -> str:
    """A date or time, with all its digits. A year that would have fewer than four, such as 0026, stays as it is."""
    if value < "1000":
        return value
    at, locale = value_type.parse_time(value), babel_locale(language)
    if not isinstance(value_type, DatetimeValueType):
        return format_day(at, locale)
    fraction = _FRACTION.search(value)
    return format_exact_time(at, locale, fraction[0].rstrip("0") if fraction else "")


def _plain_text(value: Json, language: str) -> tuple[str, bool]:
    match value:
        case bool():
            return (msg("Yes") if value else msg("No")).localize(language), True
        case int() | float():
            return format_number(value, language, grouped=False), True  # It may be a year or an ID.
        case str():
            return value, True
        case [_, *_]:
            return _join([_plain_text(each, language) for each in value[:MAX_VALUE_LENGTH]], len(value), language)
        case _:
            return "", False


def _join(parts: Sequence[tuple[str, bool]], count: int, language: str) -> tuple[str, bool]:
    """As many of the `count` parts as are given, if each of them says everything; else only how many there are."""
    if parts and all(text and is_whole for text, is_whole in parts):
        return join_items([text for text, _ in parts], language), len(parts) == count
    return msgs("{count} item", "{count} items", count=count).localize(language), False


def _is_whole_title(value: Json, title: str) -> bool:
    return isinstance(value, str) and len(title) <= MAX_TITLE_LENGTH and _on_one_line(value) == title


def truncate_line(text: str) -> str:
    """Shorten to one line of limited length, whose characters appear in the order in which they were written."""
    line = _on_one_line(strip_direction_controls(text[: 10 * MAX_VALUE_LENGTH]))
    return line if len(line) <= MAX_VALUE_LENGTH else f"{line[: MAX_VALUE_LENGTH - 1].rstrip()}…"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
