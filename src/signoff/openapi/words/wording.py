"""What is written about one operation."""

from dataclasses import dataclass, field

from signoff.platform.errors import ApiError, InvalidRequest
from signoff.platform.faults import ErrorDetail
from signoff.platform.messages import Message


@dataclass(frozen=True, slots=True)
class Words:
    id: str
    summary: str
    description: str = ""
    """For routes whose name says it all."""
    problems: tuple[ApiError, ...] = field(default=())
    """Beside those that every route with such credentials, parameters and body has."""


Operations = dict[tuple[str, str], Words]
"""By method and path below the base address."""


def invalid(path: str, code: str, message: Message) -> InvalidRequest:
    """A payload with one fault."""
    return InvalidRequest([ErrorDetail(path, code, message)])
