"""Requests that the document allows, and many that it doesn't: every response is a declared one."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import Phase, given, settings
from hypothesis.strategies import SearchStrategy
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from support.in_process import Service, StartService
from support.prepared_data_dir import EMAIL, PASSWORD
from support.service_process import RunningService, running_service

import requests
from signoff.forms.examples import NEW_FORM
from signoff.openapi.tags import TAGS
from signoff.platform import examples
from signoff.reviews.examples import REVIEW_REQUEST

UNUSED_URL = "http://127.0.0.1:9"
SCHEMATHESIS = str(Path(sys.executable).with_name("schemathesis"))

# Only the examples have to be accepted. For other valid requests that can't be expected: a form has to exist, a name
# has to be free.
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "allow_header_conformance",
    "missing_required_header",
    "ignored_auth",
    "use_after_free",
    "ensure_resource_availability",
)
QUICK_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SETTINGS = {"sign_in_failures": 1000, "webhook_timeout": 1, "webhook_retry_schedule": "0.1", "log_level": "warning"}
REVOKES_ITS_CREDENTIALS = {"session": ["signOut", "endOwnSession"], "apiKey": ["revokeApiKey", "changeApiKey"]}
# Thousands of cases for 23 field types; the tests of review types cover those.
TOO_MANY_CASES = ["createForm", "changeForm"]
# A stream continues until someone ends it; `tests/inbox` covers it.
ENDLESS = ["followChanges"]
# It calls the chat app, and there is none: `tests/notifications` connects its own.
NEEDS_A_CHAT_APP = ["connectSlack", "connectMattermost"]
# An example is text, which is never an image, so the service is right to reject it. `tests/media` uploads real ones. A
# message's attachment belongs to one session: `tests/sessions` sends real ones.
EXAMPLE_NOT_ENOUGH = ["uploadFiles", "createMessage"]
# A deleted review type is archived, because its reviews, and people who want to restore it, still need it.
ARCHIVED_STAYS_READABLE = [
    "getForm",
    "changeForm",
    "archiveForm",
    "listFormVersions",
    "getFormVersion",
    "compareFormVersions",
    "getFormCode",
    "exportForm",
    "restoreFormVersion",
    "unarchiveForm",
    "duplicateForm",
    "previewForm",
]


@dataclass
class Subject:
    service: Service | RunningService
    credentials: dict[str, str]
    known: dict[str, list[str]]
    """IDs that exist, by the parameter that takes them."""


@pytest.fixture
def subject(tmp_path: Path) -> Iterator[Subject]:
    """A separate service, because the test deletes much of it."""
    with running_service(tmp_path, **SETTINGS) as service, httpx.Client(base_url=service.api, timeout=60) as owner:
        yield _subject(service, owner)


@pytest.fixture(scope="module")
async def in_process(start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(**SETTINGS) as service:
        yield service


@pytest.fixture(scope="module")
def quick_subject(in_process: Service, new_sync_client: Callable[..., httpx.Client]) -> Iterator[Subject]:
    with new_sync_client(in_process) as owner:
        owner.base_url = in_process.api
        yield _subject(in_process, owner)


def _subject(service: Service | RunningService, owner: httpx.Client) -> Subject:
    _create(owner, "/auth/login", email=EMAIL, password=PASSWORD)
    key = _create(owner, "/apiKeys", name="all", scopes=["reviews:write", "reviews:read", "manage"])
    return Subject(
        service,
        {"session": owner.cookies["signoff_session"], "apiKey": key["apiKey"]},
        _create_content(owner) | {"ownerId": [service.workspace["userId"]]},
    )


def _create(client: httpx.Client, path: str, **members: Any) -> dict[str, Any]:
    answer = client.post(path, json=members)
    assert answer.is_success, answer.text
    return answer.json()


def _create_content(owner: httpx.Client) -> dict[str, list[str]]:
    """What the document's examples refer to, and a few more of each."""
    agent = _create(owner, "/agents", name="agent", webhookUrl=UNUSED_URL)["agentId"]
    forms = [_create(owner, "/forms", **NEW_FORM | {"agentId": agent})["formId"] for _ in range(3)]
    data = REVIEW_REQUEST["data"]
    reviews = [_create(owner, "/requestReview", formId=form, data=data)["reviewId"] for form in forms * 4]
    decided = [_create(owner, f"/reviews/{review}/response", response="approved") for review in reviews[-3:]]
    emails = [examples.EDITOR, *(f"{number}@example.com" for number in range(3))]
    people = [_create(owner, "/users", email=email, role="editor")["userId"] for email in emails]
    return {
        "agentId": [agent],
        "formId": forms,
        "reviewId": reviews,
        "deliveryId": [review["webhookDeliveryId"] for review in decided],
        "userId": people,
        "groupId": [_create(owner, "/groups", name=f"group {n}", members=people)["groupId"] for n in range(3)],
        "keyId": [_create(owner, "/apiKeys", name=f"key {n}")["keyId"] for n in range(3)],
    }


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("way", ["session", "apiKey"])
def test_every_response_is_declared(subject: Subject, way: str, tmp_path: Path) -> None:
    document = httpx.get(f"{subject.service.api}/openapi.json", timeout=60).json()
    text = _with_real_ids(subject, json.dumps(_only_operations_for(way, document)))
    (tmp_path / "openapi.json").write_text(text)
    (tmp_path / "schemathesis.toml").write_text(_configuration(subject, way))
    run = subprocess.run(
        [SCHEMATHESIS, "--config-file", "schemathesis.toml", "run", "openapi.json", "--no-color"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr}"
    failed = [line for line in subject.service.log.read_text().splitlines() if "request failed" in line]
    assert not failed, "\n".join(failed)
    cookies, headers = {"signoff_session": subject.credentials["session"]}, {"x-api-key": subject.credentials["apiKey"]}
    with httpx.Client(**{"session": {"cookies": cookies}, "apiKey": {"headers": headers}}[way], timeout=60) as client:
        assert client.get(f"{subject.service.api}/authCheck").is_success, "locked out: most of this showed nothing"


@pytest.fixture(scope="module", params=["session", "apiKey"])
def operations(
    request: pytest.FixtureRequest, quick_subject: Subject, new_sync_client: Callable[..., httpx.Client]
) -> tuple[dict[str, str], list[schemathesis.APIOperation]]:
    """Valid credentials as headers, and the operations they allow."""
    way, credentials = request.param, quick_subject.credentials
    headers = {
        "session": {"cookie": f"signoff_session={credentials['session']}"},
        "apiKey": {"x-api-key": credentials["apiKey"]},
    }[way]
    left_out = REVOKES_ITS_CREDENTIALS[way] + NEEDS_A_CHAT_APP + ENDLESS
    with new_sync_client(quick_subject.service) as client:
        document = _only_operations_for(way, client.get("/api/v1/openapi.json").json())
    schema = schemathesis.openapi.from_dict(json.loads(_with_real_ids(quick_subject, json.dumps(document))))
    found = [each.ok() for each in schema.get_all_operations()]
    return headers, [each for each in found if each.definition.raw["operationId"] not in left_out]


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("cases", ["examples", "others"])
def test_few_cases_for_each_operation(
    quick_subject: Subject,
    new_sync_client: Callable[..., httpx.Client],
    operations: tuple[dict[str, str], list[schemathesis.APIOperation]],
    cases: str,
    tag: str,
) -> None:
    """The short run: the document's examples, and one or two generated cases."""
    api = quick_subject.service.api
    headers, found = operations
    with new_sync_client(quick_subject.service) as client:
        for operation in found:
            if tag not in operation.definition.raw["tags"]:
                continue
            if cases == "others":
                _send(client, api, headers, operation.as_strategy(), 2)
            else:
                for example in operation.get_strategies_from_examples():
                    _send(client, api, headers, example, 1)


def _send(
    client: httpx.Client, api: str, headers: dict[str, str], cases: SearchStrategy[schemathesis.Case], number: int
) -> None:
    @settings(max_examples=number, derandomize=True, database=None, deadline=None, phases=[Phase.generate])
    @given(cases)
    def send(case: schemathesis.Case) -> None:
        asked = requests.Request(**case.as_transport_kwargs(base_url=api, headers=headers)).prepare()
        answer = client.request(
            str(asked.method), str(asked.url), headers=dict(asked.headers), content=asked.body or b""
        )
        case.validate_response(answer, checks=QUICK_CHECKS)

    send()


def _with_real_ids(subject: Subject, document: str) -> str:
    """The document with examples that use this workspace's IDs."""
    shown = {
        parameter["name"]: parameter["example"]
        for item in json.loads(document)["paths"].values()
        for operation in item.values()
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "path" and operation["tags"] != ["Sign-in"]
    }
    for name, ids in subject.known.items():
        document = document.replace({**shown, "ownerId": examples.USER_ID}[name], ids[0])
    for host in ("agent", "siem", "chat"):
        document = document.replace(f"https://{host}.example.com", UNUSED_URL)
    return document


def _only_operations_for(way: str, document: dict[str, Any]) -> dict[str, Any]:
    """The document without other credentials, and without the operations that these don't allow."""
    for path, item in document["paths"].items():
        document["paths"][path] = {
            method: operation | {"security": [{way: []}] if operation["security"] else []}
            for method, operation in item.items()
            if not operation["security"] or {way: []} in operation["security"]
        }
        for operation in item.values():
            for parameter in operation.get("parameters", ()):
                if parameter["name"] == "wait":
                    parameter["schema"]["maximum"] = 0.1  # nobody has a minute for each case
    return document


def _configuration(subject: Subject, way: str) -> str:
    """TOML: strings and lists of strings are written as in JSON."""
    left_out = REVOKES_ITS_CREDENTIALS[way] + NEEDS_A_CHAT_APP + (ENDLESS if way == "session" else [])
    lines = [
        f"base-url = {json.dumps(subject.service.api)}",
        "cache.enabled = false",
        "generation = { max-examples = 6, deterministic = true, database = 'none' }",
        f"auth.openapi.{way}.api_key = {json.dumps(subject.credentials[way])}",
        "checks.enabled = false",
        *(f"checks.{check}.enabled = true" for check in CHECKS),
        "phases.examples.checks.positive_data_acceptance.enabled = true",
        f"phases.coverage.enabled = {json.dumps(way == 'session')}",
        *(f"dictionaries.{name}.values = {json.dumps(ids)}" for name, ids in subject.known.items()),
        *(f"parameters.'path.{name}' = {{ dictionary = '{name}', probability = 0.8 }}" for name in subject.known),
        "parameters.'body.formId' = { dictionary = 'formId', probability = 0.8 }",
        "parameters.'body.reviewId' = { dictionary = 'reviewId', probability = 0.5 }",
        "[[operations]]",
        f"include-operation-id = {json.dumps(left_out)}",
        "enabled = false",
        "[[operations]]",
        f"include-operation-id = {json.dumps(TOO_MANY_CASES)}",
        "phases.coverage.enabled = false",
        "[[operations]]",
        f"include-operation-id = {json.dumps(EXAMPLE_NOT_ENOUGH)}",
        "phases.examples.checks.positive_data_acceptance.enabled = false",
        "[[operations]]",
        f"include-operation-id = {json.dumps(ARCHIVED_STAYS_READABLE)}",
        "checks.use_after_free.enabled = false",
    ]
    return "\n".join(lines)
