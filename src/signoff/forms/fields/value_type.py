"""What every value type can do: read a value from JSON, check its limits, test if it's empty, and clear it.

Reading and checking are separate steps, because an agent's suggestion only needs the right type (a person will correct
it), while an approved value also has to meet the limits.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from signoff.forms.fields.error_messages import must_be
from signoff.forms.fields.transform import Transform
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import Message


class InvalidValue(Enum):
    """Returned by `read` in place of a value, after reporting the errors; `None` is a valid value."""

    INVALID = "invalid"


INVALID: Final = InvalidValue.INVALID

ReadResult: TypeAlias = "Json | InvalidValue"

Options: TypeAlias = Mapping[str, str]
"""The options of a selectable field: labels by ID, in display order."""


@dataclass(frozen=True, slots=True)
class FieldConfig:
    """What a request configures for a field, under `config.fields.<fieldId>`."""

    options: Options | None = None
    default: Json = None
    empty: bool = False
    """Whether the field is shown empty, for the reviewer to fill in, if it has no other value."""
    is_base64: bool = False
    transform: Transform | None = None
    items: "Mapping[str, FieldConfig]" = field(default_factory=dict[str, "FieldConfig"])
    """For a list or table: what the request configures for the child fields."""

    def shown(self) -> JsonObject:
        """Return what a page needs: image encodings and defaults have already been applied by then."""
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
    """The compiled behavior of one field. Immutable; shared by all requests of a review type."""

    __slots__ = ()

    @abstractmethod
    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        """Return the value in normal form, or INVALID after reporting the errors. Never called with null."""

    def check(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> None:  # noqa: B027
        """Report every limit that a value violates. The value has been read and isn't empty. Many types have no
        limits.
        """

    def keep_shown(self, value: Json) -> Json:
        """Return a default without what no reviewer would see of it."""
        return value

    def is_empty(self, value: Json) -> bool:
        return value is None

    def cleared(self, before: Json = None) -> Json:
        """Return the value after a reviewer clears `before`; without `before`, the initial value of an empty field."""
        del before
        return None

    @abstractmethod
    def schema(self) -> JsonObject:
        """Return the JSON Schema of what `read` accepts, as far as that is possible without the request's config."""


def report_wrong_type(value: Json, expected: Message, where: str, errors: list[ErrorDetail]) -> InvalidValue:
    errors.append(ErrorDetail(where, "wrong_type", must_be(expected, value)))
    return INVALID
