"""What every HTTP exchange has: a request ID, a limited body, the reader's language, and a log line."""

import asyncio
import re
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from http import HTTPStatus
from ipaddress import ip_address
from typing import cast

import structlog
from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from signoff.platform.client_limits import ClientLimits, is_among
from signoff.platform.db import DatabaseUnavailable
from signoff.platform.errors import ApiError
from signoff.platform.http.error_handlers import (
    UNLOGGED,
    database_lost,
    database_unavailable_response,
    problem_response,
)
from signoff.platform.ids import new_id
from signoff.platform.logs import get_logger
from signoff.platform.messages import answering_in, msg, negotiate
from signoff.platform.metrics import REQUESTS
from signoff.platform.request_body import BODY, MAX_VALUES, PUBLIC, BodyLimit, BodyPace, RequestBody
from signoff.platform.settings import Settings

log = get_logger("http")

REQUEST_ID_PATTERN = re.compile(r"[A-Za-z0-9._:-]{8,128}")
RESPONSE_HEADERS_KEY = "signoff.answer_headers"
QUIET_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
CLIENT_CLOSED_REQUEST = 499
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods that metrics count by name: a client could make up any number of others."""


def add_response_header(request: Request, name: str, value: str) -> None:
    """Add a header to the response, whether it's a result or an error."""
    request.scope[RESPONSE_HEADERS_KEY].append((name.lower().encode(), value.encode("latin-1")))


