"""Values that no field shows: found, shown with the review, and rejected if the review type says so."""

from collections.abc import Iterator
from typing import Any, ClassVar, cast

import httpx
import pytest
from form_strategies import forms_with_data
from hypothesis import example, given
from support.api import Workspace, assert_error, assert_ok

from signoff.forms.definition import Definition, compile_definition
from signoff.forms.fields.lists import ListValueType
from signoff.forms.submission import apply_submission
from signoff.forms.suggestion import InvalidValues, read_suggestion
from signoff.forms.unmapped import unmapped_values

OPTIONS: list[Any] = [{"id": "x", "label": "X"}]
HEADLINE: dict[str, Any] = {"id": "h", "type": "text"}
ROWS: dict[str, Any] = {"id": "rows", "type": "table", "columns": [{"id": "name", "type": "text"}]}
NAMES: dict[str, Any] = {"id": "names", "type": "list", "item": [{"id": "name", "type": "text"}]}


def form(*fields: dict[str, Any], **members: Any) -> Definition:
    return compile_definition({"fields": list(fields), **members})


def found(definition: Definition, data: dict[str, Any]) -> dict[str, Any]:
    shown = read_suggestion(definition, data).values
    return {value.where: value.value for value in unmapped_values(definition, data, shown)}


class TestFound:
    CASES: ClassVar[list[Any]] = [
        ([HEADLINE], {"h": "pay 10", "amount": 1_000_000}, {"data.amount": 1_000_000}),
        ([HEADLINE], {"h": "a"}, {}),
        ([HEADLINE], {}, {}),
        ([HEADLINE], {"h": None, "x": None}, {"data.x": None}),
        ([HEADLINE], {"x": {"h": 1, "deep": [{}]}}, {"data.x": {"h": 1, "deep": [{}]}}),
        (
            [HEADLINE | {"path": "a.b.c"}],
            {"a": {"b": {"c": "1", "d": 2}, "e": 3}},
            {"data.a.b.d": 2, "data.a.e": 3},
        ),
        ([HEADLINE | {"path": "a.b"}], {"a": None}, {}),
        ([HEADLINE | {"path": "a.b"}], {"b": 1, "a": {}}, {"data.b": 1}),
        ([ROWS], {"rows": [{"name": "a"}, {"name": "b", "sku": 7}]}, {"data.rows[1].sku": 7}),
        ([ROWS], {"rows": [{"sku": {"name": 1}}]}, {"data.rows[0].sku": {"name": 1}}),
        ([NAMES], {"names": ["a", "b"]}, {}),
        ([NAMES], {"names": [{"name": "a", "own": []}]}, {"data.names[0].own": []}),
        ([{"id": "c", "type": "dropdown"}], {"c": {"default": None}}, {"data.c": {"default": None}}),
        ([{"id": "c", "type": "dropdown"}], {"c": {"options": OPTIONS}}, {}),
        ([{"id": "j", "type": "json"}], {"j": {"any": {"thing": 1}}}, {}),
        ([{"id": "l", "type": "label"}], {"l": "read"}, {}),
    ]

    @pytest.mark.parametrize(("fields", "data", "unmapped"), CASES)
    def test_by_path(self, fields: list[dict[str, Any]], data: dict[str, Any], unmapped: dict[str, Any]) -> None:
        assert found(form(*fields), data) == unmapped

    def test_names_the_list(self) -> None:
        definition = form(ROWS)
        data: dict[str, Any] = {"rows": [{"sku": 1}], "x": 2}
        inside, outside = unmapped_values(definition, data, read_suggestion(definition, data).values)
        assert inside.to_json() == {"path": ["rows", 0, "sku"], "value": 1, "fieldId": "rows"}
        assert outside.to_json() == {"path": ["x"], "value": 2}

    HIDDEN_IN_DEFAULT: ClassVar[Any] = ({"fields": [NAMES | {"default": [{"name": "a", "own": 1}]}]}, {})

    def test_defaults_have_none(self) -> None:
        raw, data = self.HIDDEN_IN_DEFAULT
        assert read_suggestion(compile_definition(raw), data).values == {"names": [{"name": "a"}]}

    HIDDEN_IN_OBJECT: ClassVar[Any] = (
        {
            "fields": [HEADLINE, {"id": "b", "type": "text", "path": "deep.b"}],
            "rules": [{"effect": "show", "target": "b", "when": {"field": "h.value", "operation": "==", "value": "x"}}],
        },
        {"h": "a", "deep": {"b": ""}},
    )

    @given(forms_with_data())
    @example(HIDDEN_IN_OBJECT)
    @example(HIDDEN_IN_DEFAULT)
    def test_returned_values_are_shown(self, drawn: tuple[dict[str, Any], dict[str, Any]]) -> None:
        """Everything in the result is shown by a field or by this list."""
        raw, data = drawn
        definition = compile_definition(raw)
        suggestion = read_suggestion(definition, data)
        listed_paths = {unmapped.path for unmapped in unmapped_values(definition, data, suggestion.values)}
        outcome = apply_submission(definition, suggestion, data, None, "approved", enforce_limits=False)
        for path, value in leaves(outcome.data):
            if value is not None and not any(path[: len(each)] == each for each in listed_paths):
                field = next((each for each in definition.fields if path[: len(each.path)] == each.path), None)
                if field is None:  # what a hidden field leaves of the objects around it
                    assert value == {}
                    assert any(each.path[: len(path)] == path for each in definition.fields)
                    continue
                assert field.id in suggestion.values
                in_item = path[len(field.path) :]
                if isinstance(field.value_type, ListValueType) and len(in_item) > 1:
                    assert in_item[1] in {child.id for child in field.value_type.children}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict) and value:
        for name, item in cast(dict[str, Any], value).items():
            yield from leaves(item, (*path, name))
    elif isinstance(value, list) and value:
        for index, item in enumerate(cast(list[Any], value)):
            yield from leaves(item, (*path, index))
    elif path:
        yield path, value


