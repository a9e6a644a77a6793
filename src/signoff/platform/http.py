"""What every HTTP exchange has: a request ID, a limited body, strict JSON, one way to render errors, and a log line."""

import asyncio
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from http import HTTPStatus
from ipaddress import ip_address
from typing import Annotated, Any, Final, TypeVar, cast

import asyncpg
import orjson
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.params import Query as QueryInfo
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from signoff.platform.client_limits import ClientLimits, is_among
from signoff.platform.db import DatabaseExhausted, DatabaseUnavailable
from signoff.platform.errors import (
    ApiError,
    BadRequest,
    InvalidQuery,
    InvalidRequest,
    ServiceUnavailable,
    UnsupportedMediaType,
    summarize_errors,
)
from signoff.platform.faults import MAX_REPORTED_ERRORS, ErrorDetail, ValidationFailed
from signoff.platform.ids import new_id
from signoff.platform.logs import Throttle, get_logger
from signoff.platform.messages import Message, answering_in, msg, negotiate, reader_language, verbatim
from signoff.platform.metrics import REQUESTS
from signoff.platform.request_body import (
    BODY,
    MAX_VALUES,
    PUBLIC,
    BodyLimit,
    BodyPace,
    RequestBody,
    max_values,
    parse_json,
)
from signoff.platform.settings import Settings
from signoff.platform.validation_messages import message_for

log = get_logger("http")
database_lost = Throttle(log, "database unreachable")
database_exhausted = Throttle(log, "database out of resources")

REQUEST_ID_PATTERN = re.compile(r"[A-Za-z0-9._:-]{8,128}")
JSON = "application/json"
PROBLEM_JSON = "application/problem+json"
RESPONSE_HEADERS_KEY = "signoff.answer_headers"
ADMITTED = "signoff.admitted"
QUIET_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
CLIENT_CLOSED_REQUEST = 499
UNLOGGED = "signoff.unlogged"
"""Key in the scope: set when a summary log line already covers this request."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods that metrics count by name: a client could make up any number of others."""


def json_response(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(content), status, headers, "application/json")


def add_response_header(request: Request, name: str, value: str) -> None:
    """Add a header to the response, whether it's a result or an error."""
    request.scope[RESPONSE_HEADERS_KEY].append((name.lower().encode(), value.encode("latin-1")))


class Gate(ABC):
    """A dependency that authenticates the caller. Routes run it before they read the body."""

    @abstractmethod
    async def admit(self, request: Request) -> Any:
        """Return the caller, or raise the reason for the refusal."""

    async def admit_once(self, request: Request) -> Any:
        admitted: dict[Gate, Any] = request.scope.setdefault(ADMITTED, {})
        if self not in admitted:
            admitted[self] = await self.admit(request)
        return admitted[self]


def wrong_media_type(expected: str, sent: str) -> UnsupportedMediaType:
    return UnsupportedMediaType(msg("Send the request body as {expected}, not '{sent}'.", expected=expected, sent=sent))


class JsonRequest(Request):
    """A request whose JSON is validated against the route's model, with a limited number of errors."""

    def __init__(self, scope: Scope, receive: Receive, model: TypeAdapter[Any] | None) -> None:
        super().__init__(scope, receive)
        self._model = model

    async def body(self) -> bytes:
        """Check the media type before FastAPI does: it reads the body first, and would validate another type's
        bytes as text.
        """
        body = await super().body()
        media_type = self.headers.get("content-type", JSON).partition(";")[0].strip().lower()
        if body and media_type != JSON and not (media_type.startswith("application/") and media_type.endswith("+json")):
            raise wrong_media_type(JSON, media_type)
        return body

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            value = await parse_json(await self.body(), max_values(self))
            self._json = value if self._model is None else validate(self._model, value)
        return self._json


def validate(model: TypeAdapter[Any], value: Any) -> Any:
    """Validate into an instance of the model, which FastAPI then uses unchanged."""
    try:
        return model.validate_python(value)
    except ValidationError as error:
        raise InvalidRequest(first_errors(error), total=error.error_count()) from None


Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
_ALLOWED: Final = "allowed_query"


