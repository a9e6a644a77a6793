"""Our messages for pydantic's validation errors, and the error details made from them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, LiteralString

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from signoff.platform.errors import MAX_REPORTED_ERRORS, ErrorDetail
from signoff.platform.messages import AnyOf, Message, Term, msg, msgs, verbatim

Context = Mapping[str, Any]

OBJECT: Final = msg("must be an object")
LIST: Final = msg("must be an array")
STRING: Final = msg("must be a string")
NUMBER: Final = msg("must be a number")
WHOLE_NUMBER: Final = msg("must be a whole number")
BOOLEAN: Final = msg("must be true or false")
DATE: Final = msg("must be a date such as 2026-03-31")
TIMESTAMP: Final = msg("must be a date and time such as 2026-03-31T09:00:00Z")
URL: Final = msg("must be a URL")

# One value in pydantic's lists, such as "'a', 'b' or 1".
_LITERAL: Final = re.compile(r"""'[^']*'|"[^"]*"|[^\s,'"]+""")

FIXED: Final[Mapping[str, Message]] = {
    "missing": msg("is required"),
    "extra_forbidden": msg("isn't a known property"),
    "json_invalid": msg("must be valid JSON"),
    "none_required": msg("must be null"),
    "string_type": STRING,
    "string_unicode": msg("must be valid Unicode text"),
    "bool_type": BOOLEAN,
    "bool_parsing": BOOLEAN,
    "int_type": WHOLE_NUMBER,
    "int_parsing": WHOLE_NUMBER,
    "int_parsing_size": msg("is a number that's too large"),
    "int_from_float": WHOLE_NUMBER,
    "float_type": NUMBER,
    "float_parsing": NUMBER,
    "finite_number": NUMBER,
    "dict_type": OBJECT,
    "model_type": OBJECT,
    "model_attributes_type": OBJECT,
    "dataclass_type": OBJECT,
    "mapping_type": OBJECT,
    "list_type": LIST,
    "tuple_type": LIST,
    "set_type": LIST,
    "frozen_set_type": LIST,
    "date_type": DATE,
    "date_parsing": DATE,
    "date_from_datetime_parsing": DATE,
    "date_from_datetime_inexact": DATE,
    "datetime_type": TIMESTAMP,
    "datetime_parsing": TIMESTAMP,
    "datetime_from_date_parsing": TIMESTAMP,
    "timezone_aware": msg("must have a time zone, such as Z or +02:00"),
    "url_type": URL,
    "url_parsing": URL,
    "url_syntax_violation": URL,
    "url_scheme": msg("must start with http:// or https://"),
}

WITH_PARAMETERS: Final[Mapping[str, Callable[[Context], Message]]] = {
    "string_too_short": lambda found: msgs(
        "must have at least {count} character", "must have at least {count} characters", count=found["min_length"]
    ),
    "string_too_long": lambda found: msgs(
        "must have at most {count} character", "must have at most {count} characters", count=found["max_length"]
    ),
    "string_pattern_mismatch": lambda found: msg("must match the pattern '{pattern}'", pattern=found["pattern"]),
    "too_short": lambda found: msgs(
        "must have at least {count} item", "must have at least {count} items", count=found["min_length"]
    ),
    "too_long": lambda found: msgs(
        "must have at most {count} item", "must have at most {count} items", count=found["max_length"]
    ),
    "url_too_long": lambda found: msgs(
        "must have at most {count} character", "must have at most {count} characters", count=found["max_length"]
    ),
    "greater_than": lambda found: msg("must be greater than {limit}", limit=found["gt"]),
    "greater_than_equal": lambda found: msg("must be at least {limit}", limit=found["ge"]),
    "less_than": lambda found: msg("must be less than {limit}", limit=found["lt"]),
    "less_than_equal": lambda found: msg("must be at most {limit}", limit=found["le"]),
    "multiple_of": lambda found: msg("must be a multiple of {number}", number=found["multiple_of"]),
    "literal_error": lambda found: msg("must be {values}", values=AnyOf(_read_terms(found["expected"]))),
    "enum": lambda found: msg("must be {values}", values=AnyOf(_read_terms(found["expected"]))),
    "union_tag_invalid": lambda found: msg(
        "must have one of these values: {values}", values=_read_terms(found["expected_tags"])
    ),
}


def _read_terms(listed: str) -> list[Term]:
    """Read pydantic's English list of values, so it can be written in the reader's language."""
    return [Term(found.strip("'\""), found) for found in _LITERAL.findall(listed) if found != "or"]


def custom_error(code: LiteralString, message: Message) -> PydanticCustomError:
    """Build an error with a code of its own, for a validator to raise."""
    return PydanticCustomError(code, "{message}", {"message": message})


def message_for(error: Mapping[str, Any]) -> Message:
    """Return the message for one error of a `ValidationError`, including its context."""
    kind = str(error["type"])
    context: Context = error.get("ctx", {})
    if kind in FIXED:
        return FIXED[kind]
    if kind in WITH_PARAMETERS:
        return WITH_PARAMETERS[kind](context)
    match context:
        case {"message": Message() as message}:
            return message
        case {"error": ValueError(args=(Message() as message, *_))}:
            return message
        case _:
            return verbatim(str(error["msg"]).removeprefix("Value error, "))


def errors_from_pydantic(errors: Iterable[Any]) -> list[ErrorDetail]:
    """Convert pydantic's errors to our error details."""
    return [ErrorDetail(_format_path(item["loc"]), str(item["type"]), message_for(item)) for item in errors]


def first_errors(error: ValidationError) -> list[ErrorDetail]:
    """Return the first `MAX_REPORTED_ERRORS` errors: a body can have as many errors as values."""
    found = error.errors(include_url=False, include_input=False)
    return errors_from_pydantic(found[:MAX_REPORTED_ERRORS])


def _format_path(path: Sequence[int | str]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text
