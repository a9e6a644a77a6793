"""Strategies for the property tests of forms: valid review types, their request data, and any JSON."""

import json
from typing import Any

from hypothesis import strategies as st

scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(max_size=8)
any_json = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def fits_in_a_request(data: Any) -> bool:
    """Infinity isn't JSON; NUL and lone surrogates are rejected before anything else is checked."""
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
        return bool(text.encode()) and "\\u0000" not in text
    except ValueError:
        return False


OPTIONS = [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}, {"id": "z", "label": "Z"}]
LINKS = ["https://a.example/1.png", "http://b.example", "/media/f/1"]

texts = st.sampled_from(["", " ", "a", "b c", "line\nbreak", "\U0001f600", "é", "x" * 30])
dates = st.sampled_from(["2026-01-31", "1999-12-01", ""])
moments = st.sampled_from(["2026-01-31T10:00:00Z", "2026-01-31T10:00+02:00", "2026-01-31T10:00", ""])
numbers = st.integers(-20, 20) | st.floats(-20, 20)

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "text": texts,
    "longText": texts,
    "markdown": texts,
    "richText": texts,
    "code": texts,
    "email": texts | st.just("a@example.com"),
    "link": st.sampled_from(["", *LINKS[:2]]),
    "date": dates,
    "datetime": moments,
    "number": numbers,
    "rating": st.integers(0, 11) | st.just(4.5),
    "boolean": st.booleans(),
    "json": any_json.filter(lambda value: value is not None),
    "image": st.sampled_from(LINKS),
    "video": st.sampled_from(LINKS),
    "audio": st.sampled_from(LINKS),
    "file": st.sampled_from(LINKS),
}
"""A value of the right shape for each type that has one simple shape; not necessarily within the limits."""

one_choice = st.sampled_from(["", "x", "y", "z"])
several_choices = one_choice | st.lists(st.sampled_from(["x", "y", "z", *OPTIONS]), max_size=3)


@st.composite
def simple_fields(draw: st.DrawFn, identifier: str, *, child: bool) -> dict[str, Any]:
    kind = draw(st.sampled_from([*VALUES, "buttons", "checkboxes", "dropdown"]))
    field: dict[str, Any] = {"id": identifier, "type": kind}
    if draw(st.booleans()):
        field["required"] = draw(st.booleans())
    if draw(st.booleans()):
        field["editable"] = draw(st.booleans())
    if kind in ("text", "longText", "code"):
        field |= draw(st.sampled_from([{}, {"minLength": 2}, {"maxLength": 5}, {"minLength": 0, "maxLength": 3}]))
    if kind == "text":
        field |= draw(st.sampled_from([{}, {"pattern": "[a-z ]+"}]))
    if kind == "number":
        field |= draw(st.sampled_from([{}, {"min": -1.5}, {"max": 3}, {"min": 0, "max": 10, "integer": True}]))
    if kind in ("buttons", "checkboxes", "dropdown"):
        field |= draw(st.sampled_from([{"options": OPTIONS}] if child else [{}, {"options": OPTIONS}]))
        if kind != "checkboxes":
            field["multiple"] = draw(st.booleans())
    return field


@st.composite
def fields(draw: st.DrawFn, identifier: str) -> dict[str, Any]:
    kind = draw(st.sampled_from(["simple", "simple", "simple", "list", "table", "label"]))
    if kind == "label":
        field = {"id": identifier, "type": "label", **draw(st.sampled_from([{}, {"text": "Read me"}]))}
    elif kind in ("list", "table"):
        names = draw(st.sampled_from([["p"], ["p", "q"]]))
        children = [draw(simple_fields(name, child=True)) for name in names]
        flags = draw(st.fixed_dictionaries({}, optional=dict.fromkeys(FLAGS, st.booleans())))
        field = {"id": identifier, "type": kind, "item" if kind == "list" else "columns": children, **flags}
    else:
        field = draw(simple_fields(identifier, child=False))
    prefix = draw(st.sampled_from(["", "", "deep.", "deep.er."]))
    if prefix:
        field["path"] = prefix + identifier
    if kind != "label" and draw(st.integers(0, 3)) == 0:
        value = draw(values(field))
        if value is not None and not (isinstance(value, dict) and field["type"] != "json"):
            field["default"] = value
    if field.get("default") is not None and field["type"] in SELECTABLE and "options" not in field:
        del field["default"]
    return field


