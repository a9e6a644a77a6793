"""Every error a caller can meet is a class with a status and a stable code; one handler renders them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from signoff.platform.faults import MAX_REPORTED_FAULTS, Fault


def list_faults(faults: Sequence[Fault]) -> list[dict[str, str]]:
    return [asdict(fault) for fault in faults]


class Problem(Exception):
    """An RFC 9457 problem. Raising one inside a transaction rolls it back."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"
    title: ClassVar[str] = "Something went wrong on our side"

    def __init__(self, detail: str, **members: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.members = members
        self.headers: dict[str, str] = {}

    def body(self) -> dict[str, Any]:
        return {
            "type": f"urn:signoff:error:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            **self.members,
        }


class Malformed(Problem):
    status, code, title = 400, "malformed_request", "The request is malformed"


class BadQuery(Malformed):
    """A parameter in the address with a value that it cannot have."""

    code, title = "invalid_query", "A parameter is malformed"

    def __init__(self, detail: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(detail, **({"errors": list_faults(faults)} if faults else {}))


class Unauthenticated(Problem):
    status, code, title = 401, "unauthenticated", "Valid credentials are needed"


class OtherUser(Unauthenticated):
    code, title = "other_user", "Someone else has signed in"


class InvalidKey(Unauthenticated):
    code, title = "invalid_api_key", "The API key is missing or invalid"


class Forbidden(Problem):
    status, code, title = 403, "forbidden", "Not allowed"


class CrossOrigin(Forbidden):
    code, title = "cross_origin", "A write from another origin is refused"


class NotFound(Problem):
    """Unknown, or another account's: the two must not be told apart."""

    status, code, title = 404, "not_found", "Not found"

    def __init__(self, kind: str, identifier: str) -> None:
        super().__init__(f"There is no {kind} {identifier!r}.")


class Conflict(Problem):
    status, code, title = 409, "conflict", "In conflict with the present state"


class TooLarge(Problem):
    status, code, title = 413, "too_large", "Too large"


class TooSlow(Problem):
    status, code, title = 408, "request_timeout", "The request took too long"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.headers["Connection"] = "close"


class TooComplex(TooLarge):
    """JSON with more values or levels than anyone could mean."""

    code, title = "too_complex", "Too many values"


class WrongMediaType(Problem):
    status, code, title = 415, "unsupported_media_type", "Unsupported media type"


class Invalid(Problem):
    """Well-formed but invalid. Lists all errors, up to the first `MAX_REPORTED_FAULTS`, and counts the others."""

    status, code, title = 422, "invalid", "The request is invalid"

    def __init__(self, faults: Sequence[Fault], detail: str | None = None, total: int | None = None) -> None:
        """`total`: how many errors there are, where `faults` holds only the first."""
        self.faults = list(faults[:MAX_REPORTED_FAULTS])
        if detail is None:
            first = self.faults[0]
            others = max(len(faults), total or 0) - 1
            more = f" (and {others} more)" if others else ""
            detail = f"{first.path}: {first.message}{more}" if first.path else f"{first.message}{more}"
        super().__init__(detail, errors=list_faults(self.faults))


class TooManyRequests(Problem):
    status, code, title = 429, "too_many_requests", "Too many requests"

    def __init__(self, detail: str, retry_after: int, **members: Any) -> None:
        super().__init__(detail, **members)
        self.headers["Retry-After"] = str(retry_after)


class Unavailable(Problem):
    status, code, title = 503, "unavailable", "Not available at the moment"
