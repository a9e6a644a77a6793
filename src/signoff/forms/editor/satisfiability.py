"""Decide whether a condition can ever be true, given the values that a review type's fields can have.

"No" is a proof; "yes" may only mean that no proof was found. So a warning based on it (that a rule does nothing) is
always right, but sometimes missing. The analysis relies on this:

- A field may be absent or hidden at any time, and then reads as missing.
- Limits (ranges, lengths, patterns) aren't enforced before an approval, so a number is any number. Requirements on
  every suggestion do count: a date is a date or empty, a link is a web address or empty.
- A request may replace options, so a choice is any option ID.
- Different paths are analyzed independently.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from signoff.forms.definition import Definition
from signoff.forms.fields.choices import MAX_OPTION_ID, MAX_OPTION_LABEL, ChoiceValueType
from signoff.forms.fields.field import Field
from signoff.forms.fields.json_and_label import JsonValueType
from signoff.forms.fields.lists import ListValueType
from signoff.forms.fields.media import MediaValueType, is_media_address, looks_like_base64
from signoff.forms.fields.numbers import BooleanValueType, NumberValueType
from signoff.forms.fields.text import (
    DatetimeValueType,
    DateValueType,
    LinkValueType,
    is_date,
    is_datetime,
    is_web_address,
)
from signoff.forms.rules import AllOf, Not, When
from signoff.platform.json_values import Json, is_number
from signoff.platform.operators import ARRAY_OPERATIONS, Condition, Operation, Path, holds

MAX_WORK: Final = 20_000
"""Budget for one review type, a fraction of a second. Beyond it, everything counts as possible."""

MAX_CONDITIONS_PER_PATH: Final = 16
"""Conditions on one path that are analyzed together. If some of them can't be true together, not all can."""


@dataclass(frozen=True, slots=True)
class ConditionLiteral:
    """A condition that must be true, or must be false."""

    condition: Condition
    expected: bool


@dataclass(frozen=True, slots=True)
class Values:
    """The possible values of a path, apart from missing."""

    string: Callable[[str], bool] | None = None
    """Which strings are possible, if any are."""
    number: bool = False
    boolean: bool = False
    object: bool = False
    elements: "Values | None" = None
    """The possible elements of its arrays, if it can be an array, which may always be empty."""


def _any_string(_: str) -> bool:
    return True


_NOTHING: Final = Values()
_TRUTH: Final = Values(boolean=True)
_OBJECTS: Final = Values(object=True)
_LEAF: Final = Values(_any_string, number=True, boolean=True, object=True)
_ANYTHING: Final = replace(_LEAF, elements=replace(_LEAF, elements=_LEAF))
"""All operations treat arrays of arrays of arrays alike."""


class WorkBudget:
    """The remaining budget, out of MAX_WORK"""

    def __init__(self, left: int = MAX_WORK) -> None:
        self._left = left

    def spend(self, amount: int) -> bool:
        """Spend some of the budget, and return whether it was enough."""
        self._left -= amount
        return self._left >= 0


class SatisfiabilityChecker:
    """What can be true in a review type. `never_shown` are fields known to be hidden for all values."""

    def __init__(self, definition: Definition, effort: WorkBudget, never_shown: Collection[str] = ()) -> None:
        self._fields: Mapping[str, Field] = definition.by_id
        self._effort = effort
        self._never_shown = never_shown

    def never(self, when: When) -> bool:
        """Whether it's certain that the condition is never true."""
        return not self._possible([(when, True)])

    def always(self, when: When) -> bool:
        return self.never(Not(when))

    def _possible(self, wanted: "list[tuple[When, bool]]", atoms: tuple[ConditionLiteral, ...] = ()) -> bool:
        """Whether all of these can be true together. Alternatives are tried one after the other."""
        pending = list(wanted)
        while pending:
            when, truth = pending.pop(0)
            if isinstance(when, Condition):
                atoms = (*atoms, ConditionLiteral(when, truth))
                if not self._fit_together(atoms, when.path):
                    return False
            elif isinstance(when, Not):
                pending.insert(0, (when.part, not truth))
            elif isinstance(when, AllOf) is truth:
                pending = [(part, truth) for part in when.parts] + pending
            elif any(isinstance(other, Condition) for other, _ in pending):
                # Simple conditions first: they decide most alternatives immediately.
                pending = sorted([*pending, (when, truth)], key=lambda item: not isinstance(item[0], Condition))
            else:
                return any(self._possible([(part, truth), *pending], atoms) for part in when.parts)
        return True

    def _fit_together(self, atoms: Sequence[ConditionLiteral], path: Path) -> bool:
        same = [atom for atom in atoms if atom.condition.path == path][-MAX_CONDITIONS_PER_PATH:]
        if not self._effort.spend(len(same) ** 2) or _all_hold(same, {}):
            return True
        field = self._fields.get(path.field)
        if field is None or field.id in self._never_shown:
            return False
        # From here on the path is the same for all of them, and only the value matters.
        same = [replace(atom, condition=replace(atom.condition, path=_VALUE)) for atom in same]
        if path.prop is not None:
            return _mapped_satisfiable(same, _property_values(field, path.prop))
        if path.member == "wasEdited":
            return field.type.tracks_edits and _satisfiable(same, _TRUTH)
        return _satisfiable(same, possible_values(field))


