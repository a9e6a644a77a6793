"""Warnings about what a review type allows and its author probably doesn't want. Warnings are always right, but not
complete.
"""

from collections.abc import Iterator

from signoff.forms.definition import Definition
from signoff.forms.editor.satisfiability import SatisfiabilityChecker, WorkBudget
from signoff.forms.fields.choices import ChoiceValueType
from signoff.forms.layout import ColumnsNode, FieldNode, GroupNode, Node
from signoff.forms.rules import AllOf, AnyOf, Not, Rule, When
from signoff.platform.errors import ErrorDetail
from signoff.platform.messages import Message, msg
from signoff.platform.operators import Condition, Operation

_EQUALITIES = frozenset({Operation.EQUAL, Operation.NOT_EQUAL, Operation.ARRAY_INCLUDES, Operation.ARRAY_EXCLUDES})


def find_warnings(definition: Definition, *, trigger: bool) -> list[ErrorDetail]:
    """Return warnings in the order of the members. They have the same type as errors."""
    never_shown, possibilities = _never_shown(definition)
    return [
        *_title_warnings(definition),
        *_field_warnings(definition, trigger=trigger),
        *_group_warnings(definition, never_shown),
        *_rule_warnings(definition, possibilities, never_shown),
    ]


def _title_warnings(definition: Definition) -> Iterator[ErrorDetail]:
    if definition.title_field is None and any(each.type.titles for each in definition.fields):
        message = msg("no title field is set, so reviews look the same in lists unless each request sends a title")
        yield ErrorDetail("titleField", "no_title_field", message)


def _field_warnings(definition: Definition, *, trigger: bool) -> Iterator[ErrorDetail]:
    """Find warnings about fields. A field that can't be edited is never held to its limits, except in a trigger
    form, where people fill it in.
    """
    if trigger:
        return
    if not any(each.editable and each.type.has_value for each in definition.fields):
        yield ErrorDetail(
            "fields", "no_editable_field", msg("all fields are read-only: reviewers can only approve or reject")
        )
    for index, each in enumerate(definition.fields):
        if each.required and not each.editable:
            message = msg("has no effect on a read-only field")
            yield ErrorDetail(f"fields[{index}].required", "required_not_editable", message)


def _never_shown(definition: Definition) -> tuple[frozenset[str], SatisfiabilityChecker]:
    """Return the fields and groups that no values make visible, by their own rules.

    Conditions that read such a field find it missing, which may decide further rules, so this repeats until nothing
    changes.
    """
    effort = WorkBudget()
    hidden: frozenset[str] = frozenset()
    while True:
        possibilities = SatisfiabilityChecker(definition, effort, hidden | _inside(definition, hidden))
        never_shown = frozenset(
            step.target for step in definition.rules.steps if possibilities.never(_visible(step.show, step.hide))
        )
        if never_shown <= hidden:
            return hidden, possibilities
        hidden |= never_shown


def _visible(show: tuple[When, ...], hide: tuple[When, ...]) -> When:
    shown: tuple[When, ...] = (AnyOf(show),) if show else ()
    return AllOf((*shown, *map(Not, hide)))


def _inside(definition: Definition, hidden: frozenset[str]) -> frozenset[str]:
    """Return everything inside a hidden group, at any depth."""
    parent = definition.layout.parent

    def is_inside(name: str) -> bool:
        above = parent.get(name)
        return above is not None and (above in hidden or is_inside(above))

    return frozenset(name for name in parent if is_inside(name))


def _group_warnings(definition: Definition, never_shown: frozenset[str]) -> Iterator[ErrorDetail]:
    inside = _inside(definition, never_shown)
    for where, node in _nodes(definition.layout.nodes, "layout"):
        name = node.field if isinstance(node, FieldNode) else node.id
        if name in inside:
            message = msg("'{name}' is never shown because its group is always hidden", name=name)
            yield ErrorDetail(where, "in_hidden_group", message)


def _nodes(nodes: tuple[Node, ...], where: str) -> Iterator[tuple[str, FieldNode | GroupNode]]:
    for index, node in enumerate(nodes):
        place = f"{where}[{index}]"
        if isinstance(node, FieldNode):
            yield place, node
        elif isinstance(node, ColumnsNode):
            for number, column in enumerate(node.columns):
                yield from _nodes(column, f"{place}.columns[{number}]")
        else:
            if isinstance(node, GroupNode):
                yield place, node
            yield from _nodes(node.children, f"{place}.children")


def _rule_warnings(
    definition: Definition, possibilities: SatisfiabilityChecker, never_shown: frozenset[str]
) -> Iterator[ErrorDetail]:
    reported: set[str] = set()
    for index, rule in enumerate(definition.rules.rules):
        where = f"rules[{index}]"
        if possibilities.never(rule.when):
            yield ErrorDetail(f"{where}.when", "rule_never_holds", _describe_effect(rule, never=True))
        elif possibilities.always(rule.when):
            yield ErrorDetail(f"{where}.when", "rule_always_holds", _describe_effect(rule, never=False))
        else:
            yield from _part_warnings(rule.when, f"{where}.when", possibilities)
        if rule.target in never_shown and rule.target not in reported:
            reported.add(rule.target)
            message = msg("'{name}' is never shown because its rules always hide it", name=rule.target)
            yield ErrorDetail(f"{where}.target", "always_hidden", message)
        yield from _option_warnings(rule.when, f"{where}.when", definition)


def _describe_effect(rule: Rule, *, never: bool) -> Message:
    if never:
        if rule.effect == "show":
            return msg("is never true, so this rule never shows the field or group")
        return msg("is never true, so you can remove this rule")
    if rule.effect == "show":
        return msg("is always true, so this rule always shows the field or group")
    return msg("is always true, so the field or group is always hidden")


def _part_warnings(when: When, where: str, possibilities: SatisfiabilityChecker) -> Iterator[ErrorDetail]:
    """Find parts of a condition that are never or always true, even if the whole condition isn't."""
    for place, part in _parts(when, where):
        if possibilities.never(part):
            yield ErrorDetail(place, "condition_never_holds", msg("is never true, so it has no effect here"))
        elif possibilities.always(part):
            yield ErrorDetail(place, "condition_always_holds", msg("is always true, so it has no effect here"))
        else:
            yield from _part_warnings(part, place, possibilities)


def _parts(when: When, where: str) -> Iterator[tuple[str, When]]:
    if isinstance(when, Not):
        yield f"{where}.not", when.part
    elif not isinstance(when, Condition):
        name = "all" if isinstance(when, AllOf) else "any"
        for index, part in enumerate(when.parts):
            yield f"{where}.{name}[{index}]", part


def _option_warnings(when: When, where: str, definition: Definition) -> Iterator[ErrorDetail]:
    if not isinstance(when, Condition):
        for place, part in _parts(when, where):
            yield from _option_warnings(part, place, definition)
        return
    value_type = definition.by_id[when.path.field].value_type
    if (
        isinstance(value_type, ChoiceValueType)
        and value_type.options is not None
        and when.operation in _EQUALITIES
        and when.path.member == "value"
        and when.path.prop == ("id" if value_type.multiple else None)
        and isinstance(when.value, str)
        and when.value not in value_type.options
    ):
        message = msg(
            "'{option}' isn't an option for '{field}', unless the request sends its own options",
            option=when.value,
            field=when.path.field,
        )
        yield ErrorDetail(f"{where}.value", "unknown_option_in_rule", message)
