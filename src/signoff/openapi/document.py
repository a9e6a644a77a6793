"""The OpenAPI document: what FastAPI derives from the routes, and everything that it can't know."""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts

from signoff import __version__
from signoff.accounts.authentication import SESSION_COOKIE
from signoff.accounts.dependencies import SECURITY_SCHEMES
from signoff.forms.fields import field_types_json
from signoff.openapi import events
from signoff.openapi.operation import complete
from signoff.openapi.problems import PROBLEM
from signoff.openapi.review_types import Schema, add_review_types, without_null
from signoff.openapi.tags import TAGS
from signoff.platform.schemas import PatchModel
from signoff.platform.settings import Settings

API = "/api/v1"
DESCRIPTION = """\
Request a review, let people decide, and receive the signed result.

**Authentication.** Send your API key in the `x-api-key` header. Signed-in members use a session cookie, and \
external reviewers use the token from their link. API keys can't decide reviews: only people can.

**Errors** are problem documents (RFC 9457). `code` is stable, and `errors` lists up to 50 problems with your \
request. Requests for objects in other accounts return 404. Server errors (5xx) include a `requestId` that you can \
find in the log.

**Languages.** Errors, warnings, and notes are in English. If `Accept-Language` asks for another supported \
language, `localized` has the same text in that language.

**Request IDs.** Every response has an `x-request-id` header. Send your own, or we generate one.

**Rate limits.** If your plan has a rate limit, responses to API key requests include `RateLimit` headers. Above \
the limit, requests fail with 429 and `Retry-After`.

**Pagination.** Lists accept `limit` and `cursor`, and return `items` and `nextCursor`.

**IDs** are opaque strings. **Timestamps** are ISO 8601 in UTC with milliseconds. Within a major version, we only \
make additive changes."""

SCHEME_DESCRIPTIONS = {
    "apiKey": "For programs. Create keys with `POST /apiKeys` or in Settings. Each key is shown only once.",
    "session": "For signed-in members. Set when you sign in. Write requests must come from the app's own origin.",
    "externalReviewer": "For external reviewers: the `token` from their review link.",
}

HEADERS: dict[str, Schema] = {
    "RequestId": {
        "description": "Identifies this request in the logs.",
        "required": True,
        "schema": {"type": "string"},
        "example": "req_01a1de9085da7c21f48e0b65d39a",
    },
    "RetryAfter": {
        "description": "Seconds to wait before you retry.",
        "required": True,
        "schema": {"type": "integer"},
        "example": 417,
    },
    "RateLimitPolicy": {
        "description": "The rate limit for API keys: `q` requests per `w` seconds, with bursts of up to `q`.",
        "schema": {"type": "string"},
        "example": '"api";q=10;w=10',
    },
    "RateLimit": {
        "description": "Remaining requests (`r`) until the limit resets in `t` seconds.",
        "schema": {"type": "string"},
        "example": '"api";r=9;t=1',
    },
    "SessionCookie": {
        "description": "Sets or clears the session cookie.",
        "schema": {"type": "string"},
        "example": f"{SESSION_COOKIE}=sgs_…; HttpOnly; Max-Age=1209600; Path=/; SameSite=lax",
    },
}


