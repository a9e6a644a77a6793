"""The pages' lists match the code. `UPDATE_DOCS=1 pytest tests/docs` regenerates the tables."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from signoff.accounts.actors import ROLES, SCOPES, Permission
from signoff.forms.fields import FIELD_TYPES, FieldType
from signoff.forms.fields.field import Category
from signoff.forms.fields.settings import Setting
from signoff.platform.errors import ApiError

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "signoff"
DOCS = ROOT / "docs"


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def settings_table() -> str:
    command = [sys.executable, "-m", "signoff", "settings", "--markdown"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def permissions_table() -> str:
    ways = [*ROLES, *SCOPES]
    granted: dict[str, frozenset[Permission]] = {**ROLES, **SCOPES}
    heads = ("Permission", *(f"`{way}`" for way in ways))
    rows = [(f"`{p.value}`", *("✓" if p in granted[way] else "" for way in ways)) for p in Permission]
    return table(heads, rows)


CATEGORIES: dict[Category, str] = {
    "text": "Text",
    "numbers": "Numbers and dates",
    "choices": "Choices",
    "media": "Media",
    "lists": "Lists and tables",
    "other": "Other",
}


def field_types_overview() -> str:
    columns = [
        [f"[`{kind.name}`](#{kind.name.lower()})" for kind in FIELD_TYPES.values() if kind.category == category]
        for category in CATEGORIES
    ]
    return table(tuple(CATEGORIES.values()), list(zip_longest(*columns, fillvalue="")))


def field_types_table() -> str:
    types = [
        (
            f"`{kind.name}`",
            kind.summary,
            kind.value_summary,
            "yes" if kind.tracks_edits else "",
            ", ".join(f"`{setting.name}`" for setting in kind.settings),
        )
        for kind in FIELD_TYPES.values()
    ]
    settings = [
        (
            f"`{setting.name}`",
            ", ".join(f"`{kind.name}`" for kind in kinds),
            _spell(setting),
            "" if setting.default is None else f"`{setting.default}`".lower(),
            setting.summary,
        )
        for setting, kinds in _settings_of_types()
    ]
    return "\n\n".join(
        (
            table(("Type", "Description", "Value", "`wasEdited`", "Settings"), types),
            "These are the settings:",
            table(("Setting", "Types", "Accepts", "Default", "Description"), settings),
        )
    )


def _settings_of_types() -> list[tuple[Setting, list[FieldType]]]:
    """Each setting once, with all types that have it."""
    settings: dict[str, tuple[Setting, list[FieldType]]] = {}
    for kind in FIELD_TYPES.values():
        for setting in kind.settings:
            settings.setdefault(repr(setting), (setting, []))[1].append(kind)
    return list(settings.values())


ACCEPTED = {
    "boolean": "`true` or `false`",
    "date": "date",
    "datetime": "date and time",
    "fields": "{minItems} to {maxItems} fields",
    "integer": "whole number, {minimum} to {maximum}",
    "number": "number",
    "options": "{minItems} to {maxItems} `{{id, label}}`",
    "pattern": "regular expression, up to {maxLength} characters",
    "text": "text, up to {maxLength} characters",
}


def _spell(setting: Setting) -> str:
    entry = setting.to_json()
    return ACCEPTED[setting.type].format_map(entry) + (", translatable" if "translatable" in entry else "")


GENERATED = [
    ("settings.md", "settings", settings_table),
    ("review-types.md", "field types", field_types_table),
    ("field-types.md", "field types", field_types_overview),
    ("people.md", "permissions", permissions_table),
]


@pytest.mark.parametrize(("page", "name", "generate"), GENERATED, ids=[f"{page} {name}" for page, name, _ in GENERATED])
def test_generated_table_is_current(page: str, name: str, generate: Any) -> None:
    path = DOCS / page
    before, begin, rest = path.read_text().partition(f"<!-- generated: {name} -->\n")
    assert begin, f"{page} has no place for the {name}"
    present, end, after = rest.partition("<!-- end -->\n")
    assert end, f"{page} does not say where the {name} end"
    wanted = f"\n{generate()}\n\n"
    if os.environ.get("UPDATE_DOCS"):
        path.write_text(f"{before}{begin}{wanted}{end}{after}")
        return
    assert present == wanted, "the table is out of date: UPDATE_DOCS=1 pytest tests/docs"


def trees() -> Iterator[ast.Module]:
    """The source, without the examples in the OpenAPI document."""
    for path in SOURCE.rglob("*.py"):
        if "openapi" not in path.relative_to(SOURCE).parts:
            yield ast.parse(path.read_text())


def texts(node: ast.AST) -> Iterator[str]:
    for child in ast.walk(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.value


def codes_of_classes() -> set[str]:
    """The values of `code` in all classes: `code = "…"`, `status, code, title = 409, "…", "…"`, or a choice of them."""
    codes: set[str] = set()
    for tree in trees():
        for child in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            for statement in child.body:
                match statement:
                    case ast.Assign(targets=[ast.Name(id="code")], value=value):
                        codes |= set(texts(value))
                    case ast.AnnAssign(target=ast.Name(id="code"), value=ast.expr() as value):
                        codes |= set(texts(value))
                    case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                        for name, value in zip(names, values, strict=True):
                            if isinstance(name, ast.Name) and name.id == "code":
                                codes |= set(texts(value))
    return codes


def codes_of_errors() -> set[str]:
    """The second argument of `ErrorDetail`, and the first of `PydanticCustomError`."""
    codes: set[str] = set()
    for tree in trees():
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            position = {"ErrorDetail": 1, "PydanticCustomError": 0, "_invalid_query": 1}.get(name)
            if position is not None and len(call.args) > position:
                match call.args[position]:
                    case ast.Constant(value=str() as code):
                        codes.add(code)
                    case _:
                        pass
    return codes


def listed_codes() -> set[str]:
    return set(re.findall(r"^\| `([a-z0-9_]+)` \|", (DOCS / "errors.md").read_text(), re.MULTILINE))


def test_every_error_code_is_documented() -> None:
    codes = codes_of_classes()
    assert {"internal_error", "invalid_api_key", "already_responded", "method_not_allowed", "timeout"} <= codes
    assert codes <= listed_codes(), f"not in docs/errors.md: {sorted(codes - listed_codes())}"


def test_status_of_every_error() -> None:
    for path in SOURCE.rglob("errors.py"):
        import_module(".".join(("signoff", *path.relative_to(SOURCE).with_suffix("").parts)))
    page = (DOCS / "errors.md").read_text()
    for problem in {ApiError, *subclasses(ApiError)}:
        assert f"| `{problem.code}` | {problem.status} |" in page, problem


def subclasses(kind: type[ApiError]) -> Iterator[type[ApiError]]:
    for heir in kind.__subclasses__():
        yield heir
        yield from subclasses(heir)


def test_every_field_error_code_is_documented() -> None:
    codes = codes_of_errors()
    assert {"unknown_type", "rule_cycle", "wrong_password", "invalid_email"} <= codes
    assert codes <= listed_codes(), f"not in docs/errors.md: {sorted(codes - listed_codes())}"


def test_no_unknown_code_is_documented() -> None:
    source = "\n".join(path.read_text() for path in SOURCE.rglob("*.py"))
    assert {code for code in listed_codes() if f'"{code}"' not in source} == set()


def test_every_action_of_the_audit_log_is_documented() -> None:
    kinds = "account|user|group|key|agent|form|review|delivery|absence"
    results = {
        text
        for tree in trees()
        for literal in texts(tree)
        for text in re.findall(rf"(?:^|')((?:{kinds})\.[a-z_]+)(?:$|')", literal)
    }
    events = {"review.completed", "review.retry_requested"}
    written = set(re.findall(rf"`((?:{kinds})\.[a-z_]+)`", (DOCS / "people.md").read_text()))
    assert {"review.requested", "user.signed_in", "delivery.cancelled"} <= results
    assert results - events <= written, f"not in docs/people.md: {sorted(results - events - written)}"


def test_every_event_is_documented() -> None:
    events = {"review.completed", "trigger.submitted", "review.retry_requested"}
    page = (DOCS / "webhooks.md").read_text()
    assert all(f"### `{event}`" in page for event in events)


def test_every_command_is_documented() -> None:
    from signoff.cli import app

    commands = [
        registered_command.name or registered_command.callback.__name__
        for registered_command in app.registered_commands
        if registered_command.callback
    ]
    page = (DOCS / "operating.md").read_text()
    assert "serve" in commands
    assert [name for name in commands if f"`signoff {name}" not in page] == []


def test_every_metric_is_documented() -> None:
    names = re.findall(r'"(signoff_[a-z_]+)"', (SOURCE / "platform" / "metrics.py").read_text())
    assert "signoff_http_request_seconds" in names
    page = (DOCS / "operating.md").read_text()
    assert [name for name in names if f"| `{name}` |" not in page] == []
