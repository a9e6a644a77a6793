import json
from contextlib import suppress
from pathlib import Path as FilePath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.platform.errors import ErrorDetail
from signoff.platform.operators import (
    ARRAY_OPERATIONS,
    SYMBOLS,
    TAKES_VALUE,
    Condition,
    Operation,
    OperationError,
    Path,
    PathError,
    holds,
    parse_condition,
    parse_operation,
    parse_path,
)

VECTORS: dict[str, Any] = json.loads((FilePath(__file__).parents[1] / "vectors/operators.json").read_text())


def read(raw: Any) -> Condition:
    errors: list[ErrorDetail] = []
    condition = parse_condition(raw, "filter", errors)
    assert condition is not None, errors
    return condition


def label(vector: dict[str, Any]) -> str:
    return json.dumps(vector["condition"])


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=label)
def test_vector(vector: dict[str, Any]) -> None:
    assert holds(read(vector["condition"]), VECTORS["responseValues"]) is vector["holds"]


@pytest.mark.parametrize("vector", VECTORS["malformed"], ids=label)
def test_malformed_vector(vector: dict[str, Any]) -> None:
    errors: list[ErrorDetail] = []
    assert parse_condition(vector["condition"], "filter", errors) is None
    assert [(error.path, error.code) for error in errors] == [
        (f"filter.{vector['fault']['path']}", vector["fault"]["code"])
    ]


def test_vectors_cover_every_operation_in_every_form() -> None:
    used = {vector["condition"]["operation"] for vector in VECTORS["vectors"]}
    assert used == {*(operation.value for operation in Operation), *SYMBOLS}


def test_there_are_fifteen_operations() -> None:
    assert len(Operation) == 15


def test_an_unneeded_value_is_dropped() -> None:
    assert read({"field": "a.value", "operation": "isTrue", "value": {"any": "thing"}}).value is None


def test_reports_all_errors_of_a_condition() -> None:
    errors: list[ErrorDetail] = []
    parse_condition({"field": "a", "operation": "~", "extra": 1}, "filters[0]", errors)
    assert {error.path for error in errors} == {"filters[0].field", "filters[0].operation", "filters[0].extra"}


@pytest.mark.parametrize("raw", [None, 1, "a.value", [], True])
def test_condition_must_be_an_object(raw: Any) -> None:
    errors: list[ErrorDetail] = []
    assert parse_condition(raw, "x", errors) is None
    assert [error.code for error in errors] == ["wrong_type"]


scalars = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.sampled_from("ab") | st.text()
)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "b", "id"]), inner)
)
entries = st.dictionaries(st.sampled_from(["value", "wasEdited"]), anything)
maps = st.dictionaries(st.sampled_from(["a", "b"]), entries | anything)
plain_paths = st.sampled_from([Path("a"), Path("b"), Path("a", "wasEdited")])
mapped_paths = st.sampled_from([Path("a", prop="id"), Path("b", prop="a")])
values = st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.sampled_from("ab") | st.text()
operations = st.sampled_from(Operation)
names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,63}", fullmatch=True)


@given(plain_paths | mapped_paths, operations, anything, anything | maps)
def test_is_total(path: Path, operation: Operation, value: Any, on: Any) -> None:
    assert holds(Condition(path, operation, value), on) in (True, False)


@given(plain_paths, values, maps)
def test_not_equal_negates_equal(path: Path, value: Any, on: Any) -> None:
    equal, different = Condition(path, Operation.EQUAL, value), Condition(path, Operation.NOT_EQUAL, value)
    assert holds(equal, on) is not holds(different, on)


@given(plain_paths | mapped_paths, values, maps)
def test_excludes_negates_includes(path: Path, value: Any, on: Any) -> None:
    includes = Condition(path, Operation.ARRAY_INCLUDES, value)
    excludes = Condition(path, Operation.ARRAY_EXCLUDES, value)
    assert holds(includes, on) is not holds(excludes, on)


@given(operations, values, st.lists(st.fixed_dictionaries({"id": values}), min_size=1, max_size=4))
def test_scalar_operation_on_mapped_elements_matches_any(operation: Operation, value: Any, elements: list[Any]) -> None:
    if operation not in ARRAY_OPERATIONS:
        mapped = holds(Condition(Path("a", prop="id"), operation, value), {"a": {"value": elements}})
        each = [holds(Condition(Path("a"), operation, value), {"a": {"value": item["id"]}}) for item in elements]
        assert mapped is any(each)


@given(operations, values, st.lists(st.fixed_dictionaries({"id": values})))
def test_array_operation_on_mapped_elements_gets_the_array(
    operation: Operation, value: Any, elements: list[Any]
) -> None:
    if operation in ARRAY_OPERATIONS:
        mapped = holds(Condition(Path("a", prop="id"), operation, value), {"a": {"value": elements}})
        plain = holds(Condition(Path("a"), operation, value), {"a": {"value": [item["id"] for item in elements]}})
        assert mapped is plain


@given(plain_paths | mapped_paths, operations, values)
def test_missing_path_is_false_except_for_three_operations(path: Path, operation: Operation, value: Any) -> None:
    expected = operation in (Operation.NOT_EQUAL, Operation.ARRAY_EXCLUDES, Operation.ARRAY_IS_EMPTY)
    for on in ({}, {path.field: {}}, {path.field: {"value": None}}, None, []):
        assert holds(Condition(path, operation, value), on) is expected


@given(st.sampled_from(sorted(SYMBOLS)), plain_paths | mapped_paths, st.text(max_size=3), maps)
def test_both_forms_agree(form: str, path: Path, value: str, on: Any) -> None:
    raw = {"field": str(path), "operation": form, "value": value}
    word = {**raw, "operation": SYMBOLS[form].value}
    assert read(raw) == read(word)
    assert holds(read(raw), on) is holds(read(word), on)


@given(names, st.sampled_from(["value", "wasEdited"]), st.none() | names)
def test_path_round_trip(field: str, member: Any, prop: str | None) -> None:
    path = Path(field, prop=prop) if prop else Path(field, member)
    assert parse_path(str(path)) == path


@given(plain_paths | mapped_paths, operations, values)
def test_condition_round_trip(path: Path, operation: Operation, value: Any) -> None:
    errors: list[ErrorDetail] = []
    condition = parse_condition({"field": str(path), "operation": operation.value, "value": value}, "filter", errors)
    if condition is not None:
        assert read(condition.to_json()) == condition
        assert ("value" in condition.to_json()) is (operation in TAKES_VALUE)


@given(anything)
def test_any_json_is_a_condition_or_has_errors(raw: Any) -> None:
    errors: list[ErrorDetail] = []
    assert (parse_condition(raw, "filter", errors) is None) is bool(errors)


@given(st.text())
def test_any_text_is_valid_or_rejected(text: str) -> None:
    with suppress(PathError):
        assert str(parse_path(text)) == text
    with suppress(OperationError):
        parse_operation(text)
