"""The tests that the security page refers to exist and run."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text()
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::([\w:]+))?`", PAGE)))


def names(path: Path) -> set[str]:
    """The tests of a file, and its classes that have some."""
    result: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.startswith("test_"):
                result.add(name)
            case ast.ClassDef(name=name) if name.startswith("Test"):
                tests = (getattr(child, "name", "") for child in node.body)
                inner = {f"{name}::{test}" for test in tests if test.startswith("test_")}
                result |= inner | ({name} if inner else set())
            case _:
                pass
    return result


def test_page_names_tests() -> None:
    assert len(NAMED) > 80
    assert ("tests/reviews/test_submit_response.py", "TestWhoMayDecide") in NAMED


@pytest.mark.parametrize(("file", "name"), NAMED, ids=["::".join(each) for each in NAMED])
def test_named_test_exists(file: str, name: str) -> None:
    assert name, f"{file}: say which of its tests"
    assert (ROOT / file).is_file()
    assert name in names(ROOT / file)


def test_every_threat_has_a_test() -> None:
    """Every table row except headings; a row without a test would be an unverified promise."""
    rows = [
        line
        for line in PAGE.splitlines()
        if line.startswith("| ") and not line.startswith(("| Threat", "| Data", "|---"))
    ]
    assert len(rows) > 50
    assert [row for row in rows if "`tests/" not in row] == []
