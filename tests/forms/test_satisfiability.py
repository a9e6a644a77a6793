"""Whether a condition can hold. "Never" must be a proof: no values may satisfy such a condition."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_strategies import FIELDS, focused_whens, response_values, whens
from support.examples import examples

from signoff.forms.definition import compile_definition
from signoff.forms.editor.satisfiability import SatisfiabilityChecker, WorkBudget
from signoff.forms.rules import When, is_met

Condition = dict[str, Any]


def compiled(when: Condition) -> tuple[When, SatisfiabilityChecker]:
    rules = [{"target": "target", "effect": "show", "when": when}]
    definition = compile_definition({"fields": [*FIELDS, {"id": "target", "type": "label"}], "rules": rules})
    return definition.rules.rules[0].when, SatisfiabilityChecker(definition, WorkBudget())


def c(field: str, operation: str, value: Any = None) -> Condition:
    return {"field": field, "operation": operation, **({} if value is None else {"value": value})}


NEVER = [
    {"all": [c("number.value", ">=", 5), c("number.value", "<", 3)]},
    {"all": [c("number.value", ">", 1), c("number.value", "<", 2), c("number.value", ">", 2)]},
    {"all": [c("number.value", "==", 1), c("number.value", "==", 2)]},
    {"all": [c("number.value", "==", 1), c("number.value", "!=", 1)]},
    {"all": [c("number.value", ">=", 2), c("number.value", "<=", 2), c("number.value", "!=", 2)]},
    {"all": [c("number.value", ">", 1), {"any": [c("number.value", "<", 0), c("number.value", "==", 1)]}]},
    {"not": {"any": [c("number.value", "==", 1), c("number.value", "!=", 1)]}},
    {"all": [c("text.value", "==", "a"), c("text.value", "contains", "b")]},
    {"all": [c("text.value", "startsWith", "a"), c("text.value", "startsWith", "b")]},
    {"all": [c("text.value", "endsWith", "ab"), c("text.value", "endsWith", "bb")]},
    {"all": [c("text.value", "startsWith", "ab"), {"not": c("text.value", "contains", "b")}]},
    {"all": [c("text.value", "startsWith", "b"), c("text.value", "<", "a")]},
    {"all": [c("text.value", ">", "b"), c("text.value", "<", "a")]},
    {"all": [c("flag.value", "isTrue"), c("flag.value", "isFalse")]},
    {"all": [c("names.value", "arrayIsEmpty"), c("names.value", "arrayIsNotEmpty")]},
    {"all": [c("several.value[].id", "arrayIncludes", "x"), c("several.value[].id", "arrayExcludes", "x")]},
    {"all": [c("several.value[].id", "==", "x"), c("several.value", "arrayIncludes", "x")]},
    c("several.value", "arrayIncludes", "x"),  # its elements are objects: several.value[].id is meant
    c("several.value[].nothing", "==", "x"),
    c("rows.value", "arrayIncludes", 1),
    c("one.value", "==", ""),
    c("one.value", "arrayIncludes", "x"),
    c("one.wasEdited", "isTrue"),
    c("text.value", ">", 3),
    c("text.value", "isTrue"),
    c("number.value", "==", "3"),
    c("number.value", "contains", "3"),
    c("number.value[].x", "==", 3),
    c("flag.value", "==", "true"),
    c("day.value", "==", "tomorrow"),
    c("link.value", "==", "example.com"),
    c("photo.value", "==", ""),
]
POSSIBLE = [
    {"all": [c("number.value", ">", 1), c("number.value", "<", 2)]},
    {"all": [c("number.value", ">=", 2), c("number.value", "<=", 2)]},
    {"all": [c("number.value", "!=", 1), c("number.value", "!=", 2)]},
    {"any": [c("number.value", "==", "3"), c("number.value", "==", 3)]},
    {"all": [c("several.value[].id", "==", "x"), c("several.value[].id", "!=", "x")]},  # two different elements
    {"all": [c("text.value", "startsWith", "a"), c("text.value", "endsWith", "b"), c("text.value", "!=", "ab")]},
    {"all": [c("text.value", ">", "a"), c("text.value", "<", "b")]},
    {"not": c("text.value", ">", 3)},
    c("number.value", ">", 10),  # a limit applies only to approvals
    c("one.value", "==", "z"),  # a request may bring its own options
    c("names.value", "arrayIncludes", "a"),
    c("names.value[].own", "isTrue"),
    c("rows.value[].a", "<", 0),
    c("text.value", "arrayIsEmpty"),  # it may be missing
    c("text.wasEdited", "isTrue"),
    c("day.value", "==", ""),
    c("any.value", "arrayIncludes", 1),
]


@pytest.mark.parametrize("when", NEVER, ids=str)
def test_never_holds(when: Condition) -> None:
    condition, possibilities = compiled(when)
    assert possibilities.never(condition)
    assert not possibilities.always(condition)


@pytest.mark.parametrize("when", POSSIBLE, ids=str)
def test_may_hold(when: Condition) -> None:
    condition, possibilities = compiled(when)
    assert not possibilities.never(condition)


@pytest.mark.parametrize("when", [{"not": each} for each in NEVER], ids=str)
def test_always_holds(when: Condition) -> None:
    condition, possibilities = compiled(when)
    assert possibilities.always(condition)


@pytest.mark.timeout(900)  # interrupted while it draws, it fails with an error of Hypothesis
@settings(max_examples=examples(2_000, quick=40))  # drawing one takes longer than trying it
@given(when=whens() | focused_whens(), tries=st.lists(response_values(), min_size=3, max_size=6))
def test_impossible_conditions_never_hold(when: Condition, tries: list[dict[str, Any]]) -> None:
    condition, possibilities = compiled(when)
    never, always = possibilities.never(condition), possibilities.always(condition)
    assert not (never and always)
    for values in tries:
        held = is_met(condition, values)
        assert not (never and held)
        assert not (always and not held)


def test_hostile_conditions_are_fast() -> None:
    """The maximum number of conditions of a rule, all about one field, in the form that multiplies most."""
    alternatives = [{"any": [c("number.value", "!=", i), c("number.value", "<", i)]} for i in range(50)]
    condition, possibilities = compiled({"all": alternatives})
    assert not possibilities.never(condition)
    assert not possibilities.never(condition)
