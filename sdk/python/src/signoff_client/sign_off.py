"""A function call behind a review: people see its arguments, and it is called with what they approved."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from enum import Enum
from typing import Any, cast
from uuid import UUID

from signoff_client.errors import DoesNotFit, Rejected
from signoff_client.flow import Flow, Retrying, ask, reading
from signoff_client.reviews import ReviewOptions, request, wait
from signoff_client.values import Model, Values, complete, read_time

_Schema = dict[str, Any]
_NO_NAME = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY)


class SignOff:
    """What is the same for every call of one function."""

    def __init__(
        self,
        function: Callable[..., Any],
        form_id: str,
        timeout: float | None,
        values: Callable[..., Values] | None,
        options: ReviewOptions,
        retrying: Retrying,
    ) -> None:
        self._function, self._form_id, self._timeout = function, form_id, timeout
        self._values, self._options, self._retrying = values, options, retrying
        self._signature = inspect.signature(function)
        for parameter in self._signature.parameters.values():
            if parameter.kind in _NO_NAME:
                raise DoesNotFit(f"{function.__name__}() has {parameter}: only arguments with a name can be reviewed.")

    def approved_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Flow[inspect.BoundArguments]:
        """The arguments to call the function with, once they are approved. Raises `Rejected` if they are not."""
        call = self._signature.bind(*args, **kwargs)
        call.apply_defaults()
        given = self._values(*args, **kwargs) if self._values else self._named(call)
        # A model's defaults are used when it is made anew of what was approved, so they are shown like what was set.
        sent: dict[str, Any] = complete(given)
        schema = yield from self._refuse_unseen(sent)
        asked = yield from request(self._form_id, sent, self._options, None, self._retrying)
        result = yield from wait(asked.id, self._timeout, self._retrying)
        if not result.approved:
            raise Rejected(result)
        passed = {name: value for name, value in sent.items() if self._place_of(name, call) is not None}
        # An older service says only what the values are, not in which shape they were sent.
        values = result.values if result.arguments is None else result.arguments
        approved = _all_of(passed, values, schema, result.responding_user)
        self._replace(call, sent if isinstance(given, Model) else given, {name: approved[name] for name in passed})
        return call

    def _named(self, call: inspect.BoundArguments) -> dict[str, Any]:
        """The arguments by name, but for the object that a method belongs to."""
        named = dict(call.arguments)
        for parameter in self._signature.parameters.values():
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                named |= named.pop(parameter.name, {})
        first = next(iter(self._signature.parameters), "")
        return {name: value for name, value in named.items() if not (name == first and name in ("self", "cls"))}

    def _refuse_unseen(self, sent: dict[str, Any]) -> Flow[_Schema]:
        """The service keeps what no field shows. Here that would be approved without having been seen.

        The review type is asked for each time: people may have changed it since the last call. Answers its schema.
        """
        answer = yield from ask(reading("/fetchSchemaForFormFields", formId=self._form_id), self._retrying)
        schema: _Schema = answer["fields"]
        unseen = sorted(set(_unseen(sent, schema, "")))
        if unseen:
            raise DoesNotFit(
                f"The review type {self._form_id} does not show {', '.join(unseen)}. It has: "
                f"{', '.join(sorted(schema['properties']))}. "
                "Name arguments like the fields, or say values=lambda …: {…}."
            )
        return schema

    def _replace(self, call: inspect.BoundArguments, given: Mapping[str, Any], approved: dict[str, Any]) -> None:
        """What was shown is replaced by what was approved; what was not shown stays as it was."""
        for name, value in approved.items():
            place = self._place_of(name, call)
            if place is not None:
                place[name] = like(given[name], value)

    def _place_of(self, name: str, call: inspect.BoundArguments) -> dict[str, Any] | None:
        """Where the function gets what is shown under this name; None if it does not get it."""
        parameters = self._signature.parameters
        others = next((p.name for p in parameters.values() if p.kind is inspect.Parameter.VAR_KEYWORD), "")
        if name in parameters and name != others:
            return call.arguments
        taken = call.arguments.get(others, {})
        return taken if name in taken else None


def _unseen(value: Any, schema: _Schema, path: str) -> Iterator[str]:
    """Where in the value something stands that no field shows. What a field takes whole, it shows whole."""
    if "properties" in schema:
        if isinstance(value, dict):
            for name, each in cast("dict[str, Any]", value).items():
                place = f"{path}.{name}" if path else name
                below = schema["properties"].get(name)
                yield from [place] if below is None else _unseen(each, below, place)
        elif value is not None:
            yield path
    elif isinstance(value, list) and "items" in schema:
        item: _Schema = schema["items"]
        for each in cast("list[Any]", value):
            # An item is keyed by its fields, or, of a list with one field, that field's value by itself.
            if isinstance(each, dict):
                keyed = next((one for one in item.get("anyOf", [item]) if "properties" in one), item)
                yield from _unseen(each, keyed, f"{path}[]")


def _all_of(sent: Any, approved: Any, schema: _Schema, by: str, path: str = "") -> Any:
    """What was approved, with everything in it that was sent. Raises if a rule hid a value: nobody has seen it."""
    if "properties" not in schema or not isinstance(sent, dict):
        return approved
    # If it is no object any more, all that was in it was hidden.
    whole = dict(cast("dict[str, Any]", approved)) if isinstance(approved, dict) else {}
    for name, value in cast("dict[str, Any]", sent).items():
        place = f"{path}.{name}" if path else name
        if name in whole:
            whole[name] = _all_of(value, whole[name], schema["properties"].get(name, {}), by, place)
        elif value is None:
            whole[name] = None
        else:
            raise DoesNotFit(f"{place} was not part of what {by} approved: a rule hides it.")
    return whole


def like(given: Any, approved: Any) -> Any:
    """The approved value as what was given: a model, a date, an ID, an enum, or a choice by its options' IDs."""
    try:
        return _like(given, approved)
    except (ValueError, TypeError, AttributeError) as error:
        raise DoesNotFit(f"{approved!r} was approved, and is no {type(given).__name__}: {error}") from error


def _like(given: Any, approved: Any) -> Any:
    if approved is None:
        return None
    if isinstance(given, Model):
        return type(given).model_validate(approved)
    if type(given) in (list, tuple, set, frozenset) and isinstance(approved, list):
        items = cast("list[Any]", approved)
        examples: list[Any] = list(given)
        if all(isinstance(each, str) for each in examples) and all(_is_option(each) for each in items):
            items = [each["id"] for each in items]
        kinds: set[type[Any]] = {type(each) for each in examples}
        if len(kinds) == 1 and not isinstance(examples[0], Mapping):
            items = [_like(examples[0], each) for each in items]
        return cast("Callable[[Any], Any]", type(given))(items)
    if isinstance(given, Enum):
        return type(given)(approved["id"] if _is_option(approved) else approved)
    if isinstance(given, datetime):
        return read_time(approved)
    if isinstance(given, date):
        return date.fromisoformat(approved)
    if isinstance(given, UUID):
        return UUID(approved)
    if isinstance(given, Mapping) and isinstance(approved, dict):
        members = cast("Mapping[str, Any]", given)
        found = cast("dict[str, Any]", approved)
        return {name: _like(members[name], each) if name in members else each for name, each in found.items()}
    return approved


def _is_option(each: Any) -> bool:
    return isinstance(each, dict) and cast("dict[str, Any]", each).keys() == {"id", "label"}
