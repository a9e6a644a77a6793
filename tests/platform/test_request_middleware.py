"""What the outermost layer guarantees for every request: the client's address, and the content of an error."""

import asyncio
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from signoff.platform.client_limits import ClientLimits, client_address
from signoff.platform.http.middleware import RequestMiddleware
from signoff.platform.settings import load_settings

SECRET = "postgresql://signoff:hunter2@db.internal/signoff"


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["path"] == "/fault":
        raise RuntimeError(SECRET)
    await JSONResponse({"client": Request(scope)["client_ip"]})(scope, receive, send)


def client(address: str = "203.0.113.9", **settings: Any) -> httpx.AsyncClient:
    made = load_settings(**settings)
    transport = httpx.ASGITransport(RequestMiddleware(app, made, ClientLimits(made)), client=(address, 1234))
    return httpx.AsyncClient(transport=transport, base_url="http://signoff.test")


class TestClientAddress:
    @pytest.mark.parametrize(
        ("peer", "proxies", "claimed", "taken"),
        [
            ("203.0.113.9", "", None, "203.0.113.9"),
            ("203.0.113.9", "", "198.51.100.1", "203.0.113.9"),
            ("203.0.113.9", "10.0.0.0/8", "198.51.100.1", "203.0.113.9"),
            ("10.0.0.1", "10.0.0.0/8", "198.51.100.1", "198.51.100.1"),
            ("10.0.0.1", "10.0.0.0/8", "192.0.2.66, 198.51.100.1", "198.51.100.1"),
            ("10.0.0.1", "10.0.0.0/8", "192.0.2.66, 198.51.100.1, 10.0.0.2", "198.51.100.1"),
            ("10.0.0.1", "10.0.0.0/8", "10.0.0.3, 10.0.0.2", "10.0.0.1"),
            ("10.0.0.1", "10.0.0.0/8", None, "10.0.0.1"),
            ("10.0.0.1", "10.0.0.0/8", "", "10.0.0.1"),
            ("10.0.0.1", "10.0.0.0/8", "198.51.100.1, nonsense", "10.0.0.1"),
            ("2001:db8::1", "2001:db8::/64", "2001:db8:1::7", "2001:db8:1::7"),
        ],
    )
    async def test_only_trusted_proxies_are_used(
        self, peer: str, proxies: str, claimed: str | None, taken: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SIGNOFF_TRUSTED_PROXIES", proxies)
        headers = {} if claimed is None else {"x-forwarded-for": claimed}
        async with client(peer) as caller:
            assert (await caller.get("/", headers=headers)).json() == {"client": taken}


class TestRequestsOfOneClient:
    async def test_are_limited(self) -> None:
        arrived, go_on = asyncio.Event(), asyncio.Event()

        async def wait(scope: Scope, receive: Receive, send: Send) -> None:
            arrived.set()
            await go_on.wait()
            await JSONResponse({})(scope, receive, send)

        settings = load_settings(client_connections=2, trusted_proxies=("10.0.0.0/8",))
        exchange = RequestMiddleware(wait, settings, ClientLimits(settings))

        async def get(address: str, forwarded: str | None = None) -> httpx.Response:
            transport = httpx.ASGITransport(exchange, client=(address, 1234))
            headers = {} if forwarded is None else {"x-forwarded-for": forwarded}
            async with httpx.AsyncClient(transport=transport, base_url="http://signoff.test") as caller:
                return await caller.get("/", headers=headers)

        waiting = [asyncio.create_task(get("203.0.113.9")), asyncio.create_task(get("10.0.0.1", "203.0.113.9"))]
        for _ in waiting:
            await arrived.wait()
            await asyncio.sleep(0)
        refused = await get("10.0.0.2", "203.0.113.9")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        assert refused.headers["retry-after"] == "1"
        others = [asyncio.create_task(get("203.0.113.10")), asyncio.create_task(get("10.0.0.1", "203.0.113.11"))]
        go_on.set()
        assert [(await each).status_code for each in (*waiting, *others)] == [200] * 4
        assert (await get("203.0.113.9")).status_code == 200

    @pytest.mark.parametrize(
        ("address", "client"),
        [
            ("203.0.113.9", "203.0.113.9"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
            ("unix", "unix"),
        ],
    )
    def test_an_ipv6_network_is_one_client(self, address: str, client: str) -> None:
        assert client_address(address) == client


class TestInternalError:
    async def test_shows_no_internals(self) -> None:
        async with client() as caller:
            answer = await caller.get("/fault")
        assert answer.status_code == 500
        assert answer.headers["content-type"] == "application/problem+json"
        problem = answer.json()
        assert (problem["code"], problem["requestId"]) == ("internal_error", answer.headers["x-request-id"])
        for inside in (SECRET, "hunter2", "RuntimeError", "Traceback", ".py"):
            assert inside not in answer.text
