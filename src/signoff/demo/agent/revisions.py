"""Revises a draft to the reviewer's instructions. In production, they'd go into a prompt.

The result always differs from the previous draft.
"""

import re
from collections.abc import Callable
from typing import Any, cast

Field = dict[str, Any]
"""A field of the review type: `id`, `type`, and the type's settings."""

TEXTS = ("text", "longText", "markdown", "richText")
QUOTED = r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]"
REPLACE = re.compile(rf"(?:replace|change|swap)\s+{QUOTED}\s+(?:with|by|to|for|into)\s+{QUOTED}", re.IGNORECASE)
INSTEAD_OF = re.compile(rf"{QUOTED}\s+instead of\s+{QUOTED}", re.IGNORECASE)
NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,4})?")
NAME = re.compile(r"(?:\\[.\\]|[^.])+")
SENTENCE = re.compile(r"(?<=[.!?])\s+")


def revise(
    data: dict[str, Any], fields: list[Field], instructions: str, field_ids: list[str], pictures: list[str]
) -> dict[str, Any]:
    """The data with new values for the given fields, or for its main text if none of them can change."""
    revised = data
    for field in fields:
        value = _value(data, path := text_path(field))
        if field["id"] in field_ids and value is not None:
            revised = _set_value(revised, path, _revise(value, field, instructions, pictures))
    if revised == data:
        main = _main_text(data, fields)
        revised = _set_value(data, main, _text(_value(data, main) or "", instructions))
    return revised


def text_path(field: Field) -> list[str]:
    """The path of a field's value in the data, such as `draft.headline`, or its ID by default."""
    return [re.sub(r"\\([.\\])", r"\1", name) for name in NAME.findall(field.get("path") or field["id"])]


def _value(data: Any, path: list[str]) -> Any:
    for name in path:
        data = cast(dict[str, Any], data).get(name) if isinstance(data, dict) else None
    return data


def _set_value(data: Any, path: list[str], value: Any) -> dict[str, Any]:
    name, *inside = path
    around = cast(dict[str, Any], data) if isinstance(data, dict) else {}
    return {**around, name: _set_value(around.get(name), inside, value) if inside else value}


def _main_text(data: dict[str, Any], fields: list[Field]) -> list[str]:
    """The path of the longest editable text. If there is none, `note`, which no field shows."""
    editable = [text_path(field) for field in fields if field["type"] in TEXTS and field.get("editable", True)]
    texts = [path for path in editable if isinstance(_value(data, path), str)]
    return max(texts, key=lambda path: len(_value(data, path)), default=["note"])


def _revise(value: Any, field: Field, instructions: str, pictures: list[str]) -> Any:
    """A new value, or the same one if no other valid value is known."""
    match field["type"], value:
        case kind, str() if kind in TEXTS:
            return _text(value, instructions)
        case (("number" | "rating"), int() | float()):
            return _number(value, field, instructions)
        case "boolean", bool():
            return not value
        case "image", str():
            return next((picture for picture in pictures if picture != value), value)
        case (("buttons" | "dropdown"), str()):
            options: list[dict[str, str]] = field.get("options") or []
            return next((option["id"] for option in options if option["id"] != value), value)
        case (("list" | "table"), [first, *others]):
            return [*others, first]  # Move the first item to the end, so that another photo or row comes first.
        case _:
            return value


def _number(value: float, field: Field, instructions: str) -> float:
    match = NUMBER.search(instructions)
    other = value - 1 if match is None else float(match[0]) if "." in match[0] else int(match[0])
    return max(other, field.get("min") or 0)


def _text(text: str, instructions: str) -> str:
    revised = text
    for old, new in _replacements(instructions):
        revised = re.sub(re.escape(old), lambda _, new=new: new, revised, flags=re.IGNORECASE)
    for wish, change in REWRITES:
        if wish.search(instructions):
            revised = change(revised)
    return revised if revised != text else _append_instructions(text, instructions)


def _replacements(instructions: str) -> list[tuple[str, str]]:
    return [*REPLACE.findall(instructions), *((old, new) for new, old in INSTEAD_OF.findall(instructions))]


def _append_instructions(text: str, instructions: str) -> str:
    """Add the quoted words, or all of the instructions: they aren't understood otherwise."""
    words = (" ".join(re.findall(QUOTED, instructions)) or instructions).strip() or "Once more, with feeling"
    ending = words if words.endswith((".", "!", "?")) else f"{words}."
    return f"{text.rstrip()}\n\n{ending[0].upper()}{ending[1:]}"


def _shorten(text: str) -> str:
    sentences = SENTENCE.split(text)
    if len(sentences) > 1:
        return " ".join(sentences[: len(sentences) // 2])
    words = text.split()
    return " ".join(words[: max(1, len(words) // 2)]).rstrip(",;:") + " …"


def _lengthen(text: str) -> str:
    return f"{text.rstrip()}\n\nIt's made by hand by three people and one kiln, and it takes as long as it takes."


def _make_friendly(text: str) -> str:
    return f"So glad you're here! {text.rstrip()}\n\nWarmly, everyone at Mill Street Pottery"


def _make_formal(text: str) -> str:
    return re.sub(r"[*_]|!+", lambda mark: "." if "!" in mark[0] else "", f"Dear customers, {text}")


def _make_playful(text: str) -> str:
    return f"{text.rstrip()} No clay was harmed. 🏺"


REWRITES: list[tuple[re.Pattern[str], Callable[[str], str]]] = [
    (re.compile(r"\bshort|\bbrief|\bcut\b|too long|less text", re.IGNORECASE), _shorten),
    (re.compile(r"\blonger|\bmore (?:detail|about|text)|\bexplain", re.IGNORECASE), _lengthen),
    (re.compile(r"\bwarm|\bfriendl|\bkind|\bnice|\bheart", re.IGNORECASE), _make_friendly),
    (re.compile(r"\bformal|\bserious|\bsober|\bplain|exclamation", re.IGNORECASE), _make_formal),
    (re.compile(r"\bfun|\bemoji|\bjoke|\bplayful|\bwitty", re.IGNORECASE), _make_playful),
]
