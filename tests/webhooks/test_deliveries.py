"""Deliveries from both ends: what the receiver got, and what the record says."""

import asyncio
import socket
import time

import asyncpg
from aiohttp import web
from standardwebhooks import Webhook
from support.api import Workspace, assert_error, assert_ok, sign_in_workspace, unique
from support.in_process import Service, StartService
from support.receiver import Call, Receiver

RECORD = {
    "accountId",
    "deliveryId",
    "status",
    "ok",
    "statusCode",
    "statusText",
    "event",
    "target",
    "urlSource",
    "webhook",
    "reviewId",
    "formId",
    "formName",
    "agentId",
    "sessionId",
    "attemptCount",
    "maxAttempts",
    "attempts",
    "retriesCancelled",
    "triggeredAt",
    "updatedAt",
}


async def approve_one(workspace: Workspace, url: str | None, **form: object) -> dict[str, str]:
    """A review decided a moment ago, whose result goes to `url`."""
    made = await workspace.make_form(**form)
    asked = await workspace.request(made, **({"webhookUrl": url} if url else {}))
    return await workspace.decide(asked["reviewId"])


class TestRecord:
    async def test_succeeded(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        review = await approve_one(workspace, receiver.url + path)
        record = await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        assert set(record) == RECORD
        assert record["status"] == "succeeded"
        assert record["ok"] is True
        assert record["statusCode"] == 200
        assert record["event"] == "review.completed"
        assert record["target"] == "agent"
        assert record["urlSource"] == "request"
        assert record["webhook"] == receiver.url + path
        assert record["attemptCount"] == 1
        assert record["maxAttempts"] == 7
        [attempt] = record["attempts"]
        assert attempt["attemptId"] == "attempt-1"
        assert attempt["ok"] is True
        assert attempt["statusCode"] == 200
        assert attempt["scheduledBy"] == "inline"
        assert attempt["at"].endswith("Z")

    async def test_retried_until_it_succeeds(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, [500, 502, 200])
        review = await approve_one(workspace, receiver.url + path)
        record = await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        assert [attempt["statusCode"] for attempt in record["attempts"]] == [500, 502, 200]
        assert [attempt["scheduledBy"] for attempt in record["attempts"]] == ["inline", "cloud-task", "cloud-task"]
        assert [attempt["attemptId"] for attempt in record["attempts"]] == ["attempt-1", "attempt-2", "attempt-3"]
        assert record["attemptCount"] == 3
        assert "nextRetryAt" not in record

    async def test_every_attempt_has_the_same_id_and_body(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, [500, 200])
        review = await approve_one(workspace, receiver.url + path)
        first, second = await receiver.wait_for(path, 2)
        assert first.headers["webhook-id"] == second.headers["webhook-id"] == review["webhookDeliveryId"]
        assert first.body == second.body
        assert first.json["deliveryId"] == review["webhookDeliveryId"]

    async def test_dead_after_seven_attempts(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, [500])
        review = await approve_one(workspace, receiver.url + path)
        record = await workspace.delivery(review["webhookDeliveryId"], "dead", within=40)
        assert record["attemptCount"] == 7
        assert len(record["attempts"]) == 7
        assert record["ok"] is False
        assert record["retriesCancelled"] is False
        assert len(receiver.at(path)) == 7

    async def test_missing_webhook_is_shown_in_the_review(self, workspace: Workspace) -> None:
        review = await approve_one(workspace, None)
        assert "webhookDeliveryId" not in review
        assert "No webhook" in review["deliveryNote"]

    async def test_unknown_and_another_accounts_delivery(self, workspace: Workspace) -> None:
        await assert_error(workspace.agent.get("/webhooks/deliveries/whd_nothing"), 404, "not_found")
        await assert_error(workspace.owner.post("/webhooks/deliveries/whd_nothing/retry"), 404, "not_found")
        await assert_error(workspace.owner.post("/webhooks/deliveries/whd_nothing/cancel"), 404, "not_found")


class TestWhichUrl:
    async def test_request_overrides_form_overrides_agent(self, workspace: Workspace, receiver: Receiver) -> None:
        word = unique("which")
        agent = await workspace.make_agent(webhookUrl=f"{receiver.url}/{word}/agent")
        plain = await workspace.make_form(agent)
        own = await workspace.make_form(agent, webhookUrl=f"{receiver.url}/{word}/form")
        for form, members, source in (
            (plain, {}, "agent"),
            (own, {}, "form"),
            (own, {"webhookUrl": f"{receiver.url}/{word}/request"}, "request"),
        ):
            asked = await workspace.request(form, **members)
            review = await workspace.decide(asked["reviewId"])
            record = await workspace.delivery(review["webhookDeliveryId"], "succeeded")
            assert record["urlSource"] == source
            assert record["webhook"] == f"{receiver.url}/{word}/{source}"
            assert len(receiver.at(f"/{word}/{source}")) == 1


class TestSignature:
    async def test_verified_with_standard_webhooks(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        form = await workspace.make_form(agent)
        await workspace.decide((await workspace.request(form))["reviewId"])
        [call] = await receiver.wait_for(path)
        Webhook(agent["webhookSecret"]).verify(call.body, call.headers)

    async def test_both_secrets_sign_after_rotation(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        form = await workspace.make_form(agent)
        rotated = await assert_ok(workspace.manager.post(f"/agents/{agent['agentId']}/rotateSecret"))
        assert rotated["webhookSecret"] != agent["webhookSecret"]
        await workspace.decide((await workspace.request(form))["reviewId"])
        [call] = await receiver.wait_for(path)
        for secret in (agent["webhookSecret"], rotated["webhookSecret"]):
            Webhook(secret).verify(call.body, call.headers)

    async def test_secret_is_shown_once(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        shown = await assert_ok(workspace.manager.get(f"/agents/{agent['agentId']}"))
        assert "webhookSecret" not in shown


class TestReceiverBehavior:
    async def test_redirect_is_a_failure_and_not_followed(self, workspace: Workspace, receiver: Receiver) -> None:
        path, elsewhere = "/" + unique("hook"), "/" + unique("elsewhere")
        receiver.answer(path, web.Response(status=307, headers={"location": receiver.url + elsewhere}))
        review = await approve_one(workspace, receiver.url + path)
        record = await workspace.delivery(review["webhookDeliveryId"], "dead", within=40)
        assert {attempt["statusCode"] for attempt in record["attempts"]} == {307}
        assert receiver.at(elsewhere) == []

    async def test_410_stops_the_retries(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, [410])
        review = await approve_one(workspace, receiver.url + path)
        record = await workspace.delivery(review["webhookDeliveryId"], "dead")
        assert len(record["attempts"]) == 1
        assert (record["statusCode"], record["retriesCancelled"]) == (410, True)
        again = await assert_ok(workspace.owner.post(f"/webhooks/deliveries/{review['webhookDeliveryId']}/retry"))
        assert again["retriesCancelled"] is False

    async def test_retry_after_is_respected(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        moments: list[float] = []

        async def busy_once(_: Call) -> web.StreamResponse:
            moments.append(time.monotonic())
            if len(moments) == 1:
                return web.Response(status=429, headers={"retry-after": "1"})
            return web.Response()

        receiver.answer(path, busy_once)
        review = await approve_one(workspace, receiver.url + path)
        await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        assert moments[1] - moments[0] > 0.9

    async def test_timeout(self, start_service: StartService, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        tries: list[Call] = []

        async def sleepy_once(call: Call) -> web.StreamResponse:
            tries.append(call)
            if len(tries) == 1:
                await asyncio.sleep(60)
            return web.Response()

        receiver.answer(path, sleepy_once)
        async with start_service(webhook_timeout=0.5) as service:
            workspace = await sign_in_workspace(service)
            review = await approve_one(workspace, receiver.url + path)
            record = await workspace.delivery(review["webhookDeliveryId"], "succeeded", within=40)
        first, second = record["attempts"]
        assert first["error"].startswith("timeout:")
        assert first["statusCode"] == 0
        assert first["statusText"] == first["error"]
        assert second["ok"] is True

    async def test_refused_connection(self, workspace: Workspace) -> None:
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
            review = await approve_one(workspace, url)
            record = await workspace.delivery(review["webhookDeliveryId"], "dead", within=40)
        assert record["statusText"].startswith("connection_refused:")
        assert len(record["attempts"]) == 7

    async def test_endless_response_counts_by_its_status(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")

        async def endless(call: Call) -> web.StreamResponse:
            response = web.StreamResponse()
            await response.prepare(call.request)
            while True:
                await response.write(b"x" * 65536)

        receiver.answer(path, endless)
        review = await approve_one(workspace, receiver.url + path)
        record = await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        assert len(record["attempts"]) == 1

    async def test_hostile_status_text(self, workspace: Workspace) -> None:
        async def rude(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 500 \x01\xff<script>" + b"x" * 5000 + b"\r\ncontent-length: 0\r\n\r\n")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(rude, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        review = await approve_one(workspace, url)
        record = await workspace.delivery(review["webhookDeliveryId"], "dead", within=40)
        server.close()
        assert len(record["statusText"]) <= 200 or ":" in record["statusText"]
        assert len(record["attempts"]) == 7


class TestManualRetry:
    async def test_of_a_dead_delivery_is_not_counted(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, [410, 200])
        review = await approve_one(workspace, receiver.url + path)
        delivery_id = review["webhookDeliveryId"]
        await workspace.delivery(delivery_id, "dead")
        await assert_ok(workspace.owner.post(f"/webhooks/deliveries/{delivery_id}/retry"))
        record = await workspace.delivery(delivery_id, "succeeded")
        assert record["attemptCount"] == 1
        assert [attempt["scheduledBy"] for attempt in record["attempts"]] == ["inline", "manual"]

    async def test_failed_manual_retry_is_dead_immediately(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, [200, 500])
        review = await approve_one(workspace, receiver.url + path)
        delivery_id = review["webhookDeliveryId"]
        await workspace.delivery(delivery_id, "succeeded")
        await assert_ok(workspace.owner.post(f"/webhooks/deliveries/{delivery_id}/retry"))
        record = await workspace.delivery(delivery_id, "dead")
        assert record["attemptCount"] == 1
        assert len(record["attempts"]) == 2

    async def test_concurrent_retries_make_one_attempt(
        self, service: Service, workspace: Workspace, receiver: Receiver
    ) -> None:
        path = "/" + unique("hook")
        review = await approve_one(workspace, receiver.url + path)
        delivery_id = review["webhookDeliveryId"]
        await workspace.delivery(delivery_id, "succeeded")
        answers = await asyncio.gather(
            *(workspace.owner.post(f"/webhooks/deliveries/{delivery_id}/retry") for _ in range(5))
        )
        codes = sorted(answer.status_code for answer in answers)
        ordered = codes.count(200)
        await nothing_due(service, delivery_id)
        record = await workspace.delivery(delivery_id, "succeeded")
        assert ordered >= 1
        assert set(codes) <= {200, 409}
        assert len(record["attempts"]) == 1 + ordered

    async def test_rejected_during_an_attempt(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, web.Response(status=503, headers={"retry-after": "3600"}))
        review = await approve_one(workspace, receiver.url + path)
        delivery_id = review["webhookDeliveryId"]
        record = await workspace.delivery(delivery_id, "retrying")
        assert record["nextRetryAt"] > record["updatedAt"]
        await assert_error(workspace.owner.post(f"/webhooks/deliveries/{delivery_id}/retry"), 409, "delivery_under_way")


async def pass_an_hour(service: Service, delivery_id: str) -> None:
    """Its next attempt would be due now."""
    connection = await asyncpg.connect(service.dsn())
    try:
        await connection.execute(
            "update outgoing_messages set due_at = now() where message_id = $1 and due_at is not null", delivery_id
        )
    finally:
        await connection.close()
    await nothing_due(service, delivery_id)


async def nothing_due(service: Service, delivery_id: str) -> None:
    """Waits until no attempt is due, and none is under way."""
    connection = await asyncpg.connect(service.dsn())
    due = "select from outgoing_messages where message_id = $1 and due_at <= now() + interval '1 minute'"
    try:
        async with asyncio.timeout(30):
            while await connection.fetchrow(due, delivery_id) is not None:  # noqa: ASYNC110 - another process changes it
                await asyncio.sleep(0.05)
    finally:
        await connection.close()


class TestCancel:
    async def test_stops_the_retries(self, service: Service, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, web.Response(status=503, headers={"retry-after": "3600"}))
        review = await approve_one(workspace, receiver.url + path)
        delivery_id = review["webhookDeliveryId"]
        await workspace.delivery(delivery_id, "retrying")
        record = await assert_ok(workspace.owner.post(f"/webhooks/deliveries/{delivery_id}/cancel"))
        assert record["status"] == "dead"
        assert record["retriesCancelled"] is True
        assert "nextRetryAt" not in record
        await pass_an_hour(service, delivery_id)
        assert len(receiver.at(path)) == 1
        record = await workspace.delivery(delivery_id)
        assert (record["status"], len(record["attempts"])) == ("dead", 1)
        again = await assert_ok(workspace.owner.post(f"/webhooks/deliveries/{delivery_id}/cancel"))
        assert again["status"] == "dead"

    async def test_during_an_attempt_that_then_succeeds(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        let_go = asyncio.Event()

        async def patient(_: Call) -> web.StreamResponse:
            await let_go.wait()
            return web.Response()

        receiver.answer(path, patient)
        review = await approve_one(workspace, receiver.url + path)
        delivery_id = review["webhookDeliveryId"]
        await receiver.wait_for(path)
        await assert_ok(workspace.owner.post(f"/webhooks/deliveries/{delivery_id}/cancel"))
        let_go.set()
        record = await workspace.delivery(delivery_id, "succeeded")
        assert record["retriesCancelled"] is False
        assert len(record["attempts"]) == 1

    async def test_finished_delivery_is_rejected(self, workspace: Workspace, receiver: Receiver) -> None:
        review = await approve_one(workspace, f"{receiver.url}/{unique('hook')}")
        delivery_id = review["webhookDeliveryId"]
        await workspace.delivery(delivery_id, "succeeded")
        await assert_error(workspace.owner.post(f"/webhooks/deliveries/{delivery_id}/cancel"), 409, "delivery_settled")


class TestTool:
    async def test_response_is_part_of_the_agents_event(self, workspace: Workspace, receiver: Receiver) -> None:
        word = unique("tool")
        receiver.answer(f"/{word}/tool", web.json_response({"posted": [1, 2], "url": "x"}))
        review = await approve_one(
            workspace, f"{receiver.url}/{word}/agent", toolWebhookUrl=f"{receiver.url}/{word}/tool"
        )
        [call] = await receiver.wait_for(f"/{word}/agent")
        assert call.json["toolResult"] == {"posted": [1, 2], "url": "x"}
        [tool] = receiver.at(f"/{word}/tool")
        assert tool.json["event"] == "review.completed"
        assert "toolResult" not in tool.json
        assert tool.json["deliveryId"] == review["toolWebhookDeliveryId"] != review["webhookDeliveryId"]
        record = await workspace.delivery(review["toolWebhookDeliveryId"], "succeeded")
        assert record["target"] == "tool"

    async def test_failure_sends_the_agents_event_without_a_result(
        self, service: Service, workspace: Workspace, receiver: Receiver
    ) -> None:
        word = unique("tool")
        receiver.answer(f"/{word}/tool", [500, 200])
        review = await approve_one(
            workspace, f"{receiver.url}/{word}/agent", toolWebhookUrl=f"{receiver.url}/{word}/tool"
        )
        [call] = await receiver.wait_for(f"/{word}/agent")
        assert "toolResult" not in call.json
        record = await workspace.delivery(review["toolWebhookDeliveryId"], "succeeded")
        assert len(record["attempts"]) == 2
        await nothing_due(service, review["webhookDeliveryId"])
        assert len(receiver.at(f"/{word}/agent")) == 1

    async def test_response_that_is_not_json(self, workspace: Workspace, receiver: Receiver) -> None:
        word = unique("tool")
        receiver.answer(f"/{word}/tool", web.Response(text="done, thanks"))
        await approve_one(workspace, f"{receiver.url}/{word}/agent", toolWebhookUrl=f"{receiver.url}/{word}/tool")
        [call] = await receiver.wait_for(f"/{word}/agent")
        assert call.json["toolResult"] == "done, thanks"

    async def test_response_nested_too_deeply(self, workspace: Workspace, receiver: Receiver) -> None:
        word = unique("tool")
        receiver.answer(f"/{word}/tool", web.Response(text="[" * 500 + "]" * 500))
        await approve_one(workspace, f"{receiver.url}/{word}/agent", toolWebhookUrl=f"{receiver.url}/{word}/tool")
        [call] = await receiver.wait_for(f"/{word}/agent")
        assert "toolResult" not in call.json

    async def test_not_called_for_a_rejection(self, workspace: Workspace, receiver: Receiver) -> None:
        word = unique("tool")
        form = await workspace.make_form(toolWebhookUrl=f"{receiver.url}/{word}/tool")
        asked = await workspace.request(form, webhookUrl=f"{receiver.url}/{word}/agent")
        review = await workspace.decide(asked["reviewId"], "rejected")
        await receiver.wait_for(f"/{word}/agent")
        assert "toolWebhookDeliveryId" not in review
        assert receiver.at(f"/{word}/tool") == []

    async def test_canceled_waiting_event_can_be_retried(self, workspace: Workspace, receiver: Receiver) -> None:
        word = unique("tool")
        let_go = asyncio.Event()

        async def patient(_: Call) -> web.StreamResponse:
            await let_go.wait()
            return web.json_response({"done": True})

        receiver.answer(f"/{word}/tool", patient)
        review = await approve_one(
            workspace, f"{receiver.url}/{word}/agent", toolWebhookUrl=f"{receiver.url}/{word}/tool"
        )
        await receiver.wait_for(f"/{word}/tool")
        delivery_id = review["webhookDeliveryId"]
        await assert_ok(workspace.owner.post(f"/webhooks/deliveries/{delivery_id}/cancel"))
        let_go.set()
        await workspace.delivery(review["toolWebhookDeliveryId"], "succeeded")
        assert receiver.at(f"/{word}/agent") == []
        ordered = await assert_ok(workspace.owner.post(f"/webhooks/deliveries/{delivery_id}/retry"))
        assert ordered["retriesCancelled"] is False
        await workspace.delivery(delivery_id, "succeeded")
        [call] = receiver.at(f"/{word}/agent")
        assert call.json["toolResult"] == {"done": True}


class TestList:
    async def test_by_review_and_status_in_pages(self, workspace: Workspace, receiver: Receiver) -> None:
        word = unique("list")
        review = await approve_one(
            workspace, f"{receiver.url}/{word}/agent", toolWebhookUrl=f"{receiver.url}/{word}/tool"
        )
        await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        query = {"reviewId": review["reviewId"], "limit": 1}
        first = await assert_ok(workspace.agent.get("/webhooks/deliveries", params=query))
        second = await assert_ok(
            workspace.agent.get("/webhooks/deliveries", params={**query, "cursor": first["nextCursor"]})
        )
        both = {item["deliveryId"] for item in first["items"] + second["items"]}
        assert both == {review["webhookDeliveryId"], review["toolWebhookDeliveryId"]}
        assert second.get("nextCursor") is None
        assert "attempts" not in first["items"][0]
        none = await assert_ok(workspace.agent.get("/webhooks/deliveries", params={**query, "status": "dead"}))
        assert none["items"] == []

    async def test_bad_query(self, workspace: Workspace) -> None:
        await assert_error(workspace.agent.get("/webhooks/deliveries", params={"status": "lost"}), 400)
        await assert_error(workspace.agent.get("/webhooks/deliveries", params={"limit": "0"}), 400)
