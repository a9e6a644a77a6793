"""Filters in SQL match the operators: on generated responses, in the database, compared with plain Python."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.in_process import Service

from signoff.memory.filters import Facet, Parameters, build_facet, expression
from signoff.memory.search import ResponseSearch, sort_by_rarity
from signoff.platform import migrate
from signoff.platform.db import Database
from signoff.platform.operators import (
    SYMBOLS,
    TAKES_VALUE,
    Condition,
    Operation,
    holds,
    parse_condition,
    parse_path,
)
from signoff.platform.sql import Sql
from signoff.reviews.facets import facet_key, overfull_key, response_facets

ACCOUNT, FORM = "acc_1", "frm_1"
FIELDS = ("score", "tags", "rows")
# Few different ones, so that they coincide.
TEXTS = st.sampled_from(["", "a", "A", "ab", "b", "é", "%", "_", "\\", "'", "10", "9", "true", "null", "𝄞", "z\n"])
NUMBERS = st.sampled_from([0, -0.0, 1, 1.0, -1, 9, 10, 0.1, 0.30000000000000004, 1e-7, 1e21, 2**53 + 1, -(2**63)])
SCALARS = st.one_of(TEXTS, NUMBERS, st.booleans())
ELEMENTS = st.one_of(SCALARS, st.none(), st.dictionaries(st.sampled_from(["id", "label", "x-1"]), SCALARS | st.none()))
VALUES = st.one_of(
    st.none(), SCALARS, st.lists(ELEMENTS, max_size=4), st.dictionaries(st.sampled_from(["id", "value"]), SCALARS)
)
ENTRIES = st.one_of(
    st.fixed_dictionaries({"value": VALUES}, optional={"wasEdited": st.booleans() | st.none()}), st.just({}), SCALARS
)
RESPONSES = st.dictionaries(st.sampled_from(FIELDS), ENTRIES, max_size=3)
PATHS = st.builds(
    lambda field, rest: parse_path(f"{field}.{rest}"),
    st.sampled_from(FIELDS),
    st.sampled_from(["value", "value", "wasEdited", "value[].id", "value[].label", "value[].x-1"]),
)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    operation = draw(st.sampled_from(Operation))
    if operation not in TAKES_VALUE:
        return Condition(draw(PATHS), operation)
    if operation in {Operation.CONTAINS, Operation.STARTS_WITH, Operation.ENDS_WITH}:
        return Condition(draw(PATHS), operation, draw(TEXTS))
    if operation.value.startswith(("greater", "less")):
        return Condition(draw(PATHS), operation, draw(st.one_of(TEXTS, NUMBERS)))
    return Condition(draw(PATHS), operation, draw(SCALARS))


@pytest.fixture(scope="module")
async def db(service: Service) -> AsyncIterator[Database]:
    database = await Database.connect(service.dsn(), size=1)
    yield database
    await database.close()


async def in_sql(db: Database, condition: Condition, response: Any) -> bool:
    parameters = Parameters()
    test = expression(condition, ":response::jsonb", parameters)
    statement = Sql("select coalesce({test}, false)", test=test)
    return await statement.fetch_value(db, **statement.pick({"response": response, **parameters.values}))


def by_facet(condition: Condition, response: Any) -> bool | None:
    facet = build_facet(condition)
    if facet is None:
        return None
    return facet.key(ACCOUNT, FORM) in response_facets(ACCOUNT, FORM, "approved", response)


EVERY_RUN = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
AT_LENGTH = settings(EVERY_RUN, max_examples=400)


class TestAgainstPlainPython:
    @EVERY_RUN
    @given(condition=conditions(), response=RESPONSES)
    @example(Condition(parse_path("tags.value"), Operation.ARRAY_INCLUDES, 1), {"tags": {"value": [1.0]}})
    @example(Condition(parse_path("tags.value"), Operation.ARRAY_INCLUDES, "a"), {"tags": {"value": [["a"]]}})
    @example(Condition(parse_path("tags.value"), Operation.EQUAL, "a"), {"tags": {"value": ["a"]}})
    @example(Condition(parse_path("rows.value[].id"), Operation.NOT_EQUAL, "a"), {"rows": {"value": "a"}})
    async def test_sql_expression_matches_the_operator(self, db: Database, condition: Condition, response: Any) -> None:
        assert await in_sql(db, condition, response) is holds(condition, response)

    @EVERY_RUN
    @given(condition=conditions().filter(build_facet), response=RESPONSES)
    @example(Condition(parse_path("score.value"), Operation.EQUAL, 10), {"score": {"value": 10.0}})
    @example(Condition(parse_path("score.value"), Operation.EQUAL, 1e21), {"score": {"value": 1e21}})
    @example(Condition(parse_path("score.value"), Operation.EQUAL, "1"), {"score": {"value": 1}})
    def test_facet_matches_the_operator(self, condition: Condition, response: Any) -> None:
        assert by_facet(condition, response) is holds(condition, response)

    @pytest.mark.slow
    @AT_LENGTH
    @given(condition=conditions(), response=RESPONSES)
    async def test_many_expressions(self, db: Database, condition: Condition, response: Any) -> None:
        assert await in_sql(db, condition, response) is holds(condition, response)

    @pytest.mark.slow
    @AT_LENGTH
    @given(condition=conditions().filter(build_facet), response=RESPONSES)
    def test_many_facets(self, condition: Condition, response: Any) -> None:
        assert by_facet(condition, response) is holds(condition, response)


# One response for each type of value, and the conditions that hold on it: operation, value, and whether it holds on a
# text, a number, a boolean, an array of texts, an empty array, and a missing value.
KINDS: dict[str, Any] = {
    "text": "pear",
    "number": 7,
    "truth": True,
    "array": ["pear", "fig"],
    "empty": [],
    "missing": None,
}
TABLE: list[tuple[str, Any, set[str]]] = [
    ("equal", "pear", {"text"}),
    ("equal", 7, {"number"}),
    ("equal", True, {"truth"}),
    ("notEqual", "pear", {"number", "truth", "array", "empty", "missing"}),
    ("greaterThan", 6, {"number"}),
    ("greaterThan", 7, set()),
    ("greaterThan", "peach", {"text"}),
    ("greaterThanOrEqual", 7, {"number"}),
    ("greaterThanOrEqual", "pear", {"text"}),
    ("lessThan", 8, {"number"}),
    ("lessThan", "peas", {"text"}),
    ("lessThanOrEqual", 7, {"number"}),
    ("lessThanOrEqual", "pea", set()),
    ("contains", "ea", {"text"}),
    ("startsWith", "pe", {"text"}),
    ("endsWith", "ar", {"text"}),
    ("endsWith", "pe", set()),
    ("isTrue", None, {"truth"}),
    ("isFalse", None, set()),
    ("arrayIncludes", "fig", {"array"}),
    ("arrayExcludes", "fig", {"text", "number", "truth", "empty", "missing"}),
    ("arrayIsEmpty", None, {"empty", "missing"}),
    ("arrayIsNotEmpty", None, {"array"}),
]
FORMS = {operation.value: [operation.value] for operation in Operation}
for other, operation in SYMBOLS.items():
    FORMS[operation.value].append(other)


class TestTable:
    def test_has_every_operation(self) -> None:
        assert {name for name, _, _ in TABLE} == {operation.value for operation in Operation}

    @pytest.mark.parametrize(
        ("form", "value", "expected"),
        [(form, value, expected) for name, value, expected in TABLE for form in FORMS[name]],
    )
    async def test_each_operation_on_each_value_type(
        self, db: Database, form: str, value: Any, expected: set[str]
    ) -> None:
        for kind, held in KINDS.items():
            errors: list[Any] = []
            raw = {"field": "field.value", "operation": form, **({} if value is None else {"value": value})}
            condition = parse_condition(raw, "filterResponseValues[0]", errors)
            assert condition is not None, errors
            response = {} if held is None else {"field": {"value": held}}
            assert await in_sql(db, condition, response) is (kind in expected), kind
            assert by_facet(condition, response) in (None, kind in expected), kind


def read_sql_function(name: str) -> str:
    script = (Path(migrate.__file__).parent / "migrations/versions/0002_memory.sql").read_text()
    match = re.search(rf"^create function {name}\(.*?;\n(?=\n)", script, re.DOTALL | re.MULTILINE)
    assert match is not None
    return match[0]


@pytest.fixture(scope="module")
async def sql_facets(db: Database) -> None:
    """The functions that wrote the first facets. They must still be found."""
    await db.execute(read_sql_function("facet"))
    await db.execute(read_sql_function("response_facets_of"))


ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)
ANY_NUMBER = st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | ANY_NUMBER | ANY_TEXT | NUMBERS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=3),
)
ANY_ENTRY = ANY_JSON | st.dictionaries(st.sampled_from(["value", "wasEdited", "else"]), ANY_JSON)


class TestFacets:
    @EVERY_RUN
    @given(account_id=ANY_TEXT, form_id=ANY_TEXT, response_values=st.dictionaries(ANY_TEXT, ANY_ENTRY, max_size=4))
    @example("acc", "frm", {"a": {"value": [1, 1.0, "1", True, {"b": 1e21}, {"b": -0.0}, {"b": 5e-324}]}})
    @example("acc", "frm", {"a": {"value": list(range(5_000)) + [1.0] * 10}})
    @example("acc", "frm", {"a": {"value": list(range(5_001))}, "b": {"value": ["c"]}})
    @pytest.mark.usefixtures("sql_facets")
    async def test_are_those_that_sql_computed(
        self, db: Database, account_id: str, form_id: str, response_values: Any
    ) -> None:
        rows = await db.fetch(
            "select response_facets_of($1, $2, 'rejected', $3::json::jsonb)", account_id, form_id, response_values
        )
        assert response_facets(account_id, form_id, "rejected", response_values) == {row[0] for row in rows}

    def test_responses_with_too_many_elements_have_no_facets(self) -> None:
        response: Any = {"rows": {"value": [{"id": number} for number in range(6_000)]}, "score": {"value": 1}}
        in_list = Condition(parse_path("rows.value[].id"), Operation.EQUAL, 17)
        beside = Condition(parse_path("score.value"), Operation.EQUAL, 1)
        assert by_facet(in_list, response) is False
        assert by_facet(beside, response) is True
        assert overfull_key(ACCOUNT, FORM) in response_facets(ACCOUNT, FORM, None, response)

    def test_are_separate_for_accounts_and_review_types(self) -> None:
        keys = {
            facet_key("acc_1", "frm_1", "a.value", 1),
            facet_key("acc_2", "frm_1", "a.value", 1),
            facet_key("acc_1", "frm_2", "a.value", 1),
            facet_key("acc_1", "frm_1", "a.value", "1"),
            facet_key("acc_1", "frm_1", "a.value", value=True),
        }
        assert len(keys) == 5

    def test_numbers_are_normalized(self) -> None:
        assert len({facet_key("acc_1", "frm_1", "a.value", number) for number in (100, 100.0, 1e2)}) == 1


async def test_the_rarest_facet_leads(db: Database) -> None:
    facets = [Facet("a.value", 1), Facet("a.value", "1"), Facet("b.value", True), Facet("b.value[]", 0.5)]
    for count, facet in zip((3, 1, 0, 2), facets, strict=True):
        await db.execute(
            """insert into response_facets (facet, responded_at, review_id)
               select $1, now(), 'rev_' || n from generate_series(1, $2) n""",
            facet.key(ACCOUNT, FORM),
            count,
        )
    search = ResponseSearch(ACCOUNT, FORM, None, [], 10, 10)
    assert await sort_by_rarity(db, search, facets) == [facets[2], facets[1], facets[3], facets[0]]
