"""All extra members of errors are declared, so that a client's generated types include them."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import signoff
from signoff.openapi.problems import PROBLEM
from signoff.platform.errors import ApiError, ErrorDetail, InvalidRequest
from signoff.platform.messages import Message, msg

PACKAGE = Path(next(iter(signoff.__path__)))


def subclasses(kind: type[ApiError]) -> Iterator[type[ApiError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from subclasses(each)


@pytest.fixture(scope="module")
def problems() -> dict[str, type[ApiError]]:
    for module in pkgutil.walk_packages(signoff.__path__, "signoff."):
        if module.name.endswith((".errors", "http")):
            importlib.import_module(module.name)
    return {kind.__name__: kind for kind in subclasses(ApiError)}


def members_in_code(problems: dict[str, type[ApiError]]) -> Iterator[tuple[str, str]]:
    """Each member that the code adds to a problem, and where."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            called = node.func
            if isinstance(called, ast.Name) and called.id in problems:
                taken = set(inspect.signature(problems[called.id].__init__).parameters)
            elif isinstance(called, ast.Attribute) and called.attr == "__init__" and path.name == "errors.py":
                taken = {"retry_after", "errors"}
            else:
                continue
            for keyword in node.keywords:
                # Members are camelCase; a class elsewhere may share the name and take other arguments.
                if keyword.arg is not None and keyword.arg not in taken and "_" not in keyword.arg:
                    yield keyword.arg, f"{path.relative_to(PACKAGE)}:{node.lineno}"


def test_every_member_is_declared(problems: dict[str, type[ApiError]]) -> None:
    told = dict(members_in_code(problems))
    assert {"needed", "maxBytes", "respondingUser"} <= told.keys(), "the search finds what it is meant to find"
    undeclared = {name: place for name, place in told.items() if name not in PROBLEM["properties"]}
    assert not undeclared


def test_common_members_are_declared() -> None:
    problem = InvalidRequest(
        [ErrorDetail("a", "too_long", msg("{size} is too much", size=3))], msg("{path} is wrong", path="a")
    )
    assert problem.body("de").keys() == {"type", "title", "status", "detail", "code", "params", "errors", "localized"}
    assert problem.body("de").keys() | {"requestId"} <= PROBLEM["properties"].keys()
    assert problem.body("de")["localized"].keys() == PROBLEM["properties"]["localized"]["properties"].keys()
    assert problem.body("de")["errors"][0].keys() == PROBLEM["properties"]["errors"]["items"]["properties"].keys()


def test_every_title_can_be_translated(problems: dict[str, type[ApiError]]) -> None:
    assert len(problems) > 50
    assert not [name for name, kind in problems.items() if not isinstance(kind.title, Message)]
