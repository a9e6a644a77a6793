"""What a review is about, in a few lines: the first values that its agent suggested, as people read them."""

from dataclasses import dataclass

from signoff.forms.definition import Definition
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import RepeatedShape
from signoff.forms.fields.media import MediaShape
from signoff.forms.fields.value_type import Options
from signoff.forms.suggestion import shown_unmapped
from signoff.forms.values import Suggestion, response_values
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import ENGLISH, msg, msgs

MOST, LONGEST = 3, 200
LONGEST_TITLE = 140
"""What every chat app shows of a title without cutting it."""
_FORMATTED = ("code", "json", "richText")
"""Types in which line breaks and spaces mean something."""


@dataclass(frozen=True, slots=True)
class Summary:
    values: list[dict[str, str]]
    """`label` and `text` of each."""
    is_complete: bool
    """Whether somebody who reads the title and these values has seen everything that would be approved."""


def summarize(
    definition: Definition, suggestion: Suggestion, data: JsonObject, title: str, language: str = ENGLISH
) -> Summary:
    """Without what rules hide, without the title, and without what has no short form."""
    visible = suggestion.values.keys() - definition.rules.hidden(response_values(definition, suggestion))
    found: list[dict[str, str]] = []
    is_complete = not shown_unmapped(definition, data, suggestion)
    for field in definition.fields:
        value = suggestion.values.get(field.id)
        if field.id not in visible or value is None or field.shape.is_empty(value):
            continue
        if field.id == definition.title_field:
            is_complete = is_complete and _is_whole_title(value, title)
            continue
        text, is_whole = _text_of(field, value, suggestion.options.get(field.id), language)
        if not text or len(found) == MOST:
            is_complete = False
            continue
        found.append({"label": shortened(field.label or field.id), "text": shortened(text)})
        is_complete = is_complete and is_whole
    return Summary(found, is_complete)


def first_values(definition: Definition, suggestion: Suggestion, language: str) -> list[dict[str, str]]:
    return summarize(definition, suggestion, {}, "", language).values


def _text_of(field: Field, value: Json, options: Options | None, language: str) -> tuple[str, bool]:
    """Empty for what has no short form, like media and notes for reviewers; and whether the text is all there is."""
    if not field.type.has_value or isinstance(field.shape, MediaShape):
        return "", False
    text, is_whole = _words(value, options, language)
    if isinstance(field.shape, RepeatedShape) and any(child.type.media for child in field.shape.children):
        is_whole = False
    kept = text if field.type.name in _FORMATTED else _on_one_line(text)
    return text, is_whole and shortened(text) == kept


def _words(value: Json, options: Options | None, language: str) -> tuple[str, bool]:
    match value:
        case bool():
            return (msg("Yes") if value else msg("No")).localize(language), True
        case int() | float():
            return str(value), True
        case str():
            return (options[value] if options and value in options else value), True
        case {"label": str(label)}:
            return label, True
        case [_, *_]:
            parts = [_words(each, options, language) for each in value[:LONGEST]]
            if all(text and is_whole for text, is_whole in parts):
                return ", ".join(text for text, _ in parts), len(parts) == len(value)
            return msgs("{count} item", "{count} items", count=len(value)).localize(language), False
        case _:
            return "", False


def _is_whole_title(value: Json, title: str) -> bool:
    return isinstance(value, str) and len(title) <= LONGEST_TITLE and _on_one_line(value) == title


def shortened(text: str) -> str:
    """On one line, and not longer than people read."""
    line = _on_one_line(text[: 10 * LONGEST])
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
