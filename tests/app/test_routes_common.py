"""What all routes have in common."""

from collections.abc import AsyncIterator, Callable, Iterator
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI
from support.in_process import Service

from signoff.health import router as health
from signoff.platform.db import Database
from signoff.platform.http.error_handlers import install_error_handlers


@pytest.fixture(scope="module")
def client(service: Service, new_sync_client: Callable[..., httpx.Client]) -> Iterator[httpx.Client]:
    with new_sync_client(service, **{"x-api-key": service.workspace["manageKey"]}) as client:
        yield client


class TestUnknown:
    @pytest.mark.parametrize(
        "path", ["/api/v1/nothing", "/api/v1", "/api/v1/agents/", "/nothing", "/assets/nothing.js"]
    )
    def test_path(self, client: httpx.Client, path: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["code"] == "not_found"

    @pytest.mark.parametrize(
        ("method", "path", "allowed"),
        [
            ("PUT", "/api/v1/account", "GET, HEAD, PATCH"),
            ("GET", "/api/v1/requestReview", "POST"),
            ("POST", "/api/v1/reviews/x", "DELETE, GET, HEAD"),
            ("POST", "/sign-in", "GET, HEAD"),
            ("BREW", "/healthz", "GET, HEAD"),
        ],
    )
    def test_method(self, client: httpx.Client, method: str, path: str, allowed: str) -> None:
        answer = client.request(method, path)
        assert answer.status_code == 405
        assert answer.headers["allow"] == allowed
        assert answer.json()["code"] == "method_not_allowed"


class TestHead:
    @pytest.mark.parametrize("path", ["/healthz", "/sign-in", "/api/v1/docs", "/api/v1/agents", "/api/v1/agents/none"])
    def test_is_like_get_without_a_body(self, client: httpx.Client, path: str) -> None:
        head, get = client.head(path), client.get(path)
        assert head.status_code == get.status_code
        assert head.content == b""
        for name in ("content-type", "content-length"):
            assert head.headers[name] == get.headers[name]


class TestCaching:
    @pytest.mark.parametrize(
        "path", ["/api/v1/agents", "/api/v1/agents/none", "/api/v1/nothing", "/api/v1/reviews?limit=0", "/healthz"]
    )
    def test_responses_are_not_cached(self, client: httpx.Client, path: str) -> None:
        assert client.get(path).headers["cache-control"] == "no-store"

    def test_errors_are_not_cached(self, client: httpx.Client) -> None:
        refused = client.get("/api/v1/agents", headers={"x-api-key": "none"})
        assert (refused.status_code, refused.headers["cache-control"]) == (401, "no-store")

    def test_own_cache_headers_are_kept(self, client: httpx.Client) -> None:
        assert client.get("/icon.svg").headers["cache-control"].startswith("public, max-age=")


class TestMetrics:
    def test_route_label_is_the_declared_path(self, client: httpx.Client) -> None:
        client.get("/api/v1/agents/one")
        client.get("/api/v1/agents/another")
        client.head("/healthz")
        shown = client.get("/metrics").text
        assert 'signoff_http_request_seconds_count{method="GET",route="/api/v1/agents/{agentId}",status="404"}' in shown
        assert 'signoff_http_request_seconds_count{method="HEAD",route="/healthz",status="200"}' in shown
        assert 'route="/agents' not in shown

    def test_unknown_methods_share_one_label(self, client: httpx.Client) -> None:
        for number in range(3):
            client.request(f"BREW{number}", "/healthz")
        shown = client.get("/metrics").text
        assert 'method="(other)",route="/healthz",status="405"' in shown
        assert "BREW" not in shown


class NoConnection:
    """A pool that can't get a connection."""

    async def __aenter__(self) -> None:
        raise ConnectionRefusedError("the database is gone")

    async def __aexit__(self, *_: object) -> None: ...


def lost_database() -> Database:
    return Database("", SimpleNamespace(acquire=NoConnection))


@pytest.fixture
async def without_database() -> AsyncIterator[httpx.AsyncClient]:
    """The health routes and the error handlers, in a process that has lost its database."""
    app = FastAPI()
    install_error_handlers(app)
    app.include_router(health)
    app.state.context = SimpleNamespace(db=lost_database())

    @app.get("/anything")
    async def read() -> object:
        return await app.state.context.db.fetch("select 1")

    @app.get("/transaction")
    async def write() -> None:
        async with app.state.context.db.transaction():
            pass

    @app.get("/file")
    async def open_file() -> None:
        raise FileNotFoundError("/etc/nothing")

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://signoff.test") as client:
        yield client


class TestLostDatabase:
    @pytest.mark.parametrize("path", ["/anything", "/transaction"])
    async def test_responds_with_503(self, without_database: httpx.AsyncClient, path: str) -> None:
        answer = await without_database.get(path)
        assert answer.status_code == 503
        assert answer.json()["code"] == "unavailable"
        assert answer.headers["retry-after"] == "5"
        assert "gone" not in answer.text

    async def test_file_errors_are_not_mistaken_for_it(self, without_database: httpx.AsyncClient) -> None:
        with pytest.raises(FileNotFoundError):  # which the outermost layer turns into an internal error
            await without_database.get("/file")

    async def test_process_metrics_still_work(self, without_database: httpx.AsyncClient) -> None:
        answer = await without_database.get("/metrics")
        assert answer.status_code == 200
        assert "signoff_reviews_requested_total" in answer.text
        assert "signoff_jobs_waiting{" not in answer.text
