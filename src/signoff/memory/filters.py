"""Conditions over `responseValues` as SQL: the same meaning as `platform.operators.holds`, with every value bound.

A condition for one value at one path is a *facet*: an index has the responses for which it's true, in the order of
their decisions (`response_facets`). Every other condition is an expression over the response itself.
"""

from dataclasses import dataclass
from typing import Any, Final, LiteralString, cast

from signoff.platform.operators import Condition, Operation, Path, Scalar
from signoff.reviews.facets import facet_key

_ORDER: Final[dict[Operation, LiteralString]] = {
    Operation.GREATER_THAN: ">",
    Operation.GREATER_THAN_OR_EQUAL: ">=",
    Operation.LESS_THAN: "<",
    Operation.LESS_THAN_OR_EQUAL: "<=",
}


class Parameters:
    """The values of conditions, by the names that stand for them in a statement."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def bind(self, value: Any, pg_type: LiteralString) -> LiteralString:
        name = f"value_{len(self.values)}"
        self.values[name] = value
        # A number is all that isn't literal.
        return cast(LiteralString, f":{name}::{pg_type}")


@dataclass(frozen=True, slots=True)
class Facet:
    path: str
    value: Scalar | None
    listed: bool = False
    """Over the elements of an array: not indexed for a response that has too many of them."""

    def key(self, account_id: str, form_id: str) -> bytes:
        return facet_key(account_id, form_id, self.path, self.value)


def build_facet(condition: Condition) -> Facet | None:
    """Return the facet with the same meaning as the condition, if there is one."""
    path = condition.path
    match condition.operation:
        case Operation.EQUAL | Operation.ARRAY_INCLUDES if path.prop is not None:
            return Facet(str(path), condition.value, listed=True)
        case Operation.EQUAL:
            return Facet(str(path), condition.value)
        case Operation.ARRAY_INCLUDES if path.member == "value":
            return Facet(f"{path}[]", condition.value, listed=True)
        case (Operation.IS_TRUE | Operation.IS_FALSE) as operation:
            return Facet(str(path), operation is Operation.IS_TRUE, listed=path.prop is not None)
        case _:
            return None


def expression(condition: Condition, values: LiteralString, parameters: Parameters) -> LiteralString:
    """Return SQL that is true if the condition is; `values` is a `responseValues` as jsonb. It never fails,
    whatever that contains; if the condition isn't true, it may be false or null.
    """
    path, operation = condition.path, condition.operation
    column = f"({values} -> {parameters.bind(path.field, 'text')} -> '{path.member}')"
    if path.prop is None:
        return _value_test(column, operation, condition.value, parameters)
    return _element_test(column, path, operation, condition.value, parameters)


def _element_test(
    column: LiteralString, path: Path, operation: Operation, value: Any, parameters: Parameters
) -> LiteralString:
    """Return SQL for `value[].property`: elements without the property are skipped."""
    member_sql = f"(element -> {parameters.bind(path.prop, 'text')})"
    array = f"case when jsonb_typeof({column}) = 'array' then {column} else '[]' end"
    elements = f"""exists (
        select from jsonb_array_elements({array}) as element
        where jsonb_typeof(element) = 'object' and jsonb_typeof({member_sql}) <> 'null'"""

    def some(test: LiteralString) -> LiteralString:
        return f"{elements} and ({test}))"

    match operation:
        case Operation.ARRAY_IS_EMPTY:
            return f"not {some('true')}"
        case Operation.ARRAY_IS_NOT_EMPTY:
            return some("true")
        case Operation.ARRAY_INCLUDES:
            return some(_value_test(member_sql, Operation.EQUAL, value, parameters))
        case Operation.ARRAY_EXCLUDES:
            return f"not {some(_value_test(member_sql, Operation.EQUAL, value, parameters))}"
        case Operation.NOT_EQUAL:
            return f"(not {some('true')} or {some(_value_test(member_sql, operation, value, parameters))})"
        case _:
            return some(_value_test(member_sql, operation, value, parameters))


def _value_test(column: LiteralString, operation: Operation, value: Any, parameters: Parameters) -> LiteralString:
    match operation:
        case Operation.EQUAL:
            return f"{column} = {parameters.bind(value, 'jsonb')}"
        case Operation.NOT_EQUAL:
            return f"({column} = {parameters.bind(value, 'jsonb')}) is not true"
        case Operation.IS_TRUE | Operation.IS_FALSE:
            return f"{column} = '{'true' if operation is Operation.IS_TRUE else 'false'}'"
        case Operation.CONTAINS | Operation.STARTS_WITH | Operation.ENDS_WITH:
            return _text_test(column, operation, parameters.bind(value, "text"))
        case Operation.ARRAY_INCLUDES:
            return f"(jsonb_typeof({column}) = 'array' and {column} @> {parameters.bind(value, 'jsonb')})"
        case Operation.ARRAY_EXCLUDES:
            includes = _value_test(column, Operation.ARRAY_INCLUDES, value, parameters)
            return f"{includes} is not true"
        case Operation.ARRAY_IS_EMPTY:
            return f"coalesce({column}, 'null') in ('null', '[]')"
        case Operation.ARRAY_IS_NOT_EMPTY:
            return f"(jsonb_typeof({column}) = 'array' and {column} <> '[]')"
        case _ if isinstance(value, str):  # by code point, which is what the collation "C" compares
            text = f"({column} #>> '{{}}') collate \"C\" {_ORDER[operation]} {parameters.bind(value, 'text')}"
            return f"(jsonb_typeof({column}) = 'string' and {text})"
        case _:  # only a number can be cast to one; CASE guarantees the order of evaluation, AND doesn't
            number = f"{column}::numeric {_ORDER[operation]} ({parameters.bind(value, 'jsonb')})::numeric"
            return f"(case when jsonb_typeof({column}) = 'number' then {number} end)"


def _text_test(column: LiteralString, operation: Operation, looked_for: LiteralString) -> LiteralString:
    text = f"({column} #>> '{{}}')"
    test: dict[Operation, LiteralString] = {
        Operation.CONTAINS: f"strpos({text}, {looked_for}) > 0",
        Operation.STARTS_WITH: f"starts_with({text}, {looked_for})",
        Operation.ENDS_WITH: f"right({text}, length({looked_for})) = {looked_for}",
    }
    return f"(jsonb_typeof({column}) = 'string' and {test[operation]})"
