"""Error messages about invalid values that several field types, settings, and parts of a review type share."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from signoff.platform.json_values import Json, json_type_name
from signoff.platform.messages import Message, msg, msgs

OBJECT: Final = msg("an object")
STRING: Final = msg("a string")
NUMBER: Final = msg("a number")
BOOLEAN: Final = msg("true or false")
TRUE_OR_FALSE: Final = msg("must be true or false")
EMPTY: Final = msg("can't be empty")


def must_be(expected: Message, value: Json) -> Message:
    return _must_be(expected, json_type_name(value))


@cache  # One payload can have this error many thousands of times.
def _must_be(expected: Message, type_name: str) -> Message:
    return msg("must be {expected}, not {type}", expected=expected, type=type_name)


def one_of(values: Iterable[str]) -> Message:
    return msg("must be one of these: {values}", values=list(values))


def out_of_range_message(least: int, most: int) -> Message:
    return msg("must be between {least} and {most}", least=least, most=most)


def at_least_characters(count: int) -> Message:
    return msgs("must have at least {count} character", "must have at least {count} characters", count=count)


def at_most_characters(count: int) -> Message:
    return msgs("must have at most {count} character", "must have at most {count} characters", count=count)


def at_least_items(count: int) -> Message:
    return msgs("must have at least {count} item", "must have at least {count} items", count=count)


def at_most_items(count: int) -> Message:
    return msgs("must have at most {count} item", "must have at most {count} items", count=count)


def used_by_field(identifier: str) -> Message:
    return msg("'{id}' is used by another field", id=identifier)
