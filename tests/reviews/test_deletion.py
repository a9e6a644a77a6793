"""Deleting a review with everything that belongs to it."""

import asyncio
from typing import Any

import asyncpg
import httpx
import pytest
from aiohttp import web
from support.api import Workspace, assert_error, assert_ok, error_at, unique
from support.in_process import Service
from support.receiver import Call, Receiver


async def by_path(client: httpx.AsyncClient, review_id: str) -> httpx.Response:
    return await client.delete(f"/reviews/{review_id}")


async def by_body(client: httpx.AsyncClient, review_id: str) -> httpx.Response:
    return await client.request("DELETE", "/deleteReview", json={"reviewId": review_id})


both_ways = pytest.mark.parametrize("delete", [by_path, by_body])


class TestDelete:
    @both_ways
    async def test_deletes_everything(self, workspace: Workspace, receiver: Receiver, delete: Any) -> None:
        path = "/" + unique("gone")
        form = await workspace.make_form(webhookUrl=receiver.url + path)
        created_review = await workspace.request(form, extReviewers=["ann@example.org"], sessionId=unique("s"))
        review = await workspace.decide(created_review["reviewId"])
        await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        review_id = created_review["reviewId"]
        assert await assert_ok(delete(workspace.agent, review_id)) == {"deleted": True, "reviewId": review_id}
        for place in ("", "/revisions", "/history"):
            await assert_error(workspace.agent.get(f"/reviews/{review_id}{place}"), 404, "not_found")
        await assert_error(workspace.owner.post(f"/reviews/{review_id}/response", json={"response": "approved"}), 404)
        await assert_error(workspace.agent.get(f"/webhooks/deliveries/{review['webhookDeliveryId']}"), 404)
        retry = f"/webhooks/deliveries/{review['webhookDeliveryId']}/retry"
        await assert_error(workspace.owner.post(retry), 404)
        for place, params in (
            ("/reviews", {"formId": form["formId"]}),
            ("/reviews", {"sessionId": created_review["sessionId"]}),
            ("/webhooks/deliveries", {"reviewId": review_id}),
        ):
            assert (await assert_ok(workspace.agent.get(place, params=params)))["items"] == []
        token = httpx.URL(created_review["extReviewerLinks"][0]["link"]).params["token"]
        await assert_error(
            workspace.client(**{"x-review-token": token}).get(f"/reviews/{review_id}"), 410, "link_deleted"
        )
        await assert_error(delete(workspace.agent, review_id), 404, "not_found")
        assert len(receiver.at(path)) == 1

    async def test_deletes_all_rows(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review = await workspace.request(
            await workspace.make_form(), extReviewers=["ann@example.org"], autoApprove=True
        )
        await assert_ok(by_path(workspace.agent, review["reviewId"]))
        tables = await db.fetch(
            """
            select table_name from information_schema.columns
            where table_schema = 'public' and column_name = 'review_id'
            """
        )
        assert len(tables) >= 7
        for table in tables:
            name = table["table_name"]
            count = await db.fetchval(f"select count(*) from {name} where review_id = $1", review["reviewId"])  # noqa: S608
            assert count == 0, name

    @both_ways
    async def test_pending_review_sends_no_event(self, workspace: Workspace, receiver: Receiver, delete: Any) -> None:
        path = "/" + unique("gone")
        review = await workspace.request(await workspace.make_form(webhookUrl=receiver.url + path))
        await assert_ok(delete(workspace.agent, review["reviewId"]))
        other = await workspace.request(await workspace.make_form(webhookUrl=f"{receiver.url}{path}/later"))
        await workspace.decide(other["reviewId"])
        await receiver.wait_for(f"{path}/later")
        assert receiver.at(path) == []

    async def test_concurrent_deletions(self, workspace: Workspace) -> None:
        review = await workspace.request(await workspace.make_form())
        results = await asyncio.gather(*(by_path(workspace.agent, review["reviewId"]) for _ in range(5)))
        assert sorted(response.status_code for response in results) == [200, 404, 404, 404, 404]

    async def test_concurrent_decisions(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """Whichever comes first, nothing of the review remains."""
        form = await workspace.make_form()
        reviews = [await workspace.request(form) for _ in range(8)]
        calls: list[Any] = []
        for place, review in enumerate(reviews):
            decision = workspace.owner.post(f"/reviews/{review['reviewId']}/response", json={"response": "approved"})
            deletion = by_path(workspace.agent, review["reviewId"])
            calls += [decision, deletion] if place % 2 else [deletion, decision]
        statuses = [response.status_code for response in await asyncio.gather(*calls)]
        assert set(statuses) <= {200, 404}
        for place, review in enumerate(reviews):
            assert statuses[2 * place + place % 2] == 200
            for name in ("reviews", "review_results", "response_facets", "review_search"):
                count = await db.fetchval(f"select count(*) from {name} where review_id = $1", review["reviewId"])  # noqa: S608
                assert count == 0, name

    @both_ways
    async def test_permissions(self, workspace: Workspace, people: dict[str, Any], delete: Any) -> None:
        review = await workspace.request(await workspace.make_form())
        await assert_error(delete(workspace.public, review["reviewId"]), 401)
        await assert_error(delete(workspace.manager, review["reviewId"]), 403)
        for role in ("reviewer", "viewer"):
            await assert_error(delete(people[role][1], review["reviewId"]), 403)
        await assert_ok(delete(people["editor"][1], review["reviewId"]))

    @pytest.mark.parametrize(
        ("body", "path"), [({}, "reviewId"), ({"reviewId": None}, "reviewId"), ({"reviewId": "x", "all": True}, "all")]
    )
    async def test_bad_body(self, workspace: Workspace, body: dict[str, Any], path: str) -> None:
        problem = await assert_error(workspace.agent.request("DELETE", "/deleteReview", json=body), 422, "invalid")
        assert error_at(problem, path)

    async def test_during_a_delivery(self, workspace: Workspace, receiver: Receiver, service: Service) -> None:
        """The running attempt finishes, and no other follows."""
        path, let_go = "/" + unique("gone"), asyncio.Event()
        ended: list[Call] = []

        async def patient(call: Call) -> web.StreamResponse:
            await let_go.wait()
            ended.append(call)
            return web.Response(status=500)

        receiver.answer(path, patient)
        created_review = await workspace.request(await workspace.make_form(webhookUrl=receiver.url + path))
        await workspace.decide(created_review["reviewId"])
        await receiver.wait_for(path)
        before = len(service.log.read_bytes())
        await assert_ok(by_path(workspace.agent, created_review["reviewId"]))
        let_go.set()
        other = await workspace.request(await workspace.make_form(webhookUrl=f"{receiver.url}{path}/later"))
        review = await workspace.decide(other["reviewId"])
        await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        await asyncio.sleep(0.5)
        assert len(receiver.at(path)) == len(ended) == 1
        said = service.log.read_bytes()[before:].decode()
        assert '"level":"error"' not in said.replace(" ", "")
        assert "Traceback" not in said