def build(app: FastAPI, settings: Settings) -> dict[str, Any]:
    raw = get_openapi(
        title="Signoff",
        version=__version__,
        summary="Human review for AI agents.",
        description=DESCRIPTION,
        license_info={"name": "MIT", "identifier": "MIT"},
        routes=app.routes,
        servers=[{"url": settings.api_url}],
        tags=[{"name": name, "description": description} for name, description in TAGS.items()],
    )
    schemas: dict[str, Schema] = raw["components"]["schemas"]
    for leftover in ("HTTPValidationError", "ValidationError"):
        schemas.pop(leftover, None)
    for name, schema in schemas.items():
        if name.startswith("Page_"):
            schema["required"] = list(schema["properties"])  # The cursor is always present, even if null.
    _forbid_null_in_updates(schemas)
    add_review_types(schemas)
    schemas |= {**events.SCHEMAS, "Problem": PROBLEM}
    schemas["EventPage"]["properties"]["items"]["items"] = events.any_event()
    schemas["SentEvent"] = {"description": schemas["SentEvent"]["description"], **events.any_event()}
    for schema in schemas.values():
        schema.pop("examples", None)  # The operation's body has it.
    paths: dict[str, dict[str, Any]] = {}
    for method, path, route in documented(app):
        operation = raw["paths"][f"{API}{path}"][method]
        complete(operation, method, path, route, settings)
        if route.response_model is None or route.response_model_exclude_none:
            _leave_out_null(schemas, operation["responses"])
        paths.setdefault(path, {})[method] = operation
    document: dict[str, Any] = {
        **raw,
        "paths": paths,
        "webhooks": events.webhooks(),
        "x-field-types": field_types_json(),
        "components": {
            "schemas": dict(sorted(_clean_schema(schemas).items())),
            "headers": HEADERS,
            "securitySchemes": {
                name: {**scheme, "description": SCHEME_DESCRIPTIONS[name]} for name, scheme in SECURITY_SCHEMES.items()
            },
        },
    }
    return _rename(document)


def documented(app: FastAPI) -> Iterator[tuple[str, str, RouteContext]]:
    """Yield method, path below the base URL, and route of every operation."""
    for route in iter_route_contexts(app.routes):
        if isinstance(route.original_route, APIRoute) and route.include_in_schema:
            for method in sorted(route.methods or ()):
                yield method.lower(), (route.path_format or "").removeprefix(API), route


def _forbid_null_in_updates(schemas: dict[str, Schema]) -> None:
    """Refuse null in updates: an omitted member stays unchanged, and null is only accepted if it has a meaning."""
    for change in PatchModel.__subclasses__():
        nullable = {change.model_fields[name].alias for name in change.nullable}
        for name, member in schemas.get(change.__name__, {}).get("properties", {}).items():
            member.pop("default", None)  # An omitted member keeps its value rather than getting a default.
            if name not in nullable:
                without_null(member)


def _leave_out_null(schemas: dict[str, Schema], responses: Schema) -> None:
    """Remove null from these responses, and from everything they refer to: members that don't apply are omitted."""
    for name in _find_reachable(schemas, responses):
        schema = schemas[name]
        for member_name, member in schema.get("properties", {}).items():
            if member_name not in schema.get("required", ()) and member_name != "nextCursor":
                without_null(member)


def _find_reachable(schemas: dict[str, Schema], start: Schema) -> set[str]:
    """Return the names of all schemas reachable from `start`."""
    reached: set[str] = set()
    ahead = [start]
    while ahead:
        for name in re.findall(r"#/components/schemas/(\w+)", json.dumps(ahead.pop())):
            if name not in reached:
                reached.add(name)
                ahead.append(schemas[name])
    return reached


def _clean_schema(schema: Any) -> Any:
    """Remove titles that only repeat a member's name, and add the format of timestamps."""
    if isinstance(schema, list):
        return [_clean_schema(item) for item in cast(list[Any], schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast(dict[str, Any], schema)
    tidied = {
        name: value if name in {"examples", "default", "const", "enum"} else _clean_schema(value)
        for name, value in members.items()
        if name != "title" or not isinstance(value, str)
    }
    for name, member in tidied.get("properties", {}).items():
        if name == "at" or name.endswith("At"):
            _mark_timestamp(member)
    return tidied


def _mark_timestamp(member: Schema) -> None:
    for each in (member, *member.get("anyOf", ())):
        if each.get("type") == "string":
            each["format"] = "date-time"


def _rename(document: dict[str, Any]) -> dict[str, Any]:
    """Turn `Page[Agent]` into a valid type name."""
    return json.loads(re.sub(r"\bPage_(\w+?)(?:Row)?_(?=\")", r"\1Page", json.dumps(document)))