class TestRejecting:
    def test_reports_each_value(self) -> None:
        definition = form(HEADLINE | {"path": "a.h"}, ROWS, unmapped="reject")
        data: dict[str, Any] = {"a": {"h": "x", "more": 1}, "rows": [{"name": "n"}, {"sku": 2}], "amount": 3}
        with pytest.raises(InvalidValues) as caught:
            read_suggestion(definition, data)
        assert [(error.path, error.code) for error in caught.value.errors] == [
            ("data.a.more", "unmapped_property"),
            ("data.rows[1].sku", "unmapped_property"),
            ("data.amount", "unmapped_property"),
        ]

    def test_many_values_are_truncated(self) -> None:
        with pytest.raises(InvalidValues) as caught:
            read_suggestion(form(HEADLINE, unmapped="reject"), {f"x{number}": 1 for number in range(100_000)})
        assert len(caught.value.errors) <= 500

    def test_mapped_values_pass(self) -> None:
        definition = form(HEADLINE, ROWS, unmapped="reject")
        assert read_suggestion(definition, {"h": "x", "rows": [{"name": "n"}]}).values == {
            "h": "x",
            "rows": [{"name": "n"}],
        }


class TestApi:
    async def _suggestion(self, workspace: Workspace, form: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
        review = await workspace.request(form, data=data)
        return await assert_ok(workspace.owner.get(f"/reviews/{review['reviewId']}/suggestion"))

    async def test_shown_and_kept(self, workspace: Workspace) -> None:
        form = await self._form(workspace)
        review = await workspace.request(form, data={"h": "pay 10", "amount": 1_000_000})
        suggestion = await assert_ok(workspace.owner.get(f"/reviews/{review['reviewId']}/suggestion"))
        assert suggestion["unmapped"] == [{"path": ["amount"], "value": 1_000_000}]
        decided = await workspace.decide(review["reviewId"], "approved")
        assert decided["reviewResult"]["data"] == {"h": "pay 10", "amount": 1_000_000}

    async def _form(self, workspace: Workspace, **members: Any) -> dict[str, Any]:
        agent = await workspace.make_agent()
        return await workspace.make_form(agent, fields=[HEADLINE], layout=None, rules=None, titleField=None, **members)

    async def test_absent_without_unmapped_values(self, workspace: Workspace) -> None:
        assert "unmapped" not in await self._suggestion(workspace, await self._form(workspace), {"h": "a"})

    async def test_hidden(self, workspace: Workspace) -> None:
        form = await self._form(workspace, unmapped="hide")
        assert "unmapped" not in await self._suggestion(workspace, form, {"h": "a", "amount": 1})

    async def test_rejected(self, workspace: Workspace) -> None:
        form = await self._form(workspace, unmapped="reject")
        body = {"formId": form["formId"], "data": {"h": "a", "amount": 1}}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert [error["path"] for error in problem["errors"]] == ["data.amount"]
        assert problem["errors"][0]["code"] == "unmapped_property"
        review = await workspace.request(form, data={"h": "a"})
        update = {**body, "updateForReviewId": review["reviewId"]}
        assert (await workspace.agent.post("/requestReview", json=update)).status_code == 422

    async def test_external_reviewer_sees_them(self, workspace: Workspace) -> None:
        form = await self._form(workspace)
        review = await workspace.request(form, data={"h": "a", "amount": 1}, extReviewers=["out@example.com"])
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        response = await workspace.public.get(
            f"/reviews/{review['reviewId']}/suggestion", headers={"x-review-token": token}
        )
        assert response.json()["unmapped"] == [{"path": ["amount"], "value": 1}]

    async def test_setting_of_a_review_type(self, workspace: Workspace) -> None:
        form = await self._form(workspace)
        assert form["unmapped"] == "show"
        changed = await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"unmapped": "reject"}))
        assert (changed["unmapped"], changed["version"]) == ("reject", 2)
        again = await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"unmapped": "reject"}))
        assert again["version"] == 2
        compared = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/compare"))
        assert [change["kind"] for change in compared["breaking"]] == ["unmappedRejected"]
        assert {"member": "unmapped", "before": "show", "after": "reject"} in compared["members"]
        exported = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/export"))
        assert exported["unmapped"] == "reject"
        imported = await assert_ok(workspace.manager.post("/forms/import", json=exported))
        assert imported["form"]["unmapped"] == "reject"
        copied = await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/duplicate", json={}))
        assert copied["unmapped"] == "reject"
        problem = await assert_error(
            workspace.manager.patch(f"/forms/{form['formId']}", json={"unmapped": "drop"}), 422
        )
        assert problem["errors"][0]["code"] == "unknown_unmapped"

    async def test_preview(self, workspace: Workspace) -> None:
        form = await self._form(workspace)
        data = {"h": "a", "amount": 1}
        shown = await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/preview", json={"data": data}))
        assert shown["unmapped"] == [{"path": ["amount"], "value": 1}]
        definition = {"name": "Try", "fields": [HEADLINE]}
        tried = await assert_ok(workspace.manager.post("/forms/preview", json={"form": definition, "data": data}))
        assert tried["unmapped"] == [{"path": ["amount"], "value": 1}]
