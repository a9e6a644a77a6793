"""The prose check finds what it should, in every place that has texts."""

from pathlib import Path

import pytest
import typer
from pydantic import BaseModel, Field

from prose.__main__ import find
from prose.rules import RULES
from prose.texts import ROOT, Text, api_reference, command_line, documentation, messages, settings

BAD = "It is told by itself that somebody's mails are away meanwhile."


@pytest.mark.parametrize(
    "words",
    [
        "Nobody here is called that.",
        "what one would expect",
        "your e-mail",
        "send by mail",
        "ask for a retry",
        "They hand over to Sam",
        "It happens by itself.",
        "an administrator",
        "the present version",
        "Shown this once.",
        "colour",
        "organised",
        "cancelled",
    ],
)
def test_banned_words_are_found(words: str) -> None:
    assert list(find([Text("here", words)]))


@pytest.mark.parametrize(
    "words",
    [
        "no one can edit it",
        "at least one must match",
        "a mail server",
        "Email me",
        "canceled",
        "a minus sign",
        "advise",
    ],
)
def test_allowed_words_are_not_found(words: str) -> None:
    assert not list(find([Text("here", words)]))


def test_every_rule_suggests_a_replacement() -> None:
    assert all(rule.instead for rule in RULES)


class TestPlaces:
    def test_documentation(self) -> None:
        lines = list(documentation())
        assert {"README.md", "docs/agents.md", "docs/decisions/0001-hand-written-sql-on-asyncpg.md"} <= {
            line.place.rpartition(":")[0] for line in lines
        }
        source = (ROOT / "README.md").read_text().splitlines()
        first = next(line for line in lines if line.place.startswith("README.md:"))
        assert source[int(first.place.rpartition(":")[2]) - 1].startswith(first.words[:10])
        assert not any("make run" in line.words for line in lines if line.place.startswith("README.md:")), "no code"

    def test_messages(self, tmp_path: Path) -> None:
        (tmp_path / "x.po").write_text(f'msgid "{BAD}"\nmsgstr ""\n\nmsgid "a"\nmsgid_plural "{BAD}"\nmsgstr[0] ""\n')
        assert [text.words for text in messages(tmp_path / "x.po")].count(BAD) == 2

    def test_api_reference(self) -> None:
        document = {"paths": {"/x": {"get": {"summary": BAD, "parameters": [{"description": BAD, "example": BAD}]}}}}
        assert len(list(api_reference(document))) == 2

    def test_command_line(self) -> None:
        app, below = typer.Typer(help=BAD), typer.Typer(help=BAD)
        app.add_typer(below, name="below")

        @below.command(help=BAD)
        def command(option: str = typer.Option(help=BAD)) -> None: ...

        @below.command(help="Fine.")
        def other() -> None: ...

        assert [text.words for text in command_line(app)].count(BAD) == 4

    def test_settings(self) -> None:
        class Settings(BaseModel):
            port: int = Field(1, description=BAD)

        assert list(settings(Settings.model_fields)) == [Text("SIGNOFF_PORT", BAD)]
