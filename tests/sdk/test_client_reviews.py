"""A review from the agent's side: requested, awaited, updated, deleted."""

import asyncio
import pickle
from typing import Any

import httpx
import pytest
from pydantic import BaseModel, ConfigDict, Field
from sdk_helpers import Sdk
from support.api import DATA, Workspace, assert_ok, unique
from support.in_process import Service

import signoff_client
from signoff_client import (
    AsyncClient,
    Client,
    Conflict,
    Forbidden,
    InvalidRequest,
    NotFound,
    SignoffError,
    Unauthorized,
    WaitTimeout,
    reviews,
)

WITHIN = 30.0


@pytest.fixture
async def form(workspace: Workspace) -> dict[str, Any]:
    return await workspace.make_form()


async def ask_for_retry(workspace: Workspace, review_id: str) -> None:
    body = {"instructions": "Shorter, please.", "fieldIds": ["headline"]}
    await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json=body))


class TestWait:
    async def test_approved_with_edits(self, sdk: Sdk, workspace: Workspace, form: dict[str, Any]) -> None:
        review = await sdk.ask(form, DATA, meta={"ticket": "A-17"})
        waiting = asyncio.create_task(sdk(review.wait, WITHIN))
        await asyncio.sleep(0.1)
        await workspace.decide(review.id, data={"draft": {"headline": "Better news"}}, reason="Livelier")
        result = await waiting
        assert result.approved
        assert not result.rejected
        assert not result.retry_requested
        assert result.response == "approved"
        assert result.review_id == review.id
        assert result.values == {**DATA, "draft": {"headline": "Better news"}}
        assert result.responding_user == "owner@example.com"
        assert result.responding_user_id.startswith("usr_")
        assert result.responded_at.utcoffset() is not None
        assert (result.reason, result.retry, result.auto_approved, result.timed_out) == ("Livelier", None, False, False)
        assert result.meta == {"ticket": "A-17"}
        assert result.raw["state"] == "responded"
        assert await sdk(review.result) == result

    async def test_rejected(self, sdk: Sdk, workspace: Workspace, form: dict[str, Any]) -> None:
        review = await sdk.ask(form, DATA)
        assert await sdk(review.result) is None
        await workspace.decide(review.id, "rejected", reason="Not today")
        result = await sdk(sdk.client.review(review.id).wait)
        assert (result.response, result.approved, result.reason) == ("rejected", False, "Not today")

    async def test_approved_at_once(self, sdk: Sdk, form: dict[str, Any]) -> None:
        review = await sdk.ask(form, DATA, auto_approve=True)
        result = await sdk(review.wait, 0)
        assert (result.approved, result.auto_approved, result.responding_user) == (True, True, "auto-approve")

    async def test_decision_at_the_timeout_is_returned(
        self, sdk: Sdk, workspace: Workspace, form: dict[str, Any]
    ) -> None:
        review = await sdk.ask(form, DATA)
        for timeout in (0, 0.3):
            with pytest.raises(WaitTimeout, match="still pending") as late:
                await sdk(review.wait, timeout)
            assert isinstance(late.value, TimeoutError)
            assert late.value.review_id == review.id
        await workspace.decide(review.id)
        assert (await sdk(review.wait, 0)).approved

    async def test_retry_while_waiting(
        self, sdk: Sdk, workspace: Workspace, form: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(reviews, "MAX_POLL_SECONDS", 0.2)
        review = await sdk.ask(form, DATA)
        waiting = asyncio.create_task(sdk(review.wait, WITHIN))
        await asyncio.sleep(0.1)
        await ask_for_retry(workspace, review.id)
        result = await waiting
        assert (result.response, result.approved, result.rejected) == ("retry_requested", False, False)
        assert (result.retry.instructions, result.retry.field_ids) == ("Shorter, please.", ("headline",))
        assert result.retry.by == result.responding_user == "owner@example.com"
        assert result.values == DATA

        again = await sdk(review.update, {**DATA, "draft": {"headline": "News"}})
        assert again.id == review.id
        await workspace.decide(review.id)
        assert (await sdk(again.wait, WITHIN)).values["draft"] == {"headline": "News"}

    async def test_update_needs_only_the_id(self, sdk: Sdk, workspace: Workspace, form: dict[str, Any]) -> None:
        review = sdk.client.review((await sdk.ask(form, DATA)).id)
        await ask_for_retry(workspace, review.id)
        assert (await sdk(review.wait)).retry_requested
        await sdk(review.update, DATA, meta={"try": 2})
        fetched = await sdk(review.fetch)
        assert (fetched["revision"], fetched["meta"], "retryRequested" in fetched) == (2, {"try": 2}, False)

    async def test_deleted_while_waiting(self, sdk: Sdk, form: dict[str, Any]) -> None:
        review = await sdk.ask(form, DATA)
        waiting = asyncio.create_task(sdk(review.wait, WITHIN))
        await asyncio.sleep(0.1)
        await sdk(review.delete)
        with pytest.raises(NotFound):
            await waiting
        with pytest.raises(NotFound):
            await sdk(review.delete)


class TestRequest:
    async def test_every_option(self, sdk: Sdk, workspace: Workspace, form: dict[str, Any]) -> None:
        session_id, run_id = unique("session"), unique("run")
        group = await assert_ok(workspace.manager.post("/groups", json={"name": unique("group")}))
        first = await sdk.ask(form, DATA, run_id=run_id, run_name="November")
        review = await sdk.ask(
            form,
            DATA,
            agent_id=form["agentId"],
            title="Another title",
            session_id=session_id,
            assign_to=["owner@example.com"],
            assign_to_groups=[group["groupId"]],
            ext_reviewers=["ann@example.org"],
            webhook_url="https://example.com/hook",
            meta={"ticket": 1},
            config={"fields": {"body": {"default": "nothing"}}},
            auto_approve=False,
            run_id=run_id,
            prev_steps=[first.id],
        )
        assert (review.session_id, review.run_id, review.form_id) == (session_id, run_id, form["formId"])
        assert review.link.endswith(review.id)
        assert list(review.external_links) == ["ann@example.org"]
        fetched = await sdk(review.fetch)
        assert fetched["title"] == "Another title"
        assert fetched["workflowRunId"] == run_id
        assert fetched["meta"] == {"ticket": 1}
        assert fetched["assignedTo"] == {
            "users": ["owner@example.com"],
            "groups": [group["groupId"]],
            "external": ["ann@example.org"],
        }
        run = await assert_ok(workspace.agent.get(f"/runs/{run_id}"))
        assert run["name"] == "November"
        assert [step["prevSteps"] for step in run["steps"] if step["reviewId"] == review.id] == [[first.id]]

    async def test_generated_run_id(self, sdk: Sdk, form: dict[str, Any]) -> None:
        review = await sdk.ask(form, DATA, run_name="November", meta=None)
        assert review.run_id
        assert (await sdk(review.fetch))["workflowRunId"] == review.run_id

    async def test_the_same_key_is_the_same_review(self, sdk: Sdk, form: dict[str, Any]) -> None:
        key = unique("key")
        first = await sdk.ask(form, DATA, idempotency_key=key)
        assert (await sdk.ask(form, DATA, idempotency_key=key)).id == first.id
        assert (await sdk.ask(form, DATA)).id != first.id
        with pytest.raises(Conflict) as reused:
            await sdk.ask(form, {}, idempotency_key=key)
        assert reused.value.code == "idempotency_key_reused"

    async def test_unknown_option(self, sdk: Sdk, form: dict[str, Any]) -> None:
        with pytest.raises(TypeError, match="asign_to"):
            await sdk.ask(form, DATA, asign_to=["owner@example.com"])

    @pytest.mark.parametrize("values", [{"score": float("nan")}, {"score": object()}])
    async def test_values_that_are_not_json(self, sdk: Sdk, form: dict[str, Any], values: dict[str, Any]) -> None:
        with pytest.raises((TypeError, ValueError)):
            await sdk.ask(form, values)

    async def test_concurrent_requests(self, sdk: Sdk, form: dict[str, Any]) -> None:
        created_reviews = await asyncio.gather(*(sdk.ask(form, DATA) for _ in range(16)))
        assert len({review.id for review in created_reviews}) == 16


class Draft(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="forbid")
    head_line: str = Field(alias="headline")


class DraftData(BaseModel):
    model_config = ConfigDict(extra="forbid")
    draft: Draft
    body: str | None = None
    score: int | float | None = None


class TestModels:
    async def test_round_trip(self, sdk: Sdk, workspace: Workspace, form: dict[str, Any]) -> None:
        review = await sdk.ask(form, DraftData(draft=Draft(head_line="News"), score=2))
        assert (await sdk(review.fetch))["data"] == {"draft": {"headline": "News"}, "score": 2}
        await workspace.decide(review.id, data={"draft": {"headline": "Better"}})
        values = (await sdk(review.wait)).values_as(DraftData)
        assert values == DraftData(draft=Draft(head_line="Better"), score=2)

    async def test_nested(self, sdk: Sdk, form: dict[str, Any]) -> None:
        review = await sdk.ask(form, {"draft": Draft(head_line="News")})
        assert (await sdk(review.fetch))["data"] == {"draft": {"headline": "News"}}


class TestErrors:
    async def test_errors_of_the_values(self, sdk: Sdk, form: dict[str, Any]) -> None:
        with pytest.raises(InvalidRequest) as refused:
            await sdk.ask(form, {"score": "many", "channel": "fax"}, assign_to=["x@example.com"])
        error = refused.value
        assert (error.status, error.code) == (422, "invalid")
        assert {error["path"] for error in error.details} == {"data.score", "data.channel", "assignTo[0]"}
        assert "data.score: must be a number" in str(error)
        assert str(error).count("must be a number") == 1, "the first fault is said once"
        assert error.request_id

    async def test_unknown_review_type(self, sdk: Sdk) -> None:
        with pytest.raises(NotFound) as refused:
            await sdk(sdk.client.request_review, "frm_nothing", {})
        assert refused.value.code == "not_found"

    async def test_already_decided(self, sdk: Sdk, form: dict[str, Any]) -> None:
        review = await sdk.ask(form, DATA, auto_approve=True)
        with pytest.raises(Conflict) as refused:
            await sdk(review.update, DATA)
        assert refused.value.code == "already_responded"
        assert refused.value.problem["respondingUser"] == "auto-approve"

    async def test_not_allowed(self, sdk: Sdk) -> None:
        with pytest.raises(Forbidden):
            await sdk(sdk.client.raw_request, "POST", "/agents", json={"name": "x"})

    async def test_wrong_key(self, kind: type[Client] | type[AsyncClient], service: Service) -> None:
        stranger = Sdk(kind(service.url, api_key="sk_wrong"))
        with pytest.raises(Unauthorized) as refused:
            await stranger(stranger.client.review("rev_x").wait, 1)
        assert refused.value.code == "invalid_api_key"
        await stranger(stranger.client.close)

    @pytest.mark.parametrize("review_id", ["../agents", "rev_x/history", "rev_x?wait=1", "a b#c", "%2e%2e"])
    async def test_ids_are_escaped_in_urls(self, sdk: Sdk, review_id: str) -> None:
        with pytest.raises(NotFound):
            await sdk(sdk.client.review(review_id).fetch)

    @pytest.mark.parametrize("review_id", ["", ".", ".."])
    async def test_empty_id(self, sdk: Sdk, review_id: str) -> None:
        with pytest.raises(ValueError, match="isn't a valid ID"):
            await sdk(sdk.client.review(review_id).fetch)

    @pytest.mark.parametrize("path", ["https://example.com/", "agents", ""])
    async def test_key_is_not_sent_to_other_hosts(self, sdk: Sdk, path: str) -> None:
        with pytest.raises(ValueError, match="slash"):
            await sdk(sdk.client.raw_request, "GET", path)

    async def test_can_be_pickled(self, sdk: Sdk, form: dict[str, Any]) -> None:
        review = await sdk.ask(form, DATA, auto_approve=True)
        result = await sdk(review.wait)
        problem = {"code": "x", "detail": "y", "errors": [{"path": "a", "message": "b"}]}
        for error in (
            InvalidRequest(422, problem, "id", 3.0),
            WaitTimeout("rev_x", 2.5),
            signoff_client.ReviewRejected(result),
            signoff_client.ConnectionFailed("gone"),
        ):
            copy = pickle.loads(pickle.dumps(error))  # noqa: S301
            assert (type(copy), str(copy)) == (type(error), str(error))

    def test_have_a_common_base_class(self) -> None:
        errors = [
            member
            for member in vars(signoff_client).values()
            if isinstance(member, type) and issubclass(member, Exception)
        ]
        assert len(errors) > 10
        assert all(issubclass(error, SignoffError) for error in errors)


class TestConstruction:
    async def test_from_the_environment(
        self, kind: type[Client] | type[AsyncClient], service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SIGNOFF_URL", service.api + "/")
        monkeypatch.setenv("SIGNOFF_API_KEY", service.workspace["apiKey"] + "\n")
        client: Any = kind()
        sdk = Sdk(client)
        if sdk.is_async:
            async with client as entered:
                assert entered is client
                assert (await client.raw_request("GET", "/authCheck"))["ok"]
        else:
            with client as entered:
                assert entered is client
                assert client.raw_request("GET", "/authCheck")["ok"]
        assert service.workspace["apiKey"] not in repr(client)

    @pytest.mark.parametrize(
        ("url", "key"), [(None, "k"), ("signoff.example.com", "k"), ("https://x", None), ("https://x", " ")]
    )
    def test_missing_arguments(
        self,
        kind: type[Client] | type[AsyncClient],
        monkeypatch: pytest.MonkeyPatch,
        url: str | None,
        key: str | None,
    ) -> None:
        monkeypatch.delenv("SIGNOFF_URL", raising=False)
        monkeypatch.delenv("SIGNOFF_API_KEY", raising=False)
        with pytest.raises(ValueError, match="SIGNOFF_"):
            kind(url, api_key=key)

    def test_sync_and_async_have_the_same_signatures(self) -> None:
        def words(kind: type) -> set[str]:
            return {name for name in vars(kind) if not name.startswith("_")}

        assert words(Client) == words(AsyncClient)
        assert words(signoff_client.Review) == words(signoff_client.AsyncReview)


class TestBatch:
    async def test_completes_when_all_are_decided(self, sdk: Sdk, workspace: Workspace, form: dict[str, Any]) -> None:
        name = unique("batch")
        created_reviews = [await sdk.ask(form, DATA, batch_id=name, batch_size=2) for _ in range(2)]
        await workspace.decide(created_reviews[0].id)
        batch = await sdk(sdk.client.batch, name)
        assert (batch.batch_id, batch.completed, batch.counts["pending"]) == (name, False, 1)
        await workspace.decide(created_reviews[1].id, "rejected")
        batch = await sdk(sdk.client.batch, name)
        assert (batch.completed, batch.counts["approved"], batch.counts["rejected"]) == (True, 1, 1)
        assert [review["reviewId"] for review in batch.reviews] == [
            created_review.id for created_review in created_reviews
        ]

    async def test_is_paginated(self) -> None:
        created_reviews: list[httpx.QueryParams] = []

        def answer(request: httpx.Request) -> httpx.Response:
            created_reviews.append(request.url.params)
            last = "cursor" in request.url.params
            page = {"state": "completed", "counts": {"approved": 3}, "reviews": [{"reviewId": "rev_3"}]}
            first = [{"reviewId": "rev_1"}, {"reviewId": "rev_2"}]
            return httpx.Response(200, json=page if last else {**page, "reviews": first, "nextCursor": "further"})

        with Client("http://signoff.test", api_key="sgn_x", transport=httpx.MockTransport(answer)) as client:
            batch = client.batch("some batch")
        assert [review["reviewId"] for review in batch.reviews] == ["rev_1", "rev_2", "rev_3"]
        assert [params.get("cursor") for params in created_reviews] == [None, "further"]

    @pytest.mark.slow
    async def test_of_more_than_a_page(self, sdk: Sdk, workspace: Workspace, form: dict[str, Any]) -> None:
        """Requested together, to save time."""
        name = unique("batch")
        await asyncio.gather(*[workspace.request(form, batchId=name) for _ in range(201)])
        batch = await sdk(sdk.client.batch, name)
        assert len({review["reviewId"] for review in batch.reviews}) == len(batch.reviews) == 201

    async def test_unknown(self, sdk: Sdk) -> None:
        with pytest.raises(NotFound):
            await sdk(sdk.client.batch, unique("batch"))


class TestClear:
    async def test_clears_what_an_update_would_keep(self, sdk: Sdk, workspace: Workspace, form: dict[str, Any]) -> None:
        review = await sdk.ask(form, DATA, meta={"ticket": "A-17"}, title="Ours")
        await sdk(review.update, DATA)
        stored = await workspace.review(review.id)
        assert (stored["meta"], stored["title"]) == ({"ticket": "A-17"}, "Ours")
        await sdk(review.update, DATA, clear=["meta", "title"])
        cleared = await workspace.review(review.id)
        assert not cleared.get("meta")
        assert cleared.get("title") != "Ours"
