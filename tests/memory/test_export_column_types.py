"""Numbers and booleans in Parquet: typed by the review type, exact, and never a reason to fail."""

import io
import json
from typing import Any

import asyncpg
import pyarrow
import pyarrow.parquet
import pytest
from export_helpers import decided, exported
from support.api import Workspace, assert_ok
from support.in_process import Service

FIELDS: list[dict[str, Any]] = [
    {"id": "price", "type": "number"},
    {"id": "count", "type": "number", "integer": True},
    {"id": "stars", "type": "rating"},
    {"id": "urgent", "type": "boolean"},
    {"id": "note", "type": "text"},
    {"id": "sizes", "type": "list", "item": [{"id": "size", "type": "number"}]},
    {"id": "raw", "type": "json"},
]
VALUES: dict[str, Any] = {
    "price": 1.5,
    "count": 7,
    "stars": 4,
    "urgent": True,
    "note": "12",
    "sizes": [{"size": 1}, {"size": 2.5}],
    "raw": 5,
}


async def make_form(workspace: Workspace, *fields: dict[str, Any]) -> dict[str, Any]:
    return await workspace.make_form(fields=list(fields) or FIELDS, titleField=None, layout=None, rules=None)


async def add_version(workspace: Workspace, form: dict[str, Any], *fields: dict[str, Any]) -> None:
    await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"fields": list(fields)}))


async def table(workspace: Workspace, form: dict[str, Any], **params: Any) -> pyarrow.Table:
    response = await exported(workspace.agent, form, format="parquet", **params)
    return pyarrow.parquet.read_table(io.BytesIO(response.content))


def value_types(found: pyarrow.Table) -> dict[str, str]:
    """The types of the fields' columns; both values of a field have the same type."""
    suggested, approved = (
        {
            name.removesuffix(ending): str(found.schema.field(name).type)
            for name in found.column_names
            if name.endswith(ending)
        }
        for ending in (".suggested", ".approved")
    )
    assert suggested == approved
    return suggested


def column(found: pyarrow.Table, name: str) -> list[Any]:
    return found.column(name).to_pylist()


class TestTypes:
    @pytest.mark.parametrize("reviews", [0, 1])
    async def test_come_from_the_review_type(self, workspace: Workspace, reviews: int) -> None:
        form = await make_form(workspace)
        for _ in range(reviews):
            await decided(workspace, form, data=VALUES)
        exported_table = await table(workspace, form)
        assert value_types(exported_table) == {
            "price": "double",
            "count": "int64",
            "stars": "int64",
            "urgent": "bool",
            "note": "string",
            "sizes": "string",
            "raw": "string",
        }
        expected = {**VALUES, "sizes": '[{"size":1},{"size":2.5}]', "raw": "5"}
        for name, value in expected.items():
            assert (
                column(exported_table, f"{name}.suggested")
                == column(exported_table, f"{name}.approved")
                == [value] * reviews
            )
        assert column(exported_table, "unconverted") == [None] * reviews

    async def test_absent_null_and_rejected_values_are_null(self, workspace: Workspace) -> None:
        form = await make_form(workspace)
        await decided(workspace, form, data={"note": "only"})
        await decided(workspace, form, data={**VALUES, "price": None, "urgent": None})
        await decided(workspace, form, "rejected", data={**VALUES, "urgent": False})
        exported_table = await table(workspace, form)
        assert column(exported_table, "price.suggested") == [None, None, 1.5]
        assert column(exported_table, "urgent.suggested") == [None, None, False]
        assert column(exported_table, "count.suggested") == [None, 7, 7]
        assert column(exported_table, "count.approved") == [None, 7, None]
        assert column(exported_table, "unconverted") == [None] * 3

    async def test_only_requested_fields(self, workspace: Workspace) -> None:
        form = await make_form(workspace)
        await decided(workspace, form, data=VALUES)
        some = await table(workspace, form, fieldIds="stars,note")
        assert value_types(some) == {"stars": "int64", "note": "string"}
        assert "unconverted" in some.column_names
        assert "unconverted" not in (await table(workspace, form, fieldIds="note,raw")).column_names

    async def test_column_named_like_a_field(self, workspace: Workspace) -> None:
        form = await make_form(workspace, {"id": "unconverted", "type": "number"})
        await decided(workspace, form, data={"unconverted": 2**63 + 1})
        exported_table = await table(workspace, form)
        assert column(exported_table, "unconverted.approved") == [None]
        assert json.loads(column(exported_table, "unconverted")[0])["unconverted.approved"] == 2**63 + 1


