"""The audit log: every change leaves an entry with who, what, when and from where."""

import re
from typing import Any

import httpx
from support.api import DATA, FORM, Workspace, assert_error, assert_ok, unique

TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


async def entries(workspace: Workspace, object_id: str) -> list[dict[str, Any]]:
    """Oldest first."""
    page = await assert_ok(workspace.owner.get("/auditLog", params={"objectId": object_id, "limit": 100}))
    return page["items"][::-1]


async def call(client: httpx.AsyncClient, method: str, path: str, body: Any = None) -> tuple[str, Any]:
    """The caller's request ID, and the response."""
    request_id = unique("audited-request")
    response = await client.request(method, path, json=body, headers={"x-request-id": request_id})
    assert response.is_success, response.text
    assert response.headers["x-request-id"] == request_id
    return request_id, response.json() if response.content else None


class TestAuditLog:
    async def test_reviews(self, workspace: Workspace, people: dict[str, Any]) -> None:
        person, client = people["reviewer"]
        form = await workspace.make_form()
        request = {"formId": form["formId"], "data": DATA}
        first, review = await call(workspace.agent, "POST", "/requestReview", request)
        place = f"/reviews/{review['reviewId']}"
        second, _ = await call(client, "POST", f"{place}/retry", {"instructions": "Again"})
        update = {**request, "updateForReviewId": review["reviewId"]}
        third, _ = await call(workspace.agent, "POST", "/requestReview", update)
        fourth, _ = await call(client, "POST", f"{place}/response", {"response": "rejected"})
        fifth, _ = await call(workspace.agent, "DELETE", place)
        log = await entries(workspace, review["reviewId"])
        assert [(entry["action"], entry["requestId"]) for entry in log] == [
            ("review.requested", first),
            ("review.retry_requested", second),
            ("review.updated", third),
            ("review.rejected", fourth),
            ("review.deleted", fifth),
        ]
        me = {"kind": "user", "id": person["userId"], "name": person["email"]}
        assert log[1]["actor"] == log[3]["actor"] == me
        key = (await assert_ok(workspace.agent.get("/authCheck")))["actor"]
        assert log[0]["actor"] == log[2]["actor"] == log[4]["actor"] == key
        assert key["kind"] == "key"
        for entry in log:
            assert entry["ip"] == "127.0.0.1"
            assert TIMESTAMP.fullmatch(entry["at"])

    async def test_external_reviewer(self, workspace: Workspace) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["ann@example.org"])
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        holder = workspace.client(**{"x-review-token": token})
        place = f"/reviews/{review['reviewId']}/response"
        request_id, _ = await call(holder, "POST", place, {"response": "approved"})
        last = (await entries(workspace, review["reviewId"]))[-1]
        assert last["action"] == "review.approved"
        assert last["requestId"] == request_id
        assert last["actor"]["kind"] == "external"
        assert last["actor"]["name"] == "ann@example.org"

    async def test_forms(self, workspace: Workspace, people: dict[str, Any]) -> None:
        person, client = people["editor"]
        first, form = await call(client, "POST", "/forms", {**FORM, "agentId": None})
        place = f"/forms/{form['formId']}"
        second, _ = await call(client, "PATCH", place, {"name": "Renamed", "autoApprove": True})
        await call(client, "PATCH", place, {"name": "Renamed"})
        third, _ = await call(client, "DELETE", place)
        await call(client, "DELETE", place)
        log = await entries(workspace, form["formId"])
        assert [(entry["action"], entry["requestId"]) for entry in log] == [
            ("form.created", first),
            ("form.changed", second),
            ("form.archived", third),
        ]
        assert log[1]["details"] == {"version": 2, "changed": ["autoApprove", "name"]}
        assert all(entry["actor"]["id"] == person["userId"] for entry in log)

    async def test_agents(self, workspace: Workspace) -> None:
        first, agent = await call(workspace.manager, "POST", "/agents", {"name": "Audited"})
        place = f"/agents/{agent['agentId']}"
        second, _ = await call(workspace.manager, "PATCH", place, {"name": "Renamed"})
        third, rotated = await call(workspace.manager, "POST", f"{place}/rotateSecret")
        fourth, _ = await call(workspace.manager, "DELETE", place)
        log = await entries(workspace, agent["agentId"])
        assert [(entry["action"], entry["requestId"]) for entry in log] == [
            ("agent.created", first),
            ("agent.changed", second),
            ("agent.secret_rotated", third),
            ("agent.deleted", fourth),
        ]
        assert log[1]["details"] == {"name": "Renamed"}
        for secret in (agent["webhookSecret"], rotated["webhookSecret"]):
            assert secret not in str(log)

    async def test_rejected_calls_leave_no_entry(self, workspace: Workspace) -> None:
        review = await workspace.request(await workspace.make_form())
        before = await entries(workspace, review["reviewId"])
        await assert_error(
            workspace.agent.post(f"/reviews/{review['reviewId']}/response", json={"response": "approved"}), 403
        )
        await assert_error(workspace.owner.post(f"/reviews/{review['reviewId']}/response", json={"response": "x"}), 422)
        assert await entries(workspace, review["reviewId"]) == before
