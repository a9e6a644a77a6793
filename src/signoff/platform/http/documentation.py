"""What routes say about their responses in the API reference."""

from typing import Any

from signoff.platform.errors import ApiError, ErrorDetail, InvalidQuery, InvalidRequest, summarize_errors
from signoff.platform.http.error_handlers import PROBLEM_JSON
from signoff.platform.messages import Message

Responses = dict[int | str, dict[str, Any]]


def document_response(model: Any, *errors: ApiError, status: int = 200) -> Responses:
    """Declare the response of a route that writes it itself, and its errors."""
    return {status: {"model": model, "description": "OK"}, **document_errors(*errors)}


def document_errors(*errors: ApiError) -> Responses:
    """Declare errors by an example of each, in addition to those of every route with such credentials, parameters, and
    body. The examples are errors that the route's own code could have raised.
    """
    responses: Responses = {}
    for error in errors:
        content = responses.setdefault(error.status, {"content": {PROBLEM_JSON: {"examples": {}}}})["content"]
        content[PROBLEM_JSON]["examples"][error.code] = error_example(error)
    return responses


def error_example(error: ApiError) -> dict[str, Any]:
    return {"summary": error.title, "value": error.body()}


def invalid(path: str, code: str, message: Message, detail: Message | None = None) -> InvalidRequest:
    """Return a payload error about a single value."""
    return InvalidRequest([ErrorDetail(path, code, message)], detail)


def invalid_query(parameter: str, code: str, message: Message) -> InvalidQuery:
    """Return a parameter error about a single value."""
    errors = [ErrorDetail(parameter, code, message)]
    return InvalidQuery(summarize_errors(errors), errors)
