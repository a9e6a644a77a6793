"""`python -m prose --openapi FILE --messages FILE`: find words and phrases that our texts don't use.

Exits with 1, and prints a line for each, if there are any.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from prose.rules import RULES
from prose.texts import ROOT, Text, api_reference, command_line, documentation, messages, settings


def find(texts: Iterable[Text]) -> Iterator[str]:
    for text in texts:
        for rule in RULES:
            for found in rule.pattern.finditer(text.words):
                yield f"{text.place}: '{found[0]}' ({rule.instead}) in: {_around(text.words, found.span())}"


def _around(words: str, span: tuple[int, int]) -> str:
    return words[max(0, span[0] - 50) : span[1] + 50].strip()


def main() -> int:
    from signoff.cli import app
    from signoff.platform.settings import Settings

    parser = argparse.ArgumentParser(prog="prose")
    parser.add_argument("--openapi", type=Path, required=True)
    parser.add_argument("--messages", type=Path, required=True, help="the service's messages, as extracted")
    given = parser.parse_args()
    found = list(
        find(
            chain(
                documentation(),
                messages(ROOT / "web/src/locales/en.po", given.messages),
                api_reference(json.loads(given.openapi.read_text())),
                command_line(app),
                settings(Settings.model_fields),
            )
        )
    )
    print("\n".join(dict.fromkeys(found)), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
