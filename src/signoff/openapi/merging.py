"""Merge the tables of all modules."""

from collections.abc import Mapping
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


def merged(*tables: Mapping[Key, Value]) -> dict[Key, Value]:
    """Merge all `tables`. A duplicate is an error: one entry would silently hide the other."""
    whole: dict[Key, Value] = {}
    for table in tables:
        if twice := whole.keys() & table.keys():
            raise ValueError(f"In two rooms: {', '.join(sorted(map(str, twice)))}")
        whole |= table
    return whole