def allow_query(*prefixes: str) -> Callable[[Endpoint], Endpoint]:
    """Let a route accept query parameters that it doesn't declare: those with one of the prefixes, or any with `""`.

    The public API's endpoints accept any, because existing clients send more than it defines.
    """

    def mark(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _ALLOWED, prefixes)
        return endpoint

    return mark


def allowed_prefixes(endpoint: Callable[..., Any] | None) -> tuple[str, ...]:
    return getattr(endpoint, _ALLOWED, ())


class JsonRoute(APIRoute):
    """Authenticates the caller, refuses undeclared query parameters, and then reads the body as `JsonRequest`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        gates = [each.call for each in self.dependant.dependencies if isinstance(each.call, Gate)]
        model = self.body_model()
        parameters = get_flat_params(self.dependant)
        declared = frozenset(each.alias for each in parameters if isinstance(each.field_info, QueryInfo))
        prefixes = allowed_prefixes(self.endpoint)

        async def handle_json(request: Request) -> Response:
            for gate in gates:
                await gate.admit_once(request)
            if request.scope["query_string"]:
                _ensure_known_parameters(request, declared, prefixes)
            if "content-type" not in request.headers:  # a body without a type is read as JSON
                request.scope["headers"] = [*request.scope["headers"], (b"content-type", JSON.encode())]
            return await handle(JsonRequest(request.scope, request.receive, model))

        return handle_json

    def body_model(self) -> TypeAdapter[Any] | None:
        if self.body_field is None:
            return None
        assert len(self.dependant.body_params) == 1, f"{self.path} declares more than one body"
        field = self.body_field.field_info
        annotation: Any = field.annotation
        if not field.is_required():
            annotation = annotation | None
        return TypeAdapter(cast(Any, Annotated)[annotation, *field.metadata] if field.metadata else annotation)


def _ensure_known_parameters(request: Request, declared: Collection[str], prefixes: tuple[str, ...]) -> None:
    unknown = [name for name in dict.fromkeys(request.query_params) if name not in declared]
    unknown = [name for name in unknown if not name.startswith(prefixes)]
    if unknown:
        message = unknown_parameter(declared)
        faults = [ErrorDetail(name[:100], "unknown_parameter", message) for name in unknown[:MAX_REPORTED_ERRORS]]
        raise InvalidQuery(summarize_errors(faults, len(unknown)), faults)


def unknown_parameter(declared: Collection[str]) -> Message:
    if not declared:
        return msg("isn't a known parameter; this endpoint has none")
    return msg("isn't a known parameter (known: {names})", names=sorted(declared))


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
            _limit_of(self.public_limits, scope["path"], PUBLIC),
            _limit_of(self.known_limits, scope["path"], self.known_limit),
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
                await _database_unavailable(scope, error)(scope, receive, send_with_id)
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
                    self.clients.give_up(peer)
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
            log.warning("a proxy isn't trusted; name it in SIGNOFF_TRUSTED_PROXIES if it is yours", proxy=address)


def _peer(scope: Scope) -> tuple[str, int] | None:
    """Return the other end of the connection. Granian passes its port as text."""
    client = scope.get("client")
    return (client[0], int(client[1])) if client else None


def _limit_of(limits: Mapping[str, BodyLimit], path: str, otherwise: BodyLimit) -> BodyLimit:
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


def problem_response(problem: ApiError, scope: Scope) -> Response:
    """Render an error as a response. A 5xx includes the request ID, which is also in the log."""
    body = problem.body(reader_language())
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR and request_id is not None:
        body["requestId"] = request_id
    return Response(orjson.dumps(body), problem.status, problem.headers, PROBLEM_JSON)


def _database_unavailable(scope: Scope, error: DatabaseUnavailable) -> Response:
    """Return a 503. Thousands of requests can fail like this at once, so it's logged at most once per second."""
    scope[UNLOGGED] = True
    if isinstance(error, DatabaseExhausted):
        database_exhausted(error=str(error))
        detail = msg("The database is out of resources, such as disk space or connections. Try again later.")
    else:
        database_lost(error=str(error))
        detail = msg("We can't reach the database right now. Try again in a few seconds.")
    problem = ServiceUnavailable(detail)
    problem.headers["Retry-After"] = "5"
    return problem_response(problem, scope)