def possible_values(field: Field) -> Values:
    """Return the possible values of `<fieldId>.value`."""
    value_type = field.value_type
    if isinstance(value_type, JsonValueType):
        return _ANYTHING
    if isinstance(value_type, NumberValueType):
        return Values(number=True)
    if isinstance(value_type, BooleanValueType):
        return _TRUTH
    if isinstance(value_type, ChoiceValueType):
        return Values(elements=_OBJECTS) if value_type.multiple else Values(_may_be_option)
    if isinstance(value_type, ListValueType):
        return Values(elements=_item_values(value_type))
    if isinstance(value_type, MediaValueType):
        return Values(_may_be_image if value_type.takes_base64 else is_media_address)
    if isinstance(value_type, LinkValueType):
        return Values(lambda text: not text or is_web_address(text))
    if isinstance(value_type, DatetimeValueType):
        return Values(lambda text: not text or is_datetime(text))
    if isinstance(value_type, DateValueType):
        return Values(lambda text: not text or is_date(text))
    return Values(_any_string)


def _item_values(value_type: ListValueType) -> Values:
    """Return the possible values of an item: an object, or the value of an only child. A missing choice is the
    empty string.
    """
    if not value_type.plain_items or len(value_type.children) != 1:
        return _OBJECTS
    plain = possible_values(value_type.children[0])
    if isinstance(value_type.children[0].value_type, ChoiceValueType):
        plain = replace(plain, string=_may_be_option_or_empty)
    return replace(plain, object=True)


def _property_values(field: Field, name: str) -> Values:
    """Return what `<fieldId>.value[].<name>` can find in one element."""
    value_type = field.value_type
    if isinstance(value_type, JsonValueType):
        return _ANYTHING
    if isinstance(value_type, ChoiceValueType) and value_type.multiple:
        return {"id": Values(_may_be_option), "label": Values(_may_be_label)}.get(name, _NOTHING)
    if isinstance(value_type, ListValueType):
        child = next((each for each in value_type.children if each.id == name), None)
        return _ANYTHING if child is None else possible_values(child)
    return _NOTHING


def _may_be_option(text: str) -> bool:
    return 0 < len(text) <= MAX_OPTION_ID


def _may_be_option_or_empty(text: str) -> bool:
    return len(text) <= MAX_OPTION_ID


def _may_be_label(text: str) -> bool:
    return len(text) <= MAX_OPTION_LABEL


def _may_be_image(text: str) -> bool:
    return is_media_address(text) or looks_like_base64(text)


def _satisfiable(atoms: Sequence[ConditionLiteral], values: Values) -> bool:
    """Whether a value other than missing makes all of them true."""
    return (
        (values.boolean and any(_holds_for(atoms, truth) for truth in (True, False)))
        or (values.object and _holds_for(atoms, {}))
        or (values.number and any(_holds_for(atoms, number) for number in _sample_numbers(atoms)))
        or (values.string is not None and _string_satisfiable(atoms, values.string))
        or (values.elements is not None and _array_satisfiable(atoms, values.elements))
    )


def _holds_for(atoms: Sequence[ConditionLiteral], value: Json) -> bool:
    """Whether all of them are true for exactly this value."""
    return _all_hold(atoms, {_VALUE.field: {"value": value}})


_VALUE: Final = Path("value")


def _all_hold(atoms: Sequence[ConditionLiteral], response_values: Json) -> bool:
    return all(holds(atom.condition, response_values) is atom.expected for atom in atoms)


def _sample_numbers(atoms: Sequence[ConditionLiteral]) -> Iterator[int | float]:
    """Return sample numbers: all numbers that conditions compare with, and one in each interval between them."""
    named: list[int | float] = [0]
    for atom in atoms:
        value = atom.condition.value
        if isinstance(value, int | float) and is_number(value):
            named.append(value)
    for value in named:
        near = _as_float(value)
        yield from (value, near, math.nextafter(near, math.inf), math.nextafter(near, -math.inf))
        if math.isfinite(near):
            yield from (math.floor(value) + 1, math.ceil(value) - 1)


