"""Function calls that require approval: reviewers see the arguments, and the function gets the approved ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from enum import Enum
from typing import Any, cast
from uuid import UUID

from signoff_client.api_requests import Flow, RetryPolicy, get_request, send_json
from signoff_client.errors import ReviewRejected, SchemaMismatch
from signoff_client.reviews import ReviewOptions, request, wait
from signoff_client.serialization import Model, Values, dump_with_defaults, parse_time

_Schema = dict[str, Any]
_UNNAMED_KINDS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY)


class SignOff:
    """What all calls of one function have in common."""

    def __init__(
        self,
        function: Callable[..., Any],
        form_id: str,
        timeout: float | None,
        values: Callable[..., Values] | None,
        options: ReviewOptions,
        policy: RetryPolicy,
    ) -> None:
        self._function, self._form_id, self._timeout = function, form_id, timeout
        self._values, self._options, self._policy = values, options, policy
        self._signature = inspect.signature(function)
        for parameter in self._signature.parameters.values():
            if parameter.kind in _UNNAMED_KINDS:
                raise SchemaMismatch(
                    f"{function.__name__}() takes {parameter}, but only named arguments can be reviewed."
                )

    def request_approval(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Flow[inspect.BoundArguments]:
        """Return the approved arguments to call the function with. Raises `ReviewRejected` if they aren't approved."""
        call = self._signature.bind(*args, **kwargs)
        call.apply_defaults()
        given = self._values(*args, **kwargs) if self._values else self._named_arguments(call)
        # A model that is created from the approved values has its defaults, so reviewers must see them too.
        sent: dict[str, Any] = dump_with_defaults(given)
        schema = yield from self._ensure_all_values_shown(sent)
        review = yield from request(self._form_id, sent, self._options, None, self._policy)
        result = yield from wait(review.id, self._timeout, self._policy)
        if not result.approved:
            raise ReviewRejected(result)
        passed = {name: value for name, value in sent.items() if self._find_container(name, call) is not None}
        # Older servers return only the values, not in the structure that was sent.
        values = result.values if result.arguments is None else result.arguments
        approved = _merge_approved(passed, values, schema)
        self._replace_arguments(
            call, sent if isinstance(given, Model) else given, {name: approved[name] for name in passed}
        )
        return call

    def _named_arguments(self, call: inspect.BoundArguments) -> dict[str, Any]:
        """Return the arguments by name, without `self` or `cls`."""
        named = dict(call.arguments)
        for parameter in self._signature.parameters.values():
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                named |= named.pop(parameter.name, {})
        first = next(iter(self._signature.parameters), "")
        return {name: value for name, value in named.items() if not (name == first and name in ("self", "cls"))}

    def _ensure_all_values_shown(self, sent: dict[str, Any]) -> Flow[_Schema]:
        """Raise `SchemaMismatch` for values that no field shows: they'd be approved without being seen.

        Loads and returns the schema for each call, because the review type may have changed since the last one.
        """
        response = yield from send_json(get_request("/fetchSchemaForFormFields", formId=self._form_id), self._policy)
        schema: _Schema = response["fields"]
        hidden = sorted(set(_paths_without_field(sent, schema, "")))
        if hidden:
            raise SchemaMismatch(
                f"Review type {self._form_id} has no field for {', '.join(hidden)}. Its fields are "
                f"{', '.join(sorted(schema['properties']))}. "
                "Rename the arguments to match, or pass values=lambda …: {…}."
            )
        return schema

    def _replace_arguments(
        self, call: inspect.BoundArguments, given: Mapping[str, Any], approved: dict[str, Any]
    ) -> None:
        """Replace the arguments that were shown with the approved ones. The others stay as they are."""
        for name, value in approved.items():
            place = self._find_container(name, call)
            if place is not None:
                place[name] = coerce_like(given[name], value)

    def _find_container(self, name: str, call: inspect.BoundArguments) -> dict[str, Any] | None:
        """Return the dictionary with this argument, or None if the function doesn't take it."""
        parameters = self._signature.parameters
        others = next((p.name for p in parameters.values() if p.kind is inspect.Parameter.VAR_KEYWORD), "")
        if name in parameters and name != others:
            return call.arguments
        taken = call.arguments.get(others, {})
        return taken if name in taken else None


def _paths_without_field(value: Any, schema: _Schema, path: str) -> Iterator[str]:
    """Return the paths in the value that no field shows. A field that takes a whole value also shows all of it."""
    if "properties" in schema:
        if isinstance(value, dict):
            for name, each in cast("dict[str, Any]", value).items():
                place = f"{path}.{name}" if path else name
                below = schema["properties"].get(name)
                yield from [place] if below is None else _paths_without_field(each, below, place)
        elif value is not None:
            yield path
    elif isinstance(value, list) and "items" in schema:
        item: _Schema = schema["items"]
        for each in cast("list[Any]", value):
            # An item is an object of its fields, or just the value if the list has one field.
            if isinstance(each, dict):
                keyed = next((one for one in item.get("anyOf", [item]) if "properties" in one), item)
                yield from _paths_without_field(each, keyed, f"{path}[]")


def _merge_approved(sent: Any, approved: Any, schema: _Schema, path: str = "") -> Any:
    """Merge the approved value with everything that was sent. Raises if a rule hid a value, because no one saw it."""
    if "properties" not in schema or not isinstance(sent, dict):
        return approved
    # If it isn't an object anymore, everything in it was hidden.
    whole = dict(cast("dict[str, Any]", approved)) if isinstance(approved, dict) else {}
    for name, value in cast("dict[str, Any]", sent).items():
        place = f"{path}.{name}" if path else name
        if name in whole:
            whole[name] = _merge_approved(value, whole[name], schema["properties"].get(name, {}), place)
        elif value is None:
            whole[name] = None
        else:
            raise SchemaMismatch(f"{place} wasn't approved because a rule hid it.")
    return whole


def coerce_like(given: Any, approved: Any) -> Any:
    """Convert the approved value to the type of the given one: a model, date, UUID, enum, or option IDs."""
    try:
        return _coerce(given, approved)
    except (ValueError, TypeError, AttributeError) as error:
        raise SchemaMismatch(
            f"The approved value {approved!r} isn't a valid {type(given).__name__}: {error}"
        ) from error


def _coerce(given: Any, approved: Any) -> Any:
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
            items = [_coerce(examples[0], each) for each in items]
        return cast("Callable[[Any], Any]", type(given))(items)
    if isinstance(given, Enum):
        return type(given)(approved["id"] if _is_option(approved) else approved)
    if isinstance(given, datetime):
        return parse_time(approved)
    if isinstance(given, date):
        return date.fromisoformat(approved)
    if isinstance(given, UUID):
        return UUID(approved)
    if isinstance(given, Mapping) and isinstance(approved, dict):
        members = cast("Mapping[str, Any]", given)
        found = cast("dict[str, Any]", approved)
        return {name: _coerce(members[name], each) if name in members else each for name, each in found.items()}
    return approved


def _is_option(each: Any) -> bool:
    return isinstance(each, dict) and cast("dict[str, Any]", each).keys() == {"id", "label"}
