"""Property paths of `data`: names joined by dots, where `\\.` is a dot within a name and `\\\\` a backslash."""

import re
from enum import Enum
from typing import Final, TypeAlias

from signoff.platform.json_values import Json, JsonObject

PropertyPath: TypeAlias = tuple[str, ...]


class MissingValue(Enum):
    """A property that is missing, as opposed to null."""

    ABSENT = "absent"


MISSING: Final = MissingValue.ABSENT

PathValue: TypeAlias = "Json | MissingValue"

_NAME: Final = re.compile(r"(?:\\[.\\]|[^.])*", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\([.\\])")
_SPECIAL: Final = re.compile(r"([.\\])")


def split_path(text: str) -> PropertyPath:
    """Split a path into names. A backslash before anything but a dot or a backslash is literal."""
    names: list[str] = []
    start = 0
    while True:
        match = _NAME.match(text, start)
        assert match is not None, "the pattern matches nothing at all too"
        names.append(_ESCAPED.sub(r"\1", match.group()))
        if match.end() == len(text):
            return tuple(names)
        start = match.end() + 1


def join_path(path: PropertyPath) -> str:
    return ".".join(_SPECIAL.sub(r"\\\1", name) for name in path)


def get_path(data: Json, path: PropertyPath) -> PathValue:
    """Return the value at a path, or null if anything on the way is null."""
    for name in path:
        if not isinstance(data, dict):
            return None if data is None else MISSING
        if name not in data:
            return MISSING
        data = data[name]
    return data


def set_path(data: JsonObject, path: PropertyPath, value: PathValue) -> None:
    """Set or remove a property, copying the objects on the way, because they may be shared with the original."""
    for name in path[:-1]:
        below = data.get(name)
        copy = dict(below) if isinstance(below, dict) else {}
        data[name] = copy
        data = copy
    if value is MISSING:
        data.pop(path[-1], None)
    else:
        data[path[-1]] = value
