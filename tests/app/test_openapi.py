"""The OpenAPI document: valid, complete, and consistent with the routes and the responses."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from openapi_spec_validator import validate
from support.api import Workspace, unique
from support.declared_responses import check_response
from support.receiver import Receiver

from signoff.app import API, create_app
from signoff.forms.examples import DATA, NEW_FORM
from signoff.forms.inference.form_builder import infer_form
from signoff.forms.preview import preview
from signoff.openapi.tags import TAGS
from signoff.platform.settings import load_settings

PUBLIC = {"listSignInMethods", "getLinkInfo", "signIn", "useSignInLink", "signOut"}
PUBLIC |= {"forgotPassword", "askToUnsubscribe", "unsubscribe", "takeSlackClick"}
PUBLIC |= {"getPublicTrigger", "getChallenge", "submitPublicTrigger"}
UNDOCUMENTED = {f"{API}/docs", f"{API}/openapi.json", f"{API}/auth/oidc/start", f"{API}/auth/oidc/callback"}

Node = dict[str, Any]
Operation = tuple[str, str, Node]


def make_app(**settings: Any) -> FastAPI:
    return create_app(load_settings(**settings), dsn="")


@pytest.fixture(scope="module")
def app() -> FastAPI:
    return make_app()


@pytest.fixture(scope="module")
def document(app: FastAPI) -> Node:
    return app.openapi()


@pytest.fixture(scope="module")
def document_elsewhere() -> Node:
    """The document of a service with other settings."""
    return make_app(public_url="https://signoff.example.com", name_prefix="abc").openapi()


@pytest.fixture(scope="module")
def operations(document: Node) -> list[Operation]:
    return list(operations_of(document["paths"]))


def operations_of(paths: Node) -> Iterator[Operation]:
    for path, item in paths.items():
        for method, operation in item.items():
            yield method, path, operation


def bodies(operation: Node) -> Iterator[Node]:
    """Schema and examples of every request and response body of the operation."""
    for holder in (operation.get("requestBody", {}), *operation["responses"].values()):
        yield from holder.get("content", {}).values()


def examples(body: Node) -> list[Any]:
    return [body["example"]] if "example" in body else [each["value"] for each in body["examples"].values()]


def checker(document: Node) -> Callable[[Node, Any], list[str]]:
    """Returns the errors of a value. Cached, because compiling a schema is slow and most responses share a few."""

    @cache
    def validator(schema: str) -> jsonschema_rs.Draft202012Validator:
        whole = {**json.loads(schema), "components": document["components"]}
        return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)

    def errors(schema: Node, value: Any) -> list[str]:
        return [f"{error.instance_path}: {error.message}" for error in validator(json.dumps(schema)).iter_errors(value)]

    return errors


def errors_of(document: Node, schema: Node, value: Any) -> list[str]:
    return checker(document)(schema, value)


class TestDocument:
    @pytest.mark.slow
    def test_is_valid(self, document: Node) -> None:
        """`make check` also runs Spectral and Redocly on it."""
        validate(document)

    def test_works_with_schemathesis(self, document: Node) -> None:
        schemathesis.openapi.from_dict(document).validate()

    def test_schemas_are_valid(self, document: Node) -> None:
        for schema in document["components"]["schemas"].values():
            jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})

    def test_references_exist(self, document: Node) -> None:
        for reference in set(re.findall(r'"\$ref": "#/(.*?)"', json.dumps(document))):
            node = document
            for name in reference.split("/"):
                node = node[name]

    def test_field_types_match_the_schemas_of_fields(self, document: Node) -> None:
        schemas = document["components"]["schemas"]
        for name, kind in document["x-field-types"].items():
            properties = schemas[f"{name[0].upper()}{name[1:]}Field"]["properties"]
            assert set(properties) - {"id", "type", "path", "default"} == set(kind["settings"])
            for setting, catalogued in kind["settings"].items():
                limits = catalogued.keys() & {"minimum", "maximum", "maxLength", "minItems", "maxItems"}
                assert {limit: catalogued[limit] for limit in limits}.items() <= properties[setting].items()

    def test_events_are_typed(self, document: Node) -> None:
        items = document["components"]["schemas"]["EventPage"]["properties"]["items"]["items"]
        posted = {
            webhook["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
            for webhook in document["webhooks"].values()
        }
        assert {each["$ref"] for each in items["oneOf"]} == posted
        assert items["discriminator"]["mapping"].keys() == document["webhooks"].keys()

    def test_every_schema_is_used(self, document: Node) -> None:
        used = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
        assert set(document["components"]["schemas"]) == used

    def test_matches_the_routes(self, app: FastAPI, operations: list[Operation]) -> None:
        served = {
            (method, str(route.path))
            for route in iter_route_contexts(app.routes)
            for method in route.methods or ()
            if str(route.path).startswith(API) and route.path not in UNDOCUMENTED
        }
        assert {(method.upper(), f"{API}{path}") for method, path, _ in operations} == served

    def test_server_is_the_base_address(self, document_elsewhere: Node) -> None:
        assert document_elsewhere["servers"] == [{"url": "https://signoff.example.com/api/v1"}]

    @pytest.mark.parametrize("name", ["{}Link", "_{}Workflow", "_{}AutoApprove"])
    def test_prefix(self, document: Node, document_elsewhere: Node, name: str) -> None:
        ours, theirs = json.dumps(document), json.dumps(document_elsewhere)
        assert name.format("svc") in ours
        assert name.format("svc") in theirs
        assert name.format("abc") not in theirs


CREATED_OR_FOUND = {("post", "/sessions")}
"""201 for what is new, 200 for what was there already."""


class TestOperations:
    def test_have_short_unique_ids(self, operations: list[Operation]) -> None:
        names = [operation["operationId"] for _, _, operation in operations]
        assert len(set(names)) == len(names)
        assert not [name for name in names if not re.fullmatch(r"[a-z][A-Za-z]{3,30}", name)]
        assert {"requestReview", "getReview", "submitResponse", "getDelivery", "createForm"} <= set(names)

    def test_have_names_of_their_own(self, app: FastAPI) -> None:
        """Clients are generated from the IDs, so they must not change when a function is renamed."""
        for route in iter_route_contexts(app.routes):
            if isinstance(route.original_route, APIRoute) and route.include_in_schema:
                assert route.original_route.operation_id, route.path
                assert route.original_route.summary, route.path

    def test_are_described(self, operations: list[Operation]) -> None:
        for method, path, operation in operations:
            assert operation["summary"], (method, path)
            assert operation["description"], (method, path)
            assert set(operation["tags"]) <= set(TAGS), (method, path)

    def test_parameters_are_described(self, operations: list[Operation]) -> None:
        for method, path, operation in operations:
            for parameter in operation.get("parameters", ()):
                assert parameter["description"], (method, path, parameter["name"])
                assert parameter["in"] != "path" or parameter["example"], (method, path, parameter["name"])

    def test_state_their_permission(self, document: Node, operations: list[Operation]) -> None:
        public = {operation["operationId"] for _, _, operation in operations if not operation["security"]}
        assert public == PUBLIC
        ways = {way for _, _, operation in operations for each in operation["security"] for way in each}
        assert ways == set(document["components"]["securitySchemes"])

    def test_no_key_can_decide(self, operations: list[Operation]) -> None:
        by_name = {operation["operationId"]: operation for _, _, operation in operations}
        for name in ("submitResponse", "requestRetry", "makeSignInLink", "changeProfile"):
            assert {"apiKey": []} not in by_name[name]["security"], name

    def test_examples_exist_and_are_valid(self, document: Node, operations: list[Operation]) -> None:
        errors = checker(document)
        for method, path, operation in [*operations, *operations_of(document["webhooks"])]:
            for body in bodies(operation):
                assert examples(body), (method, path)
                for example in examples(body):
                    assert not errors(body["schema"], example), (method, path)

    def test_computed_examples_are_current(self, operations: list[Operation]) -> None:
        shown = {
            operation["operationId"]: operation["responses"]["200"]["content"]["application/json"]["example"]
            for _, _, operation in operations
            if operation["operationId"] in {"previewForm", "makeFormFromSample"}
        }
        assert shown["previewForm"] == preview(NEW_FORM, DATA, None).model_dump(by_alias=True)
        assert shown["makeFormFromSample"] == infer_form(DATA, NEW_FORM["name"]).model_dump(by_alias=True)

    def test_have_a_success(self, operations: list[Operation]) -> None:
        for method, path, operation in operations:
            successes = [each for each in operation["responses"].items() if each[0].startswith("2")]
            assert len(successes) == (2 if (method, path) in CREATED_OR_FOUND else 1), (method, path)
            for status, answer in successes:
                kinds = answer.get("content", {}).values()
                assert status == "204" or (kinds and all("example" in kind for kind in kinds)), (method, path)

    def test_responses_have_a_model(self, operations: list[Operation]) -> None:
        """`support/declared_responses.py` checks every response of the tests against it."""
        for method, path, operation in operations:
            for answer in operation["responses"].values():
                for media_type, body in answer.get("content", {}).items():
                    assert "$ref" in body["schema"] or not media_type.startswith("application/json"), (method, path)
                    assert body["schema"], (method, path)

    def test_errors(self, operations: list[Operation]) -> None:
        for method, path, operation in operations:
            errors = {int(status): answer for status, answer in operation["responses"].items() if status[0] != "2"}
            expected = {401, 403} if operation["security"] else set()
            expected |= {400, 404} if "{" in path else set()
            expected |= {400, 413, 415, 422} if "requestBody" in operation else set()
            assert expected <= set(errors) <= {400, 401, 403, 404, 408, 409, 410, 413, 415, 422, 429, 503}, (
                method,
                path,
            )
            for status, answer in errors.items():
                shown = answer["content"]["application/problem+json"]["examples"]
                assert {each["value"]["status"] for each in shown.values()} == {status}, (method, path)
                assert all(each["value"]["code"] == code for code, each in shown.items()), (method, path)

    def test_headers(self, operations: list[Operation]) -> None:
        for method, path, operation in operations:
            for status, answer in operation["responses"].items():
                assert "x-request-id" in answer["headers"], (method, path, status)
                assert ("Retry-After" in answer["headers"]) == (status == "429"), (method, path, status)
        by_name = {operation["operationId"]: operation for _, _, operation in operations}
        assert [each["name"] for each in by_name["requestReview"]["parameters"]] == ["Idempotency-Key"]
        assert "Set-Cookie" in by_name["signIn"]["responses"]["200"]["headers"]

    def test_null_only_where_it_clears_a_field(self, document: Node) -> None:
        change = document["components"]["schemas"]["AgentChange"]
        assert errors_of(document, change, {"name": None})
        assert not errors_of(document, change, {"webhookUrl": None})


class TestCheckOfResponses:
    """What `support/declared_responses.py` rejects in the responses of all other tests."""

    @pytest.mark.parametrize(
        ("status", "media_type", "body", "problem"),
        [
            (200, "application/json", {"deleted": True, "reviewId": "rev_1"}, None),
            (200, "application/json", {"deleted": True, "reviewId": "rev_1", "more": 1}, "'more' was unexpected"),
            (200, "application/json", {"deleted": True}, '"reviewId" is a required property'),
            (200, "application/json", {"deleted": True, "reviewId": None}, 'null is not of type "string"'),
            (202, "application/json", {"deleted": True, "reviewId": "rev_1"}, "isn't declared"),
            (200, "text/plain", {"deleted": True, "reviewId": "rev_1"}, "can't be 'text/plain'"),
            (404, "application/problem+json", {"code": "not_found"}, '"title" is a required property'),
        ],
    )
    def test_is_strict(self, status: int, media_type: str, body: Node, problem: str | None) -> None:
        request = {"method": "DELETE", "route": SimpleNamespace(path=f"{API}/reviews/{{reviewId}}")}
        response = {"status": status, "headers": [(b"content-type", media_type.encode())]}
        if problem is None:
            check_response(request, response, json.dumps(body).encode())
        else:
            with pytest.raises(AssertionError, match=problem):
                check_response(request, response, json.dumps(body).encode())


class TestEvents:
    """Delivered events match the document."""

    async def test_review_completed(self, document: Node, workspace: Workspace, receiver: Receiver) -> None:
        url, path = self._webhook(receiver)
        form = await workspace.make_form()
        review = await workspace.request(form, webhookUrl=url, meta={"_svcWorkflow": {}, "ticket": "A-17"})
        await workspace.decide(review["reviewId"], data={"tags": ["a"], "body": "Leaves are falling."})
        [call] = await receiver.wait_for(path)
        self._check(document, "review.completed", call.json, call.headers)

    async def test_retry_requested(self, document: Node, workspace: Workspace, receiver: Receiver) -> None:
        url, path = self._webhook(receiver)
        review = await workspace.request(await workspace.make_form(), webhookUrl=url)
        asked = {"instructions": "Shorter.", "fieldIds": ["body"]}
        answer = await workspace.owner.post(f"/reviews/{review['reviewId']}/retry", json=asked)
        assert answer.status_code == 200
        [call] = await receiver.wait_for(path)
        self._check(document, "review.retry_requested", call.json, call.headers)

    @staticmethod
    def _webhook(receiver: Receiver) -> tuple[str, str]:
        path = f"/{unique('documented')}"
        return receiver.url + path, path

    @staticmethod
    def _check(document: Node, event: str, payload: Any, headers: dict[str, str]) -> None:
        operation = document["webhooks"][event]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        assert not errors_of(document, schema, payload)
        described = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]["properties"]
        assert set(payload) <= set(described)
        assert {parameter["name"] for parameter in operation["parameters"]} <= set(headers)
