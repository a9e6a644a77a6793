"""JSON values in Python, and when two of them are equal."""

from collections.abc import Hashable
from typing import Final, TypeAlias

from signoff.platform.messages import Message, msg, msgs

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = "dict[str, Json]"

MAX_DEPTH = 32
"""Maximum nesting for values that the code traverses. The JSON parser limits all others."""

MAX_DATA_DEPTH = 200
"""Maximum nesting for data from agents. The JSON writer stops at 254 levels, and responses and events add a few."""


def too_deep(levels: int) -> Message:
    """Build the error for a value that is nested too deeply."""
    return msgs(
        "can't be nested more than {count} level deep", "can't be nested more than {count} levels deep", count=levels
    )


def is_number(value: object) -> bool:
    """Whether it's a JSON number. In Python bool is an int, in JSON it isn't."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def same_json(left: Json, right: Json) -> bool:
    """Compare as JSON: `1` equals `1.0`, `true` doesn't equal `1`, and members have no order.

    Uses a stack of its own, so deep nesting can't exhaust Python's.
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
"""Python treats True as 1; these objects equal only themselves."""


def freeze(value: Json) -> Hashable:
    """Return a hashable value: two are equal exactly when the JSON values are. The value's depth must be limited."""
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
    """Return the JSON name of a value's type with its article, for messages."""
    if value is None:
        return msg("null")
    if isinstance(value, bool):
        return msg("a boolean")
    if isinstance(value, int | float):
        return msg("a number")
    if isinstance(value, str):
        return msg("a string")
    return msg("an array") if isinstance(value, list) else msg("an object")
