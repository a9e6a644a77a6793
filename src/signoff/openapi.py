"""What FastAPI cannot know by itself: credentials, errors and the words around them."""

from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts

from signoff import __version__
from signoff.accounts.access import SECURITY_SCHEMES, Permit
from signoff.platform.http import PROBLEM_JSON
from signoff.platform.settings import Settings

PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "RFC 9457. `code` is stable; `errors` names every fault of a payload.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["path", "code", "message"],
                "properties": {name: {"type": "string"} for name in ("path", "code", "message")},
            },
        },
    },
}

MEANINGS = {
    400: "Malformed: bad JSON or a bad query value.",
    401: "Missing or invalid credentials.",
    403: "The role or the key's scopes do not allow it.",
    404: "Unknown.",
    409: "In conflict with the present state.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "Well-formed but invalid; `errors` names every fault.",
    429: "Too many requests; `Retry-After` says when to come back.",
}


def describe(app: FastAPI, settings: Settings) -> None:
    """Make `app.openapi()` complete."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _complete(app, settings)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _complete(app: FastAPI, settings: Settings) -> dict[str, Any]:
    schema = get_openapi(
        title="Signoff",
        version=__version__,
        summary="The human sign-off layer for AI agents.",
        description=(
            "Ask for a review, let people decide, receive the signed result. "
            "Errors are problem documents (RFC 9457). Timestamps are ISO 8601 in UTC."
        ),
        routes=app.routes,
        servers=[{"url": settings.url}],
    )
    components = schema.setdefault("components", {})
    components["securitySchemes"] = SECURITY_SCHEMES
    schemas = components.setdefault("schemas", {})
    schemas["Problem"] = PROBLEM
    for leftover in ("HTTPValidationError", "ValidationError"):
        schemas.pop(leftover, None)
    for route in iter_route_contexts(app.routes):
        if isinstance(route.original_route, APIRoute) and route.include_in_schema:
            for method in route.methods or ():
                _complete_operation(schema["paths"][route.path_format][method.lower()], route)
    return schema


def _complete_operation(operation: dict[str, Any], route: RouteContext) -> None:
    permit = next((d.call for d in route.dependant.dependencies if isinstance(d.call, Permit)), None)
    operation["security"] = permit.security if permit else []
    declared = cast(dict[str, Any], operation["responses"])
    declared.pop("422", None)
    for status in sorted({*_usual_errors(route, permit), *(int(s) for s in route.responses)}):
        if 400 <= status < 500:
            declared[str(status)] = {
                "description": MEANINGS[status],
                "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            }


def _usual_errors(route: RouteContext, permit: Permit | None) -> set[int]:
    errors = {400}
    if permit is not None:
        errors |= {401, 403}
    if "{" in (route.path_format or ""):
        errors |= {404}
    if route.body_field is not None:
        errors |= {413, 415, 422}
    return errors
