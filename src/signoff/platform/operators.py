"""The shared operator set for filters over past responses and for rules of review types.

A condition reads one path of the `responseValues` structure, `{fieldId: {"value": …, "wasEdited": …}}`:

- `<fieldId>.value` and `<fieldId>.wasEdited` address one value;
- `<fieldId>.value[].<property>` addresses that property of every object in an array value. Elements that aren't
  objects, or lack the property, are skipped.

A path that addresses nothing is *missing*; so is one that addresses `null`.

The operations:

- `equal` is strict about types: `1` equals `1.0`, but never `"1"` and never `true`; arrays and objects equal nothing.
  `notEqual` is its exact negation, so it's true for a missing path.
- The four orderings compare two numbers, or two strings by code point (ISO dates sort as text). They're false for any
  other pair and for a missing path.
- `contains`, `startsWith`, and `endsWith` compare a string with a string; otherwise they're false.
- `isTrue` and `isFalse` are true for exactly `true` and `false`.
- `arrayIncludes` is true if an element of the array `equal`s the value; `arrayExcludes` is its exact negation.
- `arrayIsEmpty` is true for an empty array and for a missing path, `arrayIsNotEmpty` for an array with an element; both
  are false for a value that exists and isn't an array.

On `value[].property`, the array operations apply to the mapped array, and every other operation is true if some element
satisfies it. That includes `notEqual`: "some element differs". To express "no element equals", negate `equal` in a rule
or use `arrayExcludes`.

Every operation is total: no JSON makes it raise. All of this can be expressed over JSONB, where strings must be
compared with the collation "C" to get code-point order.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Literal, TypeAlias

from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, is_number, json_type_name
from signoff.platform.messages import msg

Scalar: TypeAlias = str | int | float | bool


class Operation(StrEnum):
    """The fifteen operations by their names, which are also the stored values."""

    EQUAL = "equal"
    NOT_EQUAL = "notEqual"
    GREATER_THAN = "greaterThan"
    GREATER_THAN_OR_EQUAL = "greaterThanOrEqual"
    LESS_THAN = "lessThan"
    LESS_THAN_OR_EQUAL = "lessThanOrEqual"
    CONTAINS = "contains"
    STARTS_WITH = "startsWith"
    ENDS_WITH = "endsWith"
    IS_TRUE = "isTrue"
    IS_FALSE = "isFalse"
    ARRAY_INCLUDES = "arrayIncludes"
    ARRAY_EXCLUDES = "arrayExcludes"
    ARRAY_IS_EMPTY = "arrayIsEmpty"
    ARRAY_IS_NOT_EMPTY = "arrayIsNotEmpty"


SYMBOLS: Final[Mapping[str, Operation]] = {
    "==": Operation.EQUAL,
    "!=": Operation.NOT_EQUAL,
    ">": Operation.GREATER_THAN,
    ">=": Operation.GREATER_THAN_OR_EQUAL,
    "<": Operation.LESS_THAN,
    "<=": Operation.LESS_THAN_OR_EQUAL,
    "arrayNotIncludes": Operation.ARRAY_EXCLUDES,
}

ARRAY_OPERATIONS: Final = frozenset(
    {
        Operation.ARRAY_INCLUDES,
        Operation.ARRAY_EXCLUDES,
        Operation.ARRAY_IS_EMPTY,
        Operation.ARRAY_IS_NOT_EMPTY,
    }
)

_EQUALITIES: Final = frozenset(
    {Operation.EQUAL, Operation.NOT_EQUAL, Operation.ARRAY_INCLUDES, Operation.ARRAY_EXCLUDES}
)
_ORDERINGS: Final = frozenset(
    {
        Operation.GREATER_THAN,
        Operation.GREATER_THAN_OR_EQUAL,
        Operation.LESS_THAN,
        Operation.LESS_THAN_OR_EQUAL,
    }
)
_TEXT_OPERATIONS: Final = frozenset({Operation.CONTAINS, Operation.STARTS_WITH, Operation.ENDS_WITH})

TAKES_VALUE: Final = _EQUALITIES | _ORDERINGS | _TEXT_OPERATIONS

_FORMS: Final[Mapping[str, Operation]] = {
    **{operation.value: operation for operation in Operation},
    **SYMBOLS,
}

_PATH: Final = re.compile(
    r"(?P<field>[A-Za-z][A-Za-z0-9_-]{0,63})\."
    r"(?:(?P<member>value|wasEdited)|value\[\]\.(?P<prop>[A-Za-z0-9_$-]{1,64}))"
)


BAD_PATH: Final = msg("must be <fieldId>.value, <fieldId>.wasEdited, or <fieldId>.value[].<property>")
UNKNOWN_OPERATION: Final = msg("isn't a supported operation; use one of these: {operations}", operations=list(_FORMS))


class PathError(ValueError):
    """The text isn't a path into `responseValues`."""


