"""A function that needs a review."""

import asyncio
import inspect
from collections.abc import Callable
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel
from sdk_helpers import Sdk
from support.api import Workspace, assert_ok, unique

from signoff_client import AsyncClient, Client, ReviewRejected, SchemaMismatch, WaitTimeout
from signoff_client.sign_off import coerce_like

FIELDS: list[dict[str, Any]] = [
    {"id": "customer", "type": "text"},
    {"id": "amount", "type": "number"},
    {
        "id": "tags",
        "type": "checkboxes",
        "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}],
    },
    {"id": "street", "type": "text", "path": "address.street"},
    {"id": "note", "type": "text"},
]
HIDDEN_WHEN_SMALL = {
    "target": "note",
    "effect": "show",
    "when": {"field": "amount.value", "operation": "greaterThan", "value": 10},
}


class Address(BaseModel):
    street: str


class Draft(BaseModel):
    headline: str
    amount: float = 99


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@pytest.fixture
async def form_id(workspace: Workspace) -> str:
    return (await make_form(workspace))["formId"]


async def make_form(workspace: Workspace, **members: Any) -> dict[str, Any]:
    return await workspace.make_form(
        titleField="customer", fields=FIELDS, layout=None, rules=[HIDDEN_WHEN_SMALL], **members
    )


class Refunds:
    """A function that needs a sign-off, sync or async like the client; it records its calls."""

    def __init__(self, sdk: Sdk, form_id: str, **options: Any) -> None:
        self.sdk = sdk
        self.calls: list[dict[str, Any]] = []
        self.form_id = form_id

        def refund(customer: str, amount: float = 5, tags: Any = None, address: Any = None, note: Any = None) -> str:
            self.calls.append({name: value for name, value in locals_of(locals()).items() if value is not None})
            return f"refunded {amount} to {customer}"

        async def refund_async(
            customer: str, amount: float = 5, tags: Any = None, address: Any = None, note: Any = None
        ) -> str:
            return refund(customer, amount, tags, address, note)

        function: Callable[..., Any] = refund_async if sdk.is_async else refund
        self.function = function
        self.refund = sdk.client.sign_off(form_id, **options)(function)

    async def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return await self.sdk(self.refund, *args, **kwargs)


def locals_of(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "self"}


async def wait_for_review(workspace: Workspace, form_id: str) -> dict[str, Any]:
    """The pending review of the review type, once there is one."""
    async with asyncio.timeout(20):
        while True:
            reviews = await assert_ok(workspace.agent.get("/reviews", params={"formId": form_id, "state": "pending"}))
            if reviews["items"]:
                return await workspace.review(reviews["items"][0]["reviewId"])
            await asyncio.sleep(0.02)


