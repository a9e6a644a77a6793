"""Routes that take and return strict JSON: they authenticate, check the query, and validate the body."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine
from typing import Annotated, Any, Final, TypeVar, cast

import orjson
from fastapi import Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Query as QueryInfo
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError
from starlette.types import Receive, Scope

from signoff.platform.errors import (
    MAX_REPORTED_ERRORS,
    ErrorDetail,
    InvalidQuery,
    InvalidRequest,
    UnsupportedMediaType,
    summarize_errors,
)
from signoff.platform.messages import Message, msg
from signoff.platform.request_body import max_values, parse_json
from signoff.platform.validation_messages import first_errors

JSON = "application/json"
ADMITTED = "signoff.admitted"


def json_response(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(content), status, headers, "application/json")


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
        self._validated = False
        self._value: Any = None

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
        if not self._validated:
            value = await parse_json(await self.body(), max_values(self))
            self._value = value if self._model is None else validate(self._model, value)
            self._validated = True
        return self._value


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
        ensure_known_parameters = self.parameter_check()

        async def handle_json(request: Request) -> Response:
            for gate in gates:
                await gate.admit_once(request)
            ensure_known_parameters(request)
            if "content-type" not in request.headers:  # a body without a type is read as JSON
                request.scope["headers"] = [*request.scope["headers"], (b"content-type", JSON.encode())]
            return await handle(JsonRequest(request.scope, request.receive, model))

        return handle_json

    def parameter_check(self) -> Callable[[Request], None]:
        """Return a function that refuses undeclared query parameters."""
        parameters = get_flat_params(self.dependant)
        declared = frozenset(each.alias for each in parameters if isinstance(each.field_info, QueryInfo))
        prefixes = allowed_prefixes(self.endpoint)

        def ensure_known_parameters(request: Request) -> None:
            if request.scope["query_string"]:
                _ensure_known_parameters(request, declared, prefixes)

        return ensure_known_parameters

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
        errors = [ErrorDetail(name[:100], "unknown_parameter", message) for name in unknown[:MAX_REPORTED_ERRORS]]
        raise InvalidQuery(summarize_errors(errors, len(unknown)), errors)


def unknown_parameter(declared: Collection[str]) -> Message:
    if not declared:
        return msg("isn't a known parameter; this endpoint has none")
    return msg("isn't a known parameter (known: {names})", names=sorted(declared))
