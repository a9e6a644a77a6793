"""Rules show or hide fields and groups depending on what the reviewer has entered.

A field or group is visible if and only if no `hide` rule for it is true, at least one `show` rule for it is true (or
there are none), and the group around it is visible. A condition that reads a hidden field reads it as missing.

So visibility depends on the fields that the rules read and on the surrounding group. If these dependencies formed a
cycle, the result would depend on the starting point, so such a review type is refused. Without cycles, a single pass in
dependency order is enough, and the order of the rules doesn't matter.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from signoff.forms.fields.error_messages import OBJECT, must_be
from signoff.forms.layout import Layout
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject, too_deep
from signoff.platform.messages import msg, msgs
from signoff.platform.operators import Condition, holds, parse_condition

UNKNOWN_TARGET = msg("must be the ID of a field or group")

MAX_RULES: Final = 200
MAX_WHEN_DEPTH: Final = 8
MAX_CONDITIONS: Final = 100
"""In one rule."""

TOO_MANY_CONDITIONS: Final = msgs(
    "must have at most {count} condition in a rule",
    "must have at most {count} conditions in a rule",
    count=MAX_CONDITIONS,
)

Effect: TypeAlias = Literal["show", "hide"]


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: "tuple[When, ...]"


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: "tuple[When, ...]"


@dataclass(frozen=True, slots=True)
class Not:
    part: "When"


When: TypeAlias = Condition | AllOf | AnyOf | Not


@dataclass(frozen=True, slots=True)
class Rule:
    target: str
    effect: Effect
    when: When

    def to_json(self) -> JsonObject:
        return {"target": self.target, "effect": self.effect, "when": _condition_to_json(self.when)}


@dataclass(frozen=True, slots=True)
class _Step:
    """How to determine the visibility of a field or group, once all its dependencies are known."""

    target: str
    parent: str | None
    show: tuple[When, ...]
    hide: tuple[When, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    rules: tuple[Rule, ...] = ()
    steps: tuple[_Step, ...] = field(default=(), compare=False, repr=False)
    """In dependency order; only what a rule can hide, directly or through a group."""

    def hidden(self, response_values: Mapping[str, Json]) -> frozenset[str]:
        """Return the IDs of all fields and groups that the rules hide for these values."""
        if not self.steps:
            return frozenset()
        values: dict[str, Json] = dict(response_values)
        hidden: set[str] = set()
        for step in self.steps:
            if (
                step.parent in hidden
                or (step.show and not any(is_met(when, values) for when in step.show))
                or any(is_met(when, values) for when in step.hide)
            ):
                hidden.add(step.target)
                values.pop(step.target, None)
        return frozenset(hidden)

    def to_json(self) -> list[Json]:
        return [rule.to_json() for rule in self.rules]


def is_met(when: When, response_values: JsonObject) -> bool:
    if isinstance(when, Condition):
        return holds(when, response_values)
    if isinstance(when, Not):
        return not is_met(when.part, response_values)
    if isinstance(when, AllOf):
        return all(is_met(part, response_values) for part in when.parts)
    return any(is_met(part, response_values) for part in when.parts)


def conditions(when: When) -> Iterator[Condition]:
    """Yield every condition in the tree."""
    if isinstance(when, Condition):
        yield when
    elif isinstance(when, Not):
        yield from conditions(when.part)
    else:
        for part in when.parts:
            yield from conditions(part)


def _condition_to_json(when: When) -> JsonObject:
    if isinstance(when, Condition):
        return when.to_json()
    if isinstance(when, Not):
        return {"not": _condition_to_json(when.part)}
    return {"all" if isinstance(when, AllOf) else "any": [_condition_to_json(part) for part in when.parts]}


def parse_rules(raw: Json, fields: Mapping[str, bool], layout: Layout, where: str, errors: list[ErrorDetail]) -> Rules:
    """Compile rules and report everything that's wrong with them; `fields` says which IDs have a value."""
    if raw is None:
        return Rules()
    if not isinstance(raw, list):
        errors.append(ErrorDetail(where, "wrong_type", must_be(msg("an array of rules"), raw)))
        return Rules()
    if len(raw) > MAX_RULES:
        errors.append(
            ErrorDetail(
                where,
                "too_many_rules",
                msgs("must have at most {count} rule", "must have at most {count} rules", count=MAX_RULES),
            )
        )
        return Rules()
    before = len(errors)
    targets = {*fields, *layout.groups}
    read = [_read_rule(rule, targets, fields, f"{where}[{index}]", errors) for index, rule in enumerate(raw)]
    rules = tuple(rule for rule in read if rule is not None)
    order, cycles = _dependency_order([*layout.groups, *fields], _dependencies(rules, layout))
    for cycle in cycles:
        index = next(i for i, rule in enumerate(read) if rule is not None and rule.target in cycle)
        message = msg("creates a loop: {cycle}", cycle=" → ".join([*cycle, cycle[0]]))
        errors.append(ErrorDetail(f"{where}[{index}]", "rule_cycle", message))
    return Rules(rules, _steps(rules, layout, order)) if len(errors) == before else Rules()