class TestApproved:
    async def test_called_with_approved_arguments(self, sdk: Sdk, workspace: Workspace, form_id: str) -> None:
        refunds = Refunds(sdk, form_id, title="Refund?", session_id=unique("session"))
        calling = asyncio.create_task(
            refunds("Ann", amount=28, tags=["a"], address=Address(street="Elm"), note="broken")
        )
        review = await wait_for_review(workspace, form_id)
        assert review["title"] == "Refund?"
        assert review["data"] == {
            "customer": "Ann",
            "amount": 28,
            "tags": ["a"],
            "address": {"street": "Elm"},
            "note": "broken",
        }
        assert refunds.calls == []
        edits = {"amount": 20, "tags": ["a", "b"], "address": {"street": "Oak"}}
        await workspace.decide(review["reviewId"], data=edits)
        assert await calling == "refunded 20 to Ann"
        expected = {
            "customer": "Ann",
            "amount": 20,
            "tags": ["a", "b"],
            "address": Address(street="Oak"),
            "note": "broken",
        }
        assert refunds.calls == [expected]

    async def test_includes_default_arguments(self, sdk: Sdk, workspace: Workspace, form_id: str) -> None:
        refunds = Refunds(sdk, form_id)
        calling = asyncio.create_task(refunds("Ann"))
        review = await wait_for_review(workspace, form_id)
        assert review["data"]["amount"] == 5
        await workspace.decide(review["reviewId"], data={"amount": 4})
        assert await calling == "refunded 4 to Ann"

    @pytest.mark.parametrize("tags", ["a", ["b", "a"], [{"id": "a"}]])
    async def test_choices_keep_their_type(self, sdk: Sdk, workspace: Workspace, tags: Any) -> None:
        form = await make_form(workspace, autoApprove=True)
        refunds = Refunds(sdk, form["formId"])
        await refunds("Ann", tags=tags)
        assert refunds.calls[0]["tags"] == tags

    async def test_custom_types(self, sdk: Sdk, workspace: Workspace, form_id: str) -> None:
        """A field with a parameter's name replaces its argument; all other arguments stay."""
        refunds = Refunds(
            sdk,
            form_id,
            values=lambda customer, amount, **others: {"customer": customer["name"], "amount": amount},
            auto_approve=False,
        )
        calling = asyncio.create_task(refunds({"name": "Ann"}, 7, note="kept"))
        review = await wait_for_review(workspace, form_id)
        await workspace.decide(review["reviewId"], data={"amount": 6})
        assert await calling == "refunded 6 to Ann"
        assert refunds.calls[0]["note"] == "kept"

    async def test_keeps_the_signature(self, sdk: Sdk, form_id: str) -> None:
        refunds = Refunds(sdk, form_id)
        assert refunds.refund.__name__ == refunds.function.__name__
        assert inspect.signature(refunds.refund) == inspect.signature(refunds.function)
        assert inspect.iscoroutinefunction(refunds.refund) is sdk.is_async

    async def test_a_method(self, sdk: Sdk, workspace: Workspace) -> None:
        form = await make_form(workspace, autoApprove=True)

        class Desk:
            paid = 0.0

            async def pay_later(self, amount: float) -> float:
                return self.pay_now(amount)

            def pay_now(self, amount: float) -> float:
                self.paid += amount
                return self.paid

            pay = sdk.client.sign_off(form["formId"])(pay_later if sdk.is_async else pay_now)

        desk = Desk()
        assert await sdk(desk.pay, 3) == 3
        assert await sdk(desk.pay, amount=4) == 7

    async def test_any_parameter_names(self, sdk: Sdk, workspace: Workspace) -> None:
        form = await make_form(workspace, autoApprove=True)

        async def later(**values: Any) -> dict[str, Any]:
            return values

        def now(**values: Any) -> dict[str, Any]:
            return values

        function = sdk.client.sign_off(form["formId"])(later if sdk.is_async else now)
        assert await sdk(function, customer="Ann", amount=11) == {"customer": "Ann", "amount": 11}