FLAGS = ("allowAdd", "allowRemove", "allowReorder")
SELECTABLE = ("buttons", "checkboxes", "dropdown")


def is_multiple(field: dict[str, Any]) -> bool:
    return field["type"] == "checkboxes" or field.get("multiple", False)


def item_values(children: list[dict[str, Any]], *, plain: bool) -> st.SearchStrategy[Any]:
    fixed = {child["id"]: st.none() | values(child, offers=False) for child in children}
    keyed = st.fixed_dictionaries({}, optional={**fixed, "own": st.integers(0, 2)})
    if plain and len(children) == 1 and children[0]["type"] != "json":
        return st.lists(keyed, max_size=3) | st.lists(values(children[0], offers=False), max_size=3)
    return st.lists(keyed, max_size=3)


def values(field: dict[str, Any], *, offers: bool = True) -> st.SearchStrategy[Any]:
    """Values that a request may send for a field."""
    kind = field["type"]
    if kind == "label":
        return texts
    if kind in ("list", "table"):
        return item_values(field.get("item") or field["columns"], plain=kind == "list")
    if kind in SELECTABLE:
        chosen = several_choices if is_multiple(field) else one_choice
        offer = st.builds(
            lambda default: {"options": OPTIONS, **({} if default is None else {"default": default})},
            st.none() | chosen,
        )
        if "options" not in field:
            return offer
        return (chosen | offer) if offers else chosen
    return VALUES[kind]


def put(data: dict[str, Any], path: str, value: Any) -> None:
    *branch, last = path.split(".")
    for name in branch:
        data = data.setdefault(name, {})
    data[last] = value


@st.composite
def forms_with_data(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """A review type and data that fits it."""
    names = draw(st.sampled_from([["a"], ["a", "b"], ["a", "b", "c", "d"]]))
    declared = [draw(fields(name)) for name in names]
    unmapped = draw(st.sampled_from(["show", "hide", "reject"]))
    others = [{}] if unmapped == "reject" else [{}, {"unmapped": {"k": [1, None]}}, {"deep": {"own": 1}}]
    data: dict[str, Any] = draw(st.sampled_from(others))
    data = {name: dict(value) for name, value in data.items()}
    for field in declared:
        state = draw(st.sampled_from(["value", "value", "value", "null", "absent"]))
        if state != "absent":
            value = draw(values(field)) if state == "value" else None
            if unmapped == "reject" and field["type"] in ("list", "table"):
                for item in value or ():
                    if isinstance(item, dict):
                        item.pop("own", None)
            put(data, field.get("path", field["id"]), value)
    rules = draw(rule_lists(names)) if declared[0]["type"] != "label" else []
    return {"fields": declared, "rules": rules, "unmapped": unmapped}, data


def rule_lists(names: list[str]) -> st.SearchStrategy[list[Any]]:
    """Rules that show fields depending on the first one."""
    if len(names) < 2:
        return st.just([])
    conditions = st.sampled_from(
        [
            {"field": f"{names[0]}.value", "operation": "!=", "value": "a"},
            {"field": f"{names[0]}.value", "operation": ">", "value": 3},
            {"field": f"{names[0]}.wasEdited", "operation": "isTrue"},
            {"field": f"{names[0]}.value", "operation": "arrayIsEmpty"},
        ]
    )
    rule = st.builds(
        lambda target, effect, when: {"target": target, "effect": effect, "when": when},
        st.sampled_from(names[1:]),
        st.sampled_from(["show", "hide"]),
        conditions,
    )
    return st.lists(rule, max_size=2)


@st.composite
def spoiled(draw: st.DrawFn, good: Any, depth: int = 0) -> Any:
    """A copy of `good` with one random value replaced, removed or added."""
    if depth > 4 or draw(st.integers(0, 3)) == 0:
        return draw(any_json | st.just(good))
    if isinstance(good, dict) and good:
        name = draw(st.sampled_from(sorted(good)))
        changed = dict(good)
        if draw(st.integers(0, 5)) == 0:
            del changed[name]
        else:
            changed[name] = draw(spoiled(good[name], depth + 1))
        if draw(st.integers(0, 5)) == 0:
            changed[draw(st.text(max_size=4))] = draw(any_json)
        return changed
    if isinstance(good, list) and good:
        index = draw(st.integers(0, len(good) - 1))
        return [*good[:index], draw(spoiled(good[index], depth + 1)), *good[index + 1 :]]
    return draw(any_json)
