"""What a review is about, in a few lines: the first values that its agent suggested, as people read them."""

from signoff.forms.definition import Definition
from signoff.forms.fields.media import MediaShape
from signoff.forms.fields.shape import Options
from signoff.forms.values import Suggestion, response_values
from signoff.platform.json_values import Json

MOST, LONGEST = 3, 200


def first_values(definition: Definition, suggestion: Suggestion) -> list[dict[str, str]]:
    """`label` and `text` of each, without what rules hide, without the title, and without what has no short form."""
    shown = response_values(definition, suggestion)
    found: list[dict[str, str]] = []
    for field in definition.fields:
        if len(found) == MOST:
            break
        if field.id not in shown or field.id == definition.title_field or not field.type.has_value:
            continue
        if isinstance(field.shape, MediaShape):
            continue
        if text := in_words(suggestion.values.get(field.id), suggestion.options.get(field.id)):
            found.append({"label": shortened(field.label or field.id), "text": text})
    return found


def in_words(value: Json, options: Options | None = None) -> str:
    """Empty for what has no short form, like a structure."""
    match value:
        case bool():
            return "Yes" if value else "No"
        case int() | float():
            return str(value)
        case str():
            return shortened(options[value] if options and value in options else value)
        case {"label": str(label)}:
            return shortened(label)
        case [_, *_]:
            texts = [in_words(each, options) for each in value[:LONGEST]]
            return shortened(", ".join(texts)) if all(texts) else f"{len(value)} items"
        case _:
            return ""


def shortened(text: str) -> str:
    """On one line, and not longer than people read."""
    line = " ".join(text[: 10 * LONGEST].split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"
