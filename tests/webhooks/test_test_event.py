"""A test event, from both ends."""

import asyncio
import json
import socket

import pytest
from aiohttp import web
from standardwebhooks import Webhook
from support.api import Workspace, assert_error, assert_ok, sign_in_workspace, unique
from support.in_process import Service, StartService
from support.receiver import Call, Receiver
from support.second_account import open_second_account


async def try_out(workspace: Workspace, url: str) -> dict[str, object]:
    agent = await workspace.make_agent(webhookUrl=url)
    return await assert_ok(workspace.owner.post(f"/agents/{agent['agentId']}/testEvent"))


class TestSent:
    async def test_arrives_signed_and_is_shown(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("test")
        receiver.answer(path, web.Response(status=202, text="thank you", headers={"x-seen": "yes"}))
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        outcome = await assert_ok(workspace.owner.post(f"/agents/{agent['agentId']}/testEvent"))
        [call] = await receiver.wait_for(path)
        assert call.body.decode() == outcome["request"]["body"]
        assert set(call.json) == {"event", "accountId", "agentId", "deliveryId", "createdAt", "message"}
        assert (call.json["event"], call.json["agentId"]) == ("test", agent["agentId"])
        assert call.json["accountId"] == workspace.account_id
        assert call.headers["webhook-id"] == call.json["deliveryId"]
        Webhook(agent["webhookSecret"]).verify(call.body, call.headers)
        for name, value in outcome["request"]["headers"].items():
            assert call.headers[name] == value
        assert outcome["deliveryUrl"] == receiver.url + path
        assert outcome["ok"] is True
        assert outcome["error"] is None
        assert outcome["durationMs"] >= 0
        response = outcome["response"]
        assert (response["statusCode"], response["statusText"]) == (202, "Accepted")
        assert (response["body"], response["bodyCut"]) == ("thank you", False)
        assert response["headers"]["x-seen"] == "yes"

    async def test_both_secrets_sign_during_rotation(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("test")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        await assert_ok(workspace.manager.post(f"/agents/{agent['agentId']}/rotateSecret"))
        await assert_ok(workspace.manager.post(f"/agents/{agent['agentId']}/testEvent"))
        [call] = await receiver.wait_for(path)
        Webhook(agent["webhookSecret"]).verify(call.body, call.headers)

    async def test_is_not_a_delivery(self, workspace: Workspace, receiver: Receiver) -> None:
        agent = await workspace.make_agent(webhookUrl=receiver.url + "/" + unique("test"))
        await assert_ok(workspace.owner.post(f"/agents/{agent['agentId']}/testEvent"))
        listed = await assert_ok(workspace.owner.get("/webhooks/deliveries", params={"agentId": agent["agentId"]}))
        assert listed["items"] == []

    async def test_is_in_the_audit_log(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("test")
        receiver.answer(path, [500])
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        outcome = await assert_ok(workspace.owner.post(f"/agents/{agent['agentId']}/testEvent"))
        assert outcome["ok"] is False
        log = await assert_ok(
            workspace.owner.get("/auditLog", params={"objectId": agent["agentId"], "action": "agent.tested"})
        )
        assert [entry["details"] for entry in log["items"]] == [{"ok": False, "statusCode": 500}]

    async def test_concurrent(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("test")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        calls = (workspace.owner.post(f"/agents/{agent['agentId']}/testEvent") for _ in range(30))
        assert {answer.json()["ok"] for answer in await asyncio.gather(*calls)} == {True}
        assert len({call.json["deliveryId"] for call in receiver.at(path)}) == 30


class TestResponses:
    async def test_unreachable(self, workspace: Workspace) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
            outcome = await try_out(workspace, f"http://127.0.0.1:{port}/")
        assert (outcome["ok"], outcome["response"]) == (False, None)
        assert str(outcome["error"]).startswith("connection_refused: ")

    async def test_too_slow(self, start_service: StartService, receiver: Receiver) -> None:
        async def never(_: Call) -> web.StreamResponse:
            await asyncio.sleep(60)
            return web.Response()

        async with start_service(webhook_timeout=0.5, worker=False) as service:
            workspace = await sign_in_workspace(service)
            outcome = await try_out(workspace, receiver.answer("/" + unique("slow"), never))
        assert outcome["response"] is None
        assert str(outcome["error"]).startswith("timeout: ")

    async def test_a_redirect_is_not_followed(self, workspace: Workspace, receiver: Receiver) -> None:
        elsewhere = "/" + unique("elsewhere")
        path = "/" + unique("test")
        receiver.answer(path, web.Response(status=302, headers={"location": receiver.url + elsewhere}))
        outcome = await try_out(workspace, receiver.url + path)
        assert (outcome["ok"], outcome["response"]["statusCode"]) == (False, 302)  # type: ignore[index]
        assert receiver.at(elsewhere) == []

    @pytest.mark.parametrize(
        ("body", "shown", "cut"),
        [
            (b"", "", False),
            (b"x" * 10_000, "x" * 10_000, False),
            (b"x" * 10_001, "x" * 10_000, True),
            (b"x" * 5_000_000, "x" * 10_000, True),
            ("💥".encode() * 10_000, "💥" * 10_000, False),
            ("💥".encode() * 10_001, "💥" * 10_000, True),
            (b"\xff\xfe ok \x00", "\ufffd\ufffd ok \x00", False),
            (b"<script>alert(1)</script>", "<script>alert(1)</script>", False),
        ],
        ids=["empty", "all", "one more", "huge", "four bytes each", "four bytes and more", "no text", "hostile"],
    )
    async def test_bodies(self, workspace: Workspace, receiver: Receiver, body: bytes, shown: str, cut: bool) -> None:
        async def answer(_: Call) -> web.StreamResponse:
            return web.Response(body=body)

        outcome = await try_out(workspace, receiver.answer("/" + unique("body"), answer))
        assert (outcome["response"]["body"], outcome["response"]["bodyCut"]) == (shown, cut)  # type: ignore[index]

    async def test_odd_headers(self, workspace: Workspace) -> None:
        """Bytes that aren't text, the same name twice, a very long value, an excessive number."""
        head = b"HTTP/1.1 200 Fine\r\ncontent-length: 2\r\nX-Odd: \xff\xfe\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n"
        head += b"x-long: " + b"y" * 5_000 + b"\r\n" + b"".join(b"x-%d: 1\r\n" % n for n in range(60))

        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(head + b"\r\nok")
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(handle, "127.0.0.1", 0) as server:
            outcome = await try_out(workspace, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        headers: dict[str, str] = outcome["response"]["headers"]  # type: ignore[index]
        assert headers["x-odd"] == "\ufffd\ufffd"
        assert headers["set-cookie"] == "a=1, b=2"
        assert headers["x-long"] == "y" * 1_000
        assert len(headers) == 50


class TestRefused:
    async def test_without_a_webhook(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        await assert_error(workspace.owner.post(f"/agents/{agent['agentId']}/testEvent"), 409, "no_webhook_url")

    async def test_unknown_and_deleted(self, workspace: Workspace, receiver: Receiver) -> None:
        await assert_error(workspace.owner.post("/agents/agt_unknown/testEvent"), 404, "not_found")
        path = "/" + unique("test")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        await assert_ok(workspace.manager.delete(f"/agents/{agent['agentId']}"))
        await assert_error(workspace.owner.post(f"/agents/{agent['agentId']}/testEvent"), 404, "not_found")
        assert receiver.at(path) == []

    async def test_another_accounts(self, workspace: Workspace, service: Service, receiver: Receiver) -> None:
        path = "/" + unique("test")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        stranger = await open_second_account(service)
        await assert_error(stranger.owner.post(f"/agents/{agent['agentId']}/testEvent"), 404, "not_found")
        assert receiver.at(path) == []

    async def test_by_role(self, workspace: Workspace, receiver: Receiver) -> None:
        agent = await workspace.make_agent(webhookUrl=receiver.url + "/" + unique("test"))
        for role in ("reviewer", "viewer"):
            _, person = await workspace.make_person(role)
            await assert_error(person.post(f"/agents/{agent['agentId']}/testEvent"), 403, "forbidden")
        await assert_error(workspace.agent.post(f"/agents/{agent['agentId']}/testEvent"), 403, "forbidden")
        await assert_error(workspace.public.post(f"/agents/{agent['agentId']}/testEvent"), 401)

    async def test_only_to_allowed_addresses(self, start_service: StartService, receiver: Receiver) -> None:
        """The same guard as for deliveries: without the setting, this machine is unreachable."""
        path = "/" + unique("test")
        async with start_service(worker=False, allowed_networks="") as service:
            workspace = await sign_in_workspace(service)
            outcome = await try_out(workspace, receiver.url + path)
            assert json.dumps(outcome["error"]).startswith('"blocked_address: ')
        assert receiver.at(path) == []