class OperationError(ValueError):
    """The text isn't the name of an operation."""


@dataclass(frozen=True, slots=True)
class Path:
    field: str
    member: Literal["value", "wasEdited"] = "value"
    prop: str | None = None
    """Only set for `value[].<prop>`."""

    def __str__(self) -> str:
        return f"{self.field}.{self.member}" if self.prop is None else f"{self.field}.value[].{self.prop}"


@dataclass(frozen=True, slots=True)
class Condition:
    path: Path
    operation: Operation
    value: Scalar | None = None

    def to_json(self) -> dict[str, Json]:
        written: dict[str, Json] = {"field": str(self.path), "operation": self.operation.value}
        if self.operation in TAKES_VALUE:
            written["value"] = self.value
        return written


def parse_path(text: str) -> Path:
    match = _PATH.fullmatch(text)
    if match is None:
        raise PathError(BAD_PATH)
    return Path(match["field"], "wasEdited" if match["member"] == "wasEdited" else "value", match["prop"])


def parse_operation(text: str) -> Operation:
    operation = _FORMS.get(text)
    if operation is None:
        raise OperationError(UNKNOWN_OPERATION)
    return operation


def parse_condition(raw: Json, where: str, errors: list[ErrorDetail]) -> Condition | None:
    """Parse `{field, operation, value}`. If it's invalid, append the errors to `errors` and return None."""
    if not isinstance(raw, dict):
        errors.append(ErrorDetail(where, "wrong_type", msg("must be an object, not {type}", type=json_type_name(raw))))
        return None
    before = len(errors)
    errors.extend(
        ErrorDetail(
            f"{where}.{name}",
            "unknown_member",
            msg("isn't allowed: a condition can only have `field`, `operation`, and `value`"),
        )
        for name in raw
        if name not in ("field", "operation", "value")
    )
    path = _read_path(raw.get("field"), f"{where}.field", errors)
    operation = _read_operation(raw.get("operation"), f"{where}.operation", errors)
    value = None if operation is None else _read_value(operation, raw.get("value"), f"{where}.value", errors)
    if path is None or operation is None or len(errors) > before:
        return None
    return Condition(path, operation, value)


def _read_path(raw: Json, where: str, errors: list[ErrorDetail]) -> Path | None:
    if not isinstance(raw, str):
        errors.append(ErrorDetail(where, "bad_path", BAD_PATH))
        return None
    try:
        return parse_path(raw)
    except PathError:
        errors.append(ErrorDetail(where, "bad_path", BAD_PATH))
        return None


def _read_operation(raw: Json, where: str, errors: list[ErrorDetail]) -> Operation | None:
    if not isinstance(raw, str):
        errors.append(ErrorDetail(where, "unknown_operation", UNKNOWN_OPERATION))
        return None
    try:
        return parse_operation(raw)
    except OperationError:
        errors.append(ErrorDetail(where, "unknown_operation", UNKNOWN_OPERATION))
        return None


