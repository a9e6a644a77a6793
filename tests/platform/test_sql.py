"""Named parameters, fragments, batches of rows, and rows returned as dataclasses."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from signoff.platform.db import Database
from signoff.platform.sql import Json, PgType, Rows, Sql, all_of

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)
SCALARS = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False), TEXT
)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=3))


@dataclass
class Item:
    name: str
    content: Json
    count: int | None
    tags: list[str]
    level: Annotated[int, PgType("integer")] = 0


@dataclass
class Named:
    name: str


@pytest.fixture(scope="module")
async def db(empty_databases: Any) -> AsyncGenerator[Database]:
    db = await Database.connect(await empty_databases(), size=2)
    yield db
    await db.close()


class TestParameters:
    def test_get_positions_in_order_of_their_first_use(self) -> None:
        assert Sql("select :b::text, :a, :b").query == "select $1::text, $2, $1"

    @pytest.mark.parametrize(
        "text",
        [
            "select ':a'",
            "select 'it''s :a'",
            'select 1 as ":a"',
            "select 1 -- :a",
            "select 1 /* :a\n :b */",
            "select '1'::text",
            "select '{}'::text[]",
            "select '{a}'",
        ],
    )
    def test_are_not_looked_for_in_literals_names_comments_and_casts(self, text: Any) -> None:
        assert Sql(text).query == text

    async def test_missing_and_unknown_ones_are_refused(self, db: Database) -> None:
        statement = Sql("select :a::text")
        with pytest.raises(TypeError, match=r"missing: \['a'\], unknown: \['b'\]"):
            await statement.fetch(db, b="1")

    async def test_are_values_whatever_they_contain(self, db: Database) -> None:
        text = "'; drop table accounts; -- :a {b}"
        assert await Sql("select :a::text").fetch_value(db, a=text) == text


class TestFragments:
    def test_are_put_in_by_name(self) -> None:
        part = Sql("name = :name")
        assert Sql("select {columns} from t where {part} and id = :id", columns="a, b", part=part).query == (
            "select a, b from t where name = $1 and id = $2"
        )

    def test_can_be_numbers(self) -> None:
        assert Sql("select 1 limit {most}", most=10).query == "select 1 limit 10"

    async def test_conditions_hold_together(self, db: Database) -> None:
        for conditions, holds in ([], True), (["1 = 1", Sql(":a")], False), ([Sql(":a"), "1 = 1"], False):
            statement = Sql("select {conditions}", conditions=all_of(conditions))
            assert await statement.fetch_value(db, **statement.pick({"a": False, "b": 1})) is holds

    def test_a_parameter_of_the_same_name_is_the_same(self) -> None:
        part = Sql("account_id = :account_id")
        assert Sql("select :account_id where {part}", part=part).query == "select $1 where account_id = $1"

    def test_a_fragment_that_is_missing_is_refused(self) -> None:
        with pytest.raises(TypeError, match="no fragment is given"):
            Sql("select {columns}")

    def test_a_fragment_without_a_place_is_refused(self) -> None:
        with pytest.raises(TypeError, match="no place for columns"):
            Sql("select 1", columns="a")

    def test_two_batches_of_one_name_are_refused(self) -> None:
        with pytest.raises(TypeError, match="two different batches"):
            Sql("select {a}, {b}", a=Rows("items", Item), b=Rows("items", Named))

    def test_a_parameter_with_the_name_of_a_batch_column_is_refused(self) -> None:
        with pytest.raises(TypeError, match="names of batch columns: \\['items_name'\\]"):
            Sql("select * from {items} as i where name = :items_name", items=Rows("items", Item))

    def test_a_fragment_with_such_a_parameter_is_refused(self) -> None:
        part = Sql("name = :items_name")
        with pytest.raises(TypeError, match="names of batch columns"):
            Sql("select * from {items} as i where {part}", items=Rows("items", Item), part=part)


class TestResults:
    async def test_are_dataclasses(self, db: Database) -> None:
        statement = Sql("select :name::text as name", Named)
        assert await statement.fetch(db, name="a") == [Named("a")]
        assert await statement.fetch_one(db, name="a") == Named("a")

    async def test_a_column_that_the_dataclass_does_not_have_is_refused(self, db: Database) -> None:
        with pytest.raises(TypeError):
            await Sql("select 1 as other", Named).fetch(db)

    async def test_no_row_is_none(self, db: Database) -> None:
        assert await Sql("select 'a' as name where false", Named).fetch_one(db) is None

    async def test_are_rows_without_a_dataclass(self, db: Database) -> None:
        row = await Sql("select 1 as a").fetch_one(db)
        assert row is not None
        assert row["a"] == 1

    async def test_execute_returns_the_command_tag(self, db: Database) -> None:
        assert await Sql("select 1").execute(db) == "SELECT 1"


SELECT_ITEMS = Sql("select * from {items} as i", Item, items=Rows("items", Item))


class TestBatches:
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
    @given(
        st.lists(
            st.builds(
                Item, TEXT, st.none() | JSON, st.none() | st.integers(-(2**63), 2**63 - 1), st.lists(TEXT), st.just(0)
            ),
            max_size=6,
        )
    )
    async def test_each_row_keeps_its_own_values(self, db: Database, items: list[Item]) -> None:
        assert await SELECT_ITEMS.fetch(db, items=items) == items

    async def test_no_rows_are_an_empty_table(self, db: Database) -> None:
        assert await SELECT_ITEMS.fetch(db, items=[]) == []

    async def test_stand_beside_other_parameters(self, db: Database) -> None:
        statement = Sql("select name from {items} as i where level = :level", Named, items=Rows("items", Item))
        items = [Item("a", None, None, [], 1), Item("b", None, None, [], 2)]
        assert await statement.fetch(db, items=items, level=2) == [Named("b")]

    async def test_come_along_with_a_fragment(self, db: Database) -> None:
        part = Sql("select name from {items} as i", items=Rows("items", Item))
        statement = Sql("select name from ({part}) as p", Named, part=part)
        assert await statement.fetch(db, items=[Item("a", [1], 1, [])]) == [Named("a")]

    async def test_each_type_keeps_its_value(self, db: Database) -> None:
        @dataclass
        class Every:
            text: str
            number: float
            yes: bool
            raw: bytes | None
            at: datetime
            choice: Literal["a", "b"]

        every = Every("ä", 0.5, True, b"\x00\xff", datetime(2030, 1, 1, tzinfo=UTC), "a")
        rows = await Sql("select * from {every} as e", every=Rows("every", Every)).fetch(db, every=[every])
        assert Every(**rows[0]) == every

    async def test_a_dataclass_inside_becomes_columns(self, db: Database) -> None:
        @dataclass
        class Order:
            order_id: str
            item: Item

        statement = Sql("select order_id, item_name, item_content from {orders} as o", orders=Rows("orders", Order))
        [row] = await statement.fetch(db, orders=[Order("o", Item("a", [1], None, []))])
        assert tuple(row) == ("o", "a", [1])

    def test_a_field_without_a_column_type_is_refused(self) -> None:
        @dataclass
        class Odd:
            value: object

        with pytest.raises(TypeError, match="value: no column type"):
            Rows("odd", Odd)
