"""Turn names and texts of a review type into safe source code."""

import builtins
import json
import keyword
import re
import unicodedata
from collections.abc import Collection
from typing import Final

from pydantic import BaseModel

MAX_WORDS: Final = 300
_TAKEN_IN_PYTHON: Final = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *dir(BaseModel)})


def type_name(text: str, otherwise: str) -> str:
    """Return a type name: `Newsletter draft` becomes `NewsletterDraft`."""
    words = re.findall(r"[A-Za-z0-9]+", _plain(text))
    name = "".join(word[0].upper() + word[1:] for word in words)[:60]
    return name if name[:1].isalpha() else otherwise + name


def attribute_name(text: str, taken: Collection[str]) -> str:
    """Return a name for a member of a Python class: `draftTitle` becomes `draft_title`. It never shadows a name
    that the code needs.
    """
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", _plain(text))
    name = re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_")[:60].rstrip("_")
    name = name if name[:1].isalpha() else f"field_{name}".rstrip("_")
    if name in _TAKEN_IN_PYTHON or name.startswith("model_"):
        name = f"{name}_" if not name.startswith("model_") else f"the_{name}"
    return find_unused_name(name, taken)


def find_unused_name(name: str, taken: Collection[str]) -> str:
    number, candidate = 2, name
    while candidate in taken:
        candidate, number = f"{name}_{number}", number + 1
    return candidate


def comment(*texts: str | None) -> str:
    """Return a user's text on one line, without anything that could end a comment or reorder the visible text."""
    joined = " ".join(text for text in texts if text)
    visible = "".join(" " if unicodedata.category(character) in _UNSEEN else character for character in joined)
    one_line = " ".join(visible.split()).replace("*/", "* /").replace("/*", "/ *")
    return one_line if len(one_line) <= MAX_WORDS else f"{one_line[: MAX_WORDS - 1]}…"


_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def typescript_string(text: str) -> str:
    """Return an ASCII string literal; characters beyond 16 bits become surrogate pairs."""
    return json.dumps(text)


def python_string(text: str) -> str:
    return ascii(text)


def _plain(text: str) -> str:
    """Remove accents from letters that have a plain form."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
