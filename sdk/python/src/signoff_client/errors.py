"""What can go wrong, one class for each kind. All of them are `SignoffError`.

Exceptions keep what they were made of in `args`, so that they can be pickled on their way between processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from signoff_client.results import Result


class SignoffError(Exception):
    """Anything that this package raises on purpose."""


class ConnectionFailed(SignoffError, ConnectionError):
    """No answer came: the service cannot be reached, or the connection broke off."""


class ApiError(SignoffError):
    """The service answered, and refused. `code` is stable: programs should go by it."""

    def __init__(
        self, status: int, problem: Mapping[str, Any], request_id: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(status, problem, request_id, retry_after)
        self.status = status
        self.problem = problem
        """The whole problem document; some have further members."""
        self.request_id = request_id
        """Finds the call in the service's log."""
        self.retry_after = retry_after
        """Seconds after which to come back, where the service said so."""
        self.code = str(problem.get("code", "http_error"))
        self.message = str(problem.get("detail") or problem.get("title") or "no explanation")
        self.details: list[dict[str, str]] = problem.get("errors") or []
        """Each fault of what was sent: `path`, `code` and `message`."""

    def __str__(self) -> str:
        faults = [f"  {fault.get('path')}: {fault.get('message')}" for fault in self.details]
        message = self.message
        if self.details and str(self.details[0].get("message")) in message:
            # The service's `detail` repeats the first fault, which is listed anyway.
            message = str(self.problem.get("title") or "What was sent is not valid")
        return "\n".join([f"{self.status} {self.code}: {message}", *faults])


class Invalid(ApiError):
    """What was sent is wrong (400, 413, 415, 422). `details` names every fault; sending it again changes nothing."""


class Unauthorized(ApiError):
    """The API key is missing, unknown, revoked or expired (401)."""


class Forbidden(ApiError):
    """The API key is not allowed to do this (403)."""


class NotFound(ApiError):
    """There is no such thing in this account, or it was deleted (404)."""


class Conflict(ApiError):
    """Something is already so (409); `code` says what."""


class Gone(ApiError):
    """It was there, and has ended for good (410)."""


class RateLimited(ApiError):
    """Too many calls (429). `retry_after` says in how many seconds there is room."""


class ServerError(ApiError):
    """The service has trouble (5xx). `request_id` helps its operator to find out which."""


class WaitTimeout(SignoffError, TimeoutError):
    """Nobody decided within the time given. Nothing is lost: the review is open, and can be waited for again."""

    def __init__(self, review_id: str, seconds: float) -> None:
        super().__init__(review_id, seconds)
        self.review_id = review_id
        self.seconds = seconds

    def __str__(self) -> str:
        return (
            f"Nobody has decided review {self.review_id} within {self.seconds:g} seconds. "
            "It is still pending; wait for it again whenever you like."
        )


class Rejected(SignoffError):
    """A function that needs a sign-off was not called, because a person did not approve it."""

    def __init__(self, result: Result) -> None:
        super().__init__(result)
        self.result = result

    def __str__(self) -> str:
        result = self.result
        if result.retry is not None:
            return f"{result.retry.by} asks for other values: {result.retry.instructions}"
        return f"{result.responding_user} rejected it" + (f": {result.reason}" if result.reason else ".")


class DoesNotFit(SignoffError, TypeError):
    """The arguments of a function and the fields of the review type do not go together."""


class OtherText(SignoffError):
    """A message with this idempotency key was begun before, broken off, and begins otherwise. Nothing was added.

    Say the new text under another key; the old message stays as it is.
    """

    def __init__(self, there: str, given: str) -> None:
        super().__init__(there, given)
        self.there = there
        """What is written of the message."""
        self.given = given
        """How the text begins that was to be written."""

    def __str__(self) -> str:
        return (
            f"The message of this idempotency key was broken off after {len(self.there)} characters, and this is "
            "another text. Say it under another key."
        )


class InvalidSignature(SignoffError):
    """A call to the webhook is not genuine, too old, or damaged. Answer it with 401 and do nothing else."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: Invalid,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    413: Invalid,
    415: Invalid,
    422: Invalid,
    429: RateLimited,
}


def class_for(status: int) -> type[ApiError]:
    return ServerError if status >= 500 else _BY_STATUS.get(status, ApiError)
