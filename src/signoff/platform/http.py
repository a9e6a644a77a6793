"""What every HTTP exchange has: a request id, a bounded body, strict JSON, one way to render errors, a log line."""

import asyncio
import re
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any, cast

import asyncpg
import orjson
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoff.platform.db import DatabaseExhausted, DatabaseLost
from signoff.platform.errors import BadQuery, Invalid, Malformed, Problem, TooLarge, Unavailable, WrongMediaType
from signoff.platform.faults import Fault, FaultsError
from signoff.platform.ids import new_id
from signoff.platform.logs import Throttle, get_logger
from signoff.platform.metrics import REQUESTS
from signoff.platform.settings import Settings

log = get_logger("http")
database_lost = Throttle(log, "the database is out of reach")
database_exhausted = Throttle(log, "the database has no resources left")

SANE_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{8,128}")
JSON = "application/json"
PROBLEM_JSON = "application/problem+json"
DRAINED_BYTES, DRAIN_WAITS = 64 * 1024 * 1024, 0.5
ANSWER_HEADERS = "signoff.answer_headers"
QUIET_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
NOT_WANTED = 499
UNLOGGED = "signoff.unlogged"
"""In the scope: set when the request is told of by a line that stands for many."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Those that are counted by name: a client can make up any number of others."""


def json_response(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(content), status, headers, "application/json")


def add_answer_header(request: Request, name: str, value: str) -> None:
    """Give the answer a header, whatever it will be: a result, a refusal or a failure."""
    request.scope[ANSWER_HEADERS].append((name.lower().encode(), value.encode("latin-1")))


class JsonRequest(Request):
    """JSON as RFC 8259 has it: no NaN, no lone surrogates; and no NUL, which PostgreSQL cannot store."""

    async def body(self) -> bytes:
        """FastAPI reads it before it looks at the media type, and would validate the bytes of another type as text."""
        body = await super().body()
        media_type = self.headers.get("content-type", JSON).partition(";")[0].strip().lower()
        if body and media_type != JSON and not (media_type.startswith("application/") and media_type.endswith("+json")):
            raise WrongMediaType(f"Send the body as {JSON}, not {media_type!r}.")
        return body

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            body = await self.body()
            try:
                self._json = orjson.loads(body)
            except orjson.JSONDecodeError as error:
                raise Malformed(f"The body is not valid JSON: {error}.") from None
            if b"\\u0000" in body:
                _refuse_nul(self._json)
        return self._json


def _refuse_nul(value: Any) -> None:
    """`\\u0000` may stand in the text as an escaped backslash; only a real NUL is refused."""
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, str) and "\x00" in item:
            raise Invalid([Fault(path, "nul_character", "contains the NUL character, which cannot be stored")])
        if isinstance(item, dict):
            for key, child in cast(dict[str, Any], item).items():
                stack += [(path, key), (f"{path}.{key}" if path else key, child)]
        elif isinstance(item, list):
            stack += [(f"{path}[{index}]", child) for index, child in enumerate(cast(list[Any], item))]


