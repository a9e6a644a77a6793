"""Errors that callers can get: each is a class with a status and a stable code, and one handler renders them all.

A command raises `CommandError` instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from signoff.platform.messages import ENGLISH, Message, list_params, localize, msg, msgs

MAX_REPORTED_ERRORS = 50
"""A hostile payload can have an error in each of a hundred thousand places. The first ones show what's wrong."""


@dataclass(frozen=True, slots=True)
class ErrorDetail:
    path: str
    code: str
    message: Message

    def as_json(self) -> dict[str, Any]:
        params = list_params(self.message)
        return {"path": self.path, "code": self.code, "message": self.message, **({"params": params} if params else {})}


class ValidationFailed(Exception):
    """A payload is invalid; `errors` lists everything that's wrong with it."""

    def __init__(self, errors: Sequence[ErrorDetail]) -> None:
        self.errors: tuple[ErrorDetail, ...] = tuple(errors[:MAX_REPORTED_ERRORS])
        self.total = len(errors)
        super().__init__("; ".join(f"{error.path}: {error.message}" for error in self.errors[:5]))


def error_details_json(errors: Sequence[ErrorDetail]) -> list[dict[str, Any]]:
    return [error.as_json() for error in errors]


class ApiError(Exception):
    """An error response in RFC 9457 format. Raising one inside a transaction rolls it back."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"
    title: ClassVar[Message] = msg("Internal server error")

    def __init__(self, detail: Message, *, errors: Sequence[ErrorDetail] = (), **members: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = list(errors[:MAX_REPORTED_ERRORS])
        self.members = members
        self.headers: dict[str, str] = {}

    def body(self, language: str = ENGLISH) -> dict[str, Any]:
        """`title`, `detail`, and `errors` are in English, for developers. `localized` has them in the reader's
        language.
        """
        params = list_params(self.detail)
        return {
            "type": f"urn:signoff:error:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            **({"params": params} if params else {}),
            **({"errors": error_details_json(self.errors)} if self.errors else {}),
            **({"localized": self._localized(language)} if language != ENGLISH else {}),
            **self.members,
        }

    def _localized(self, language: str) -> dict[str, Any]:
        return {
            "language": language,
            "title": localize(self.title, language),
            "detail": localize(self.detail, language),
            **({"errors": [localize(error.message, language) for error in self.errors]} if self.errors else {}),
        }


class BadRequest(ApiError):
    status, code, title = 400, "malformed_request", msg("Malformed request")


def unstorable_text() -> BadRequest:
    return BadRequest(
        msg("The request contains a character we can't store, such as NUL (U+0000). Remove it and try again.")
    )


class InvalidQuery(BadRequest):
    """A query parameter has an invalid value."""

    code, title = "invalid_query", msg("Invalid parameter")

    def __init__(self, detail: Message, errors: Sequence[ErrorDetail] = ()) -> None:
        super().__init__(detail, errors=errors)


class Unauthenticated(ApiError):
    status, code, title = 401, "unauthenticated", msg("Authentication required")


class OtherUser(Unauthenticated):
    code, title = "other_user", msg("Someone else has signed in")


class InvalidKey(Unauthenticated):
    code, title = "invalid_api_key", msg("Missing or invalid API key")


class Forbidden(ApiError):
    status, code, title = 403, "forbidden", msg("Permission denied")


class CrossOriginForbidden(Forbidden):
    code, title = "cross_origin", msg("Cross-origin request blocked")


class NotFound(ApiError):
    """The object doesn't exist, or belongs to another account: the response must not reveal which."""

    status, code, title = 404, "not_found", msg("Not found")

    def __init__(self, kind: Message, identifier: str) -> None:
        super().__init__(msg("No {kind} found with ID '{id}'.", kind=kind, id=identifier))


class Conflict(ApiError):
    status, code, title = 409, "conflict", msg("Conflict")


class PayloadTooLarge(ApiError):
    status, code, title = 413, "too_large", msg("Request too large")


class TooSlow(ApiError):
    status, code, title = 408, "request_timeout", msg("Request timed out")

    def __init__(self, detail: Message) -> None:
        super().__init__(detail)
        self.headers["Connection"] = "close"


class TooComplex(PayloadTooLarge):
    """The JSON has more values or levels than allowed."""

    code, title = "too_complex", msg("Too many values")


class UnsupportedMediaType(ApiError):
    status, code, title = 415, "unsupported_media_type", msg("Unsupported media type")


class InvalidRequest(ApiError):
    """Well-formed but invalid. Lists the first `MAX_REPORTED_ERRORS` errors and counts the others."""

    status, code, title = 422, "invalid", msg("Invalid request")

    def __init__(self, errors: Sequence[ErrorDetail], detail: Message | None = None, total: int | None = None) -> None:
        """`total` is the number of all errors, if `errors` has only the first ones."""
        super().__init__(detail or summarize_errors(errors, total), errors=errors)


def summarize_errors(errors: Sequence[ErrorDetail], total: int | None = None) -> Message:
    """Return the first error and the number of others, as one sentence."""
    first = errors[0]
    others = max(len(errors), total or 0) - 1
    said = msg("{path}: {message}", path=first.path, message=first.message) if first.path else first.message
    if not others:
        return msg("{error}.", error=said)
    return msgs("{error} (and {count} more).", "{error} (and {count} more).", error=said, count=others)


class TooManyRequests(ApiError):
    status, code, title = 429, "too_many_requests", msg("Too many requests")

    def __init__(self, detail: Message, retry_after: int, **members: Any) -> None:
        super().__init__(detail, **members)
        self.headers["Retry-After"] = str(retry_after)


class ServiceUnavailable(ApiError):
    status, code, title = 503, "unavailable", msg("Service unavailable")


class CommandError(Exception):
    """A command can't do its work. The text is one line for the person at the terminal."""
