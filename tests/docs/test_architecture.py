"""Every promise of ARCHITECTURE.md is covered by tests that `make test` runs."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "ARCHITECTURE.md").read_text().partition("## Invariants")[2].partition("\n## ")[0]
PROMISES = re.findall(r"^(\d+)\. \*\*", SECTION, re.MULTILINE)
HELD_BY = {
    number: re.findall(r"`([^`]+)`", tests)
    for number, tests in re.findall(r"^\| (\d+) \| (.*) \|$", SECTION, re.MULTILINE)
}


def marks(node: ast.AST | list[ast.stmt]) -> str:
    """The marks of a test or a module."""
    if isinstance(node, list):
        assigned = [
            subnode
            for subnode in node
            if isinstance(subnode, ast.Assign) and ast.unparse(subnode.targets[0]) == "pytestmark"
        ]
        return " ".join(ast.unparse(subnode.value) for subnode in assigned)
    return " ".join(ast.unparse(each) for each in getattr(node, "decorator_list", []))


def found(name: str) -> str | None:
    """The marks of the test or class, own and inherited; none if there is no such test."""
    file, *names = name.split("::")
    path = ROOT / "tests" / file
    if not path.exists():
        return None
    body: list[ast.stmt] = ast.parse(path.read_text()).body
    seen = marks(body)
    for target in names:
        node = next((node for node in body if getattr(node, "name", None) == target), None)
        if node is None:
            return None
        seen += marks(node)
        body = getattr(node, "body", [])
        seen += marks(body)
    return seen


def test_every_invariant_has_tests() -> None:
    assert PROMISES
    assert list(HELD_BY) == PROMISES
    assert all(HELD_BY.values())


@pytest.mark.parametrize("name", [name for names in HELD_BY.values() for name in names])
def test_invariant_test_is_not_slow(name: str) -> None:
    marked = found(name)
    assert marked is not None, "there is no such test"
    assert "slow" not in marked