class TestNotApproved:
    async def test_rejected(self, sdk: Sdk, workspace: Workspace, form_id: str) -> None:
        refunds = Refunds(sdk, form_id)
        calling = asyncio.create_task(refunds("Ann"))
        review = await wait_for_review(workspace, form_id)
        await workspace.decide(review["reviewId"], "rejected", reason="Too much")
        with pytest.raises(ReviewRejected, match="Too much") as rejected:
            await calling
        assert rejected.value.result.review_id == review["reviewId"]
        assert refunds.calls == []

    async def test_changes_requested(
        self, sdk: Sdk, workspace: Workspace, form_id: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("signoff_client.reviews.MAX_POLL_SECONDS", 0.2)
        refunds = Refunds(sdk, form_id)
        calling = asyncio.create_task(refunds("Ann"))
        review = await wait_for_review(workspace, form_id)
        await assert_ok(
            workspace.owner.post(f"/reviews/{review['reviewId']}/retry", json={"instructions": "Half of it"})
        )
        with pytest.raises(ReviewRejected, match="Half of it") as rejected:
            await calling
        assert rejected.value.result.retry_requested
        assert refunds.calls == []

    async def test_timeout(self, sdk: Sdk, form_id: str) -> None:
        refunds = Refunds(sdk, form_id, timeout=0.2)
        with pytest.raises(WaitTimeout):
            await refunds("Ann")
        assert refunds.calls == []

    async def test_hidden_fields(self, sdk: Sdk, workspace: Workspace) -> None:
        """The amount is small, so a rule hides the note: nobody approved passing it on."""
        form = await make_form(workspace, autoApprove=True)
        refunds = Refunds(sdk, form["formId"])
        with pytest.raises(SchemaMismatch, match="note"):
            await refunds("Ann", amount=1, note="unseen")
        assert await refunds("Ann", amount=1) == "refunded 1 to Ann"


DEEP = [
    {"id": "headline", "type": "text", "path": "draft.headline"},
    {"id": "lines", "type": "list", "item": [{"id": "name", "type": "text"}]},
    {"id": "rows", "type": "table", "columns": [{"id": "name", "type": "text"}], "path": "draft.rows"},
    {"id": "anything", "type": "json"},
]


class TestNested:
    """Arguments that aren't shown are rejected at every level."""

    @pytest.mark.parametrize(
        ("values", "unseen"),
        [
            ({"draft": {"headline": "x", "bcc": "evil"}}, "draft.bcc"),
            ({"draft": {"headline": "x", "bcc": None}}, "draft.bcc"),
            ({"draft": "evil"}, "draft"),
            ({"draft": {"rows": [{"name": "x"}, {"name": "x", "bcc": "evil"}]}}, "draft.rows[].bcc"),
            ({"lines": ["x", {"name": "x", "bcc": "evil"}]}, "lines[].bcc"),
            ({"draft": Draft(headline="x")}, "draft.amount"),
            ({"lines": [Draft(headline="x")]}, "lines[].amount, lines[].headline"),
        ],
    )
    async def test_refused(self, sdk: Sdk, workspace: Workspace, values: dict[str, Any], unseen: str) -> None:
        form = await workspace.make_form(fields=DEEP, layout=None, rules=[], titleField=None, autoApprove=True)
        with pytest.raises(SchemaMismatch) as misfit:
            await sdk(self.decorated(sdk, form["formId"]), **values)
        assert f"has no field for {unseen}. Its fields are" in str(misfit.value)
        assert (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"] == []

    async def test_shown_arguments(self, sdk: Sdk, workspace: Workspace) -> None:
        form = await workspace.make_form(fields=DEEP, layout=None, rules=[], titleField=None, autoApprove=True)
        values = {
            "draft": {"headline": "x", "rows": [{"name": "y"}]},
            "lines": ["a", "b"],
            "anything": {"whatever": [{"stands": "here"}]},
        }
        assert await sdk(self.decorated(sdk, form["formId"]), **values) == values

    async def test_defaults_of_a_model_are_shown(self, sdk: Sdk, workspace: Workspace) -> None:
        fields = [*DEEP, {"id": "amount", "type": "number", "path": "draft.amount"}]
        form = await workspace.make_form(fields=fields, layout=None, rules=[], titleField=None)
        calling = asyncio.create_task(sdk(self.decorated(sdk, form["formId"]), draft=Draft(headline="x")))
        review = await wait_for_review(workspace, form["formId"])
        assert review["data"] == {"draft": {"headline": "x", "amount": 99}}
        await workspace.decide(review["reviewId"], data={"draft": {"amount": 7}})
        assert await calling == {"draft": Draft(headline="x", amount=7)}

    async def test_defaults_do_not_replace_hidden_values(self, sdk: Sdk, workspace: Workspace) -> None:
        fields = [*DEEP, {"id": "amount", "type": "number", "path": "draft.amount"}]
        when = {"field": "headline.value", "operation": "equal", "value": "shown"}
        rule = {"target": "amount", "effect": "show", "when": when}
        form = await workspace.make_form(fields=fields, layout=None, rules=[rule], titleField=None, autoApprove=True)
        function = self.decorated(sdk, form["formId"])
        with pytest.raises(SchemaMismatch, match=r"draft\.amount wasn't approved"):
            await sdk(function, draft=Draft(headline="x", amount=7))
        shown = Draft(headline="shown", amount=7)
        assert await sdk(function, draft=shown) == {"draft": shown}

    async def test_changing_review_type(self, sdk: Sdk, workspace: Workspace) -> None:
        form = await workspace.make_form(fields=DEEP, layout=None, rules=[], titleField=None, autoApprove=True)
        function = self.decorated(sdk, form["formId"])
        await sdk(function, anything=1)
        changed = {"fields": DEEP[:-1], "layout": None, "rules": [], "titleField": None}
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json=changed))
        with pytest.raises(SchemaMismatch, match="has no field for anything"):
            await sdk(function, anything=1)

    def decorated(self, sdk: Sdk, form_id: str) -> Callable[..., Any]:
        async def later(**values: Any) -> dict[str, Any]:
            return values

        def now(**values: Any) -> dict[str, Any]:
            return values

        return sdk.client.sign_off(form_id)(later if sdk.is_async else now)