class JsonRoute(APIRoute):
    """A route whose handlers see `JsonRequest`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_json(request: Request) -> Response:
            if "content-type" not in request.headers:  # a body without a type is taken for JSON
                request.scope["headers"] = [*request.scope["headers"], (b"content-type", JSON.encode())]
            return await handle(JsonRequest(request.scope, request.receive))

        return handle_json


class Exchange:
    """The outermost layer: gives the request its id, bounds its body, logs it, and answers what nobody caught."""

    def __init__(self, app: ASGIApp, settings: Settings, body_bounds: Mapping[str, int] | None = None) -> None:
        """`body_bounds`: paths that take larger or smaller bodies than others, and how large.

        One that ends with a slash stands for everything below it.
        """
        self.app = app
        self.max_body_bytes = settings.max_body_bytes
        self.body_bounds = body_bounds or {}
        self.body_bounds_below = [bound for bound in self.body_bounds.items() if bound[0].endswith("/")]
        self.trusted_proxies = settings.trusted_proxies

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
            scope["head"] = True  # for those who can spare themselves the body
        status = 500
        answered = False
        more_headers = scope[ANSWER_HEADERS] = list[tuple[bytes, bytes]]()
        body = _Body(receive, headers, self._body_bound(scope["path"]))

        async def send_with_id(message: Message) -> None:
            nonlocal status, answered
            if message["type"] == "http.response.start":
                status = message["status"]
                answered = True
                if status >= HTTPStatus.BAD_REQUEST:
                    await body.drain()
                message["headers"] = [
                    *message["headers"],
                    (b"x-request-id", request_id.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"same-origin"),
                    *more_headers,
                ]
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self.app(scope, body.receive, send_with_id)
            except asyncio.CancelledError:  # whoever asked, in this process, no longer wants the answer
                status = status if answered else NOT_WANTED
                raise
            except Problem as problem:  # raised below the routes, by the body's bound
                await render(problem)(scope, receive, send_with_id)
            except DatabaseLost as error:
                if answered:
                    database_lost(error=str(error))
                    raise
                await _database_unavailable(scope, error)(scope, receive, send_with_id)
            except Exception:
                log.exception("request failed", method=method, path=scope["path"])
                if answered:
                    raise
                problem = Problem(f"An internal error happened. It is logged as {request_id}.")
                await render(problem)(scope, receive, send_with_id)
            finally:
                self._record(scope, method, status, time.perf_counter() - started)

    def _body_bound(self, path: str) -> int:
        if (bound := self.body_bounds.get(path)) is not None:
            return bound
        return next((bound for above, bound in self.body_bounds_below if path.startswith(above)), self.max_body_bytes)

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
        if not self.trusted_proxies or b"x-forwarded-for" not in headers:
            return client[0]
        # The last address that none of our own proxies has is the client's; what stands before it is its claim.
        chain = [*headers[b"x-forwarded-for"].decode("latin-1").split(","), client[0]]
        for hop in reversed([part.strip() for part in chain]):
            try:
                address = ip_address(hop)
            except ValueError:
                return client[0]
            if not any(address in network for network in self.trusted_proxies):
                return hop
        return client[0]


class _Body:
    """The request's body on its way in: bounded, and read away where the answer comes before its end."""

    def __init__(self, receive: Receive, headers: dict[bytes, bytes], limit: int) -> None:
        declared = headers.get(b"content-length", b"0")
        self._declared = int(declared) if declared.isdigit() else 0
        self._receive = receive
        self._limit = limit
        self._received = 0
        self._more = self._declared > 0 or b"transfer-encoding" in headers

    async def receive(self) -> Message:
        message = await self._receive()
        self._received += len(message.get("body", b""))
        self._more = message.get("more_body", False)
        if max(self._received, self._declared) > self._limit:
            raise TooLarge(f"The body is larger than {self._limit} bytes.", maxBytes=self._limit)
        return message

    async def drain(self) -> None:
        """Read on for a while: a client that is still sending would see a reset instead of the answer."""
        drained = 0
        with suppress(TimeoutError):
            while self._more and drained < DRAINED_BYTES:
                message = await asyncio.wait_for(self._receive(), DRAIN_WAITS)
                drained += len(message.get("body", b""))
                self._more = message.get("more_body", False)


