"""Exceptions. All of them are subclasses of `SignoffError`.

They keep their constructor arguments in `args`, so they can be pickled between processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from signoff_client.deprecation import warn_renamed

if TYPE_CHECKING:
    from signoff_client.results import Result


class SignoffError(Exception):
    """Base class of all errors."""


class ConnectionFailed(SignoffError, ConnectionError):
    """The server can't be reached or the connection was lost."""


class ApiError(SignoffError):
    """The API returned an error. `code` is stable."""

    def __init__(
        self, status: int, problem: Mapping[str, Any], request_id: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(status, problem, request_id, retry_after)
        self.status = status
        self.problem = problem
        """The full problem document. Some errors have additional members."""
        self.request_id = request_id
        """Identifies the request in the server's log."""
        self.retry_after = retry_after
        """Seconds to wait before the next request, if the server sent them."""
        self.code = str(problem.get("code", "http_error"))
        self.message = str(problem.get("detail") or problem.get("title") or "no details")
        self.details: list[dict[str, str]] = problem.get("errors") or []
        """The errors in the request, each with `path`, `code`, and `message`."""

    def __str__(self) -> str:
        errors = [f"  {error.get('path')}: {error.get('message')}" for error in self.details]
        message = self.message
        if self.details and str(self.details[0].get("message")) in message:
            # `detail` repeats the first error, which is listed anyway.
            message = str(self.problem.get("title") or "Invalid request")
        return "\n".join([f"{self.status} {self.code}: {message}", *errors])


class InvalidRequest(ApiError):
    """The request is invalid (400, 413, 415, 422). See `details`; don't retry."""


class Unauthorized(ApiError):
    """The API key is missing, invalid, revoked, or expired (401)."""


class Forbidden(ApiError):
    """The API key doesn't allow this (403)."""


class NotFound(ApiError):
    """Not found, or deleted (404)."""


class Conflict(ApiError):
    """Conflict (409). See `code`."""


class Gone(ApiError):
    """No longer available (410)."""


class RateLimited(ApiError):
    """Rate limited (429). See `retry_after`."""


class ServerError(ApiError):
    """Server error (5xx). Include `request_id` when you report it."""


class WaitTimeout(SignoffError, TimeoutError):
    """No decision within the timeout. The review is still pending and you can wait again."""

    def __init__(self, review_id: str, seconds: float) -> None:
        super().__init__(review_id, seconds)
        self.review_id = review_id
        self.seconds = seconds

    def __str__(self) -> str:
        return (
            f"No decision on review {self.review_id} after {self.seconds:g} seconds. "
            "It's still pending, so you can call wait() again."
        )


class ReviewRejected(SignoffError):
    """The function wasn't called because the call wasn't approved."""

    def __init__(self, result: Result) -> None:
        super().__init__(result)
        self.result = result

    def __str__(self) -> str:
        result = self.result
        if result.retry is not None:
            return f"{result.retry.by} requested changes: {result.retry.instructions}"
        if result.timed_out:
            return "Auto-rejected because the deadline passed."
        return f"Rejected by {result.responding_user}" + (f": {result.reason}" if result.reason else ".")


class SchemaMismatch(SignoffError, TypeError):
    """The function's arguments don't match the review type's fields."""


class MessageConflict(SignoffError):
    """An interrupted message with this idempotency key has different text.

    Nothing was added. Use a new key; the interrupted message stays as it is.
    """

    def __init__(self, existing_text: str, new_text: str) -> None:
        super().__init__(existing_text, new_text)
        self.existing_text = existing_text
        """The text of the interrupted message."""
        self.new_text = new_text
        """The beginning of the new text."""

    def __str__(self) -> str:
        return (
            f"The message with this idempotency key was interrupted after {len(self.existing_text)} characters, and "
            "your text doesn't match the interrupted message. Use a new key."
        )

    @property
    def there(self) -> str:
        warn_renamed("MessageConflict.there", "existing_text")
        return self.existing_text

    @property
    def given(self) -> str:
        warn_renamed("MessageConflict.given", "new_text")
        return self.new_text


class InvalidSignature(SignoffError):
    """The webhook isn't authentic, is too old, or is malformed. Respond with 401 and ignore it."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
    429: RateLimited,
}


def error_class(status: int) -> type[ApiError]:
    return ServerError if status >= 500 else _BY_STATUS.get(status, ApiError)
