"""JSON values as Python sees them, and what it means for two of them to be the same."""

from collections.abc import Hashable
from typing import Final, TypeAlias

from signoff.platform.messages import Message, msg, msgs

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = "dict[str, Json]"

MAX_DEPTH = 32
"""How deep a value may nest wherever the code walks it. The JSON parser bounds what nobody walks."""

MAX_DATA_DEPTH = 200
"""How deep what an agent sends may nest. The JSON writer ends at 254 levels, and answers and events add a few."""


def too_deep(levels: int) -> Message:
    """The error of a value that nests deeper."""
    return msgs(
        "can't be nested more than {count} level deep", "can't be nested more than {count} levels deep", count=levels
    )


def is_number(value: object) -> bool:
    """A JSON number. Python's bool is an int, JSON's is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def same_json(left: Json, right: Json) -> bool:
    """Equal as JSON: `1` is `1.0`, `true` is not `1`, members have no order.

    The walk keeps its own stack, so no depth of nesting can exhaust Python's.
    """
    pending: list[tuple[Json, Json]] = [(left, right)]
    while pending:
        a, b = pending.pop()
        if a is b:
            continue
        if isinstance(a, dict):
            if not isinstance(b, dict) or a.keys() != b.keys():
                return False
            pending.extend((value, b[name]) for name, value in a.items())
        elif isinstance(a, list):
            if not isinstance(b, list) or len(a) != len(b):
                return False
            pending.extend(zip(a, b, strict=True))
        elif isinstance(a, bool) or isinstance(b, bool) or a != b:
            return False
    return True


_BOOLEANS: Final = {False: object(), True: object()}
"""Python takes True for 1; these are equal to nothing but themselves."""


def freeze(value: Json) -> Hashable:
    """A hashable stand-in: two are equal exactly when the JSON values are the same. The value's depth is bounded."""
    if isinstance(value, dict):
        return frozenset((name, freeze(item)) for name, item in value.items())
    if isinstance(value, list):
        return tuple(map(freeze, value))
    return _BOOLEANS[value] if isinstance(value, bool) else value


def exceeds_depth(value: Json, limit: int) -> bool:
    """Whether arrays and objects nest deeper than `limit` inside `value`."""
    level: list[Json] = [value]
    for _ in range(limit + 1):
        below: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        if not below:
            return False
        level = below
    return any(isinstance(item, dict | list) for item in level)


def json_type_name(value: Json) -> Message:
    """The JSON name of a value's type, with its article, for messages."""
    if value is None:
        return msg("null")
    if isinstance(value, bool):
        return msg("a boolean")
    if isinstance(value, int | float):
        return msg("a number")
    if isinstance(value, str):
        return msg("a string")
    return msg("an array") if isinstance(value, list) else msg("an object")