def _without_body(send: Send) -> Send:
    """HEAD is answered like GET, with the same headers and nothing after them."""

    async def send_head(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_head


def _route(scope: Scope) -> str:
    """The path as declared, whole: an included route knows only its own end of it, FastAPI keeps the rest beside."""
    included = scope.get("fastapi", {}).get("effective_route_context")
    return getattr(included or scope.get("route"), "path", "(none)")


def _request_id(headers: dict[bytes, bytes]) -> str:
    brought = headers.get(b"x-request-id", b"").decode("latin-1")
    return brought if SANE_REQUEST_ID.fullmatch(brought) else new_id("req")


def render(problem: Problem) -> Response:
    """A 5xx carries the request's id, which the log has too."""
    body = problem.body()
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR and request_id is not None:
        body["requestId"] = request_id
    return Response(orjson.dumps(body), problem.status, problem.headers, PROBLEM_JSON)


def _database_unavailable(scope: Scope, error: DatabaseLost) -> Response:
    """Thousands of requests can fail this way at once, so the log has one line for all of them in a second."""
    scope[UNLOGGED] = True
    if isinstance(error, DatabaseExhausted):
        database_exhausted(error=str(error))
        detail = "The database has no resources left, like disk space or connections. Try again later."
    else:
        database_lost(error=str(error))
        detail = "The database is out of reach at the moment."
    problem = Unavailable(detail, requestId=scope["request_id"])
    problem.headers["Retry-After"] = "5"
    return render(problem)


def install_error_handlers(app: FastAPI) -> None:
    """Everything that goes wrong leaves as one kind of document."""

    async def on_problem(_: Request, problem: Exception) -> Response:
        return render(cast(Problem, problem))

    async def on_faults(_: Request, error: Exception) -> Response:
        return render(Invalid(cast(FaultsError, error).faults))

    async def on_validation(_: Request, error: Exception) -> Response:
        return render(_problem_from_validation(cast(RequestValidationError, error)))

    async def on_http(request: Request, error: Exception) -> Response:
        problem = _problem_from_http(cast(HTTPException, error))
        if problem.status == HTTPStatus.METHOD_NOT_ALLOWED:
            problem.headers["Allow"] = ", ".join(_allowed(request))
        return render(problem)

    async def on_unstorable_text(_: Request, error: Exception) -> Response:
        # A NUL in a path or query reaches the database as a bound parameter, which refuses it.
        return render(Malformed("The request contains a character that cannot be stored."))

    async def on_lost_database(request: Request, error: Exception) -> Response:
        return _database_unavailable(request.scope, cast(DatabaseLost, error))

    app.add_exception_handler(Problem, on_problem)
    app.add_exception_handler(FaultsError, on_faults)
    app.add_exception_handler(RequestValidationError, on_validation)
    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(asyncpg.CharacterNotInRepertoireError, on_unstorable_text)
    app.add_exception_handler(asyncpg.UntranslatableCharacterError, on_unstorable_text)
    app.add_exception_handler(DatabaseLost, on_lost_database)


def _allowed(request: Request) -> list[str]:
    """Every method of the address. The framework names those of the first route that has it only.

    An address of its own counts before one with an identifier in the same place, which nothing has.
    """
    path = request.scope["path"]
    matching = [route for route in iter_route_contexts(request.app.routes) if route.path_regex.match(path)]
    routes = [route for route in matching if route.path == path] or matching
    methods = {method for route in routes for method in route.methods or ()}
    return sorted(methods | ({"HEAD"} if "GET" in methods else set()))


def _problem_from_validation(error: RequestValidationError) -> Problem:
    items = error.errors()
    # The first part of the place says where: body, query, path, header.
    faults = faults_of({**item, "loc": item["loc"][1:]} for item in items)
    if any(item["loc"][:1] == ("body",) for item in items):
        return Invalid(faults)
    return BadQuery(f"{faults[0].path}: {faults[0].message}", faults)


def faults_of(errors: Iterable[Any]) -> list[Fault]:
    """What pydantic found, in our words."""
    return [
        Fault(_dotted(item["loc"]), str(item["type"]), str(item["msg"]).removeprefix("Value error, "))
        for item in errors
    ]


def _dotted(path: Sequence[int | str]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _problem_from_http(error: HTTPException) -> Problem:
    if isinstance(error.__cause__, Problem):  # the framework wraps what reading the body raises
        return error.__cause__

    class Http(Problem):
        status = error.status_code
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
        title = {404: "Not found", 405: "Method not allowed"}.get(error.status_code, "The request failed")

    detail = {404: "There is nothing at this address.", 405: "This address does not take that method."}
    problem = Http(detail.get(error.status_code, str(error.detail)))
    problem.headers.update(error.headers or {})
    return problem
