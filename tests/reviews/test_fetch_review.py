"""`GET /reviews/{reviewId}`: what a review shows, and to whom."""

import json
import re
from typing import Any

import pytest
from review_fields import FOR_PEOPLE, as_agents_see
from support.api import DATA, Workspace, assert_error, assert_ok, unique
from support.receiver import Receiver

ALWAYS = {
    "accountId",
    "reviewId",
    "agentId",
    "sessionId",
    "formId",
    "formName",
    "data",
    "createdAt",
    "state",
    "svcLink",
}
OURS = {"formVersion", "revision", "title", "assignedTo"}
"""What we show beside what the interface names."""
WHEN_RESPONDED = {"reviewResult", "fileCache"}
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


class TestPending:
    async def test_fields(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent)
        created_review = await workspace.request(form)
        review = await workspace.review(created_review["reviewId"])
        assert set(review) == ALWAYS | OURS
        assert review == {
            "accountId": workspace.account_id,
            "reviewId": created_review["reviewId"],
            "agentId": agent["agentId"],
            "sessionId": created_review["sessionId"],
            "formId": form["formId"],
            "formName": form["name"],
            "formVersion": 1,
            "title": "Autumn news",
            "revision": 1,
            "data": DATA,
            "createdAt": review["createdAt"],
            "state": "pending",
            "svcLink": created_review["svcLink"],
            "assignedTo": {"users": [], "groups": [], "external": []},
        }
        assert TIMESTAMP.fullmatch(review["createdAt"])

    async def test_fields_of_the_request(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        members = {"config": {"fields": {"channel": {"default": "blog"}}}, "meta": {"a": 1}, "workflow": {}}
        review = await workspace.review((await workspace.request(form, **members))["reviewId"])
        assert set(review) == ALWAYS | OURS | {"config", "meta", "workflowRunId"}
        assert review["config"] == members["config"]
        assert review["meta"] == members["meta"]


class TestResponded:
    async def test_fields(self, workspace: Workspace, receiver: Receiver) -> None:
        form = await workspace.make_form(toolWebhookUrl=f"{receiver.url}/{unique('tool')}")
        created_review = await workspace.request(form, webhookUrl=f"{receiver.url}/{unique('hook')}")
        await workspace.decide(created_review["reviewId"])
        review = await workspace.review(created_review["reviewId"])
        assert set(review) == ALWAYS | OURS | WHEN_RESPONDED | {"webhookDeliveryId", "toolWebhookDeliveryId"}
        assert review["state"] == "responded"
        assert review["fileCache"] == {}
        me = await assert_ok(workspace.owner.get("/auth/me"))
        result = review["reviewResult"]
        named = {"response", "respondingUser", "respondingUserId", "respondedAt", "data"}
        assert set(result) == named | {"changed", "approvedArguments"}
        assert result["response"] == "approved"
        assert result["respondingUser"] == me["user"]["email"]
        assert result["respondingUserId"] == me["user"]["userId"]
        assert TIMESTAMP.fullmatch(result["respondedAt"])
        assert result["respondedAt"] >= review["createdAt"]
        assert result["data"] == result["approvedArguments"] == DATA
        assert result["changed"] == []
        assert review["data"] == DATA

    async def test_rejected_without_a_webhook(self, workspace: Workspace) -> None:
        created_review = await workspace.request(await workspace.make_form())
        review = await workspace.decide(created_review["reviewId"], "rejected")
        assert set(review) == ALWAYS | OURS | WHEN_RESPONDED | {"deliveryNote"} | FOR_PEOPLE
        assert review["reviewResult"]["response"] == "rejected"
        assert await workspace.review(created_review["reviewId"]) == as_agents_see(review)


class TestPermissions:
    PLACES = ("", "/revisions", "/history", "/form", "/suggestion")

    async def test_unknown(self, workspace: Workspace, other_workspace: Workspace) -> None:
        """Another account's review responds exactly like one that doesn't exist, to every operation."""
        theirs = (await other_workspace.request(await other_workspace.make_form()))["reviewId"]
        calls: list[tuple[str, str, Any]] = [
            ("GET", "", None),
            ("GET", "/revisions", None),
            ("GET", "/history", None),
            ("GET", "/form", None),
            ("GET", "/suggestion", None),
            ("GET", "/draft", None),
            ("PUT", "/draft", {"data": {}, "revision": 1}),
            ("DELETE", "/draft", None),
            ("PUT", "/presence", None),
            ("DELETE", "", None),
            ("POST", "/response", {"response": "approved"}),
            ("POST", "/retry", {"instructions": "Again"}),
        ]
        for method, place, body in calls:
            texts = []
            for review_id in (theirs, "rev_nothing"):
                call = workspace.owner.request(method, f"/reviews/{review_id}{place}", json=body)
                problem = await assert_error(call, 404, "not_found")
                texts.append(json.dumps(problem).replace(review_id, "…"))
            assert texts[0] == texts[1]
        assert (await other_workspace.review(theirs))["state"] == "pending"

    @pytest.mark.parametrize(
        "review_id", ["'", "..%2f..%2fagents", "%27%20or%201=1--", "%3Cscript%3E", "rev_" + "x" * 90]
    )
    async def test_hostile_identifiers(self, workspace: Workspace, review_id: str) -> None:
        await assert_error(workspace.agent.get(f"/reviews/{review_id}"), 404)

    async def test_invalid_identifiers(self, workspace: Workspace) -> None:
        await assert_error(workspace.agent.get("/reviews/%00"), 400)
        await assert_error(workspace.agent.get("/reviews/" + "x" * 500), 400)

    async def test_credentials(self, workspace: Workspace, people: dict[str, Any]) -> None:
        review = await workspace.request(await workspace.make_form())
        for place in self.PLACES:
            address = f"/reviews/{review['reviewId']}{place}"
            await assert_error(workspace.public.get(address), 401)
            for _, client in people.values():
                await assert_ok(client.get(address))
            await assert_ok(workspace.manager.get(address))
