"""The pages that the service renders itself, read like a browser and like an attacker."""

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from html.parser import HTMLParser
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from support.api import Workspace, assert_ok, unique
from support.in_process import Service, StartService
from support.service_process import RunningService

from signoff.pages.web_app import PAGES as DECLARED

NewClient = Callable[..., httpx.Client]

ADDRESSES = [
    "/",
    "/sign-in",
    "/signed-in",
    "/sign-in?token=sgl_x",
    "/reviews/rev_x",
    "/external/rev_x?token=ext_x",
    "/triggers/frm_x",
    "/f/pub_x",
    "/runs/run_x",
    "/sessions",
    "/sessions/ses_x",
    "/review-types",
    "/review-types/frm_x",
    "/insights",
    "/settings",
    "/settings/people",
]
EVERY = [*ADDRESSES, "/api/v1/docs"]
HOSTILE = "\"><script>alert(1)</script>'"
BELOW = "https://apps.example.com/sign%20off/inbox"
"""A public address below a proxy's path."""


class Page(HTMLParser):
    """What a page loads, links to, and runs."""

    def __init__(self, answer: httpx.Response) -> None:
        super().__init__()
        self.base = str(answer.url)
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.inline: list[str] = []
        self.ids: list[str] = []
        self.metas: dict[str | None, str | None] = {}
        self.url = self.base
        self.feed(answer.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.inline += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline.append(tag)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "meta":
            self.metas[given.get("name")] = given.get("content")
        if tag == "base":
            self.base = urljoin(self.url, given["href"])
        elif tag == "a":
            self.links.append(str(given["href"]))
        elif address := given.get("src") or given.get("href"):
            self.loaded.append(urljoin(self.base, address))

    def files(self) -> list[str]:
        """Files whose name changes with their content."""
        return [address for address in self.loaded if not address.endswith("/icon.svg")]


def directives(answer: httpx.Response) -> dict[str, list[str]]:
    parts = (part.split() for part in answer.headers["content-security-policy"].split(";"))
    return {name: values for name, *values in parts}


@pytest.fixture(scope="module")
def client(service: Service, new_sync_client: NewClient) -> Iterator[httpx.Client]:
    with new_sync_client(service) as client:
        client.get("/api/v1/docs")  # written at the first request, which takes longer than any test here
        yield client


@pytest.fixture(scope="module")
def script(client: httpx.Client) -> str:
    """The URL of the web app's first script."""
    return next(address for address in Page(client.get("/")).files() if address.endswith(".js"))


class TestEveryPage:
    @pytest.mark.parametrize("path", EVERY)
    def test_runs_only_our_own_files(self, client: httpx.Client, path: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        page = Page(answer)
        assert page.inline == []
        assert page.files()
        assert {urlsplit(address).netloc for address in page.loaded} == {urlsplit(page.url).netloc}
        for address in page.loaded:
            assert client.get(address).status_code == 200, address
        for address in page.files():
            assert "immutable" in client.get(address).headers["cache-control"], address

    @pytest.mark.parametrize("path", EVERY)
    def test_links_exist(self, client: httpx.Client, path: str) -> None:
        page = Page(client.get(path))
        for link in set(page.links):
            address, _, place = urljoin(page.url, link).partition("#")
            target = page if address == page.url.partition("#")[0] else Page(client.get(address))
            assert not place or place in target.ids, link

    @pytest.mark.parametrize("path", ["/", "/sign-in", "/reviews/x", "/external/x", "/settings/x", "/api/v1/docs"])
    @pytest.mark.parametrize("name", ["token", "next", "error", "x"])
    def test_does_not_show_the_query(self, client: httpx.Client, path: str, name: str) -> None:
        assert "alert(1)" not in client.get(path, params={name: HOSTILE}).text

    @pytest.mark.parametrize("folder", ["reviews", "external", "settings"])
    def test_path_is_not_shown(self, client: httpx.Client, folder: str) -> None:
        answer = client.get(f"/{folder}/{HOSTILE.replace('/', '')}")
        assert answer.status_code == 200
        assert "alert(1)" not in answer.text


class TestWebApp:
    def test_every_route_is_tested_here(self) -> None:
        patterns = [re.compile(re.sub(r"\{\w+\}", "[^/]+", path)) for path in DECLARED]
        for pattern in patterns:
            assert any(pattern.fullmatch(urlsplit(address).path) for address in ADDRESSES), pattern

    @pytest.mark.parametrize("path", ADDRESSES)
    def test_is_one_page(self, client: httpx.Client, path: str) -> None:
        """The browser picks the page: the response is the same except for the nonce."""
        answers = [client.get(address) for address in (path, "/")]
        bodies = [answer.text.replace(str(Page(answer).metas["csp-nonce"]), "") for answer in answers]
        assert bodies[0] == bodies[1]

    def test_policy(self, client: httpx.Client) -> None:
        answer = client.get("/")
        nonce = Page(answer).metas["csp-nonce"]
        assert directives(answer) == {
            "default-src": ["'none'"],
            "script-src": ["'self'"],
            "style-src": ["'self'", f"'nonce-{nonce}'"],
            "img-src": ["'self'", "data:", "blob:"],
            "media-src": ["'self'", "blob:", "https:", "http:"],
            "connect-src": ["'self'"],
            "font-src": ["'self'"],
            "manifest-src": ["'self'"],
            "form-action": ["'self'"],
            "base-uri": ["'self'"],
            "frame-ancestors": ["'none'"],
        }

    def test_nonce_is_unique(self, client: httpx.Client) -> None:
        nonces = [str(Page(client.get("/")).metas["csp-nonce"]) for _ in range(5)]
        assert len(set(nonces)) == 5
        assert all(len(nonce) >= 22 for nonce in nonces)

    def test_is_not_cached_and_sends_no_referrer(self, client: httpx.Client) -> None:
        """The page contains the nonce, and its URL may contain a token."""
        answer = client.get("/sign-in?token=sgl_x")
        assert "no-store" in answer.headers["cache-control"]
        assert Page(answer).metas["referrer"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"

    @pytest.mark.parametrize(
        "path", ["/nothing", "/reviews", "/reviews/a/b", "/settings/a/b", "/external", "/index.html"]
    )
    def test_other_paths_are_not_found(self, client: httpx.Client, path: str) -> None:
        answer = client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")

    async def test_opening_a_link_does_not_use_it(self, workspace: Workspace) -> None:
        """Mail scanners open links too."""
        invited = await assert_ok(
            workspace.owner.post("/users", json={"email": f"{unique('p')}@example.com", "role": "viewer"})
        )
        link = invited["invitationLink"]
        for method in ("GET", "HEAD", "GET"):
            assert (await workspace.public.request(method, link)).status_code == 200
        token = httpx.URL(link).params["token"]
        async with workspace.client() as visitor:
            assert (await assert_ok(visitor.post("/auth/link", json={"token": token})))["user"]["email"] == invited[
                "email"
            ]


class TestFiles:
    def test_are_small_and_cached_forever(self, client: httpx.Client, script: str) -> None:
        zipped = client.get(script, headers={"accept-encoding": "gzip"})
        plain = client.get(script, headers={"accept-encoding": "identity"})
        assert zipped.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert zipped.content == plain.content
        assert int(zipped.headers["content-length"]) < int(plain.headers["content-length"])
        for answer in (zipped, plain):
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["vary"] == "accept-encoding"
            assert answer.headers["content-type"].startswith("text/javascript")
            assert answer.headers["x-content-type-options"] == "nosniff"

    def test_icon_can_change(self, client: httpx.Client) -> None:
        answer = client.get("/icon.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "immutable" not in answer.headers["cache-control"]

    @pytest.mark.parametrize(
        "path",
        [
            "/static/",
            "/static/none.js",
            "/static/..",
            "/static/../index.html",
            "/static/%2e%2e/index.html",
            "/static/..%2findex.html",
            "/static/%2e%2e%2f%2e%2e%2fweb_app.py",
            "/static/..%5cindex.html",
            "/static//etc/passwd",
            "/static/%2fetc%2fpasswd",
            "/static/index.html%00.js",
            "/static/icon.svg",
        ],
    )
    def test_path_traversal_is_rejected(self, real_service: RunningService, path: str) -> None:
        host = httpx.URL(real_service.url).netloc.decode()
        connection = HTTPConnection(host, timeout=30)
        # This client sends the path unchanged; others would normalize it.
        connection.request("GET", path)
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["code"]) == (404, "not_found")
        connection.close()


@pytest.fixture(scope="module")
async def subpath_service(start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(public_url=BELOW, worker=False) as service:
        yield service


@pytest.fixture(scope="module")
def subpath_page(subpath_service: Service, new_sync_client: NewClient) -> httpx.Response:
    """The page as the proxy requests it."""
    with new_sync_client(subpath_service) as client:
        return client.get(f"{subpath_service.settings.local_url}/reviews/rev_x")


class TestBelowAPath:
    """A proxy may serve the app below a path, which it removes before it forwards requests."""

    def test_everything_is_loaded_from_the_path(self, subpath_page: httpx.Response) -> None:
        page = Page(subpath_page)
        assert urlsplit(page.base).path == "/sign%20off/inbox/"
        assert {urlsplit(address).path.startswith("/sign%20off/inbox/") for address in page.loaded} == {True}

    def test_policy_is_the_same(self, subpath_page: httpx.Response) -> None:
        assert directives(subpath_page)["script-src"] == ["'self'"]


@pytest.fixture(scope="module")
async def custom_service(
    start_service: StartService, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Service]:
    folder: Path = tmp_path_factory.mktemp("app")
    (folder / "static").mkdir()
    (folder / "index.html").write_text('<base href="/" /><meta name="csp-nonce" content="" /><p>Ours</p>')
    (folder / "static" / "one.js").write_text("1")
    (folder / "static" / "secret.txt").write_text("2")
    async with start_service(web_app=folder, cdn_url="https://cdn.example.com/kept", worker=False) as service:
        yield service


@pytest.fixture(scope="module")
def custom_client(custom_service: Service, new_sync_client: NewClient) -> Iterator[httpx.Client]:
    with new_sync_client(custom_service) as client:
        yield client


class TestCustomWebApp:
    """A custom folder can replace the bundled app."""

    def test_is_served(self, custom_client: httpx.Client) -> None:
        assert "<p>Ours</p>" in custom_client.get("/insights").text
        assert custom_client.get("/static/one.js").text == "1"

    def test_serves_only_page_assets(self, custom_client: httpx.Client) -> None:
        assert custom_client.get("/static/secret.txt").status_code == 404

    def test_images_may_come_from_the_cdn(self, custom_client: httpx.Client) -> None:
        policy = directives(custom_client.get("/"))
        assert policy["img-src"] == ["'self'", "data:", "blob:", "https://cdn.example.com"]


class TestReference:
    def test_has_every_operation_schema_and_error(self, client: httpx.Client) -> None:
        document = client.get("/api/v1/openapi.json").json()
        answer = client.get("/api/v1/docs")
        ids = Page(answer).ids
        assert len(set(ids)) == len(ids)
        operations = [
            operation
            for paths in (document["paths"], document["webhooks"])
            for item in paths.values()
            for operation in item.values()
        ]
        assert {operation["operationId"] for operation in operations} <= set(ids)
        assert {f"schema-{name}" for name in document["components"]["schemas"]} <= set(ids)
        for code in ("already_responded", "idempotency_key_reused", "too_many_failures", "agent_in_use"):
            assert code in answer.text

    def test_link_to_the_document(self, client: httpx.Client) -> None:
        assert "openapi.json" in Page(client.get("/api/v1/docs")).links
