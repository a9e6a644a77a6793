"""Deliveries found by their object, their events, and bulk retries and cancellations."""

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web
from support.api import Workspace, assert_error, assert_ok, unique
from support.in_process import Service
from support.receiver import Receiver
from support.second_account import open_second_account

MOST = 200


@pytest.fixture(scope="module")
def nobody() -> Iterator[str]:
    """A URL where nothing listens, while it's held."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}/"


async def decided(workspace: Workspace, url: str, form: dict[str, Any] | None = None, **members: Any) -> str:
    """The delivery of a review that was decided a moment ago."""
    asked = await workspace.request(form or await workspace.make_form(), webhookUrl=url, **members)
    return (await workspace.decide(asked["reviewId"]))["webhookDeliveryId"]


async def listed(workspace: Workspace, **params: str) -> list[str]:
    page = await assert_ok(workspace.agent.get("/webhooks/deliveries", params=params))
    return [row["deliveryId"] for row in page["items"]]


class TestFilters:
    async def test_agent_and_review_type(self, workspace: Workspace, receiver: Receiver) -> None:
        agent = await workspace.make_agent()
        forms = [await workspace.make_form(agent) for _ in range(2)]
        url = receiver.url + "/" + unique("hook")
        first, second = [await decided(workspace, url, form) for form in forms]
        assert await listed(workspace, agentId=agent["agentId"]) == [second, first]
        assert await listed(workspace, formId=forms[0]["formId"]) == [first]
        assert await listed(workspace, agentId=agent["agentId"], formId=forms[1]["formId"]) == [second]
        other = await workspace.make_form()
        assert await listed(workspace, agentId=agent["agentId"], formId=other["formId"]) == []

    async def test_target_and_event(self, workspace: Workspace, receiver: Receiver) -> None:
        tool = receiver.url + "/" + unique("tool")
        form = await workspace.make_form(toolWebhookUrl=tool)
        agent_id = form["agentId"]
        asked = await workspace.request(form, webhookUrl=receiver.url + "/" + unique("hook"))
        await assert_ok(workspace.owner.post(f"/reviews/{asked['reviewId']}/retry", json={"instructions": "Shorter."}))
        review = await workspace.decide(asked["reviewId"])
        main, by_tool = review["webhookDeliveryId"], review["toolWebhookDeliveryId"]
        [retry] = await listed(workspace, agentId=agent_id, event="review.retry_requested")
        assert await listed(workspace, agentId=agent_id, target="tool") == [by_tool]
        assert await listed(workspace, formId=form["formId"], target="agent") == [main, retry]
        assert await listed(workspace, agentId=agent_id, target="agent", event="review.completed") == [main]
        assert await listed(workspace, agentId=agent_id, target="audit") == []
        assert await listed(workspace, event="no.such") == []

    async def test_times(self, workspace: Workspace, receiver: Receiver) -> None:
        form = await workspace.make_form()
        url = receiver.url + "/" + unique("hook")
        ids = [await decided(workspace, url, form) for _ in range(3)]
        moments = [(await workspace.delivery(each))["triggeredAt"] for each in ids]
        only = {"formId": form["formId"]}
        assert await listed(workspace, **only, since=moments[1]) == [ids[2], ids[1]]
        assert await listed(workspace, **only, until=moments[1]) == [ids[0]]
        assert await listed(workspace, **only, since=moments[1], until=moments[2]) == [ids[1]]
        assert await listed(workspace, **only, since="0001-01-01T00:00:00Z", until="9999-12-31T00:00:00Z") == ids[::-1]
        assert await listed(workspace, **only, since="2099-01-01T00:00:00+02:00") == []

    async def test_in_pages(self, workspace: Workspace, receiver: Receiver) -> None:
        form = await workspace.make_form()
        ids = [await decided(workspace, receiver.url + "/" + unique("hook"), form) for _ in range(5)]
        found: list[str] = []
        cursor = None
        for _ in range(3):
            params = {"formId": form["formId"], "limit": "2", "since": "2020-01-01T00:00:00Z"}
            params |= {"cursor": cursor} if cursor else {}
            page = await assert_ok(workspace.owner.get("/webhooks/deliveries", params=params))
            found += [row["deliveryId"] for row in page["items"]]
            cursor = page["nextCursor"]
        assert (found, cursor) == (ids[::-1], None)

    @pytest.mark.parametrize(
        "params",
        [
            {"target": "nobody"},
            {"status": "lost"},
            {"since": "yesterday"},
            {"since": "2026-01-01T00:00:00"},
            {"until": "9999-12-31T23:59:59-14:00"},
            {"agentId": "x" * 129},
            {"formId": "x" * 129},
            {"event": "x" * 129},
        ],
    )
    async def test_bad_query(self, workspace: Workspace, params: dict[str, str]) -> None:
        await assert_error(workspace.agent.get("/webhooks/deliveries", params=params), 400, "invalid_query")

    @pytest.mark.parametrize("name", ["agentId", "formId", "event"])
    async def test_hostile(self, workspace: Workspace, name: str) -> None:
        assert await listed(workspace, **{name: "' or true --"}) == []


class TestEvent:
    async def test_is_shown_as_sent(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        delivery_id = await decided(workspace, receiver.url + path, meta={"ünï": "<b>"})
        [call] = await receiver.wait_for(path)
        answer = await workspace.agent.get(f"/webhooks/deliveries/{delivery_id}/event")
        assert answer.headers["content-type"] == "application/json"
        assert answer.content == call.body

    async def test_has_the_tool_result(self, workspace: Workspace, receiver: Receiver) -> None:
        tool, path = "/" + unique("tool"), "/" + unique("hook")
        receiver.answer(tool, web.Response(text='{"published": true}'))
        form = await workspace.make_form(toolWebhookUrl=receiver.url + tool)
        asked = await workspace.request(form, webhookUrl=receiver.url + path)
        review = await workspace.decide(asked["reviewId"])
        [call], [tool_call] = await receiver.wait_for(path), await receiver.wait_for(tool)
        for name, sent in (("webhookDeliveryId", call), ("toolWebhookDeliveryId", tool_call)):
            answer = await workspace.owner.get(f"/webhooks/deliveries/{review[name]}/event")
            assert answer.content == sent.body
        main = await assert_ok(workspace.owner.get(f"/webhooks/deliveries/{review['webhookDeliveryId']}/event"))
        assert main["toolResult"] == {"published": True}

    async def test_before_the_first_attempt(self, workspace: Workspace, nobody: str) -> None:
        delivery_id = await decided(workspace, nobody)
        event = await assert_ok(workspace.owner.get(f"/webhooks/deliveries/{delivery_id}/event"))
        assert (event["event"], event["deliveryId"]) == ("review.completed", delivery_id)

    async def test_unknown_and_another_accounts_event(
        self, workspace: Workspace, service: Service, receiver: Receiver
    ) -> None:
        delivery_id = await decided(workspace, receiver.url + "/" + unique("hook"))
        stranger = await open_second_account(service)
        await assert_error(stranger.owner.get(f"/webhooks/deliveries/{delivery_id}/event"), 404, "not_found")
        await assert_error(workspace.owner.get("/webhooks/deliveries/whd_unknown/event"), 404, "not_found")
        await assert_error(workspace.public.get(f"/webhooks/deliveries/{delivery_id}/event"), 401)


class TestMany:
    async def test_retry(self, workspace: Workspace, receiver: Receiver) -> None:
        paths = ["/" + unique("hook") for _ in range(3)]
        ids = [await decided(workspace, receiver.url + path) for path in paths]
        for each in ids:
            await workspace.delivery(each, "succeeded")
        outcome = await assert_ok(workspace.owner.post("/webhooks/deliveries/retry", json={"deliveryIds": ids}))
        assert outcome == {"items": [{"deliveryId": each, "ok": True} for each in ids]}
        for path, each in zip(paths, ids, strict=True):
            calls = await receiver.wait_for(path, 2)
            assert calls[0].body == calls[1].body
            record = await workspace.delivery(each, "succeeded")
            assert [attempt["scheduledBy"] for attempt in record["attempts"]] == ["inline", "manual"]

    async def test_each_has_its_own_result(self, workspace: Workspace, service: Service, receiver: Receiver) -> None:
        good = await decided(workspace, receiver.url + "/" + unique("hook"))
        await workspace.delivery(good, "succeeded")
        stranger = await open_second_account(service)
        theirs = await decided(stranger, receiver.url + "/" + unique("hook"))
        await stranger.delivery(theirs, "succeeded")
        wanted = ["whd_unknown", theirs, good, good]
        outcome = await assert_ok(workspace.owner.post("/webhooks/deliveries/retry", json={"deliveryIds": wanted}))
        assert [(each["deliveryId"], each["ok"]) for each in outcome["items"]] == [
            ("whd_unknown", False),
            (theirs, False),
            (good, True),
        ]
        errors = [each["error"] for each in outcome["items"][:2]]
        assert {error["code"] for error in errors} == {"not_found"}
        assert errors[1]["detail"] == f"No delivery found with ID '{theirs}'."
        assert len((await stranger.delivery(theirs))["attempts"]) == 1

    async def test_cancel(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, [500])
        ids = [await decided(workspace, receiver.url + path) for _ in range(2)]
        done = await decided(workspace, receiver.url + "/" + unique("hook"))
        await workspace.delivery(done, "succeeded")
        for each in ids:
            await workspace.delivery(each, "dead", within=40)
        # After a retry they can be canceled; those that have failed by then are settled.
        await assert_ok(workspace.manager.post("/webhooks/deliveries/retry", json={"deliveryIds": ids}))
        outcome = await assert_ok(
            workspace.manager.post("/webhooks/deliveries/cancel", json={"deliveryIds": [done, *ids]})
        )
        first, *rest = outcome["items"]
        assert first["error"]["code"] == "delivery_settled"
        assert all(each["ok"] or each["error"]["code"] == "delivery_settled" for each in rest)
        for each in ids:
            await workspace.delivery(each, "dead")

    async def test_each_is_in_the_audit_log(self, workspace: Workspace, receiver: Receiver) -> None:
        ids = [await decided(workspace, receiver.url + "/" + unique("hook")) for _ in range(2)]
        for each in ids:
            await workspace.delivery(each, "succeeded")
        await assert_ok(workspace.owner.post("/webhooks/deliveries/retry", json={"deliveryIds": ids}))
        for each in ids:
            review_id = (await workspace.delivery(each))["reviewId"]
            params = {"objectId": review_id, "action": "delivery.retried"}
            log = await assert_ok(workspace.owner.get("/auditLog", params=params))
            assert [entry["details"]["deliveryId"] for entry in log["items"]] == [each]

    async def test_concurrent(self, workspace: Workspace, receiver: Receiver) -> None:
        delivery_id = await decided(workspace, receiver.url + "/" + unique("hook"))
        await workspace.delivery(delivery_id, "succeeded")
        calls = (
            assert_ok(workspace.owner.post("/webhooks/deliveries/retry", json={"deliveryIds": [delivery_id]}))
            for _ in range(5)
        )
        items = [outcome["items"][0] for outcome in await asyncio.gather(*calls)]
        ordered = sum(item["ok"] for item in items)
        assert ordered >= 1
        assert {item["error"]["code"] for item in items if not item["ok"]} <= {"delivery_under_way"}

        async with asyncio.timeout(20):
            while len((await workspace.delivery(delivery_id, "succeeded"))["attempts"]) < 1 + ordered:  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({}, "deliveryIds"),
            ({"deliveryIds": None}, "deliveryIds"),
            ({"deliveryIds": []}, "deliveryIds"),
            ({"deliveryIds": ["x"] * (MOST + 1)}, "deliveryIds"),
            ({"deliveryIds": "whd_1"}, "deliveryIds"),
            ({"deliveryIds": [1]}, "deliveryIds[0]"),
            ({"deliveryIds": ["x" * 129]}, "deliveryIds[0]"),
            ({"deliveryIds": ["x"], "all": True}, "all"),
        ],
        ids=json.dumps,
    )
    @pytest.mark.parametrize("verb", ["retry", "cancel"])
    async def test_refused(self, workspace: Workspace, verb: str, body: Any, path: str) -> None:
        problem = await assert_error(workspace.owner.post(f"/webhooks/deliveries/{verb}", json=body), 422, "invalid")
        assert [error["path"] for error in problem["errors"]] == [path]

    async def test_by_role(self, workspace: Workspace) -> None:
        _, viewer = await workspace.make_person("viewer")
        for verb in ("retry", "cancel"):
            body = {"deliveryIds": ["whd_1"]}
            await assert_error(viewer.post(f"/webhooks/deliveries/{verb}", json=body), 403, "forbidden")
            await assert_error(workspace.agent.post(f"/webhooks/deliveries/{verb}", json=body), 403, "forbidden")
            await assert_error(workspace.public.post(f"/webhooks/deliveries/{verb}", json=body), 401)

    @pytest.mark.parametrize("verb", ["retry", "cancel"])
    async def test_routes_do_not_clash_with_ids(self, workspace: Workspace, verb: str) -> None:
        answer = await workspace.owner.request("OPTIONS", f"/webhooks/deliveries/{verb}")
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        answer = await workspace.owner.request("OPTIONS", "/webhooks/deliveries/whd_1")
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
