"""Checks every response of a service in this process against the OpenAPI document: its status, its media type, and its
JSON, which can't have undeclared properties.
"""

import json
from collections.abc import MutableMapping
from functools import cache
from typing import Any

import jsonschema_rs

Node = dict[str, Any]

API = "/api/v1"
JSON, PROBLEM = "application/json", "application/problem+json"
ANYWHERE = {405, 410}
"""Errors of every route: for a method that it doesn't have, and for a review link that ended, which it needn't take."""
OWN_LINK = "^[a-z][a-z0-9]{0,15}Link$"
"""A deployment's own name for `svcLink`. Its events can be read through another deployment."""


@cache
def strict_document() -> Node:
    """The document, with no other properties than those it declares. All services of a process share it: their routes
    are the same, and building it takes seconds.
    """
    from signoff.app import create_app
    from signoff.platform.settings import load_settings

    return _strict(create_app(load_settings(), dsn="").openapi())


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    strict: Node = {name: value if name in {"example", "examples"} else _strict(value) for name, value in node.items()}
    if node.get("type") == "object" and "properties" in node:
        strict.setdefault("additionalProperties", False)
        if "svcLink" in node["properties"]:
            strict["patternProperties"] = {OWN_LINK: node["properties"]["svcLink"]}
    return strict


@cache
def _operations() -> dict[tuple[str, str], Node]:
    """By method and full path."""
    items = strict_document()["paths"].items()
    return {(method.upper(), API + path): each for path, item in items for method, each in item.items()}


@cache
def _validator(method: str, path: str, status: str, media_type: str) -> jsonschema_rs.Draft202012Validator:
    schema = _operations()[method, path]["responses"][status]["content"][media_type]["schema"]
    components = strict_document()["components"]
    return jsonschema_rs.Draft202012Validator({**schema, "components": components}, validate_formats=True)


def check_response(scope: MutableMapping[str, Any], start: MutableMapping[str, Any], body: bytes) -> None:
    """`scope`: the request's, after the application has handled it. `start`: the response's first message."""
    route = scope.get("fastapi", {}).get("effective_route_context") or scope.get("route")
    path, status = getattr(route, "path", ""), start["status"]
    operation = _operations().get((scope["method"], path))
    if operation is None or status >= 500 or status in ANYWHERE or scope.get("head"):
        return
    name = f"{operation['operationId']}: {status}"
    assert str(status) in operation["responses"], f"{name} isn't declared: {body[:500]!r}"
    declared = operation["responses"][str(status)].get("content", {})
    media_type = dict(start["headers"]).get(b"content-type", b"").decode().partition(";")[0]
    assert media_type in declared or not (declared or body), f"{name} can't be {media_type!r}: {body[:500]!r}"
    if media_type in declared and media_type in {JSON, PROBLEM}:
        validator = _validator(scope["method"], path, str(status), media_type)
        errors = [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(json.loads(body))]
        assert not errors, f"{name} doesn't match the OpenAPI document: {errors}"
