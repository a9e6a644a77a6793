"""The texts of one operation."""

from dataclasses import dataclass, field

from signoff.platform.errors import ApiError, ErrorDetail, InvalidRequest
from signoff.platform.messages import Message


@dataclass(frozen=True, slots=True)
class Words:
    id: str
    summary: str
    description: str = ""
    """Empty if the route's name says it all."""
    problems: tuple[ApiError, ...] = field(default=())
    """In addition to those of every route with such credentials, parameters, and body."""


Operations = dict[tuple[str, str], Words]
"""By method and path below the base URL."""


def invalid(path: str, code: str, message: Message) -> InvalidRequest:
    """Return a payload error with a single detail."""
    return InvalidRequest([ErrorDetail(path, code, message)])
