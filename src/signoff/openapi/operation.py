"""One operation of the document, completed in place."""

import re
from typing import Any

from fastapi.routing import RouteContext

from signoff.accounts.access import Permit
from signoff.accounts.actors import ROLES, SCOPES
from signoff.openapi import examples
from signoff.openapi.problems import problems_of
from signoff.openapi.review_types import BODIES, Schema, ref, without_null
from signoff.openapi.words import PARAMETERS, words_of
from signoff.platform.http import JSON, PROBLEM_JSON
from signoff.platform.settings import Settings

MEANINGS = {
    200: "Done.",
    201: "Made.",
    202: "Taken note of.",
    204: "Done; there is no body.",
    400: "Malformed: bad JSON, or a bad value in path or query.",
    401: "Missing or invalid credentials.",
    403: "The credentials do not allow it.",
    404: "Unknown.",
    408: "The body came in too slowly, or stopped.",
    409: "In conflict with the present state.",
    410: "The link of an external reviewer ended; `code` says how.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "Well-formed but invalid; `errors` lists what is wrong.",
    429: "Too many requests; `Retry-After` says when to come back.",
    503: "Not now; try again in a moment.",
}


def complete(operation: dict[str, Any], method: str, path: str, route: RouteContext, settings: Settings) -> None:
    words = words_of(method, path, route.name or "")
    permit = next((d.call for d in route.dependant.dependencies if isinstance(d.call, Permit)), None)
    paragraphs = (operation.get("description"), words.description, _who(permit))
    operation |= {
        "operationId": words.id,
        "summary": words.summary,
        "description": "\n\n".join(filter(None, paragraphs)),
    }
    operation.setdefault("security", permit.security if permit else [])
    for parameter in operation.get("parameters", ()):
        _complete_parameter(parameter)
    if body := BODIES.get((method, path)):
        operation["requestBody"] = {"content": {JSON: {"schema": ref(body)}}, "required": True}
    _show_example(operation.get("requestBody", {}))
    rate = permit is not None and {"apiKey": []} in permit.security
    responses = {status: answer for status, answer in operation["responses"].items() if status.startswith("2")}
    for status, answer in responses.items():
        _show_example(answer)
        headers = {**answer.get("headers", {}), **_headers(cookie=_signs_in(operation), rate=rate)}
        answer |= {"description": MEANINGS[int(status)], "headers": headers}
    for status, problems in problems_of(operation, method, route, permit, words, settings).items():
        shown = {code: {"summary": problem.title, "value": problem.body()} for code, problem in problems.items()}
        responses[str(status)] = {
            "description": MEANINGS[status],
            "headers": _headers(retry=status == 429, rate=rate and status != 401),
            "content": {PROBLEM_JSON: {"schema": ref("Problem"), "examples": shown}},
        }
    operation["responses"] = responses


def _signs_in(operation: dict[str, Any]) -> bool:
    """Without credentials, and not of a public form: by it people sign in and out."""
    return not operation["security"] and "Signing in" in operation["tags"]


def _who(permit: Permit | None) -> str | None:
    """Who may call it, in a sentence."""
    if permit is None:
        return "Needs no credentials."
    if type(permit) is not Permit:
        return None
    roles = [f"{role}s" for role, permissions in ROLES.items() if permit.needed in permissions]
    who = ["everybody who is signed in" if len(roles) == len(ROLES) else _listed(roles, "and")]
    scopes = [f"`{scope}`" for scope, permissions in SCOPES.items() if permit.needed in permissions]
    who += [f"keys with the scope {_listed(scopes, 'or')}"] if scopes else []
    who += ["external reviewers, who see the one review of their link"] if permit.external else []
    return f"For {'; '.join(who)}."


def _listed(words: list[str], joint: str) -> str:
    return f" {joint} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _complete_parameter(parameter: dict[str, Any]) -> None:
    name, schema = parameter["name"], parameter["schema"]
    without_null(schema)  # A query has none.
    for repeated in ("title", "description"):
        schema.pop(repeated, None)
    parameter.setdefault("description", PARAMETERS.get(name, ""))
    if name in examples.PARAMETERS and "examples" not in parameter:
        parameter["example"] = examples.PARAMETERS[name]


def _show_example(holder: dict[str, Any]) -> None:
    """Beside a body's schema, the example that belongs to it."""
    for media in holder.get("content", {}).values():
        name = media["schema"].get("$ref", "").rpartition("/")[2]
        in_list = re.fullmatch(r"Page_(\w+)_", name)
        example = examples.EXAMPLES.get(in_list[1] if in_list else name)
        if example is not None:
            media["example"] = {"items": [example], "nextCursor": None} if in_list else example


def _headers(*, retry: bool = False, cookie: bool = False, rate: bool = False) -> dict[str, Schema]:
    names = {"x-request-id": "RequestId"}
    names |= {"RateLimit-Policy": "RateLimitPolicy", "RateLimit": "RateLimit"} if rate else {}
    names |= {"Retry-After": "RetryAfter"} if retry else {}
    names |= {"Set-Cookie": "SessionCookie"} if cookie else {}
    return {name: {"$ref": f"#/components/headers/{header}"} for name, header in names.items()}
