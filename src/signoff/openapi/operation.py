"""Complete one operation of the document in place."""

from inspect import isclass
from typing import Any, cast, get_args

from fastapi.routing import RouteContext
from pydantic import BaseModel

from signoff.accounts.actors import ROLES, SCOPES
from signoff.accounts.dependencies import RequirePermission
from signoff.openapi.problems import list_errors
from signoff.openapi.review_types import BODIES, Schema, ref, without_null
from signoff.platform.http.error_handlers import PROBLEM_JSON
from signoff.platform.http.json_routes import JSON
from signoff.platform.schemas import Page
from signoff.platform.settings import Settings

STATUS_DESCRIPTIONS = {
    200: "OK.",
    201: "Created.",
    202: "Accepted.",
    204: "No content.",
    400: "Malformed JSON, or an invalid path or query parameter.",
    401: "Missing or invalid credentials.",
    403: "Your credentials don't allow this.",
    404: "Not found.",
    408: "The request body arrived too slowly or stopped arriving.",
    409: "Conflicts with the current state.",
    410: "The review link no longer works. See `code` for the reason.",
    413: "The request body is too large.",
    415: "Unsupported content type.",
    422: "Validation failed. `errors` lists up to 50 problems.",
    429: "Too many requests. Wait the number of seconds in `Retry-After`, then try again.",
    503: "Temporarily unavailable. Try again.",
}


def complete(
    operation: dict[str, Any],
    method: str,
    path: str,
    route: RouteContext,
    settings: Settings,
) -> None:
    permit = next((d.call for d in route.dependant.dependencies if isinstance(d.call, RequirePermission)), None)
    security = operation.setdefault("security", permit.security if permit else [])
    access = _describe_permission(permit, for_keys={"apiKey": []} in security)
    operation["description"] = "\n\n".join(filter(None, (operation.get("description"), access)))
    for parameter in operation.get("parameters", ()):
        _complete_parameter(parameter)
    if (method, path) in BODIES:
        name, example = BODIES[method, path]
        operation["requestBody"] = {"content": {JSON: {"schema": ref(name), "example": example}}, "required": True}
    elif route.body_field is not None:
        _show_example(operation["requestBody"], route.body_field.field_info.annotation)
    rate = permit is not None and {"apiKey": []} in permit.security
    responses = {status: answer for status, answer in operation["responses"].items() if status.startswith("2")}
    for status, answer in responses.items():
        _show_example(answer, route.responses.get(int(status), {}).get("model", route.response_model))
        headers = {**answer.get("headers", {}), **_headers(cookie=_is_sign_in(operation), rate=rate)}
        answer |= {"description": STATUS_DESCRIPTIONS[int(status)], "headers": headers}
    for status, errors in list_errors(operation, method, route, permit, settings).items():
        responses[str(status)] = {
            "description": STATUS_DESCRIPTIONS[status],
            "headers": _headers(retry=status == 429, rate=rate and status != 401),
            "content": {PROBLEM_JSON: {"schema": ref("Problem"), "examples": errors}},
        }
    operation["responses"] = responses


def _is_sign_in(operation: dict[str, Any]) -> bool:
    """Whether it's for signing in or out: it needs no credentials and isn't part of a public form."""
    return not operation["security"] and "Sign-in" in operation["tags"]


def _describe_permission(permit: RequirePermission | None, *, for_keys: bool) -> str | None:
    """Return who may call it, as a sentence. Without `for_keys`, the route refuses all API keys."""
    if permit is None:
        return "No authentication required."
    if type(permit) is not RequirePermission:
        return None
    roles = [f"{role}s" for role, permissions in ROLES.items() if permit.needed in permissions]
    who = ["all members" if len(roles) == len(ROLES) else _join_words(roles, "and")]
    scopes = [f"`{scope}`" for scope, permissions in SCOPES.items() if for_keys and permit.needed in permissions]
    who += [f"API keys with the {_join_words(scopes, 'or')} scope"] if scopes else []
    who += ["external reviewers (their own review only)"] if permit.external else []
    return f"**Access:** {'; '.join(who)}."


def _join_words(words: list[str], joint: str) -> str:
    if len(words) < 3:
        return f" {joint} ".join(words)
    return f"{', '.join(words[:-1])}, {joint} {words[-1]}"


def _complete_parameter(parameter: dict[str, Any]) -> None:
    schema = parameter["schema"]
    without_null(schema)  # A query has no null.
    for repeated in ("title", "description"):
        schema.pop(repeated, None)
    if "examples" in schema:
        [parameter["example"]] = schema.pop("examples")


def _show_example(holder: dict[str, Any], model: Any) -> None:
    """Show the model's example of a body, unless the route has its own."""
    example = _find_example(model)
    if example is not None:
        holder["content"][JSON]["example"] = example


def _find_example(model: Any) -> Any:
    if not (isclass(model) and issubclass(model, BaseModel)):
        return None
    if issubclass(model, Page):
        [item] = get_args(model.model_fields["items"].annotation)
        return {"items": [_find_example(item)], "nextCursor": None}
    extra = cast(dict[str, Any], model.model_config.get("json_schema_extra", {}))
    return extra["examples"][0] if extra else None


def _headers(*, retry: bool = False, cookie: bool = False, rate: bool = False) -> dict[str, Schema]:
    names = {"x-request-id": "RequestId"}
    names |= {"RateLimit-Policy": "RateLimitPolicy", "RateLimit": "RateLimit"} if rate else {}
    names |= {"Retry-After": "RetryAfter"} if retry else {}
    names |= {"Set-Cookie": "SessionCookie"} if cookie else {}
    return {name: {"$ref": f"#/components/headers/{header}"} for name, header in names.items()}