class TestMismatches:
    async def test_argument_without_a_field(self, sdk: Sdk, workspace: Workspace) -> None:
        """The service would accept it, but nobody would see it."""
        form = await workspace.make_form(
            fields=[{"id": "customer", "type": "text"}], layout=None, rules=[], titleField=None
        )
        refunds = Refunds(sdk, form["formId"])
        with pytest.raises(SchemaMismatch, match="has no field for address, amount, note, tags") as misfit:
            await refunds("Ann")
        assert isinstance(misfit.value, TypeError)
        reviews = await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]}))
        assert reviews["items"] == []

    async def test_unknown_arguments(self, sdk: Sdk, form_id: str) -> None:
        with pytest.raises(TypeError):
            await Refunds(sdk, form_id)("Ann", colour="red")

    async def test_positional_only_arguments(self, sdk: Sdk, form_id: str) -> None:
        async def later(*amounts: float) -> None: ...
        def now(amount: float, /) -> None: ...

        with pytest.raises(SchemaMismatch, match="name"):
            sdk.client.sign_off(form_id)(later if sdk.is_async else now)

    def test_sync_and_async_mismatch(self) -> None:
        async def later() -> None: ...
        def now() -> None: ...

        with pytest.raises(SchemaMismatch, match="AsyncClient"):
            Client("http://127.0.0.1:1", api_key="k").sign_off("frm_x")(later)
        wrong: Any = now
        with pytest.raises(SchemaMismatch, match="isn't async"):
            AsyncClient("http://127.0.0.1:1", api_key="k").sign_off("frm_x")(wrong)


@pytest.mark.parametrize(
    ("given", "approved", "result"),
    [
        (["a"], [{"id": "a", "label": "A"}], ["a"]),
        (("a",), [{"id": "b", "label": "B"}], ("b",)),
        ({"a"}, [{"id": "a", "label": "A"}], {"a"}),
        ([], [], []),
        ([{"id": "a", "label": "A"}], [{"id": "b", "label": "B"}], [{"id": "b", "label": "B"}]),
        (["x"], ["y"], ["y"]),
        ("a", "b", "b"),
        (1, None, None),
        ({"street": "Elm"}, {"street": "Oak"}, {"street": "Oak"}),
        (Address(street="Elm"), {"street": "Oak"}, Address(street="Oak")),
        ([Address(street="Elm")], [{"street": "Oak"}] * 2, [Address(street="Oak")] * 2),
        (date(2026, 1, 2), "2026-11-15", date(2026, 11, 15)),
        (datetime(2026, 1, 2, tzinfo=UTC), "2026-11-15T10:00:00.000Z", datetime(2026, 11, 15, 10, tzinfo=UTC)),
        (UUID(int=1), str(UUID(int=2)), UUID(int=2)),
        (Colour.RED, "blue", Colour.BLUE),
        ([Colour.RED], [{"id": "blue", "label": "Blue"}], [Colour.BLUE]),
        ({"on": date(2026, 1, 2)}, {"on": "2026-11-15", "to": "x"}, {"on": date(2026, 11, 15), "to": "x"}),
        (date(2026, 1, 2), None, None),
    ],
)
def test_coerced_to_the_given_type(given: Any, approved: Any, result: Any) -> None:
    assert coerce_like(given, approved) == result
    assert type(coerce_like(given, approved)) is type(result)


@pytest.mark.parametrize(
    ("given", "approved"), [(Colour.RED, "green"), (date(2026, 1, 2), "soon"), (UUID(int=1), "x"), (UUID(int=1), 7)]
)
def test_values_of_a_wrong_type_are_rejected(given: Any, approved: Any) -> None:
    with pytest.raises(SchemaMismatch, match=r"The approved value .* isn't a valid"):
        coerce_like(given, approved)
