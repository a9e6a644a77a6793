"""Which events a webhook receives: the default ones, or those that the request or the agent names."""

from typing import Any

import pytest
from support.api import Workspace, assert_error, assert_ok, error_at, unique
from support.receiver import Receiver


async def pulled(workspace: Workspace, agent_id: str) -> list[dict[str, Any]]:
    page = await assert_ok(workspace.agent.get("/events", params={"after": "", "agentId": agent_id, "limit": 500}))
    return page["items"]


async def retry(workspace: Workspace, review_id: str) -> None:
    await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter."}))


class TestRequest:
    async def test_retry_keeps_the_webhook_url_of_the_request(self, workspace: Workspace, receiver: Receiver) -> None:
        word = unique("once")
        agent = await workspace.make_agent(webhookUrl=f"{receiver.url}/{word}/agent")
        form = await workspace.make_form(agent)
        url = f"{receiver.url}/{word}/resume"
        asked = await workspace.request(form, webhookUrl=url, webhookEvents=["review.completed"])
        await retry(workspace, asked["reviewId"])
        [other] = await receiver.wait_for(f"/{word}/agent")
        assert other.json["event"] == "review.retry_requested"
        await workspace.request(form, updateForReviewId=asked["reviewId"])
        await workspace.decide(asked["reviewId"])
        [call] = await receiver.wait_for(f"/{word}/resume")
        assert call.json["event"] == "review.completed"
        assert len(receiver.at(f"/{word}/agent")) == 1

    async def test_no_receiver(self, workspace: Workspace, receiver: Receiver) -> None:
        """The event can still be pulled."""
        form = await workspace.make_form()
        path = "/" + unique("once")
        asked = await workspace.request(form, webhookUrl=receiver.url + path, webhookEvents=["review.completed"])
        await retry(workspace, asked["reviewId"])
        [event] = await pulled(workspace, form["agentId"])
        assert (event["event"], event["deliveryId"]) == ("review.retry_requested", None)
        await workspace.request(form, updateForReviewId=asked["reviewId"])
        await workspace.decide(asked["reviewId"])
        [call] = await receiver.wait_for(path)
        assert call.json["event"] == "review.completed"

    async def test_default(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("default")
        form = await workspace.make_form()
        asked = await workspace.request(form, webhookUrl=receiver.url + path)
        await retry(workspace, asked["reviewId"])
        [first] = await receiver.wait_for(path)
        assert first.json["event"] == "review.retry_requested"

    @pytest.mark.parametrize(
        ("names", "path"),
        [
            (["review.finished"], "webhookEvents[0]"),
            (["review.completed", "Review.Deleted"], "webhookEvents[1]"),
            (["session.human_message"], "webhookEvents[0]"),
            ([], "webhookEvents"),
            ("review.completed", "webhookEvents"),
            ([None], "webhookEvents[0]"),
        ],
    )
    async def test_errors(self, workspace: Workspace, names: Any, path: str) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": {}, "webhookUrl": "https://example.com", "webhookEvents": names}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert error_at(problem, path)

    async def test_needs_a_url(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": {}, "webhookEvents": ["review.completed"]}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert error_at(problem, "webhookEvents")["code"] == "no_webhook_url"


class TestDeleted:
    async def test_is_sent_to_subscribers(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("deleted")
        form = await workspace.make_form()
        events = ["review.completed", "review.deleted"]
        asked = await workspace.request(form, webhookUrl=receiver.url + path, webhookEvents=events)
        await assert_ok(workspace.agent.delete(f"/reviews/{asked['reviewId']}"))
        [call] = await receiver.wait_for(path)
        event = call.json
        assert (event["event"], event["reviewId"], event["state"]) == ("review.deleted", asked["reviewId"], "pending")
        assert (event["formId"], event["formName"]) == (form["formId"], form["name"])
        assert {"deletedBy", "deletedAt", "agentId", "sessionId", "eventId", "deliveryId"} <= set(event)
        assert not {"data", "meta", "reviewResult"} & set(event)
        assert event in await pulled(workspace, form["agentId"])

    async def test_can_be_polled_and_is_the_only_one_left(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        asked = await workspace.request(form)
        await workspace.decide(asked["reviewId"])
        await assert_ok(workspace.agent.delete(f"/reviews/{asked['reviewId']}"))
        [event] = await pulled(workspace, form["agentId"])
        assert (event["event"], event["state"], event["deliveryId"]) == ("review.deleted", "responded", None)

    async def test_agent_subscribes(self, workspace: Workspace, receiver: Receiver) -> None:
        """For its own webhook, and for those of its review types."""
        word = unique("deleted")
        agent = await workspace.make_agent(webhookUrl=f"{receiver.url}/{word}/agent")
        assert "review.deleted" not in agent["webhookEvents"]
        place = f"/agents/{agent['agentId']}"
        changed = await assert_ok(workspace.manager.patch(place, json={"webhookEvents": ["review.deleted"]}))
        assert changed["webhookEvents"] == ["review.deleted"]
        plain = await workspace.make_form(agent)
        own = await workspace.make_form(agent, webhookUrl=f"{receiver.url}/{word}/form")
        for form, source in ((plain, "agent"), (own, "form")):
            asked = await workspace.request(form)
            decided = await workspace.decide(asked["reviewId"])
            assert "webhookDeliveryId" not in decided
            await assert_ok(workspace.agent.delete(f"/reviews/{asked['reviewId']}"))
            [call] = await receiver.wait_for(f"/{word}/{source}")
            assert call.json["event"] == "review.deleted"
        back = await assert_ok(workspace.manager.patch(place, json={"webhookEvents": None}))
        assert back["webhookEvents"] == agent["webhookEvents"]

    async def test_unknown_event_is_rejected(self, workspace: Workspace) -> None:
        body = {"name": "x", "webhookEvents": ["review.approved"]}
        problem = await assert_error(workspace.manager.post("/agents", json=body), 422)
        assert error_at(problem, "webhookEvents[0]")