class RequestMiddleware:
    """The outermost layer: assigns the request ID, limits the body, logs the request, and handles uncaught
    exceptions.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        clients: ClientLimits,
        public_limits: Mapping[str, BodyLimit] | None = None,
        known_limits: Mapping[str, BodyLimit] | None = None,
    ) -> None:
        """Take the paths whose bodies have other limits than the default, before and after the caller is known.

        A path that ends with a slash includes everything below it.
        """
        self.app = app
        self.public_limits = public_limits or {}
        self.known_limits = known_limits or {}
        self.known_limit = BodyLimit(settings.max_body_bytes, MAX_VALUES)
        self.pace = BodyPace(settings.body_timeout, settings.body_min_rate)
        self.trusted_proxies = settings.trusted_proxies
        self.clients = clients
        self.warned_of_proxy = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        headers = dict(cast(list[tuple[bytes, bytes]], scope["headers"]))
        request_id = _request_id(headers)
        scope["request_id"] = request_id
        scope["client_ip"] = self._client_ip(scope, headers)
        method = scope["method"]
        if method == "HEAD":
            scope["method"], send = "GET", _without_body(send)
            scope["head"] = True  # lets routes skip building the body
        status = 500
        answered = False
        more_headers = scope[RESPONSE_HEADERS_KEY] = list[tuple[bytes, bytes]]()
        body = scope[BODY] = RequestBody(
            receive,
            headers,
            _find_limit(self.public_limits, scope["path"], PUBLIC),
            _find_limit(self.known_limits, scope["path"], self.known_limit),
            self.pace,
        )

        async def send_with_id(message: AsgiMessage) -> None:
            nonlocal status, answered
            if message["type"] == "http.response.start":
                status = message["status"]
                answered = True
                if status >= HTTPStatus.BAD_REQUEST:
                    await body.drain()
                if not any(name == b"cache-control" for name, _ in message["headers"]):
                    more_headers.append((b"cache-control", b"no-store"))
                message["headers"] = [
                    *message["headers"],
                    (b"x-request-id", request_id.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"same-origin"),
                    *more_headers,
                ]
            await send(message)

        language = negotiate(headers.get(b"accept-language", b"").decode("latin-1"))
        with structlog.contextvars.bound_contextvars(request_id=request_id), answering_in(language):
            try:
                with self._admitted(scope):
                    await self.app(scope, body.receive, send_with_id)
            except asyncio.CancelledError:  # the caller, in this process, no longer wants the response
                status = status if answered else CLIENT_CLOSED_REQUEST
                raise
            except ApiError as problem:  # raised below the routes, by the body limit
                await problem_response(problem, scope)(scope, receive, send_with_id)
            except DatabaseUnavailable as error:
                if answered:
                    database_lost(error=str(error))
                    raise
                await database_unavailable_response(scope, error)(scope, receive, send_with_id)
            except Exception:
                if body.abandoned:
                    return
                log.exception("request failed", method=method, path=scope["path"])
                if answered:
                    raise
                detail = msg(
                    "Something went wrong on our side. If it keeps happening, contact your admin and include request "
                    "ID {id}.",
                    id=request_id,
                )
                problem = ApiError(detail)
                await problem_response(problem, scope)(scope, receive, send_with_id)
            finally:
                if body.abandoned:
                    status = CLIENT_CLOSED_REQUEST
                if body.given_up and (peer := _peer(scope)) is not None:
                    self.clients.drop_later(peer)
                self._record(scope, method, status, time.perf_counter() - started)

    def _admitted(self, scope: Scope) -> AbstractContextManager[None]:
        if scope["path"] in QUIET_PATHS:
            return nullcontext()
        return self.clients.request(scope["client_ip"], _peer(scope))

    def _record(self, scope: Scope, method: str, status: int, seconds: float) -> None:
        REQUESTS.labels(method if method in METHODS else "(other)", _route(scope), status).observe(seconds)
        if scope["path"] not in QUIET_PATHS and not scope.get(UNLOGGED):
            log.info(
                "request",
                method=method,
                path=scope["path"],
                status=status,
                ms=round(seconds * 1000, 2),
                client=scope["client_ip"],
            )

    def _client_ip(self, scope: Scope, headers: dict[bytes, bytes]) -> str | None:
        client = scope.get("client")
        if not client:
            return None
        if b"x-forwarded-for" not in headers:
            return client[0]
        if not is_among(client[0], self.trusted_proxies):
            self._warn_of_proxy(client[0])
            return client[0]
        # The last address that isn't one of our own proxies is the client's. Anything before it is the client's claim.
        chain = [*headers[b"x-forwarded-for"].decode("latin-1").split(","), client[0]]
        for hop in reversed([part.strip() for part in chain]):
            try:
                address = ip_address(hop)
            except ValueError:
                return client[0]
            if not any(address in network for network in self.trusted_proxies):
                return hop
        return client[0]

    def _warn_of_proxy(self, address: str) -> None:
        """Warn once that all clients of an untrusted proxy share one limit."""
        if not self.warned_of_proxy:
            self.warned_of_proxy = True
            log.warning(
                "request from an untrusted proxy; if it's yours, add it to SIGNOFF_TRUSTED_PROXIES", proxy=address
            )


def _peer(scope: Scope) -> tuple[str, int] | None:
    """Return the other end of the connection. Granian passes its port as text."""
    client = scope.get("client")
    return (client[0], int(client[1])) if client else None


def _find_limit(limits: Mapping[str, BodyLimit], path: str, otherwise: BodyLimit) -> BodyLimit:
    if (limit := limits.get(path)) is not None:
        return limit
    return next((limit for above, limit in limits.items() if above[-1] == "/" and path.startswith(above)), otherwise)


def _without_body(send: Send) -> Send:
    """Answer HEAD like GET: the same headers, without a body."""

    async def send_head(message: AsgiMessage) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_head


def _route(scope: Scope) -> str:
    """Return the full path template: an included route only knows its own part, and FastAPI stores the rest
    separately.
    """
    included = scope.get("fastapi", {}).get("effective_route_context")
    return getattr(included or scope.get("route"), "path", "(none)")


def _request_id(headers: dict[bytes, bytes]) -> str:
    brought = headers.get(b"x-request-id", b"").decode("latin-1")
    return brought if REQUEST_ID_PATTERN.fullmatch(brought) else new_id("req")