class TestMismatchingValues:
    @pytest.mark.parametrize("value", [0, -5, -0.0, 1e308, 5e-324, 2**53, -(2**63), 2**63, 1e30, 0.1])
    async def test_valid_numbers(self, workspace: Workspace, value: float) -> None:
        form = await make_form(workspace, FIELDS[0])
        await decided(workspace, form, data={"price": value})
        exported_table = await table(workspace, form)
        assert column(exported_table, "price.approved") == [value]
        assert column(exported_table, "unconverted") == [None]

    @pytest.mark.parametrize("value", [0, -5, 3.0, 2**53 + 1, -(2**63), 2**63 - 1])
    async def test_valid_integers(self, workspace: Workspace, value: float) -> None:
        form = await make_form(workspace, FIELDS[1])
        await decided(workspace, form, data={"count": value})
        exported_table = await table(workspace, form)
        assert column(exported_table, "count.approved") == [value]
        assert column(exported_table, "unconverted") == [None]

    @pytest.mark.parametrize(
        ("name", "value"),
        [("price", 2**53 + 1), ("price", 2**64 - 1), ("count", 2**63), ("count", 2**64 - 1), ("count", 1e30)],
    )
    async def test_too_large_numbers(self, workspace: Workspace, name: str, value: float) -> None:
        form = await make_form(workspace, *FIELDS[:2])
        await decided(workspace, form, data={"price": 1, "count": 1, name: value})
        exported_table = await table(workspace, form)
        assert column(exported_table, f"{name}.suggested") == column(exported_table, f"{name}.approved") == [None]
        [unconverted] = column(exported_table, "unconverted")
        assert json.loads(unconverted) == {f"{name}.suggested": value, f"{name}.approved": value}
        [other] = {"price", "count"} - {name}
        assert column(exported_table, f"{other}.approved") == [1]

    @pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e400"])
    async def test_invalid_json_numbers_are_rejected(self, workspace: Workspace, number: bytes) -> None:
        form = await make_form(workspace, FIELDS[0])
        body = json.dumps({"formId": form["formId"], "data": {"price": "?"}}).encode().replace(b'"?"', number)
        response = await workspace.agent.post(
            "/requestReview", content=body, headers={"content-type": "application/json"}
        )
        assert response.status_code == 400

    @pytest.mark.parametrize("stored", ["ten", "5", True, 2.5, [1], {"a": "ü"}])
    async def test_stored_values_of_another_type(self, service: Service, workspace: Workspace, stored: Any) -> None:
        """As an earlier, less strict service could have stored them."""
        form = await make_form(workspace, *FIELDS[1:4])
        review_id = await decided(workspace, form, data={"count": 1, "stars": 1, "urgent": True})
        wrong = {name: {"value": stored} for name in ("count", "stars")} | {"urgent": {"value": 1}}
        connection = await asyncpg.connect(service.dsn())
        try:
            await connection.execute(
                "update review_results set response_values = $2 where review_id = $1", review_id, json.dumps(wrong)
            )
        finally:
            await connection.close()
        exported_table = await table(workspace, form)
        [kept] = column(exported_table, "unconverted")
        assert json.loads(kept) == {"count.approved": stored, "stars.approved": stored, "urgent.approved": 1}
        assert [column(exported_table, f"{name}.approved") for name in ("count", "stars", "urgent")] == [[None]] * 3
        assert column(exported_table, "count.suggested") == [1]


class TestVersions:
    @pytest.mark.parametrize(
        ("earlier", "later", "expected"),
        [
            ({"type": "number", "integer": True}, {"type": "rating"}, "int64"),
            ({"type": "number", "integer": True}, {"type": "number"}, "double"),
            ({"type": "number"}, {"type": "rating"}, "double"),
            ({"type": "label", "text": "Hi"}, {"type": "number"}, "double"),
            ({"type": "boolean"}, {"type": "number"}, "string"),
            ({"type": "text"}, {"type": "number"}, "string"),
            ({"type": "number"}, {"type": "text"}, "string"),
            ({"type": "list", "item": [{"id": "size", "type": "number"}]}, {"type": "number"}, "string"),
        ],
    )
    async def test_a_column_holds_every_version(
        self, workspace: Workspace, earlier: dict[str, Any], later: dict[str, Any], expected: str
    ) -> None:
        form = await make_form(workspace, {"id": "value", **earlier})
        await add_version(workspace, form, {"id": "value", **later})
        assert value_types(await table(workspace, form)) == {"value": expected}

    async def test_numbers_of_both_versions(self, workspace: Workspace) -> None:
        form = await make_form(workspace, {"id": "value", "type": "number", "integer": True})
        await decided(workspace, form, data={"value": 3})
        await add_version(workspace, form, {"id": "value", "type": "number"})
        await decided(workspace, form, data={"value": 2.5})
        assert column(await table(workspace, form), "value.approved") == [3.0, 2.5]

    async def test_text_if_versions_disagree(self, workspace: Workspace) -> None:
        form = await make_form(workspace, {"id": "value", "type": "text"}, {"id": "old", "type": "boolean"})
        await decided(workspace, form, data={"value": "dreißig", "old": True})
        await add_version(workspace, form, {"id": "value", "type": "number"})
        await decided(workspace, form, data={"value": 30})
        exported_table = await table(workspace, form)
        assert column(exported_table, "value.approved") == ["dreißig", "30"]
        assert column(exported_table, "old.approved") == [True, None]
        assert column(exported_table, "unconverted") == [None, None]
