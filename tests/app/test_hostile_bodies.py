"""Bodies designed to stop the service: it rejects them and keeps responding to everyone else."""

import json
import socket
from collections.abc import AsyncIterator, Callable
from functools import cache

import httpx
import pytest
from support.api import Workspace
from support.in_process import Service
from support.responsiveness import assert_responsive_during
from support.service_process import RunningService, new_client

from signoff.platform.errors import MAX_REPORTED_ERRORS
from signoff.platform.request_body import EXTERNAL, MAX_DEPTH, MAX_VALUES, PUBLIC


@pytest.fixture
async def stranger(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    async with new_client(service.api) as client:
        yield client


@pytest.fixture
async def health(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    async with new_client(service.url) as client:
        yield client


@cache
def members(number: int) -> bytes:
    return json.dumps({f"member{index}": index for index in range(number)}).encode()


@cache
def values(number: int) -> bytes:
    return b'{"formId": "none", "data": {"a": [' + b",".join([b"0"] * number) + b"]}}"


async def post(client: httpx.AsyncClient, path: str, body: bytes) -> httpx.Response:
    return await client.post(path, content=body, headers={"content-type": "application/json"})


class TestManyMembers:
    @pytest.mark.parametrize(
        ("path", "status"),
        [("/auth/login", 413), ("/auth/link", 413), ("/requestReview", 401), ("/agents", 401), ("/uploadFiles", 401)],
    )
    async def test_without_credentials(
        self, stranger: httpx.AsyncClient, health: httpx.AsyncClient, path: str, status: int
    ) -> None:
        answer = await assert_responsive_during(health, post(stranger, path, members(400_000)))
        assert answer.status_code == status
        assert len(answer.content) < 1_000

    @pytest.mark.parametrize("body", [members, values])
    @pytest.mark.parametrize("path", ["/requestReview", "/forms/preview"])
    async def test_with_credentials(
        self, workspace: Workspace, health: httpx.AsyncClient, path: str, body: Callable[[int], bytes]
    ) -> None:
        answer = await assert_responsive_during(health, post(workspace.agent, path, body(400_000)))
        assert (answer.status_code, answer.json()["code"]) == (413, "too_complex")
        assert answer.json()["maxValues"] == MAX_VALUES

    async def test_at_the_limit(self, workspace: Workspace, health: httpx.AsyncClient) -> None:
        answer = await assert_responsive_during(
            health, post(workspace.agent, "/requestReview", values(MAX_VALUES - 10))
        )
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")  # it got as far as the review type

    async def test_commas_in_strings_are_not_counted(self, workspace: Workspace) -> None:
        text = json.dumps({"formId": "none", "data": {"text": ',[{\\",' * 100_000}}).encode()
        answer = await post(workspace.agent, "/requestReview", text)
        assert answer.json()["code"] == "not_found"


class TestReportedErrors:
    async def test_are_the_first_and_the_number_of_the_rest(self, stranger: httpx.AsyncClient) -> None:
        answer = await post(stranger, "/auth/login", members(1_500))
        assert answer.status_code == 422
        problem = answer.json()
        assert len(problem["errors"]) == MAX_REPORTED_ERRORS
        assert problem["detail"].endswith(" (and 1,501 more).")  # email and password are missing too

    async def test_of_an_authenticated_caller_too(self, workspace: Workspace, health: httpx.AsyncClient) -> None:
        answer = await assert_responsive_during(health, post(workspace.manager, "/agents", members(MAX_VALUES - 1)))
        assert answer.status_code == 422
        assert len(answer.json()["errors"]) == MAX_REPORTED_ERRORS


class TestDepth:
    @pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
    async def test_is_limited(self, stranger: httpx.AsyncClient, opening: bytes, closing: bytes) -> None:
        deep = opening * (MAX_DEPTH + 2) + b"0" + closing * (MAX_DEPTH + 2)
        answer = await post(stranger, "/auth/login", deep)
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "too_deep")


class TestWithoutCredentials:
    """Routes that need a caller say so without reading the body."""

    @pytest.mark.parametrize("path", ["/requestReview", "/agents", "/forms/preview", "/uploadFiles", "/auth/me"])
    def test_is_rejected_before_the_body_is_read(self, real_service: RunningService, path: str) -> None:
        method = "PATCH" if path == "/auth/me" else "POST"
        address = real_service.url.removeprefix("http://").split(":")
        with socket.create_connection((address[0], int(address[1])), timeout=60) as line:
            head = f"{method} /api/v1{path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            line.sendall(f"{head}Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n".encode())
            assert line.recv(65536).startswith(b"HTTP/1.1 401 ")

    @pytest.mark.parametrize("body", [b"{not json", b'{"unknown": 1}', b""])
    async def test_does_not_describe_errors_in_the_body(self, stranger: httpx.AsyncClient, body: bytes) -> None:
        answer = await post(stranger, "/agents", body)
        assert (answer.status_code, answer.json()["code"]) == (401, "invalid_api_key")


class TestSmallLimits:
    @pytest.mark.parametrize("path", ["/auth/login", "/auth/link", "/auth/linkInfo", "/auth/forgotPassword"])
    async def test_of_public_routes(self, stranger: httpx.AsyncClient, path: str) -> None:
        answer = await post(stranger, path, json.dumps({"email": "x" * PUBLIC.bytes}).encode())
        assert (answer.status_code, answer.json()["maxBytes"]) == (413, PUBLIC.bytes)

    async def test_of_external_reviewers(self, workspace: Workspace, stranger: httpx.AsyncClient) -> None:
        asked = await workspace.request(await workspace.make_form(), extReviewers=["guest@example.org"])
        stranger.headers["x-review-token"] = httpx.URL(asked["extReviewerLinks"][0]["link"]).params["token"]
        path = f"/reviews/{asked['reviewId']}/response"
        answer = await post(stranger, path, json.dumps({"data": {"a": "x" * EXTERNAL.bytes}}).encode())
        assert (answer.status_code, answer.json()["maxBytes"]) == (413, EXTERNAL.bytes)
