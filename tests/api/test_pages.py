"""The pages that the service shows by itself, read as a browser would, and as somebody who means harm."""

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from support.api import Workspace, ok, unique
from support.service import RunningService

SIGN_IN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
PAGES = ["/sign-in", "/sign-in?token=sgl_x", "/reviews/rev_x", "/external/rev_x?token=ext_x", "/api/v1/docs"]
HOSTILE = "\"><script>alert(1)</script>'"


class Page(HTMLParser):
    """What a page loads, links to, and runs."""

    def __init__(self, answer: httpx.Response) -> None:
        super().__init__()
        self.url = str(answer.url)
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.inline: list[str] = []
        self.ids: list[str] = []
        self.labels: set[str | None] = set()
        self.inputs: list[dict[str, str | None]] = []
        self.forms: list[dict[str, str | None]] = []
        self.feed(answer.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.inline += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline.append(tag)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a":
            self.links.append(str(given["href"]))
        elif address := given.get("src") or given.get("href"):
            self.loaded.append(urljoin(self.url, address))
        if tag == "label":
            self.labels.add(given.get("for"))
        elif tag == "input":
            self.inputs.append(given)
        elif tag == "form":
            self.forms.append(given)


@pytest.fixture(scope="module")
def client(service: RunningService) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url) as client:
        yield client


class TestEveryPage:
    @pytest.mark.parametrize("path", PAGES)
    def test_runs_nothing_but_our_own_files(self, client: httpx.Client, path: str) -> None:
        answer = client.get(path)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        page = Page(answer)
        assert page.inline == []
        assert {urlsplit(address).netloc for address in page.loaded} == {urlsplit(page.url).netloc}
        for address in page.loaded:
            file = client.get(address)
            assert file.status_code == 200, address
            assert "immutable" in file.headers["cache-control"]

    @pytest.mark.parametrize("path", PAGES)
    def test_links_lead_somewhere(self, client: httpx.Client, path: str) -> None:
        page = Page(client.get(path))
        for link in set(page.links):
            address, _, place = urljoin(page.url, link).partition("#")
            target = page if address == page.url.partition("#")[0] else Page(client.get(address))
            assert not place or place in target.ids, link

    @pytest.mark.parametrize("path", ["/sign-in", "/reviews/x", "/external/x", "/api/v1/docs"])
    @pytest.mark.parametrize("name", ["token", "x"])
    def test_shows_nothing_of_the_query(self, client: httpx.Client, path: str, name: str) -> None:
        answer = client.get(path, params={name: HOSTILE})
        assert "alert(1)" not in answer.text

    def test_path_is_not_shown(self, client: httpx.Client) -> None:
        assert "alert(1)" not in client.get(f"/reviews/{HOSTILE.replace('/', '')}").text


class TestSignIn:
    def test_start_leads_there(self, client: httpx.Client) -> None:
        answer = client.get("/")
        assert answer.status_code == 303
        assert urljoin(str(answer.url), answer.headers["location"]) == f"{client.base_url}/sign-in"

    @pytest.mark.parametrize(
        ("path", "call", "fields"),
        [
            ("/sign-in", "/api/v1/auth/login", ["email", "password"]),
            ("/sign-in?token=sgl_x", "/api/v1/auth/link", ["password"]),
        ],
    )
    def test_form(self, client: httpx.Client, path: str, call: str, fields: list[str]) -> None:
        answer = client.get(path)
        assert answer.headers["content-security-policy"] == SIGN_IN_POLICY
        assert answer.headers["cache-control"] == "no-store"
        page = Page(answer)
        [form] = page.forms
        assert urlsplit(urljoin(page.url, form["data-call"])).path == call
        # Should the script be missing, the browser must not put a password into the address.
        assert form["method"] == "post"
        assert [each["name"] for each in page.inputs] == fields
        assert {each["id"] for each in page.inputs} == page.labels

    async def test_opening_a_link_does_not_use_it_up(self, workspace: Workspace) -> None:
        """Mail scanners open links too."""
        invited = await ok(
            workspace.owner.post("/users", json={"email": f"{unique('p')}@example.com", "role": "viewer"})
        )
        link = invited["invitationLink"]
        for method in ("GET", "HEAD", "GET"):
            assert (await workspace.public.request(method, link)).status_code == 200
        token = httpx.URL(link).params["token"]
        async with workspace.client() as visitor:
            assert (await ok(visitor.post("/auth/link", json={"token": token})))["user"]["email"] == invited["email"]


class TestInbox:
    """Its addresses are in answers and mails already; it is not there yet."""

    @pytest.mark.parametrize(("path", "credential"), [("/reviews/rev_x", "Sign in"), ("/external/x", "x-review-token")])
    def test_says_what_to_do_instead(self, client: httpx.Client, path: str, credential: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.headers["cache-control"] == "no-store"
        assert credential in answer.text
        assert "POST /reviews/{reviewId}/response" in answer.text


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
