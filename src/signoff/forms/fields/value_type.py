"""What every kind of value can do: be read from JSON, be checked against its limits, be empty, be cleared.

Reading and checking are two steps, because a suggestion of an agent only has to have the right shape (a person
will correct it), while what a person approves also has to keep the limits.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from signoff.forms.fields.fault_messages import must_be
from signoff.forms.fields.transform import Transform
from signoff.platform.faults import ErrorDetail
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import Message


class InvalidValue(Enum):
    """What reading answers instead of a value once it has reported the faults; `None` is a value."""

    INVALID = "invalid"


INVALID: Final = InvalidValue.INVALID

ReadResult: TypeAlias = "Json | InvalidValue"

Options: TypeAlias = Mapping[str, str]
"""The options of a selectable field: label by ID, in the order they are shown."""


@dataclass(frozen=True, slots=True)
class FieldConfig:
    """What a single request says about a field, under `config.fields.<fieldId>`."""

    options: Options | None = None
    default: Json = None
    empty: bool = False
    """Whether the field shows empty, for the reviewer to fill in, where nothing else gives it a value."""
    is_base64: bool = False
    transform: Transform | None = None
    items: "Mapping[str, FieldConfig]" = field(default_factory=dict[str, "FieldConfig"])
    """For a list or table: what the request says about the child fields."""

    def shown(self) -> JsonObject:
        """What a page has to know of it: how images came, and what is preset, is done with by then."""
        written: JsonObject = {}
        if self.options is not None:
            written["options"] = [{"id": option_id, "label": label} for option_id, label in self.options.items()]
        if self.empty:
            written["empty"] = True
        items: JsonObject = {child: of_child for child, config in self.items.items() if (of_child := config.shown())}
        if items:
            written["items"] = items
        return written


NO_CONFIG: Final = FieldConfig()


class ValueType(ABC):
    """The compiled behaviour of one field. Immutable; shared by every request of a review type."""

    __slots__ = ()

    @abstractmethod
    def read(self, value: Json, config: FieldConfig, where: str, faults: list[ErrorDetail]) -> ReadResult:
        """The value in its normal form, or INVALID with the faults reported. Never called with null."""

    def check(self, value: Json, config: FieldConfig, where: str, faults: list[ErrorDetail]) -> None:  # noqa: B027
        """Report every limit that a value breaks; the value was read and is not empty. Many have no limits."""

    def is_empty(self, value: Json) -> bool:
        return value is None

    def cleared(self, before: Json = None) -> Json:
        """What a reviewer who clears `before` leaves behind; without it, what an empty field starts from."""
        del before
        return None

    @abstractmethod
    def schema(self) -> JsonObject:
        """JSON Schema of what `read` accepts, as far as that can be said without the request's config."""


def report_wrong_type(value: Json, expected: Message, where: str, faults: list[ErrorDetail]) -> InvalidValue:
    faults.append(ErrorDetail(where, "wrong_type", must_be(expected, value)))
    return INVALID
