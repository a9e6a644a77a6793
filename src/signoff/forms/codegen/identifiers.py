"""Names and words of a review type, made safe to stand in source code."""

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
    """A name for a type: `Newsletter draft` as `NewsletterDraft`."""
    words = re.findall(r"[A-Za-z0-9]+", _plain(text))
    name = "".join(word[0].upper() + word[1:] for word in words)[:60]
    return name if name[:1].isalpha() else otherwise + name


def attribute_name(text: str, taken: Collection[str]) -> str:
    """A name for a member of a Python class: `draftTitle` as `draft_title`. It hides nothing that the code needs."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", _plain(text))
    name = re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_")[:60].rstrip("_")
    name = name if name[:1].isalpha() else f"field_{name}".rstrip("_")
    if name in _TAKEN_IN_PYTHON or name.startswith("model_"):
        name = f"{name}_" if not name.startswith("model_") else f"the_{name}"
    return unused(name, taken)


def unused(name: str, taken: Collection[str]) -> str:
    number, candidate = 2, name
    while candidate in taken:
        candidate, number = f"{name}_{number}", number + 1
    return candidate


def comment(*texts: str | None) -> str:
    """Somebody's words on one line, with nothing in them that ends a comment or reorders what one reads."""
    joined = " ".join(text for text in texts if text)
    visible = "".join(" " if unicodedata.category(character) in _UNSEEN else character for character in joined)
    one_line = " ".join(visible.split()).replace("*/", "* /").replace("/*", "/ *")
    return one_line if len(one_line) <= MAX_WORDS else f"{one_line[: MAX_WORDS - 1]}…"


_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def typescript_string(text: str) -> str:
    """A string literal in ASCII; what lies beyond 16 bits is written as two halves."""
    return json.dumps(text)


def python_string(text: str) -> str:
    return ascii(text)


def _plain(text: str) -> str:
    """Without accents, as far as letters have a plain form."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
