"""`/mcp`: the streamable HTTP transport without sessions, so that any API process can answer any call.

The caller is authenticated before anything else. The protocol's library takes a second to load, so it's loaded on the
first call with a valid key.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from signoff.accounts.context import get_context
from signoff.mcp_server.api_client import PATH, Api
from signoff.platform.errors import ApiError, CrossOriginForbidden, InvalidKey
from signoff.platform.messages import msg
from signoff.platform.request_body import ensure_few_values, get_body, max_values
from signoff.platform.settings import Settings, is_loopback

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

MCP = "/mcp"
KEY = "signoff.mcp_key"
DISCONNECT_DELAY = 0.5


class Misdirected(ApiError):
    """The request has a host name that isn't ours: a page may have pointed its own name here (DNS rebinding)."""

    status, code, title = 421, "misdirected_request", msg("Wrong host")


class McpEndpoint:
    def __init__(self, app: FastAPI, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._loading: asyncio.Task[Callable[..., Any]] | None = None
        self._stop = asyncio.Event()
        self._served: asyncio.Task[None] | None = None

    def mount(self) -> None:
        self._app.router.routes.append(Route(MCP, endpoint=self, include_in_schema=False))

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Run the endpoint for as long as the application runs."""
        try:
            yield
        finally:
            self._stop.set()
            if self._served is not None:
                await self._served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        scope[KEY] = await self._valid_key(headers)
        ensure_known_host(headers, self._settings)
        if (limit := get_body(scope)) is not None:
            limit.raise_limit()
        if scope["method"] != "POST":
            # There are no sessions to listen to or to end: this status tells the client.
            await Response(None, 405, {"Allow": "POST"})(scope, receive, send)
            return
        if self._loading is None or (self._loading.done() and self._loading.exception() is not None):
            self._loading = asyncio.create_task(self._load())
        answer = await asyncio.shield(self._loading)
        request = Request(scope, receive)
        body = await request.body()
        # The protocol's library parses the body at once, so one that would block everything else must not get there.
        await ensure_few_values(body, max_values(request))
        await answer(scope, _delay_disconnect(_replay_body(body, receive)), send)

    async def _valid_key(self, headers: Headers) -> str:
        key = headers.get("x-api-key") or _bearer(headers.get("authorization"))
        challenge = 'Bearer realm="signoff"'
        try:
            if not key:
                raise InvalidKey(msg("Send an API key in the x-api-key header or as Authorization: Bearer <key>."))
            challenge += ', error="invalid_token"'
            await get_context(self._app).keys.find(key)
        except InvalidKey as problem:
            problem.headers["WWW-Authenticate"] = challenge
            raise
        return key

    async def _load(self) -> Callable[..., Any]:
        manager = await asyncio.to_thread(self._make_manager)
        ready = asyncio.Event()
        self._served = asyncio.create_task(self._serve(manager, ready))
        await ready.wait()
        return manager.handle_request

    def _make_manager(self) -> "StreamableHTTPSessionManager":
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from signoff.mcp_server.server import build_server

        # All routes' bodies are limited as they arrive, so no limit is needed here.
        server = build_server(self._connect)
        return StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=sys.maxsize)

    async def _serve(self, manager: "StreamableHTTPSessionManager", ready: asyncio.Event) -> None:
        async with manager.run():
            ready.set()
            await self._stop.wait()

    @asynccontextmanager
    async def _connect(self, context: Any) -> AsyncGenerator[Api]:
        """Connect to our own application as the caller: with their key, their address, and the ID of their request."""
        scope = context.request.scope
        transport = httpx.ASGITransport(
            self._app, client=(scope.get("client_ip") or "127.0.0.1", 0), raise_app_exceptions=False
        )
        headers = {"x-api-key": scope[KEY], "x-request-id": scope["request_id"]}
        async with httpx.AsyncClient(transport=transport, base_url=f"http://signoff{PATH}/", headers=headers) as client:
            yield Api(client)


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Yield the body that was already read, and then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_once() -> Message:
        return messages.pop() if messages else await receive()

    return receive_once


def _delay_disconnect(receive: Receive) -> Receive:
    """Hide a disconnect while the server stops: a stopping server reports the same as a client that disconnects,
    but then waits end on their own and are answered.
    """

    async def receive_unhurried() -> Message:
        message = await receive()
        if message["type"] == "http.disconnect":
            await asyncio.sleep(DISCONNECT_DELAY)
        return message

    return receive_unhurried


def _bearer(authorization: str | None) -> str | None:
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def ensure_known_host(headers: Headers, settings: Settings) -> None:
    """Refuse foreign host names, against DNS rebinding. A key is required in any case; this is a second layer.

    Only a name with a dot can belong to someone else in public DNS: IP addresses and single-label names of a private
    network, used by proxies and neighbors, are accepted. A service that listens on a network without a configured
    public URL accepts any.
    """
    origin = headers.get("origin")
    ours = urlsplit(settings.url)
    if origin is not None and _split(origin) != ours[:2]:
        raise CrossOriginForbidden(msg("This request came from a page on a different origin."))
    if settings.public_url is None and not is_loopback(settings.host):
        return
    host = _host(headers.get("host", ""))
    if host != (ours.hostname or "").lower() and "." in host and not _is_address(host):
        raise Misdirected(msg("This server isn't '{host}'. Use {url}.", host=host, url=settings.url))


def _split(origin: str) -> tuple[str, str] | None:
    try:
        return urlsplit(origin)[:2]
    except ValueError:
        return None


def _host(header: str) -> str:
    try:
        return (urlsplit(f"//{header}").hostname or "").rstrip(".").lower()
    except ValueError:
        return "."


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
