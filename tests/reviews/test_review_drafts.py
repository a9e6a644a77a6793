"""`/reviews/{id}/draft`: a member's unsent work, visible only to them, until the review is decided or deleted."""

import asyncio
from functools import partial
from typing import Any

import asyncpg
import httpx
import pytest
from support.api import Workspace, assert_error, assert_ok, error_at

DRAFT = {"data": {"body": "Half a sen", "deep": {"er": [1, None]}}, "reason": " bec", "instructions": "", "revision": 1}


def path(review_id: str) -> str:
    return f"/reviews/{review_id}/draft"


async def pending(workspace: Workspace, **members: Any) -> str:
    return (await workspace.request(await workspace.make_form(), **members))["reviewId"]


class TestDraft:
    async def test_saved_read_replaced_and_discarded(self, workspace: Workspace, people: dict[str, Any]) -> None:
        _, client = people["reviewer"]
        review_id = await pending(workspace)
        assert await assert_ok(client.get(path(review_id))) == {"draft": None}
        saved = await assert_ok(client.put(path(review_id), json=DRAFT))
        assert saved == {"draft": {**DRAFT, "savedAt": saved["draft"]["savedAt"]}}
        assert await assert_ok(client.get(path(review_id))) == saved
        again = await assert_ok(client.put(path(review_id), json={"data": {}, "revision": 2, "reason": None}))
        assert again == {"draft": {"data": {}, "revision": 2, "savedAt": again["draft"]["savedAt"]}}
        assert again["draft"]["savedAt"] >= saved["draft"]["savedAt"]
        for _ in range(2):
            assert (await client.delete(path(review_id))).status_code == 204
        assert await assert_ok(client.get(path(review_id))) == {"draft": None}
        history = await assert_ok(workspace.owner.get(f"/reviews/{review_id}/history"))
        assert [entry["action"] for entry in history["items"]] == ["review.requested"]

    async def test_is_separate_for_each_user(self, workspace: Workspace, people: dict[str, Any]) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["a@example.org", "b@example.org"])
        links = [httpx.URL(link["link"]).params["token"] for link in review["extReviewerLinks"]]
        clients = [people["editor"][1], workspace.owner, *(workspace.client(**{"x-review-token": t}) for t in links)]
        drafts = [{"data": {"who": number}, "revision": 1} for number in range(len(clients))]
        await asyncio.gather(
            *(assert_ok(c.put(path(review["reviewId"]), json=d)) for c, d in zip(clients, drafts, strict=True))
        )
        for client, draft in zip(clients, drafts, strict=True):
            assert (await assert_ok(client.get(path(review["reviewId"]))))["draft"]["data"] == draft["data"]

    async def test_permissions(self, workspace: Workspace, people: dict[str, Any]) -> None:
        review_id = await pending(workspace)
        for client in (workspace.agent, workspace.manager, people["viewer"][1]):
            await assert_error(client.get(path(review_id)), 403)
            await assert_error(client.put(path(review_id), json=DRAFT), 403)
            await assert_error(client.delete(path(review_id)), 403)
        await assert_error(workspace.public.put(path(review_id), json=DRAFT), 401)

    @pytest.mark.parametrize(
        ("change", "at"),
        [
            ({"data": None}, "data"),
            ({"data": []}, "data"),
            ({"data": "x"}, "data"),
            ({"revision": 0}, "revision"),
            ({"revision": "1"}, "revision"),
            ({"revision": None}, "revision"),
            ({"revision": 2**31}, "revision"),
            ({"reason": "x" * 10_001}, "reason"),
            ({"instructions": 7}, "instructions"),
            ({"reasons": "x"}, "reasons"),
        ],
    )
    async def test_errors(self, workspace: Workspace, change: dict[str, Any], at: str) -> None:
        problem = await assert_error(workspace.owner.put(path(await pending(workspace)), json={**DRAFT, **change}), 422)
        error_at(problem, at)

    async def test_limits(self, workspace: Workspace) -> None:
        review_id = await pending(workspace)
        fits = {"data": {"x": "y" * (1024 * 1024 - 8)}, "revision": 1}
        await assert_ok(workspace.owner.put(path(review_id), json=fits))
        fits["data"]["x"] += "y"
        await assert_error(workspace.owner.put(path(review_id), json=fits), 413, "too_large")
        nested: Any = "x"
        for _ in range(210):
            nested = [nested]
        problem = await assert_error(
            workspace.owner.put(path(review_id), json={"data": {"x": nested}, "revision": 1}), 422
        )
        assert error_at(problem, "data")["code"] == "too_deep"


class TestEndOfADraft:
    async def test_after_the_decision(self, workspace: Workspace, people: dict[str, Any]) -> None:
        review_id = await pending(workspace)
        for client in (workspace.owner, people["reviewer"][1]):
            await assert_ok(client.put(path(review_id), json=DRAFT))
        await workspace.decide(review_id)
        for client in (workspace.owner, people["reviewer"][1]):
            assert await assert_ok(client.get(path(review_id))) == {"draft": None}
        problem = await assert_error(workspace.owner.put(path(review_id), json=DRAFT), 409, "already_responded")
        assert problem["response"] == "approved"

    async def test_survives_new_content(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review_id = (await workspace.request(form))["reviewId"]
        await assert_ok(workspace.owner.put(path(review_id), json=DRAFT))
        await workspace.request(form, updateForReviewId=review_id)
        assert (await assert_ok(workspace.owner.get(path(review_id))))["draft"]["revision"] == 1

    @pytest.mark.parametrize("end", ["decide", "delete"])
    async def test_concurrent_saves(
        self, workspace: Workspace, db: asyncpg.Connection, people: dict[str, Any], end: str
    ) -> None:
        """In either order: no draft is left behind, and nobody is present in a deleted review."""
        form = await workspace.make_form()
        for _ in range(12):
            review_id = (await workspace.request(form))["reviewId"]
            clients = [people["reviewer"][1], people["editor"][1]]
            delete = partial(workspace.agent.delete, f"/reviews/{review_id}")
            ending = workspace.decide(review_id) if end == "decide" else assert_ok(delete())
            saving = [client.put(path(review_id), json=DRAFT) for client in clients]
            entering = [client.put(f"/reviews/{review_id}/presence") for client in clients]
            _, *responses = await asyncio.gather(ending, *saving, *entering)
            assert {response.status_code for response in responses} <= {200, 404, 409}
            for table in ("review_drafts", "review_presence") if end == "delete" else ("review_drafts",):
                left = await db.fetchval(f"select count(*) from {table} where review_id = $1", review_id)  # noqa: S608
                assert left == 0
