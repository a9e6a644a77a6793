import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.forms.definition import InvalidDefinition, compile_definition
from signoff.forms.rules import MAX_CONDITIONS, MAX_RULES, MAX_WHEN_DEPTH

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors/rules.json").read_text())

IS_TRUE = {"field": "a.value", "operation": "isTrue"}


def codes(raw: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(InvalidDefinition) as caught:
        compile_definition(raw)
    assert all(error.message for error in caught.value.errors)
    return [(error.path, error.code) for error in caught.value.errors]


def form(*ids: str, rules: Any = None, layout: Any = None) -> dict[str, Any]:
    return {"fields": [{"id": object_id, "type": "text"} for object_id in ids], "rules": rules, "layout": layout}


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: f"{case['definition']}: {case['responseValues']}")
def test_vector(case: dict[str, Any]) -> None:
    definition = compile_definition(VECTORS["definitions"][case["definition"]])
    assert sorted(definition.rules.hidden(case["responseValues"])) == case["hidden"]


@pytest.mark.parametrize("name", VECTORS["cycles"])
def test_cycle_vector(name: str) -> None:
    assert {code for _, code in codes(VECTORS["cycles"][name])} == {"rule_cycle"}


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("x", [("rules[0]", "wrong_type")]),
        (
            {},
            [
                ("rules[0].target", "unknown_target"),
                ("rules[0].effect", "unknown_effect"),
                ("rules[0].when", "wrong_type"),
            ],
        ),
        ({"target": "z", "effect": "show", "when": IS_TRUE}, [("rules[0].target", "unknown_target")]),
        ({"target": "b", "effect": "blink", "when": IS_TRUE}, [("rules[0].effect", "unknown_effect")]),
        ({"target": "b", "effect": "show", "when": IS_TRUE, "x": 1}, [("rules[0].x", "unknown_member")]),
        ({"target": "b", "effect": "show", "when": {"all": []}}, [("rules[0].when.all", "wrong_type")]),
        ({"target": "b", "effect": "show", "when": {"any": {}}}, [("rules[0].when.any", "wrong_type")]),
        ({"target": "b", "effect": "show", "when": {"not": None}}, [("rules[0].when.not", "wrong_type")]),
        (
            {"target": "b", "effect": "show", "when": {"all": [IS_TRUE, {"field": "q.value", "operation": "isTrue"}]}},
            [("rules[0].when.all[1].field", "unknown_field")],
        ),
        (
            {"target": "b", "effect": "show", "when": {"field": "a.value", "operation": "is", "value": 1}},
            [("rules[0].when.operation", "unknown_operation")],
        ),
        (
            {"target": "b", "effect": "show", "when": {"all": [IS_TRUE], "any": [IS_TRUE]}},
            [
                ("rules[0].when.all", "unknown_member"),
                ("rules[0].when.any", "unknown_member"),
                ("rules[0].when.field", "bad_path"),
                ("rules[0].when.operation", "unknown_operation"),
            ],
        ),
    ],
)
def test_errors(rule: Any, expected: list[tuple[str, str]]) -> None:
    assert codes(form("a", "b", rules=[rule])) == expected


def test_labels_can_not_be_read() -> None:
    raw = {
        "fields": [{"id": "a", "type": "label", "text": "x"}, {"id": "b", "type": "text"}],
        "rules": [{"target": "b", "effect": "show", "when": IS_TRUE}],
    }
    assert codes(raw) == [("rules[0].when.field", "field_without_value")]


@pytest.mark.parametrize("rules", ["x", 1, True, {"target": "b"}])
def test_rules_must_be_an_array(rules: Any) -> None:
    assert codes(form("a", "b", rules=rules)) == [("rules", "wrong_type")]


def nested(depth: int) -> Any:
    when: Any = IS_TRUE
    for level in range(depth - 1):
        when = {"not": when} if level % 2 else {"all": [when]}
    return when


class TestLimits:
    @pytest.mark.parametrize("excess", [0, 1])
    def test_of_depth(self, excess: int) -> None:
        raw = form("a", "b", rules=[rule_on("b", nested(MAX_WHEN_DEPTH + excess))])
        if not excess:
            assert len(compile_definition(raw).rules.rules) == 1
            return
        [(path, code)] = codes(raw)
        assert code == "too_deep"
        assert path.count(".not") + path.count(".all[0]") == MAX_WHEN_DEPTH

    @pytest.mark.parametrize("when", [{"all": [IS_TRUE] * MAX_CONDITIONS}, {"any": [{"all": [IS_TRUE] * 25}] * 4}])
    def test_of_conditions(self, when: Any) -> None:
        assert len(compile_definition(form("a", "b", rules=[rule_on("b", when)])).rules.rules) == 1

    @pytest.mark.parametrize(
        ("when", "path"),
        [
            ({"all": [IS_TRUE] * (MAX_CONDITIONS + 1)}, "rules[0].when.all"),
            ({"all": [{"any": [IS_TRUE] * 25}] * 4 + [IS_TRUE] * 5}, "rules[0].when.all[4]"),
        ],
    )
    def test_more_conditions_than_allowed(self, when: Any, path: str) -> None:
        """Reported once, at the first condition beyond the limit."""
        assert codes(form("a", "b", rules=[rule_on("b", when)])) == [(path, "too_many_conditions")]

    def test_of_rules(self) -> None:
        most = [rule_on("b", IS_TRUE)] * MAX_RULES
        assert len(compile_definition(form("a", "b", rules=most)).rules.rules) == MAX_RULES
        assert codes(form("a", "b", rules=[*most, most[0]])) == [("rules", "too_many_rules")]