def _read_value(operation: Operation, raw: Json, where: str, errors: list[ErrorDetail]) -> Scalar | None:
    if operation not in TAKES_VALUE:
        # Clients send an empty value along with isTrue and similar operations; it has no meaning.
        return None
    if raw is None:
        message = msg("is required for the '{operation}' operation", operation=operation.value)
        errors.append(ErrorDetail(where, "value_required", message))
        return None
    if isinstance(raw, str):
        return raw
    if isinstance(raw, bool):
        allowed = operation in _EQUALITIES
    else:
        allowed = isinstance(raw, int | float) and operation not in _TEXT_OPERATIONS
    if allowed and not isinstance(raw, list | dict):
        return raw
    message = msg(
        "can't be {type} for the '{operation}' operation", type=json_type_name(raw), operation=operation.value
    )
    errors.append(ErrorDetail(where, "wrong_type", message))
    return None


def holds(condition: Condition, response_values: Json) -> bool:
    """Whether the condition is true for a `responseValues` map. Never raises, whatever the map contains."""
    path = condition.path
    actual = _resolve(path, response_values)
    test = _TESTS[condition.operation]
    if path.prop is None or condition.operation in ARRAY_OPERATIONS:
        return test(actual, condition.value)
    if not isinstance(actual, list) or not actual:
        return test(None, condition.value)
    return any(test(element, condition.value) for element in actual)


def _resolve(path: Path, response_values: Json) -> Json:
    """Return what the path addresses, or None if it's missing or `null`."""
    entry = response_values.get(path.field) if isinstance(response_values, dict) else None
    if not isinstance(entry, dict):
        return None
    value = entry.get(path.member)
    prop = path.prop
    if prop is None:
        return value
    if not isinstance(value, list):
        return None
    return [element[prop] for element in value if isinstance(element, dict) and element.get(prop) is not None]


def _equal(actual: Json, expected: Json) -> bool:
    if isinstance(actual, str):
        return isinstance(expected, str) and actual == expected
    if isinstance(actual, bool):
        return actual is expected
    return is_number(actual) and is_number(expected) and actual == expected


def _includes(actual: Json, expected: Json) -> bool:
    return isinstance(actual, list) and any(_equal(element, expected) for element in actual)


def _ordering(test: Callable[[Any, Any], bool]) -> "Callable[[Json, Json], bool]":
    def on_comparable(actual: Json, expected: Json) -> bool:
        if isinstance(actual, str):
            return isinstance(expected, str) and test(actual, expected)
        return is_number(actual) and is_number(expected) and test(actual, expected)

    return on_comparable


def _text(test: Callable[[str, str], bool]) -> "Callable[[Json, Json], bool]":
    def on_strings(actual: Json, expected: Json) -> bool:
        return isinstance(actual, str) and isinstance(expected, str) and test(actual, expected)

    return on_strings


_TESTS: Final[Mapping[Operation, "Callable[[Json, Json], bool]"]] = {
    Operation.EQUAL: _equal,
    Operation.NOT_EQUAL: lambda actual, expected: not _equal(actual, expected),
    Operation.GREATER_THAN: _ordering(operator.gt),
    Operation.GREATER_THAN_OR_EQUAL: _ordering(operator.ge),
    Operation.LESS_THAN: _ordering(operator.lt),
    Operation.LESS_THAN_OR_EQUAL: _ordering(operator.le),
    Operation.CONTAINS: _text(lambda actual, expected: expected in actual),
    Operation.STARTS_WITH: _text(str.startswith),
    Operation.ENDS_WITH: _text(str.endswith),
    Operation.IS_TRUE: lambda actual, _: actual is True,
    Operation.IS_FALSE: lambda actual, _: actual is False,
    Operation.ARRAY_INCLUDES: _includes,
    Operation.ARRAY_EXCLUDES: lambda actual, expected: not _includes(actual, expected),
    Operation.ARRAY_IS_EMPTY: lambda actual, _: actual is None or actual == [],
    Operation.ARRAY_IS_NOT_EMPTY: lambda actual, _: isinstance(actual, list) and bool(actual),
}