def _as_float(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _string_satisfiable(atoms: Sequence[ConditionLiteral], allowed: Callable[[str], bool]) -> bool:
    """Whether a string can make them true. False only with a proof."""
    exact = _strings(atoms, Operation.EQUAL, wanted=True)
    if exact:
        return allowed(exact[0]) and _holds_for(atoms, exact[0])
    # An operation that is false for every string, such as an array operation or a comparison with a number.
    for atom in atoms:
        if not _depends_on_text(atom.condition) and not _holds_for([atom], ""):
            return False
    low, high = _bounds(atoms)
    if low is not None and high is not None and low >= high:
        return low == high and allowed(low) and _holds_for(atoms, low)
    return _affixes_fit(atoms, low, high)


_ABOVE: Final = frozenset({Operation.GREATER_THAN, Operation.GREATER_THAN_OR_EQUAL})
_BELOW: Final = frozenset({Operation.LESS_THAN, Operation.LESS_THAN_OR_EQUAL})


def _depends_on_text(condition: Condition) -> bool:
    """Whether its result depends on which string it is."""
    if not isinstance(condition.value, str):
        return False
    return condition.operation not in ARRAY_OPERATIONS


def _strings(atoms: Sequence[ConditionLiteral], operation: Operation, *, wanted: bool) -> list[str]:
    """Return the strings that this operation compares with. A `notEqual` that must be false is an `equal`."""
    opposite = {Operation.EQUAL: Operation.NOT_EQUAL}.get(operation)
    return [
        atom.condition.value
        for atom in atoms
        if isinstance(atom.condition.value, str)
        and (
            (atom.condition.operation is operation and atom.expected is wanted)
            or (atom.condition.operation is opposite and atom.expected is not wanted)
        )
    ]


def _bounds(atoms: Sequence[ConditionLiteral]) -> tuple[str | None, str | None]:
    """Return the tightest lower and upper bound for the string."""
    lows: list[str] = []
    highs: list[str] = []
    for atom in atoms:
        value, operation = atom.condition.value, atom.condition.operation
        if isinstance(value, str) and operation in _ABOVE | _BELOW:
            (lows if (operation in _ABOVE) is atom.expected else highs).append(value)
    return max(lows, default=None), min(highs, default=None)


def _affixes_fit(atoms: Sequence[ConditionLiteral], low: str | None, high: str | None) -> bool:
    starts = _strings(atoms, Operation.STARTS_WITH, wanted=True)
    ends = _strings(atoms, Operation.ENDS_WITH, wanted=True)
    start, end = max(starts, key=len, default=""), max(ends, key=len, default="")
    if not all(start.startswith(each) for each in starts) or not all(end.endswith(each) for each in ends):
        return False
    if high is not None and high < start:
        return False  # strings with this prefix aren't below it
    if low is not None and low > start and not low.startswith(start):
        return False  # strings with this prefix sort before all of that
    if any(start.startswith(each) for each in _strings(atoms, Operation.STARTS_WITH, wanted=False)):
        return False
    if any(end.endswith(each) for each in _strings(atoms, Operation.ENDS_WITH, wanted=False)):
        return False
    required = [start, end, *_strings(atoms, Operation.CONTAINS, wanted=True)]
    return not any(part in whole for part in _strings(atoms, Operation.CONTAINS, wanted=False) for whole in required)


def _array_satisfiable(atoms: Sequence[ConditionLiteral], elements: Values) -> bool:
    """Whether some array makes them true. Operations that aren't for arrays treat all arrays alike."""
    if _holds_for(atoms, []):
        return True
    # Apart from the empty array, consider the array with exactly the required elements.
    included = [_as_equality(atom) for atom in atoms if _requires_element(atom)]
    excluded = [_as_equality(atom) for atom in atoms if _forbids_element(atom)]
    others = [atom for atom in atoms if not _requires_element(atom) and not _forbids_element(atom)]
    if not _holds_for(others, [None]):
        return False
    if not included:
        return _satisfiable([replace(atom, expected=False) for atom in excluded], elements)
    return all(
        _satisfiable([atom, *(replace(other, expected=False) for other in excluded)], elements) for atom in included
    )


def _requires_element(atom: ConditionLiteral) -> bool:
    return atom.condition.operation is (Operation.ARRAY_INCLUDES if atom.expected else Operation.ARRAY_EXCLUDES)


def _forbids_element(atom: ConditionLiteral) -> bool:
    return atom.condition.operation is (Operation.ARRAY_EXCLUDES if atom.expected else Operation.ARRAY_INCLUDES)


def _as_equality(atom: ConditionLiteral) -> ConditionLiteral:
    return ConditionLiteral(replace(atom.condition, operation=Operation.EQUAL), expected=True)


def _mapped_satisfiable(atoms: Sequence[ConditionLiteral], elements: Values) -> bool:
    """Whether some non-empty array of found properties makes them true.

    A scalar operation that must be true needs one element that satisfies it. One that must be false, or an excluded
    value, applies to every element.
    """
    needed: list[ConditionLiteral] = []
    forbidden: list[ConditionLiteral] = []
    for atom in atoms:
        if _requires_element(atom):
            needed.append(_as_equality(atom))
        elif _forbids_element(atom):
            forbidden.append(replace(_as_equality(atom), expected=False))
        elif atom.condition.operation in ARRAY_OPERATIONS:
            if not _holds_for([atom], [None]):
                return False
        elif atom.expected:
            needed.append(atom)
        else:
            forbidden.append(atom)
    if not needed:
        return _satisfiable(forbidden, elements)
    return all(_satisfiable([atom, *forbidden], elements) for atom in needed)
