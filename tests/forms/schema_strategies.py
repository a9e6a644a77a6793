"""Values that a JSON Schema accepts, drawn from the schema alone: nothing here knows review types."""

import re
from typing import Any

from form_strategies import any_json
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

Schema = dict[str, Any]

TYPES: dict[str, st.SearchStrategy[Any]] = {
    "null": st.none(),
    "boolean": st.booleans(),
    "number": st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False),
    "integer": st.integers(-5, 20_000) | st.integers(0, 20_000).map(float),
}


def accepted_by(schema: Schema) -> st.SearchStrategy[Any]:
    """Values that the schema accepts; drawn values that it rejects are dropped."""
    return _drawn(schema).filter(Draft202012Validator(schema).is_valid)


def _drawn(schema: Schema) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    if "type" not in schema:
        if "allOf" in schema:
            return _drawn(schema["allOf"][-1])
        return st.one_of(*map(_drawn, schema["anyOf"])) if "anyOf" in schema else any_json
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of(*(_of_type(kind, schema) for kind in kinds))


def _of_type(kind: str, schema: Schema) -> st.SearchStrategy[Any]:
    if kind == "string":
        return _strings(schema)
    if kind == "array":
        most = min(schema.get("maxItems", 3), 3)
        return st.lists(_drawn(schema.get("items", {})), max_size=most)
    if kind == "object":
        return _objects(schema)
    return TYPES[kind]


def _strings(schema: Schema) -> st.SearchStrategy[str]:
    drawn = st.text(min_size=schema.get("minLength", 0), max_size=min(schema.get("maxLength", 6), 6))
    if "pattern" in schema:
        drawn = st.from_regex(re.compile(schema["pattern"], re.ASCII))
    # Patterns are most often wrong about a trailing line feed; most such values are rejected, so there are few of them.
    return st.one_of(drawn, drawn, drawn, drawn.map(lambda text: text + "\n"))


def _objects(schema: Schema) -> st.SearchStrategy[Any]:
    members = {name: _drawn(inner) for name, inner in schema.get("properties", {}).items()}
    required = {name: members.pop(name) for name in schema.get("required", ())}
    declared = st.fixed_dictionaries(required, optional=members)
    if schema.get("additionalProperties") is False:
        return declared
    others = st.dictionaries(st.text(max_size=4), any_json, max_size=2)
    return st.builds(lambda more, own: {**more, **own}, others, declared)
