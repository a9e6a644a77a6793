"""What the agent's webhook gets, member by member, and the account's audit webhook as well."""

import re
from typing import Any

import pytest
from aiohttp import web
from standardwebhooks import Webhook, WebhookVerificationError
from support.api import DATA, Workspace, assert_ok, unique
from support.in_process import Service
from support.receiver import Receiver
from support.second_account import open_second_account

TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


class TestReviewCompleted:
    async def test_every_field(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("event")
        receiver.answer(f"{path}/tool", web.json_response({"posted": True}))
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        form = await workspace.make_form(agent, toolWebhookUrl=f"{receiver.url}{path}/tool")
        request: dict[str, Any] = {
            "config": {"fields": {"channel": {"default": "mail"}}},
            "meta": {"ticket": "A-17", "_svcWorkflow": {}},
            "sessionId": unique("session"),
        }
        created_review = await workspace.request(form, **request)
        review = await workspace.decide(created_review["reviewId"], data={"body": "Edited", "tags": ["a"]})
        [call] = await receiver.wait_for(path)
        event = call.json
        me = (await assert_ok(workspace.owner.get("/auth/me")))["user"]
        data = {**DATA, "body": "Edited", "channel": "mail", "tags": [{"id": "a", "label": "A"}]}
        assert event == {
            "event": "review.completed",
            "eventId": event["eventId"],
            "accountId": workspace.account_id,
            "agentId": agent["agentId"],
            "sessionId": request["sessionId"],
            "deliveryId": review["webhookDeliveryId"],
            "createdAt": event["createdAt"],
            "reviewId": created_review["reviewId"],
            "formId": form["formId"],
            "formName": form["name"],
            "reviewResult": {
                "response": "approved",
                "respondingUser": me["email"],
                "respondingUserId": me["userId"],
                "respondedAt": review["reviewResult"]["respondedAt"],
                "data": data,
                "responseValues": {
                    "headline": {"value": "Autumn news", "wasEdited": False},
                    "body": {"value": "Edited", "wasEdited": True},
                    "score": {"value": 7, "wasEdited": False},
                    "channel": {"value": "mail"},
                    "tags": {"value": [{"id": "a", "label": "A"}]},
                },
                "changed": ["body", "tags"],
                "approvedArguments": {**DATA, "body": "Edited", "tags": ["a"]},
            },
            "config": request["config"],
            "meta": request["meta"],
            "fileCache": {},
            "workflowRunId": created_review["workflowRunId"],
            "toolResult": {"posted": True},
            "svcLink": created_review["svcLink"],
        }
        assert TIMESTAMP.fullmatch(event["createdAt"])
        assert call.headers["content-type"] == "application/json"
        assert call.headers["webhook-id"] == event["deliveryId"]

    async def test_fields_that_do_not_apply_are_absent(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("event")
        review = await workspace.request(await workspace.make_form(webhookUrl=receiver.url + path))
        await workspace.decide(review["reviewId"], "rejected")
        [call] = await receiver.wait_for(path)
        assert set(call.json) == {
            "event",
            "eventId",
            "accountId",
            "agentId",
            "sessionId",
            "deliveryId",
            "createdAt",
            "reviewId",
            "formId",
            "formName",
            "reviewResult",
            "fileCache",
            "svcLink",
        }
        result = call.json["reviewResult"]
        assert result["response"] == "rejected"
        assert result["changed"] == []
        assert "approvedArguments" not in result

    async def test_current_webhook_of_the_agent(self, workspace: Workspace, receiver: Receiver) -> None:
        """An agent with a new URL gets the results of earlier reviews there."""
        path = "/" + unique("event")
        agent = await workspace.make_agent(webhookUrl=f"{receiver.url}{path}/old")
        review = await workspace.request(await workspace.make_form(agent))
        change = {"webhookUrl": f"{receiver.url}{path}/new"}
        await assert_ok(workspace.manager.patch(f"/agents/{agent['agentId']}", json=change))
        await workspace.decide(review["reviewId"])
        await receiver.wait_for(f"{path}/new")
        assert receiver.at(f"{path}/old") == []


class TestAuditWebhook:
    async def test_copy_of_every_event(self, service: Service, receiver: Receiver) -> None:
        """In a separate account: the setting is for the whole account."""
        account = await open_second_account(service)
        path = "/" + unique("audit")
        await assert_ok(account.owner.patch("/account", json={"auditWebhookUrl": f"{receiver.url}{path}/audit"}))
        secret = (await assert_ok(account.owner.post("/account/rotateAuditSecret")))["auditWebhookSecret"]
        agent = await account.make_agent(webhookUrl=f"{receiver.url}{path}/agent")
        form = await account.make_form(agent)
        created_review = await account.request(form)
        await assert_ok(
            account.owner.post(f"/reviews/{created_review['reviewId']}/retry", json={"instructions": "Again"})
        )
        await account.request(form, updateForReviewId=created_review["reviewId"])
        review = await account.decide(created_review["reviewId"])
        copies = await receiver.wait_for(f"{path}/audit", 2)
        originals = await receiver.wait_for(f"{path}/agent", 2)
        by_kind = {call.json["event"]: call for call in originals}
        assert {call.json["event"] for call in copies} == set(by_kind) == {"review.completed", "review.retry_requested"}
        for copy in copies:
            original = by_kind[copy.json["event"]]
            assert copy.json["deliveryId"] == copy.headers["webhook-id"] != original.json["deliveryId"]
            assert {**copy.json, "deliveryId": ""} == {**original.json, "deliveryId": ""}
            Webhook(secret).verify(copy.body, copy.headers)
            record = await account.delivery(copy.json["deliveryId"], "succeeded")
            assert record["target"] == "audit"
            assert record["webhook"] == f"{receiver.url}{path}/audit"
        assert review["webhookDeliveryId"] == by_kind["review.completed"].json["deliveryId"]

    async def test_both_secrets_sign_after_rotation(self, service: Service, receiver: Receiver) -> None:
        account = await open_second_account(service)
        path = "/" + unique("audit")
        await assert_ok(account.owner.patch("/account", json={"auditWebhookUrl": receiver.url + path}))
        gone, old, new = [
            (await assert_ok(account.owner.post("/account/rotateAuditSecret")))["auditWebhookSecret"] for _ in range(3)
        ]
        await account.decide((await account.request(await account.make_form()))["reviewId"])
        [copy] = await receiver.wait_for(path)
        for secret in (old, new):
            Webhook(secret).verify(copy.body, copy.headers)
        with pytest.raises(WebhookVerificationError):
            Webhook(gone).verify(copy.body, copy.headers)

    async def test_without_an_agent_webhook(self, service: Service, receiver: Receiver) -> None:
        account = await open_second_account(service)
        path = "/" + unique("audit")
        await assert_ok(account.owner.patch("/account", json={"auditWebhookUrl": receiver.url + path}))
        created_review = await account.request(await account.make_form())
        review = await account.decide(created_review["reviewId"])
        assert "webhookDeliveryId" not in review
        await receiver.wait_for(path)
        await assert_ok(account.owner.patch("/account", json={"auditWebhookUrl": None}))
        created_review = await account.request(await account.make_form())
        await account.decide(created_review["reviewId"])
        deliveries = await assert_ok(
            account.agent.get("/webhooks/deliveries", params={"reviewId": created_review["reviewId"]})
        )
        assert deliveries["items"] == []
