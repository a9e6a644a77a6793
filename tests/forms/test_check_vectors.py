"""What both implementations of the form engine say about a submission: `tests/vectors/checks.json`.

The page has its own implementation, so that a reviewer immediately sees the server's errors. Both have to match this
file. A case's inputs are written by hand; `UPDATE_VECTORS=1` writes the server's results.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from signoff.forms.definition import Definition, compile_definition
from signoff.forms.fields import FIELD_TYPES
from signoff.forms.submission import apply_submission, response_values
from signoff.forms.suggestion import InvalidValues, Suggestion, read_suggestion
from signoff.platform.json_values import same_json

FILE = Path(__file__).parents[1] / "vectors/checks.json"
VECTORS: dict[str, Any] = json.loads(FILE.read_text())
INPUTS = ("definition", "data", "config", "submitted", "response")


def definition_of(case: dict[str, Any]) -> Definition:
    return compile_definition(VECTORS["definitions"][case["definition"]])


def outputs(case: dict[str, Any]) -> dict[str, Any]:
    definition = definition_of(case)
    suggestion = read_suggestion(definition, case["data"], case.get("config"))
    written: dict[str, Any] = {"suggestion": suggested(definition, suggestion)}
    try:
        outcome = apply_submission(definition, suggestion, case["data"], case["submitted"], case["response"])
    except InvalidValues as refused:
        return written | {"errors": [[error.path, error.code] for error in refused.errors]}
    return written | {
        "errors": [],
        "responseValues": outcome.response_values,
        "result": outcome.data,
        "changed": list(outcome.changed),
        "arguments": outcome.arguments,
    }


def suggested(definition: Definition, suggestion: Suggestion) -> dict[str, Any]:
    """As returned by `GET /reviews/{reviewId}/suggestion`."""
    configs = {name: config.shown() for name, config in suggestion.configs.items()}
    return {
        "values": suggestion.values,
        "configs": {name: config for name, config in configs.items() if config},
        "responseValues": response_values(definition, suggestion),
    }


def update() -> None:
    cases = [{name: case[name] for name in INPUTS if name in case} | outputs(case) for case in VECTORS["cases"]]
    written = {name: compile_definition(raw).to_json() for name, raw in VECTORS["definitions"].items()}
    definitions = ",\n".join(f"    {json.dumps(name)}: {json.dumps(raw)}" for name, raw in written.items())
    lines = ",\n".join(f"    {json.dumps(case)}" for case in cases)
    about = json.dumps(VECTORS["about"])
    FILE.write_text(
        f'{{\n  "about": {about},\n  "definitions": {{\n{definitions}\n  }},\n  "cases": [\n{lines}\n  ]\n}}\n'
    )
    VECTORS.update(definitions=written, cases=cases)


if os.environ.get("UPDATE_VECTORS"):
    update()


@pytest.mark.parametrize(
    "case", VECTORS["cases"], ids=lambda case: f"{case['definition']}: {json.dumps(case['submitted'])[:60]}"
)
def test_vector(case: dict[str, Any]) -> None:
    expected = {name: value for name, value in case.items() if name not in INPUTS}
    assert same_json(outputs(case), expected)


def test_definitions_are_in_normal_form() -> None:
    """The page reads them as the API writes them."""
    for raw in VECTORS["definitions"].values():
        assert compile_definition(raw).to_json() == raw


def test_every_type_is_in_some_vector() -> None:
    used = {field["type"] for raw in VECTORS["definitions"].values() for field in raw["fields"]}
    assert used == set(FIELD_TYPES)
