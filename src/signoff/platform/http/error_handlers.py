"""Render every error as the same kind of document."""

from http import HTTPStatus
from typing import cast

import asyncpg
import orjson
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.types import Scope

from signoff.platform.db import DatabaseExhausted, DatabaseUnavailable
from signoff.platform.errors import (
    ApiError,
    InvalidQuery,
    InvalidRequest,
    ServiceUnavailable,
    ValidationFailed,
    summarize_errors,
    unstorable_text,
)
from signoff.platform.logs import Throttle, get_logger
from signoff.platform.messages import msg, reader_language, verbatim
from signoff.platform.validation_messages import errors_from_pydantic

log = get_logger("http")
database_lost = Throttle(log, "database unreachable")
database_exhausted = Throttle(log, "database out of resources")
PROBLEM_JSON = "application/problem+json"
UNLOGGED = "signoff.unlogged"
"""Key in the scope: set when a summary log line already covers this request."""


def problem_response(problem: ApiError, scope: Scope) -> Response:
    """Render an error as a response. A 5xx includes the request ID, which is also in the log."""
    body = problem.body(reader_language())
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR and request_id is not None:
        body["requestId"] = request_id
    return Response(orjson.dumps(body), problem.status, problem.headers, PROBLEM_JSON)


def database_unavailable_response(scope: Scope, error: DatabaseUnavailable) -> Response:
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

    async def on_validation_failed(request: Request, error: Exception) -> Response:
        refused = cast(ValidationFailed, error)
        return problem_response(InvalidRequest(refused.errors, total=refused.total), request.scope)

    async def on_validation(request: Request, error: Exception) -> Response:
        return problem_response(_problem_from_validation(cast(RequestValidationError, error)), request.scope)

    async def on_http(request: Request, error: Exception) -> Response:
        problem = _problem_from_http(cast(HTTPException, error))
        if problem.status == HTTPStatus.METHOD_NOT_ALLOWED:
            problem.headers["Allow"] = ", ".join(_allowed_methods(request))
        return problem_response(problem, request.scope)

    async def on_unstorable_text(request: Request, error: Exception) -> Response:
        # A NUL in a path or query reaches the database as a bound parameter, which refuses it.
        return problem_response(unstorable_text(), request.scope)

    async def on_lost_database(request: Request, error: Exception) -> Response:
        return database_unavailable_response(request.scope, cast(DatabaseUnavailable, error))

    app.add_exception_handler(ApiError, on_problem)
    app.add_exception_handler(ValidationFailed, on_validation_failed)
    app.add_exception_handler(RequestValidationError, on_validation)
    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(asyncpg.CharacterNotInRepertoireError, on_unstorable_text)
    app.add_exception_handler(asyncpg.UntranslatableCharacterError, on_unstorable_text)
    app.add_exception_handler(DatabaseUnavailable, on_lost_database)


def _allowed_methods(request: Request) -> list[str]:
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
    errors = errors_from_pydantic({**item, "loc": item["loc"][1:]} for item in items)
    if any(item["loc"][:1] == ("body",) for item in items):
        return InvalidRequest(errors)
    return InvalidQuery(summarize_errors(errors), errors)


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
