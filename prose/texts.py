"""Find our texts: catalogs, documentation, command line, settings, and API reference."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from babel.messages.pofile import read_po
from typer.main import get_command

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "sdk/python/README.md")
BLOCK = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`\n]*`|\]\([^)\n]*\)|<[^>\n]*>|\*\*?(?=`)")


@dataclass(frozen=True, slots=True)
class Text:
    place: str
    words: str


def documentation() -> Iterator[Text]:
    """Yield line by line, without code and URLs."""
    for path in sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / page for page in PAGES)]):
        lines = BLOCK.sub(lambda block: "\n" * block[0].count("\n"), path.read_text()).splitlines()
        for number, line in enumerate(lines, 1):
            yield Text(f"{path.relative_to(ROOT)}:{number}", CODE.sub("", line))


def messages(*catalogs: Path) -> Iterator[Text]:
    for path in catalogs:
        with path.open("rb") as file:
            for message in read_po(file):
                for text in (message.id,) if isinstance(message.id, str) else message.id:
                    yield Text(path.name, text)


def api_reference(node: Any, place: str = "OpenAPI") -> Iterator[Text]:
    """Yield every summary and description of the document."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name in ("summary", "description") and isinstance(value, str):
                yield Text(place, CODE.sub("", value))
            elif name not in ("example", "examples", "default", "enum"):
                yield from api_reference(value, f"{place} {node.get('operationId', name)}")
    elif isinstance(node, list):
        for value in node:
            yield from api_reference(value, place)


def command_line(app: typer.Typer) -> Iterator[Text]:
    commands = [("signoff", get_command(app))]
    while commands:
        name, command = commands.pop()
        yield Text(name, CODE.sub("", command.help or ""))
        for parameter in command.params:
            yield Text(f"{name} {parameter.name}", CODE.sub("", getattr(parameter, "help", None) or ""))
        commands += [(f"{name} {each}", below) for each, below in getattr(command, "commands", {}).items()]


def settings(fields: dict[str, Any]) -> Iterator[Text]:
    for name, field in fields.items():
        yield Text(f"SIGNOFF_{name.upper()}", CODE.sub("", field.description or ""))
