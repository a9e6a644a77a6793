"""A fault is one thing that is wrong with a payload: where it is, a stable code, and a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

MAX_REPORTED_FAULTS = 500
"""A hostile payload can hold a fault in each of a million places; nobody reads past the first hundreds."""


@dataclass(frozen=True, slots=True)
class Fault:
    path: str
    code: str
    message: str

    def as_json(self) -> dict[str, str]:
        return {"path": self.path, "code": self.code, "message": self.message}


class FaultsError(Exception):
    """A payload was checked to its end and refused; `faults` names everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults[:MAX_REPORTED_FAULTS])
        super().__init__("; ".join(f"{fault.path}: {fault.message}" for fault in self.faults[:5]))