def install_error_handlers(app: FastAPI) -> None:
    """Render every error as the same kind of document."""

    async def on_problem(request: Request, problem: Exception) -> Response:
        return problem_response(cast(ApiError, problem), request.scope)

    async def on_faults(request: Request, error: Exception) -> Response:
        refused = cast(ValidationFailed, error)
        return problem_response(InvalidRequest(refused.faults, total=refused.total), request.scope)

    async def on_validation(request: Request, error: Exception) -> Response:
        return problem_response(_problem_from_validation(cast(RequestValidationError, error)), request.scope)

    async def on_http(request: Request, error: Exception) -> Response:
        problem = _problem_from_http(cast(HTTPException, error))
        if problem.status == HTTPStatus.METHOD_NOT_ALLOWED:
            problem.headers["Allow"] = ", ".join(_allowed(request))
        return problem_response(problem, request.scope)

    async def on_unstorable_text(request: Request, error: Exception) -> Response:
        # A NUL in a path or query reaches the database as a bound parameter, which refuses it.
        detail = msg("The request contains a character we can't store, such as NUL (U+0000). Remove it and try again.")
        return problem_response(BadRequest(detail), request.scope)

    async def on_lost_database(request: Request, error: Exception) -> Response:
        return _database_unavailable(request.scope, cast(DatabaseUnavailable, error))

    app.add_exception_handler(ApiError, on_problem)
    app.add_exception_handler(ValidationFailed, on_faults)
    app.add_exception_handler(RequestValidationError, on_validation)
    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(asyncpg.CharacterNotInRepertoireError, on_unstorable_text)
    app.add_exception_handler(asyncpg.UntranslatableCharacterError, on_unstorable_text)
    app.add_exception_handler(DatabaseUnavailable, on_lost_database)


def _allowed(request: Request) -> list[str]:
    """Return all methods of the path. The framework only lists those of the first matching route.

    A literal path takes precedence over one with an identifier in the same place, since no identifier equals it.
    """
    path = request.scope["path"]
    matching = [route for route in iter_route_contexts(request.app.routes) if route.path_regex.match(path)]
    routes = [route for route in matching if route.path == path] or matching
    methods = {method for route in routes for method in route.methods or ()}
    return sorted(methods | ({"HEAD"} if "GET" in methods else set()))


def _problem_from_validation(error: RequestValidationError) -> ApiError:
    items = error.errors()
    # The first element of the location names the place: body, query, path, or header.
    faults = errors_from_pydantic({**item, "loc": item["loc"][1:]} for item in items)
    if any(item["loc"][:1] == ("body",) for item in items):
        return InvalidRequest(faults)
    return InvalidQuery(summarize_errors(faults), faults)


def errors_from_pydantic(errors: Iterable[Any]) -> list[ErrorDetail]:
    """Convert pydantic's errors to our error details."""
    return [ErrorDetail(_dotted(item["loc"]), str(item["type"]), message_for(item)) for item in errors]


def first_errors(error: ValidationError) -> list[ErrorDetail]:
    """Return the first `MAX_REPORTED_ERRORS` errors: a body can have as many errors as values."""
    found = error.errors(include_url=False, include_input=False)
    return errors_from_pydantic(found[:MAX_REPORTED_ERRORS])


def _dotted(path: Sequence[int | str]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _problem_from_http(error: HTTPException) -> ApiError:
    if isinstance(error.__cause__, ApiError):  # the framework wraps exceptions from reading the body
        return error.__cause__

    class Http(ApiError):
        status = error.status_code
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
        title = {404: msg("Not found"), 405: msg("Method not allowed")}.get(error.status_code, msg("Request failed"))

    known = {
        404: msg("No such endpoint. Check the path."),
        405: msg("This endpoint doesn't support this HTTP method."),
    }
    problem = Http(known.get(error.status_code) or verbatim(str(error.detail)))
    problem.headers.update(error.headers or {})
    return problem
