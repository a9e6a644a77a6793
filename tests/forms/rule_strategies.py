"""Conditions on the fields of a review type, and possible response values."""

from typing import Any

from form_strategies import VALUES, any_json
from hypothesis import strategies as st

OPTIONS = [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}]
FIELDS: list[dict[str, Any]] = [
    {"id": "text", "type": "text"},
    {"id": "number", "type": "number", "min": 0, "max": 10},
    {"id": "flag", "type": "boolean"},
    {"id": "day", "type": "date"},
    {"id": "link", "type": "link"},
    {"id": "one", "type": "dropdown", "options": OPTIONS},
    {"id": "several", "type": "checkboxes", "options": OPTIONS},
    {"id": "names", "type": "list", "item": [{"id": "name", "type": "text"}]},
    {"id": "rows", "type": "table", "columns": [{"id": "a", "type": "number"}, {"id": "b", "type": "text"}]},
    {"id": "any", "type": "json"},
    {"id": "photo", "type": "image"},
]
IDS = [field["id"] for field in FIELDS]
PATHS = [
    *(f"{name}.value" for name in IDS),
    *("text.wasEdited", "one.wasEdited", "several.value[].id", "several.value[].label", "several.value[].z"),
    *("names.value[].name", "rows.value[].a", "rows.value[].own", "any.value[].p", "text.value[].p"),
]
WITH_VALUE = ["equal", "notEqual", "greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual"]
WITH_VALUE += ["arrayIncludes", "arrayExcludes"]
WITH_TEXT = ["contains", "startsWith", "endsWith"]
WITHOUT = ["isTrue", "isFalse", "arrayIsEmpty", "arrayIsNotEmpty"]
TEXTS = ["", "a", "ab", "b", "ba", "x", "y", "2026-01-31", "https://a.example/1.png"]
NUMBERS: list[Any] = [0, 1, 2, 1.5, -1, 3]


def conditions(paths: list[str] = PATHS) -> st.SearchStrategy[dict[str, Any]]:
    texts = st.sampled_from(TEXTS)
    scalars = texts | st.sampled_from(NUMBERS)
    path = st.sampled_from(paths)
    return st.one_of(
        st.builds(_condition, path, st.sampled_from(WITH_VALUE), scalars),
        st.builds(_condition, path, st.sampled_from(WITH_TEXT), texts),
        st.builds(_condition, path, st.sampled_from(WITHOUT), st.none()),
    )


def _condition(path: str, operation: str, value: Any) -> dict[str, Any]:
    return {"field": path, "operation": operation, **({} if value is None else {"value": value})}


def whens(paths: list[str] = PATHS) -> st.SearchStrategy[dict[str, Any]]:
    return st.recursive(
        conditions(paths),
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=4).map(lambda parts: {"all": parts}),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"any": parts}),
            inner.map(lambda part: {"not": part}),
        ),
        max_leaves=6,
    )


@st.composite
def focused_whens(draw: st.DrawFn) -> dict[str, Any]:
    """Conditions on one or two paths, which contradict each other far more often."""
    return draw(whens(draw(st.lists(st.sampled_from(PATHS), min_size=1, max_size=2))))


texts = st.sampled_from(TEXTS) | st.text(alphabet="ab", max_size=4)
numbers = st.sampled_from(NUMBERS) | st.floats(-4, 4) | st.integers(-4, 4)
option = st.sampled_from(["x", "y", "a", "ab", "b", "ba", "other"])
chosen = st.lists(st.builds(lambda i, label: {"id": i, "label": label}, option, texts), max_size=3)
items = st.fixed_dictionaries({}, optional={"name": texts | st.none(), "own": any_json})
rows = st.fixed_dictionaries({}, optional={"a": numbers | st.none(), "b": texts, "own": any_json | numbers | texts})
objects = st.dictionaries(st.sampled_from(["p", "q"]), any_json | numbers | texts, max_size=2)

values: dict[str, st.SearchStrategy[Any]] = {
    "text": texts,
    "number": numbers,
    "flag": st.booleans(),
    "day": VALUES["date"],
    "link": st.sampled_from(["", "https://a.example/1.png", "http://b.example"]),
    "one": option,
    "several": chosen,
    "names": st.lists(items, max_size=3) | st.lists(texts, max_size=3),
    "rows": st.lists(rows, max_size=3),
    "any": any_json.filter(lambda value: value is not None) | numbers | texts | st.lists(objects | texts, max_size=3),
    "photo": st.sampled_from(["https://a.example/1.png", "/media/a/b"]),
}
UNTRACKED = {"flag", "one", "several", "photo"}


@st.composite
def response_values(draw: st.DrawFn) -> dict[str, Any]:
    """An entry for any of the fields, as submissions produce them."""
    entries: dict[str, Any] = {}
    for name, drawn in values.items():
        if draw(st.booleans()):
            entries[name] = {"value": draw(drawn)}
            if name not in UNTRACKED:
                entries[name]["wasEdited"] = draw(st.booleans())
    return entries
