"""One error in a payload: its path, a stable code, and a message."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from signoff.platform.messages import Message, list_params

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

    def __init__(self, faults: Sequence[ErrorDetail]) -> None:
        self.faults: tuple[ErrorDetail, ...] = tuple(faults[:MAX_REPORTED_ERRORS])
        self.total = len(faults)
        super().__init__("; ".join(f"{fault.path}: {fault.message}" for fault in self.faults[:5]))
