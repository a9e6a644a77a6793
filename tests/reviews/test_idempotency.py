"""`Idempotency-Key`: the same request twice is one review and one response."""

import asyncio
from typing import Any

import asyncpg
import httpx
import pytest
from support.api import DATA, Workspace, assert_error, assert_ok, unique
from support.receiver import Receiver


async def post(workspace: Workspace, body: dict[str, Any], key: str) -> httpx.Response:
    return await workspace.agent.post("/requestReview", json=body, headers={"idempotency-key": key})


async def rows_of(workspace: Workspace, form: dict[str, Any]) -> list[dict[str, Any]]:
    return (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"]


class TestIdempotencyKey:
    async def test_repeats_the_first_response(self, workspace: Workspace) -> None:
        form, key = await workspace.make_form(), unique("key")
        body = {"formId": form["formId"], "data": DATA, "workflow": {}, "extReviewers": ["ann@example.org"]}
        first, second = await assert_ok(post(workspace, body, key)), await assert_ok(post(workspace, body, key))
        assert second == first
        assert len(await rows_of(workspace, form)) == 1

    async def test_another_key_creates_another_review(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": DATA}
        first, second = (
            await assert_ok(post(workspace, body, unique("k"))),
            await assert_ok(post(workspace, body, unique("k"))),
        )
        assert first["reviewId"] != second["reviewId"]

    async def test_another_body_is_rejected(self, workspace: Workspace) -> None:
        form, key = await workspace.make_form(), unique("key")
        await assert_ok(post(workspace, {"formId": form["formId"], "data": DATA}, key))
        for body in (
            {"formId": form["formId"], "data": {**DATA, "score": 8}},
            {"formId": form["formId"], "data": {"score": "wrong"}},
            {"formId": "frm_nothing", "data": DATA},
            {"formId": form["formId"], "data": DATA, "updateForReviewId": "rev_nothing"},
        ):
            await assert_error(post(workspace, body, key), 409, "idempotency_key_reused")
        assert len(await rows_of(workspace, form)) == 1

    async def test_rejected_request_does_not_use_the_key(self, workspace: Workspace) -> None:
        form, key = await workspace.make_form(), unique("key")
        await assert_error(post(workspace, {"formId": form["formId"], "data": {"score": "x"}}, key), 422)
        await assert_ok(post(workspace, {"formId": form["formId"], "data": DATA}, key))

    @pytest.mark.parametrize("auto_approve", [False, True])
    async def test_ten_concurrent_requests(self, workspace: Workspace, receiver: Receiver, auto_approve: bool) -> None:
        path = "/" + unique("hook")
        form, key = await workspace.make_form(webhookUrl=receiver.url + path), unique("key")
        body = {"formId": form["formId"], "data": DATA, "autoApprove": auto_approve}
        results = await asyncio.gather(*(assert_ok(post(workspace, body, key)) for _ in range(10)))
        assert all(response == results[0] for response in results)
        [row] = await rows_of(workspace, form)
        assert row["reviewId"] == results[0]["reviewId"]
        if auto_approve:
            review = await workspace.review(row["reviewId"])
            await workspace.delivery(review["webhookDeliveryId"], "succeeded")
            assert len(receiver.at(path)) == 1

    async def test_concurrent_different_bodies(self, workspace: Workspace) -> None:
        form, key = await workspace.make_form(), unique("key")
        bodies = [{"formId": form["formId"], "data": {**DATA, "score": score}} for score in range(10)]
        results = await asyncio.gather(*(post(workspace, body, key) for body in bodies))
        assert sorted(response.status_code for response in results) == [200] + [409] * 9
        assert len(await rows_of(workspace, form)) == 1

    async def test_concurrent_updates(self, workspace: Workspace) -> None:
        form, key = await workspace.make_form(), unique("key")
        review = await workspace.request(form)
        body = {"formId": form["formId"], "data": {**DATA, "score": 8}, "updateForReviewId": review["reviewId"]}
        results = await asyncio.gather(*(assert_ok(post(workspace, body, key)) for _ in range(10)))
        assert all(response == results[0] for response in results)
        assert results[0]["reviewId"] == review["reviewId"]
        assert (await workspace.review(review["reviewId"]))["revision"] == 2
        await workspace.decide(review["reviewId"])
        assert await assert_ok(post(workspace, body, key)) == results[0]

    async def test_repeats_the_response_after_changes(self, workspace: Workspace) -> None:
        """The first response is repeated although the same request would be rejected by now."""
        leaver, _ = await workspace.make_person()
        form, key = await workspace.make_form(), unique("key")
        body = {"formId": form["formId"], "data": DATA, "assignTo": [leaver["email"]]}
        first = await assert_ok(post(workspace, body, key))
        await assert_ok(workspace.owner.delete(f"/users/{leaver['userId']}"))
        assert await assert_ok(post(workspace, body, key)) == first
        change = {"fields": [{"id": "draft", "type": "text"}], "titleField": None, "layout": None, "rules": None}
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json=change))
        assert await assert_ok(post(workspace, body, key)) == first
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        assert await assert_ok(post(workspace, body, key)) == first
        await assert_ok(workspace.agent.delete(f"/reviews/{first['reviewId']}"))
        assert await assert_ok(post(workspace, body, key)) == first

    async def test_of_another_account(self, workspace: Workspace, other_workspace: Workspace) -> None:
        key = unique("key")
        mine, theirs = await workspace.make_form(), await other_workspace.make_form()
        first = await assert_ok(post(workspace, {"formId": mine["formId"], "data": DATA}, key))
        second = await assert_ok(post(other_workspace, {"formId": theirs["formId"], "data": DATA}, key))
        assert first["reviewId"] != second["reviewId"]

    async def test_expires_after_a_day(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        form, key = await workspace.make_form(), unique("key")
        body = {"formId": form["formId"], "data": DATA}
        first = await assert_ok(post(workspace, body, key))
        await db.execute(
            "update idempotency_keys set created_at = created_at - interval '25 hours' where key like '% ' || $1", key
        )
        second = await assert_ok(post(workspace, {**body, "title": "Another"}, key))
        assert second["reviewId"] != first["reviewId"]
        assert await assert_ok(post(workspace, {**body, "title": "Another"}, key)) == second

    @pytest.mark.parametrize(("length", "status"), [(1, 200), (255, 200), (256, 400), (5000, 400)])
    async def test_length(self, workspace: Workspace, length: int, status: int) -> None:
        form, key = await workspace.make_form(), unique("k").ljust(length, "x")[-length:]
        response = await post(workspace, {"formId": form["formId"], "data": DATA}, key)
        assert response.status_code == status
        if status != 200:
            assert "Idempotency-Key" in response.json()["detail"]

    async def test_hostile(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": DATA}
        key = unique("'; drop table idempotency_keys; -- <b> é").encode("latin-1")
        first = await assert_ok(workspace.agent.post("/requestReview", json=body, headers={b"idempotency-key": key}))
        assert (
            await assert_ok(workspace.agent.post("/requestReview", json=body, headers={b"idempotency-key": key}))
            == first
        )
        await assert_error(workspace.agent.post("/requestReview", json=body, headers={"idempotency-key": ""}), 400)


class TestScope:
    async def test_another_key_is_independent(self, workspace: Workspace) -> None:
        """Neither the first response nor a conflict tells a key what another one did."""
        api_key = await assert_ok(workspace.owner.post("/apiKeys", json={"name": unique("key")}))
        other = workspace.client(**{"x-api-key": api_key["apiKey"]})
        form, key = await workspace.make_form(), unique("key")
        body = {"formId": form["formId"], "data": DATA, "extReviewers": ["ann@example.org"]}
        first = await assert_ok(post(workspace, body, key))
        headers = {"idempotency-key": key}
        second = await assert_ok(other.post("/requestReview", json=body, headers=headers))
        assert second["reviewId"] != first["reviewId"]
        assert second["extReviewerLinks"] != first["extReviewerLinks"]
        await assert_ok(workspace.owner.post("/requestReview", json={**body, "title": "Mine"}, headers=headers))
        assert await assert_ok(post(workspace, body, key)) == first
        assert await assert_ok(other.post("/requestReview", json=body, headers=headers)) == second


class TestLinks:
    async def test_are_returned_again_and_not_stored(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        form, key = await workspace.make_form(), unique("key")
        body = {"formId": form["formId"], "data": DATA, "extReviewers": ["ann@example.org", "bob@example.org"]}
        first = await assert_ok(post(workspace, body, key))
        assert await assert_ok(post(workspace, body, key)) == first
        update = {"formId": form["formId"], "data": DATA, "updateForReviewId": first["reviewId"]}
        second = await assert_ok(post(workspace, update, unique("key")))
        third_key = unique("key")
        third = await assert_ok(post(workspace, update, third_key))
        assert await assert_ok(post(workspace, update, third_key)) == third
        links = [link["link"] for response in (first, second, third) for link in response["extReviewerLinks"]]
        assert len(set(links)) == 6
        stored = await db.fetchval(
            "select string_agg(answer::text, ' ') from idempotency_keys where answer ->> 'reviewId' = $1",
            first["reviewId"],
        )
        assert stored is not None
        for link in links:
            token = httpx.URL(link).params["token"]
            assert token not in stored
            await assert_ok(workspace.client(**{"x-review-token": token}).get(f"/reviews/{first['reviewId']}"))

    async def test_by_a_person(self, workspace: Workspace) -> None:
        form, headers = await workspace.make_form(), {"idempotency-key": unique("key")}
        body = {"formId": form["formId"], "data": DATA, "extReviewers": ["ann@example.org"]}
        first = await assert_ok(workspace.owner.post("/requestReview", json=body, headers=headers))
        assert await assert_ok(workspace.owner.post("/requestReview", json=body, headers=headers)) == first
