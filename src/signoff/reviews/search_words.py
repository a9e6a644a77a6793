"""The text that a review is found by: its title, and every text in its data."""

from collections.abc import Iterator
from typing import Any, Final, cast

MAX_LENGTH: Final = 100_000


def search_words(title: str | None, data: Any) -> str:
    """Return the text to index. It's cut after 100,000 characters."""
    return " ".join((title or "", *_texts(data)))[:MAX_LENGTH]


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in the data, except for URLs and encoded files, which nobody would search for."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            if not item.startswith(("http://", "https://", "data:")) and (len(item) < 2000 or " " in item[:2000]):
                yield item
        elif isinstance(item, dict):
            stack += reversed(list(cast(dict[str, Any], item).values()))
        elif isinstance(item, list):
            stack += reversed(cast(list[Any], item))
