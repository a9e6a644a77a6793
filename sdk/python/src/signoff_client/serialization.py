"""Conversion of values to and from JSON, including models and dates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, runtime_checkable
from uuid import UUID

if TYPE_CHECKING:
    from typing_extensions import Self


@runtime_checkable
class Model(Protocol):
    """The part of a Pydantic model that this package uses, so that it doesn't have to import Pydantic."""

    def model_dump(self, *, mode: str, by_alias: bool, exclude_unset: bool) -> dict[str, Any]: ...

    @classmethod
    def model_validate(cls, obj: Any) -> Self: ...


M = TypeVar("M", bound=Model)
Values = Mapping[str, Any] | Model


def to_json_value(value: Any, *, with_defaults: bool = False) -> Any:
    """Convert a value that JSON doesn't support. Of a model, only the fields that were set, or the defaults too."""
    if isinstance(value, Model):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=not with_defaults)
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (set, frozenset)):
        return sorted(cast("set[Any]", value))
    raise TypeError(f"Can't convert {type(value).__name__} to JSON: {value!r}")


def encode_json(body: Any) -> bytes:
    """Encode as JSON. Raises ValueError for NaN and infinity, which aren't valid JSON."""
    return json.dumps(body, default=to_json_value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def dump_with_defaults(value: Any) -> Any:
    """Return the value as the server would read it, with the defaults of every model."""
    return json.loads(json.dumps(value, default=partial(to_json_value, with_defaults=True), allow_nan=False))


def to_camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