def test_rules_round_trip() -> None:
    when = {"any": [IS_TRUE, {"not": {"all": [IS_TRUE, {"field": "c.value", "operation": "equal", "value": 1}]}}]}
    rules = [rule_on("b", when), rule_on("b", IS_TRUE, "hide")]
    assert compile_definition(form("a", "b", "c", rules=rules)).rules.to_json() == rules


def test_cycle_is_reported_at_its_first_rule() -> None:
    reads_b = {"field": "b.value", "operation": "isTrue"}
    rules = [rule_on("c", IS_TRUE), rule_on("b", IS_TRUE), rule_on("a", reads_b)]
    with pytest.raises(InvalidDefinition) as caught:
        compile_definition(form("a", "b", "c", rules=rules))
    [error] = caught.value.errors
    assert (error.path, error.code) == ("rules[1]", "rule_cycle")
    assert any(text in error.message for text in ("a → b → a", "b → a → b"))


def rule_on(target: str, when: Any, effect: str = "show") -> dict[str, Any]:
    return {"target": target, "effect": effect, "when": when}


IDS = ["a", "b", "c", "d", "e"]
"""`d` and `e` stand in the group `g`, and `e` in the group `h` inside it."""
LAYOUT = [
    {
        "kind": "group",
        "id": "g",
        "children": [
            {"kind": "field", "field": "d"},
            {"kind": "group", "id": "h", "children": [{"kind": "field", "field": "e"}]},
        ],
    }
]
INSIDE = {"g": {"d", "h", "e"}, "h": {"e"}}

simple = st.builds(
    lambda name, negated: {"field": f"{name}.value", "operation": "isFalse" if negated else "isTrue"},
    st.sampled_from(IDS),
    st.booleans(),
)
trees = st.recursive(
    simple,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"all": parts}),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"any": parts}),
        inner.map(lambda part: {"not": part}),
    ),
    max_leaves=5,
)
rule_lists = st.lists(
    st.builds(rule_on, st.sampled_from([*IDS, "g", "h"]), trees, st.sampled_from(["show", "hide"])), max_size=5
)
value_maps = st.dictionaries(st.sampled_from(IDS), st.booleans().map(lambda value: {"value": value}))


def reads(when: Any) -> set[str]:
    if "field" in when:
        return {when["field"].removesuffix(".value")}
    parts = [when["not"]] if "not" in when else when.get("all") or when["any"]
    return set().union(*map(reads, parts))


def has_cycle(rules: list[Any]) -> bool:
    """By brute force: a path along the dependencies is longer than the number of nodes."""
    depends: dict[str, set[str]] = {"d": {"g"}, "e": {"h"}, "h": {"g"}}
    for rule in rules:
        depends[rule["target"]] = depends.get(rule["target"], set()) | reads(rule["when"])
    frontier = set(depends)
    for _ in range(10):
        frontier = {other for node in frontier for other in depends.get(node, ())}
    return bool(frontier)


def hidden_by_brute_force(rules: list[Any], values: dict[str, Any]) -> list[set[str]]:
    """All self-consistent solutions: exactly one if there is no cycle."""
    nodes = [*IDS, "g", "h"]
    around = {"d": "g", "e": "h", "h": "g"}
    responses: list[set[str]] = []
    for flags in product([False, True], repeat=len(nodes)):
        hidden = {node for node, flag in zip(nodes, flags, strict=True) if flag}
        seen = {name: entry for name, entry in values.items() if name not in hidden}

        def true(when: Any, seen: dict[str, Any] = seen) -> bool:
            if "field" in when:
                value = seen.get(when["field"].removesuffix(".value"), {}).get("value")
                return value is (when["operation"] == "isTrue")
            if "not" in when:
                return not true(when["not"])
            return all(map(true, when["all"])) if "all" in when else any(map(true, when["any"]))

        def is_hidden(node: str, hidden: set[str] = hidden) -> bool:
            shows = [rule["when"] for rule in rules if rule["target"] == node and rule["effect"] == "show"]
            hides = [rule["when"] for rule in rules if rule["target"] == node and rule["effect"] == "hide"]
            outside = around.get(node) in hidden
            return outside or (bool(shows) and not any(map(true, shows))) or any(map(true, hides))

        if all(is_hidden(node) is (node in hidden) for node in nodes):
            responses.append(hidden)
    return responses


@given(rule_lists)
def test_cycles_match_brute_force(rules: list[Any]) -> None:
    raw = form(*IDS, rules=rules, layout=LAYOUT)
    if has_cycle(rules):
        assert {code for _, code in codes(raw)} == {"rule_cycle"}
    else:
        compile_definition(raw)


@given(rule_lists, value_maps, st.randoms())
def test_visibility(rules: list[Any], values: dict[str, Any], random: Any) -> None:
    if has_cycle(rules):
        return
    hidden = compile_definition(form(*IDS, rules=rules, layout=LAYOUT)).rules.hidden(values)
    assert [hidden] == hidden_by_brute_force(rules, values)
    for group, inside in INSIDE.items():
        assert group not in hidden or inside <= hidden
    shuffled = random.sample(rules, len(rules))
    assert compile_definition(form(*IDS, rules=shuffled, layout=LAYOUT)).rules.hidden(values) == hidden
    remaining = {name: entry for name, entry in values.items() if name not in hidden}
    assert compile_definition(form(*IDS, rules=rules, layout=LAYOUT)).rules.hidden(remaining) == hidden
