"""Approved without a reviewer: by the request, by its meta, or by the review type."""

from typing import Any

import pytest
from support.api import DATA, Workspace, assert_error, assert_ok, error_at, unique
from support.receiver import Receiver


class TestAutoApproval:
    @pytest.mark.parametrize(
        ("form", "members"),
        [
            ({}, {"autoApprove": True}),
            ({}, {"meta": {"_svcAutoApprove": True}}),
            ({"autoApprove": True}, {}),
            ({"autoApprove": True}, {"autoApprove": False}),
        ],
    )
    async def test_approved_at_once(
        self, workspace: Workspace, receiver: Receiver, form: dict[str, Any], members: dict[str, Any]
    ) -> None:
        path = "/" + unique("auto")
        created_form = await workspace.make_form(**form)
        response = await workspace.request(created_form, webhookUrl=receiver.url + path, **members)
        assert set(response) == {"reviewId", "sessionId", "svcLink"}
        review = await workspace.review(response["reviewId"])
        assert review["state"] == "responded"
        assert review["autoApproved"] is True
        assert review["reviewResult"] == {
            "response": "approved",
            "respondingUser": "auto-approve",
            "respondingUserId": "system",
            "respondedAt": review["reviewResult"]["respondedAt"],
            "data": DATA,
            "changed": [],
            "approvedArguments": DATA,
        }
        [call] = await receiver.wait_for(path)
        event = call.json
        assert event["event"] == "review.completed"
        assert event["reviewResult"]["response"] == "approved"
        assert event["reviewResult"]["respondingUserId"] == "system"
        assert event["reviewResult"]["responseValues"]["headline"] == {"value": "Autumn news", "wasEdited": False}
        record = await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        assert record["event"] == "review.completed"

    @pytest.mark.parametrize(
        "members",
        [
            {"autoApprove": False},
            {"autoApprove": None},
            {"meta": {"_svcAutoApprove": False}},
            {"meta": {"_svcAutoApprove": "true"}},
            {"meta": {"autoApprove": True}},
        ],
    )
    async def test_not_requested(self, workspace: Workspace, members: dict[str, Any]) -> None:
        response = await workspace.request(await workspace.make_form(), **members)
        review = await workspace.review(response["reviewId"])
        assert review["state"] == "pending"
        assert "autoApproved" not in review

    async def test_tool_is_called_first(self, workspace: Workspace, receiver: Receiver) -> None:
        word = unique("auto")
        form = await workspace.make_form(toolWebhookUrl=f"{receiver.url}/{word}/tool")
        review = await workspace.request(form, autoApprove=True, webhookUrl=f"{receiver.url}/{word}/agent")
        await receiver.wait_for(f"/{word}/agent")
        assert len(receiver.at(f"/{word}/tool")) == 1
        assert "toolWebhookDeliveryId" in await workspace.review(review["reviewId"])

    async def test_limits_do_not_apply(self, workspace: Workspace) -> None:
        """Without anyone to correct a value, its limits would only turn monitoring into errors."""
        data = {"draft": {"headline": ""}, "score": 11}
        review = await workspace.request(await workspace.make_form(), data=data, autoApprove=True)
        assert (await workspace.review(review["reviewId"]))["reviewResult"]["data"] == data

    async def test_choices_and_hidden_fields(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        data = {**DATA, "channel": "blog", "tags": ["a"]}
        review = await workspace.request(form, data=data, autoApprove=True)
        result = (await workspace.review(review["reviewId"]))["reviewResult"]["data"]
        assert result == {**DATA, "channel": "blog", "tags": [{"id": "a", "label": "A"}]}
        review = await workspace.request(form, data={**data, "score": 2}, autoApprove=True)
        result = (await workspace.review(review["reviewId"]))["reviewResult"]["data"]
        assert result == {**DATA, "score": 2}

    async def test_in_lists_and_history(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, autoApprove=True)
        [row] = (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"]
        assert row["autoApproved"] is True
        assert row["state"] == "responded"
        history = await assert_ok(workspace.agent.get(f"/reviews/{review['reviewId']}/history"))
        assert [entry["action"] for entry in history["items"]] == ["review.requested", "review.approved"]
        assert history["items"][1]["actor"] == {"kind": "system", "id": "system", "name": "auto-approve"}

    @pytest.mark.parametrize("members", [{"autoApprove": True}, {"meta": {"_svcAutoApprove": True}}])
    async def test_updates_can_not_auto_approve(self, workspace: Workspace, members: dict[str, Any]) -> None:
        form = await workspace.make_form()
        created_review = await workspace.request(form)
        body = {"formId": form["formId"], "data": DATA, "updateForReviewId": created_review["reviewId"], **members}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert error_at(problem, "autoApprove")["code"] == "not_allowed"
        review = await workspace.review(created_review["reviewId"])
        assert review["state"] == "pending"
        assert review["revision"] == 1

    async def test_of_a_trigger_form(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("auto")
        form = await workspace.make_form(trigger=True, webhookUrl=receiver.url + path)
        review = await workspace.request(form, autoApprove=True)
        [call] = await receiver.wait_for(path)
        assert call.json["event"] == "trigger.submitted"
        assert "response" not in call.json["reviewResult"]
        assert "response" not in (await workspace.review(review["reviewId"]))["reviewResult"]
