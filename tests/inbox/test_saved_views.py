"""`/inbox/views`: saved filters of each user."""

import asyncio
from typing import Any

import pytest
from support.api import Workspace, assert_error, assert_ok, error_at

FILTERS = {
    "state": "pending",
    "response": "approved",
    "agentId": "agt_1",
    "formId": "frm_1",
    "sessionId": "s",
    "runId": "r",
    "retryRequested": False,
    "assignedTo": "me",
    "q": "autumn",
    "order": "oldest",
}


class TestViews:
    async def test_saved_changed_and_deleted(self, workspace: Workspace) -> None:
        _, client = await workspace.make_person("viewer")
        assert await assert_ok(client.get("/inbox/views")) == {"items": []}
        response = await client.post("/inbox/views", json={"name": "  Mine ", "filters": FILTERS})
        assert response.status_code == 201
        view = response.json()
        assert set(view) == {"viewId", "name", "filters", "createdAt"}
        assert view["name"] == "Mine"
        assert view["filters"] == FILTERS
        second = await assert_ok(client.post("/inbox/views", json={"name": "Mine", "filters": {}}))
        assert await assert_ok(client.get("/inbox/views")) == {"items": [view, second]}
        path = f"/inbox/views/{view['viewId']}"
        assert await assert_ok(client.patch(path, json={"name": "Ours"})) == {**view, "name": "Ours"}
        changed = await assert_ok(client.patch(path, json={"filters": {"q": "leaves", "state": None}}))
        assert changed == {**view, "name": "Ours", "filters": {"q": "leaves"}}
        assert await assert_ok(client.patch(path, json={})) == changed
        assert (await client.delete(path)).status_code == 204
        await assert_error(client.delete(path), 404)
        await assert_error(client.patch(path, json={"name": "x"}), 404)
        assert await assert_ok(client.get("/inbox/views")) == {"items": [second]}

    async def test_are_private(self, workspace: Workspace, people: dict[str, Any]) -> None:
        (_, one), (_, two) = people["reviewer"], people["admin"]
        view = await assert_ok(one.post("/inbox/views", json={"name": "Mine", "filters": {}}))
        path = f"/inbox/views/{view['viewId']}"
        for client in (two, workspace.owner):
            assert view not in (await assert_ok(client.get("/inbox/views")))["items"]
            await assert_error(client.patch(path, json={"name": "Theirs"}), 404)
            await assert_error(client.delete(path), 404)
        assert view in (await assert_ok(one.get("/inbox/views")))["items"]

    @pytest.mark.parametrize(
        ("filters", "path"),
        [
            ({"state": "open"}, "filters.state"),
            ({"response": "maybe"}, "filters.response"),
            ({"order": 1}, "filters.order"),
            ({"retryRequested": "true"}, "filters.retryRequested"),
            ({"agentId": 7}, "filters.agentId"),
            ({"agentId": "x" * 129}, "filters.agentId"),
            ({"q": "x" * 501}, "filters.q"),
            ({"cursor": "rev_1"}, "filters.cursor"),
            ({"state ": "pending"}, "filters.state "),
            ([], "filters"),
            (None, "filters"),
        ],
    )
    async def test_unknown_filters(self, workspace: Workspace, filters: Any, path: str) -> None:
        problem = await assert_error(workspace.owner.post("/inbox/views", json={"name": "x", "filters": filters}), 422)
        error_at(problem, path)

    @pytest.mark.parametrize("name", ["", "   ", "x" * 201, 7, None])
    async def test_bad_names(self, workspace: Workspace, name: Any) -> None:
        await assert_error(workspace.owner.post("/inbox/views", json={"name": name, "filters": {}}), 422)

    async def test_fifty_at_most(self, workspace: Workspace) -> None:
        _, client = await workspace.make_person()

        async def save() -> int:
            return (await client.post("/inbox/views", json={"name": "x", "filters": {}})).status_code

        for _ in range(48):
            assert await save() == 201
        assert sorted(await asyncio.gather(*(save() for _ in range(5)))) == [201, 201, 409, 409, 409]
        await assert_error(client.post("/inbox/views", json={"name": "x", "filters": {}}), 409, "too_many_views")