def _read_rule(
    raw: Json, targets: set[str], fields: Mapping[str, bool], where: str, errors: list[ErrorDetail]
) -> Rule | None:
    if not isinstance(raw, dict):
        errors.append(ErrorDetail(where, "wrong_type", must_be(OBJECT, raw)))
        return None
    before = len(errors)
    errors.extend(
        ErrorDetail(
            f"{where}.{name}",
            "unknown_member",
            msg("isn't allowed: a rule can only have `target`, `effect`, and `when`"),
        )
        for name in raw
        if name not in ("target", "effect", "when")
    )
    target, effect = raw.get("target"), raw.get("effect")
    if not isinstance(target, str) or target not in targets:
        errors.append(ErrorDetail(f"{where}.target", "unknown_target", UNKNOWN_TARGET))
    if effect not in ("show", "hide"):
        errors.append(ErrorDetail(f"{where}.effect", "unknown_effect", msg("must be `show` or `hide`")))
    when = _WhenReader(fields, errors).read(raw.get("when"), f"{where}.when", 1)
    if when is None or not isinstance(target, str) or len(errors) > before:
        return None
    return Rule(target, "show" if effect == "show" else "hide", when)


class _WhenReader:
    def __init__(self, fields: Mapping[str, bool], errors: list[ErrorDetail]) -> None:
        self._fields = fields
        self._errors = errors
        self._count = 0

    def read(self, raw: Json, where: str, depth: int) -> When | None:
        if depth > MAX_WHEN_DEPTH:
            self._errors.append(ErrorDetail(where, "too_deep", too_deep(MAX_WHEN_DEPTH)))
            return None
        if isinstance(raw, dict) and len(raw) == 1:
            ((name, inner),) = raw.items()
            if name == "not":
                part = self.read(inner, f"{where}.not", depth + 1)
                return None if part is None else Not(part)
            if name in ("all", "any"):
                parts = self._parts(inner, f"{where}.{name}", depth)
                return None if parts is None else AllOf(parts) if name == "all" else AnyOf(parts)
        return self._condition(raw, where)

    def _parts(self, raw: Json, where: str, depth: int) -> tuple[When, ...] | None:
        if not isinstance(raw, list) or not raw:
            self._errors.append(ErrorDetail(where, "wrong_type", msg("must be an array of at least one condition")))
            return None
        if len(raw) > MAX_CONDITIONS:
            self._errors.append(ErrorDetail(where, "too_many_conditions", TOO_MANY_CONDITIONS))
            return None
        read = [self.read(part, f"{where}[{index}]", depth + 1) for index, part in enumerate(raw)]
        parts = tuple(part for part in read if part is not None)
        return parts if len(parts) == len(raw) else None

    def _condition(self, raw: Json, where: str) -> Condition | None:
        self._count += 1
        if self._count > MAX_CONDITIONS:
            if self._count == MAX_CONDITIONS + 1:
                self._errors.append(ErrorDetail(where, "too_many_conditions", TOO_MANY_CONDITIONS))
            return None
        condition = parse_condition(raw, where, self._errors)
        if condition is None:
            return None
        has_value = self._fields.get(condition.path.field)
        if has_value is None:
            self._errors.append(
                ErrorDetail(
                    f"{where}.field",
                    "unknown_field",
                    msg("must be the ID of a field, not '{id}'", id=condition.path.field),
                )
            )
        elif not has_value:
            self._errors.append(
                ErrorDetail(
                    f"{where}.field",
                    "field_without_value",
                    msg("'{field}' never has a value, so it can't be used in a rule", field=condition.path.field),
                )
            )
        return condition


def _dependencies(rules: tuple[Rule, ...], layout: Layout) -> dict[str, list[str]]:
    depends: dict[str, list[str]] = {inner: [group] for inner, group in layout.parent.items()}
    for rule in rules:
        reads = depends.setdefault(rule.target, [])
        reads.extend(dict.fromkeys(condition.path.field for condition in conditions(rule.when)))
    return depends


def _dependency_order(nodes: list[str], depends: Mapping[str, list[str]]) -> tuple[list[str], list[list[str]]]:
    """Return the nodes, each after its dependencies, and the cycles found (empty if there are none)."""
    order: list[str] = []
    cycles: list[list[str]] = []
    settled: set[str] = set()
    for start in nodes:
        trail: dict[str, Iterator[str]] = {} if start in settled else {start: iter(depends.get(start, ()))}
        while trail:
            node, rest = next(reversed(trail.items()))
            following = next((other for other in rest if other not in settled), None)
            if following is None:
                del trail[node]
                settled.add(node)
                order.append(node)
            elif following in trail:
                names = list(trail)
                cycles.append(names[names.index(following) :])
            else:
                trail[following] = iter(depends.get(following, ()))
    return order, cycles


def _steps(rules: tuple[Rule, ...], layout: Layout, order: list[str]) -> tuple[_Step, ...]:
    steps: dict[str, _Step] = {}
    for target in order:
        parent = layout.parent.get(target)
        own = [rule for rule in rules if rule.target == target]
        if own or parent in steps:
            steps[target] = _Step(
                target,
                parent,
                tuple(rule.when for rule in own if rule.effect == "show"),
                tuple(rule.when for rule in own if rule.effect == "hide"),
            )
    return tuple(steps.values())
