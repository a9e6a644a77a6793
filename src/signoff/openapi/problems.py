"""The errors of an operation with an example of each: errors that the code itself could have raised."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from fastapi.routing import RouteContext

from signoff.accounts.actors import Permission
from signoff.accounts.authentication import NO_CREDENTIALS, OTHER_ORIGIN, SESSION_EXPIRED
from signoff.accounts.dependencies import (
    KEYS_CANNOT_DECIDE,
    MEMBERS_ONLY,
    ONE_REVIEW_ONLY,
    RequirePermission,
    missing_scope_message,
)
from signoff.accounts.errors import (
    RateLimited,
    ReviewLinkAnswered,
    ReviewLinkDeleted,
    ReviewLinkExpired,
    ReviewLinkReassigned,
    SignInRequired,
)
from signoff.accounts.external_links import LINK_DELETED, LINK_EXPIRED, LINK_REASSIGNED
from signoff.accounts.plans import RATE
from signoff.openapi.review_types import Schema
from signoff.platform import examples
from signoff.platform.errors import (
    ApiError,
    CrossOriginForbidden,
    ErrorDetail,
    Forbidden,
    InvalidKey,
    InvalidRequest,
    NotFound,
    Unauthenticated,
)
from signoff.platform.http.documentation import error_example, invalid_query
from signoff.platform.http.error_handlers import PROBLEM_JSON
from signoff.platform.http.json_routes import JSON, allowed_prefixes, unknown_parameter, wrong_media_type
from signoff.platform.messages import msg, verbatim
from signoff.platform.request_body import (
    MAX_VALUES,
    body_too_large,
    body_too_slow,
    invalid_json,
    too_many_values,
)
from signoff.platform.settings import Settings
from signoff.platform.validation_messages import FIXED, message_for

PROBLEM: Schema = {
    "type": "object",
    "description": "A problem document (RFC 9457). Some errors have additional properties.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "description": "A URN that contains `code`."},
        "title": {"type": "string", "description": "Summary of the error, the same for every error with this code."},
        "status": {"type": "integer", "description": "HTTP status code."},
        "detail": {"type": "string", "description": "What happened and what to do about it, in English."},
        "code": {"type": "string", "description": "Stable error code for use in programs."},
        "params": {
            "type": "object",
            "description": "The values in `detail`, for programs that write their own messages.",
            "additionalProperties": True,
        },
        "localized": {
            "type": "object",
            "description": (
                "The same text in the language that `Accept-Language` asks for, if that language is supported and "
                "isn't English."
            ),
            "required": ["language", "title", "detail"],
            "properties": {
                "language": {"type": "string"},
                "title": {"type": "string"},
                "detail": {"type": "string"},
                "errors": {
                    "type": "array",
                    "description": "Translated messages for `errors`, in the same order.",
                    "items": {"type": "string"},
                },
            },
        },
        "errors": {
            "type": "array",
            "description": "Problems with the request body or query: up to 50.",
            "items": {
                "type": "object",
                "required": ["path", "code", "message"],
                "properties": {
                    "path": {
                        "type": "string",
                        "description": "Path of the invalid value, for example `data.tags[1].id`.",
                    },
                    "code": {"type": "string"},
                    "message": {
                        "type": "string",
                        "description": "What's wrong, in English. Worded to follow the path.",
                    },
                    "params": {
                        "type": "object",
                        "description": "The values in `message`.",
                        "additionalProperties": True,
                    },
                },
            },
        },
        "requestId": {"type": "string", "description": "Only on 5xx errors: identifies the request in the logs."},
        "needed": {"type": "string", "description": "`forbidden`: the missing permission."},
        "maxBytes": {"type": "integer", "description": "`too_large`: maximum size in bytes."},
        "maxValues": {"type": "integer", "description": "`too_complex`: maximum number of values in one body."},
        "maxFields": {"type": "integer", "description": "`too_large`: maximum number of fields in one form."},
        "maxFiles": {"type": "integer", "description": "`too_large`: maximum number of files in one request."},
        "file": {"type": "string", "description": "`file_too_large`: file name."},
        "index": {
            "type": "integer",
            "description": "`file_too_large`: position of the file in the request, starting at 0.",
        },
        "size": {"type": "integer", "description": "Size of the file in bytes."},
        "respondingUser": {
            "type": "string",
            "description": (
                "Email of the reviewer who already decided, `auto-approve`, or `time-out` if the deadline passed."
            ),
        },
        "respondingUserId": {"type": "string", "description": "ID of the reviewer who already decided, or `system`."},
        "respondedAt": {"type": "string", "description": "When the review was decided."},
        "response": {"type": ["string", "null"], "description": "The decision. `null` for a trigger form."},
        "byYou": {"type": "boolean", "description": "`link_answered`: whether you decided the review with this link."},
        "language": {
            "type": "string",
            "description": (
                "`link_expired`, `link_reassigned`, and `link_answered`: the language for external reviewers, if the "
                "request set one (`lang`)."
            ),
        },
        "revision": {"type": "integer", "description": "`content_replaced`: current revision."},
        "takenBy": {
            "type": "object",
            "description": "`already_taken`: who claimed the review.",
            "required": ["userId", "name", "email", "at"],
            "properties": {
                "userId": {"type": "string"},
                "name": {"type": "string"},
                "email": {"type": "string"},
                "at": {"type": "string"},
            },
        },
        "version": {"type": "integer", "description": "Current version."},
        "currentVersion": {"type": "integer", "description": "`version_conflict`: current version."},
        "savedBy": {"type": "string", "description": "`version_conflict`: who saved the current version."},
        "savedAt": {"type": "string", "description": "`version_conflict`: when the current version was saved."},
        "agentId": {"type": "string", "description": "ID of the deleted agent."},
        "length": {"type": "integer", "description": "Current length of the message in characters."},
        "scope": {"type": "string", "description": "`too_many_submissions`: which limit was reached."},
        "limit": {
            "type": "string",
            "description": "`fair_use_exceeded`: which limit was reached, `reviewRequests` or `dataBytes`.",
        },
        "used": {"type": "integer", "description": "`fair_use_exceeded`: usage this month."},
        "included": {"type": "integer", "description": "`fair_use_exceeded`: amount included in the plan."},
    },
}


def list_errors(
    operation: dict[str, Any],
    method: str,
    route: RouteContext,
    permit: RequirePermission | None,
    settings: Settings,
) -> dict[int, dict[str, Any]]:
    """Return examples by status and code: those that the route declares, and those that its credentials, parameters, or
    body make possible.
    """
    declared: dict[int, dict[str, Any]] = {
        int(status): answer["content"][PROBLEM_JSON]["examples"]
        for status, answer in route.responses.items()
        if int(status) >= HTTPStatus.BAD_REQUEST
    }
    possible = [
        *(_credentials(method, permit) if permit is not None else ()),
        *_parameters(operation),
        *(() if "" in allowed_prefixes(route.endpoint) else _unknown_parameter()),
        *(_body(settings) if route.body_field is not None else ()),
    ]
    errors = {
        status: dict(declared.get(status, {}))
        for status in sorted(declared.keys() | {error.status for error in possible})
    }
    for error in possible:
        errors[error.status].setdefault(error.code, error_example(error))
    return errors


def _credentials(method: str, permit: RequirePermission) -> Iterator[ApiError]:
    yield InvalidKey(NO_CREDENTIALS)
    yield Unauthenticated(SESSION_EXPIRED)
    ways = {way for requirement in permit.security for way in requirement}
    if type(permit) is not RequirePermission:
        yield (Forbidden(ONE_REVIEW_ONLY) if "apiKey" in ways else SignInRequired(MEMBERS_ONLY))
    elif permit.needed is Permission.DECIDE:
        yield Forbidden(KEYS_CANNOT_DECIDE, needed=permit.needed.value)
    else:
        yield Forbidden(missing_scope_message(permit.needed), needed=permit.needed.value)
    if permit.external:
        yield ReviewLinkAnswered(examples.EDITOR, examples.RESPONDED, "approved", by_you=False)
        yield ReviewLinkReassigned(LINK_REASSIGNED)
        yield ReviewLinkDeleted(LINK_DELETED)
        yield ReviewLinkExpired(LINK_EXPIRED)
    if "apiKey" in ways:
        yield RateLimited(RATE, 1)
    if method != "get":
        yield CrossOriginForbidden(OTHER_ORIGIN)


def _parameters(operation: dict[str, Any]) -> Iterator[ApiError]:
    parameters = operation.get("parameters", ())
    if any(parameter["name"] == "limit" for parameter in parameters):
        yield invalid_query("limit", "less_than_equal", message_for({"type": "less_than_equal", "ctx": {"le": 200}}))
    for parameter in parameters:
        message = message_for({"type": "string_too_long", "ctx": {"max_length": 128}})
        if parameter["in"] != "header":
            yield invalid_query(parameter["name"], "string_too_long", message)
        if parameter["in"] == "path":
            yield _not_found(parameter["name"], str(parameter["example"]))


def _unknown_parameter() -> Iterator[ApiError]:
    yield invalid_query("pageSize", "unknown_parameter", unknown_parameter(["cursor", "limit"]))


def _body(settings: Settings) -> Iterator[ApiError]:
    yield invalid_json("unexpected end of data: line 1 column 9 (char 8)")
    yield body_too_large(settings.max_body_bytes)
    yield too_many_values(MAX_VALUES)
    yield body_too_slow(settings.body_min_rate)
    yield wrong_media_type(JSON, "text/plain")
    yield InvalidRequest([ErrorDetail("nmae", "extra_forbidden", FIXED["extra_forbidden"])])


def _not_found(parameter: str, example: str) -> ApiError:
    kind = parameter.removesuffix("Id")
    kinds = {"form": msg("review type"), "key": msg("API key"), "user": msg("member")}
    return NotFound(kinds.get(kind) or verbatim(kind), example)
