"""A function call behind a review: people see its arguments, and it is called with what they approved."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, cast

from signoff_client.errors import DoesNotFit, Rejected
from signoff_client.flow import Flow, Retrying, ask, reading
from signoff_client.results import Result
from signoff_client.reviews import ReviewOptions, request, wait
from signoff_client.values import Model, Values, plain

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
        self._shown: frozenset[str] | None = None
        for parameter in self._signature.parameters.values():
            if parameter.kind in _NO_NAME:
                raise DoesNotFit(f"{function.__name__}() has {parameter}: only arguments with a name can be reviewed.")

    def approved_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Flow[inspect.BoundArguments]:
        """The arguments to call the function with, once they are approved. Raises `Rejected` if they are not."""
        call = self._signature.bind(*args, **kwargs)
        call.apply_defaults()
        given = plain(self._values(*args, **kwargs)) if self._values else self._named(call)
        yield from self._refuse_unseen(given)
        asked = yield from request(self._form_id, given, self._options, None, self._retrying)
        result = yield from wait(asked.id, self._timeout, self._retrying)
        if not result.approved:
            raise Rejected(result)
        return self._as_approved(call, given, result)

    def _named(self, call: inspect.BoundArguments) -> dict[str, Any]:
        """The arguments by name, but for the object that a method belongs to."""
        named = dict(call.arguments)
        for parameter in self._signature.parameters.values():
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                named |= named.pop(parameter.name, {})
        first = next(iter(self._signature.parameters), "")
        return {name: value for name, value in named.items() if not (name == first and name in ("self", "cls"))}

    def _refuse_unseen(self, given: dict[str, Any]) -> Flow[None]:
        """The service keeps what no field shows. Here that would be approved without having been seen."""
        if self._shown is None:
            schema = yield from ask(reading("/fetchSchemaForFormFields", formId=self._form_id), self._retrying)
            self._shown = frozenset(schema["fields"].get("properties", {}))
        unseen = sorted(given.keys() - self._shown)
        if unseen:
            raise DoesNotFit(
                f"The review type {self._form_id} does not show {', '.join(unseen)}. It has: "
                f"{', '.join(sorted(self._shown))}. Name arguments like the fields, or say values=lambda …: {{…}}."
            )

    def _as_approved(
        self, call: inspect.BoundArguments, given: dict[str, Any], result: Result
    ) -> inspect.BoundArguments:
        """What was shown is replaced by what was approved; what was not shown stays as it was."""
        parameters = self._signature.parameters
        others = next((p.name for p in parameters.values() if p.kind is inspect.Parameter.VAR_KEYWORD), None)
        for name, value in given.items():
            if name not in parameters and (others is None or name not in call.arguments.get(others, {})):
                continue
            target = call.arguments if name in parameters else call.arguments[others or ""]
            if name in result.values:
                target[name] = like(value, result.values[name])
            elif value is not None:
                raise DoesNotFit(f"{name} was not part of what {result.responding_user} approved: a rule hides it.")
        return call


def like(given: Any, approved: Any) -> Any:
    """The approved value in the shape of the one that was given: a model, or a choice by its options' IDs."""
    if isinstance(given, Model):
        return type(given).model_validate(approved)
    if type(given) in (list, tuple, set, frozenset) and isinstance(approved, list):
        items = cast("list[Any]", approved)
        if all(isinstance(each, str) for each in given) and all(_is_option(each) for each in items):
            items = [each["id"] for each in items]
        return cast("Callable[[Any], Any]", type(given))(items)
    return approved


def _is_option(each: Any) -> bool:
    return isinstance(each, dict) and cast("dict[str, Any]", each).keys() == {"id", "label"}
