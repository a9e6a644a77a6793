"""Derive a label, an ID, and a type hint from a property's name."""

import re
from collections.abc import Collection
from typing import Final

from signoff.forms.fields.field import MAX_SEGMENT

MAX_LABEL: Final = 200
MAX_ID: Final = 64

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ACRONYMS: Final = {
    word.lower(): word
    for word in ("ID", "URL", "API", "HTML", "CSS", "SQL", "JSON", "PDF", "VAT", "SKU", "SEO", "CRM", "AI", "UTM", "IP")
}
_RESERVED: Final = frozenset({"__proto__", "constructor", "prototype"})


def split_words(name: str) -> list[str]:
    """Split a name into words: `draftTitle`, `draft_title`, and `draft-title` are the same two words."""
    parted = _CAMEL.sub(" ", name)
    return [word.lower() for word in re.split(r"[\W_]+", parted) if word]


def build_label(name: str) -> str:
    """Return a label: `draft_title` becomes “Draft title”."""
    words = [_ACRONYMS.get(word, word) for word in split_words(name)]
    label = " ".join(words) or " ".join(name.split())
    return (label[:1].upper() + label[1:])[:MAX_LABEL] or "Value"


def is_property(name: str) -> bool:
    """Whether a path can include it."""
    return 0 < len(name) <= MAX_SEGMENT and name not in _RESERVED


def is_id(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,63}", name) is not None and name not in _RESERVED


def new_id(path: tuple[str, ...], taken: Collection[str]) -> str:
    """Return the property's own name if it's valid as an ID and free, otherwise with its parent's name, otherwise
    with a number.
    """
    candidates = (_as_id(path[-1]), _as_id("_".join(path[-2:])), _as_id("_".join(path)))
    for candidate in candidates:
        if candidate not in taken:
            return candidate
    number = 2
    while (candidate := f"{candidates[0][: MAX_ID - 4]}_{number}") in taken:
        number += 1
    return candidate


def _as_id(name: str) -> str:
    if is_id(name):
        return name
    cleaned = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_-")
    cleaned = cleaned if cleaned[:1].isalpha() else f"field_{cleaned}".rstrip("_")
    cleaned = cleaned[:MAX_ID]
    return cleaned if is_id(cleaned) else "field"
