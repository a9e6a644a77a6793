"""The texts of review type templates, in the reader's language.

A template's fields and options have IDs of their own, so what programs send and receive is the same in every language.
"""

import json
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, cast

from signoff.platform.messages import localize_in_context

CONTEXT: Final = "review type template"
"""Of these messages in the catalogs, because the same words have other meanings elsewhere."""
TEXTS: Final = frozenset({"name", "summary", "category", "label", "help", "text", "trueLabel", "falseLabel"})
"""The members that people read."""
SAMPLE: Final = "sample"
"""The data of an agent, which nobody translates."""


def localize_template(written: dict[str, Any], language: str) -> dict[str, Any]:
    return _map_texts(written, lambda text: localize_in_context(CONTEXT, text, language))


def _map_texts(value: Any, write: Callable[[str], str]) -> Any:
    match value:
        case dict():
            members = cast("dict[str, Any]", value)
            return {
                name: each
                if name == SAMPLE
                else write(each)
                if name in TEXTS and isinstance(each, str)
                else _map_texts(each, write)
                for name, each in members.items()
            }
        case list():
            return [_map_texts(each, write) for each in cast("list[Any]", value)]
        case _:
            return value


def extract_messages(
    file: IO[bytes], keywords: object, comment_tags: object, options: object
) -> Iterator[tuple[int, str, tuple[str, str], list[str]]]:
    """Collect the texts for `make messages`. Babel calls it for each template."""
    texts: list[str] = []

    def collect(text: str) -> str:
        texts.append(text)
        return text

    _map_texts(json.load(file), collect)
    yield from ((1, "pgettext", (CONTEXT, text), []) for text in dict.fromkeys(texts) if text)
