"""Single sign-on through an identity provider: the real service, a real provider, and the browser's part."""

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from support.api import Workspace as Account
from support.api import assert_error, assert_ok, sign_in_workspace, unique
from support.forked_commands import RunForked
from support.identity_provider import CLIENT_ID, CLIENT_SECRET, IdentityProvider, Misbehavior
from support.in_process import Service, StartService
from support.second_api import second_api
from support.service_process import free_port, new_client, service_env

from signoff.accounts.cleanup import delete_expired
from signoff.platform.db import Database
from signoff.platform.tokens import token_hash

SESSION, BROWSER = "signoff_session", "signoff_oidc"


@pytest.fixture(scope="module")
async def provider() -> AsyncIterator[IdentityProvider]:
    identity_provider = IdentityProvider()
    runner = await identity_provider.start()
    yield identity_provider
    await runner.cleanup()


@pytest.fixture(scope="module")
async def oidc_service(start_service: StartService, provider: IdentityProvider) -> AsyncIterator[Service]:
    """A service with sign-in through the provider."""
    async with start_service(
        oidc_issuer=provider.url,
        oidc_client_id=CLIENT_ID,
        oidc_client_secret=CLIENT_SECRET,
        oidc_name="Acme account",
        oidc_join_domains="joins.example, Also.Example",
        oidc_join_role="editor",
    ) as running:
        yield running


@pytest.fixture(scope="module")
async def account(oidc_service: Service) -> AsyncIterator[Account]:
    workspace = await sign_in_workspace(oidc_service)
    yield workspace
    await workspace.close()


@pytest.fixture(scope="module")
async def db(oidc_service: Service) -> AsyncIterator[Database]:
    opened = await Database.connect(oidc_service.dsn(), size=2)
    yield opened
    await opened.close()


@dataclass
class Browser:
    """Follows redirects one by one, as a real browser does, and keeps its cookies."""

    api: str
    client: httpx.AsyncClient

    async def leave(self, **params: str) -> str:
        """Starts the sign-in; returns the provider's URL that it redirects to."""
        response = await self.client.get(f"{self.api}/auth/oidc/start", params=params)
        assert response.status_code == 303, response.text
        assert response.headers["cache-control"] == "no-store"
        return response.headers["location"]

    async def at_provider(self, url: str) -> str:
        response = await self.client.get(url)
        assert response.status_code == 302, response.text
        return response.headers["location"]

    async def come_back(self, url: str) -> str:
        """Returns where the service finally sends the browser."""
        response = await self.client.get(url)
        assert response.status_code == 303, response.text
        return response.headers["location"]

    async def sign_in(self, **params: str) -> str:
        return await self.come_back(await self.at_provider(await self.leave(**params)))

    async def me(self) -> dict[str, Any]:
        return await assert_ok(self.client.get(f"{self.api}/auth/me"))


@pytest.fixture
async def browser(oidc_service: Service) -> AsyncIterator[Browser]:
    async with new_client(oidc_service.api) as client:
        yield Browser(oidc_service.api, client)


@pytest.fixture
async def other_browser(oidc_service: Service) -> AsyncIterator[Browser]:
    async with new_client(oidc_service.api) as client:
        yield Browser(oidc_service.api, client)


async def invite(account: Account, role: str = "reviewer", email: str | None = None) -> dict[str, Any]:
    email = email or f"{unique('invited')}@example.com"
    return await assert_ok(account.owner.post("/users", json={"email": email, "role": role}))


def error_of(location: str) -> str:
    parts = urlsplit(location)
    assert parts.path == "/sign-in", location
    return parse_qs(parts.query)["error"][0]


class TestSignIn:
    async def test_methods(self, account: Account, oidc_service: Service) -> None:
        methods = await assert_ok(account.public.get("/auth/methods"))
        assert methods["oidc"] == {"name": "Acme account", "startUrl": f"{oidc_service.api}/auth/oidc/start"}

    async def test_invited_member(self, account: Account, provider: IdentityProvider, browser: Browser) -> None:
        invited = await invite(account)
        provider.signs_in(unique("sub"), email=invited["email"].upper(), email_verified=True, name="Somebody")
        assert await browser.sign_in(next="/reviews/rev_1?tab=history#top") == "/reviews/rev_1?tab=history#top"
        me = await browser.me()
        assert (me["user"]["userId"], me["role"], me["hasPassword"]) == (invited["userId"], "reviewer", False)
        log = await assert_ok(account.owner.get("/auditLog", params={"objectId": invited["userId"]}))
        assert [entry["action"] for entry in log["items"]] == ["user.signed_in", "user.linked", "user.invited"]
        assert log["items"][0]["details"] == {"means": "oidc"}

    async def test_redirects_to_the_inbox_by_default(
        self, account: Account, provider: IdentityProvider, browser: Browser
    ) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        assert await browser.sign_in() == browser.api.removesuffix("api/v1")

    async def test_authorization_request(self, oidc_service: Service, browser: Browser) -> None:
        url = await browser.leave()
        question = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert question["redirect_uri"] == f"{oidc_service.api}/auth/oidc/callback"
        assert question["response_type"] == "code"
        assert question["code_challenge_method"] == "S256"
        assert {"openid", "email"} <= set(question["scope"].split())
        assert len({question["state"], question["nonce"], question["code_challenge"]}) == 3
        assert CLIENT_SECRET not in url

    async def test_state_cookie(self, oidc_service: Service, browser: Browser) -> None:
        response = await browser.client.get(f"{oidc_service.api}/auth/oidc/start")
        cookie = response.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "path=/api/v1/auth/oidc" in cookie
        state = parse_qs(urlsplit(response.headers["location"]).query)["state"][0]
        assert state not in cookie

    async def test_known_subject_with_another_email(
        self, account: Account, provider: IdentityProvider, browser: Browser, other_browser: Browser
    ) -> None:
        invited, subject = await invite(account), unique("sub")
        provider.signs_in(subject, email=invited["email"], email_verified=True)
        await browser.sign_in()
        provider.signs_in(subject, email="elsewhere@nowhere.example", email_verified=False)
        await other_browser.sign_in()
        assert (await other_browser.me())["user"]["userId"] == invited["userId"]
        provider.signs_in(subject)  # no email at all, neither here nor there
        await other_browser.sign_in()
        assert (await other_browser.me())["user"]["userId"] == invited["userId"]

    async def test_email_from_userinfo(self, account: Account, provider: IdentityProvider, browser: Browser) -> None:
        invited = await invite(account)
        provider.signs_in(unique("sub"))
        provider.wrong = Misbehavior(userinfo={"email": invited["email"], "email_verified": True})
        await browser.sign_in()
        assert (await browser.me())["user"]["userId"] == invited["userId"]

    async def test_creates_a_new_session_each_time(
        self, account: Account, provider: IdentityProvider, browser: Browser
    ) -> None:
        """Whatever session the browser had, and wherever it came from: the user never gets it."""
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        browser.client.cookies.set(SESSION, "sgs_planted", domain="127.0.0.1", path="/")
        await browser.sign_in()
        [first] = [cookie.value for cookie in browser.client.cookies.jar if cookie.name == SESSION]
        assert first != "sgs_planted"
        await browser.sign_in()
        [second] = [cookie.value for cookie in browser.client.cookies.jar if cookie.name == SESSION]
        assert second != first
        await assert_error(account.public.get("/auth/me", headers={"cookie": f"{SESSION}={first}"}), 401)

    async def test_several_tabs_of_one_browser(
        self, account: Account, provider: IdentityProvider, browser: Browser
    ) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        departures = [await browser.leave(next=f"/{number}") for number in range(3)]
        for number in (1, 0, 2):
            assert await browser.come_back(await browser.at_provider(departures[number])) == f"/{number}"

    async def test_started_on_one_api_and_finished_on_another(
        self, oidc_service: Service, account: Account, provider: IdentityProvider
    ) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        async with (
            second_api(oidc_service, public_url=oidc_service.url) as other,
            new_client(oidc_service.api) as client,
        ):
            browser = Browser(oidc_service.api, client)
            back = await browser.at_provider(await browser.leave(next="/there"))
            assert back.startswith(oidc_service.url)
            assert await browser.come_back(back.replace(oidc_service.url, other)) == "/there"
            await browser.me()
            assert error_of(await browser.come_back(back.replace(oidc_service.url, other))) == "oidc_state_reused"


class TestNext:
    @pytest.mark.parametrize(
        "wanted",
        [
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "\\/evil.example",
            "https://evil.example",
            "https:evil.example",
            "javascript:alert(1)",
            "evil",
            " //evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            "/a\r\nset-cookie: x=1",
            "/ä",
            "/a b",
            "/\x00",
            "/" + "x" * 2_000,
        ],
    )
    async def test_rejects_external_urls(self, browser: Browser, provider: IdentityProvider, wanted: str) -> None:
        provider.signs_in("nobody")
        location = await browser.leave(next=wanted)
        assert error_of(location) == "next_refused"
        assert urlsplit(location).netloc == urlsplit(browser.api).netloc

    @pytest.mark.parametrize("wanted", ["/", "/inbox", "/inbox?q=a%20b&x=//y", "/@evil.example", "/..//evil.example"])
    async def test_paths(self, browser: Browser, account: Account, provider: IdentityProvider, wanted: str) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        location = await browser.sign_in(next=wanted)
        assert location == wanted
        assert httpx.URL(browser.api).join(location).netloc == httpx.URL(browser.api).netloc

    async def test_is_kept_after_a_failure(self, browser: Browser, provider: IdentityProvider) -> None:
        provider.signs_in(unique("sub"), email="nobody@example.com", email_verified=True)
        location = await browser.sign_in(next="/reviews/rev_1")
        assert error_of(location) == "oidc_not_invited"
        assert parse_qs(urlsplit(location).query)["next"] == ["/reviews/rev_1"]


class TestState:
    async def test_missing(self, browser: Browser, oidc_service: Service) -> None:
        callback = f"{oidc_service.api}/auth/oidc/callback"
        assert error_of(await browser.come_back(callback)) == "oidc_state_missing"
        assert error_of(await browser.come_back(f"{callback}?code=x")) == "oidc_state_missing"
        assert error_of(await browser.come_back(f"{callback}?code=x&state=y")) == "oidc_state_missing"
        await browser.leave()
        assert error_of(await browser.come_back(f"{callback}?code=x&state=")) == "oidc_state_missing"

    async def test_unknown(self, browser: Browser, oidc_service: Service) -> None:
        await browser.leave()
        for state in ("y", "%00", "%F0%9F%92%A5", "x" * 5_000):
            location = await browser.come_back(f"{oidc_service.api}/auth/oidc/callback?code=x&state={state}")
            assert error_of(location) == "oidc_state_foreign"

    async def test_of_another_browser(
        self, account: Account, provider: IdentityProvider, browser: Browser, other_browser: Browser
    ) -> None:
        """Another user's response, passed to a victim, signs nobody in, and isn't used up either."""
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        back = await browser.at_provider(await browser.leave())
        assert error_of(await other_browser.come_back(back)) == "oidc_state_missing"
        await other_browser.leave()
        assert error_of(await other_browser.come_back(back)) == "oidc_state_foreign"
        assert SESSION not in other_browser.client.cookies
        assert not urlsplit(await browser.come_back(back)).query

    async def test_reused(self, account: Account, provider: IdentityProvider, browser: Browser) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        back = await browser.at_provider(await browser.leave())
        await browser.come_back(back)
        assert error_of(await browser.come_back(back)) == "oidc_state_reused"

    async def test_at_the_same_moment(self, account: Account, provider: IdentityProvider, browser: Browser) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        back = await browser.at_provider(await browser.leave(next="/in"))
        locations = await asyncio.gather(*(browser.come_back(back) for _ in range(8)))
        assert min(locations) == "/in"
        assert [error_of(location) for location in sorted(locations)[1:]] == ["oidc_state_reused"] * 7

    async def test_expired(self, account: Account, provider: IdentityProvider, browser: Browser, db: Database) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        back = await browser.at_provider(await browser.leave())
        await db.execute("update oidc_logins set expires_at = now() where used_at is null")
        assert error_of(await browser.come_back(back)) == "oidc_state_expired"

    async def test_secrets_are_deleted_afterwards(
        self, account: Account, provider: IdentityProvider, browser: Browser, db: Database
    ) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        await browser.sign_in()
        left = await db.fetch("select nonce, verifier from oidc_logins where used_at is not null")
        assert {tuple(row.values()) for row in left} == {("", "")}

    async def test_expired_states_are_removed(self, browser: Browser, provider: IdentityProvider, db: Database) -> None:
        provider.signs_in("nobody")
        url = await browser.leave()
        old = token_hash(parse_qs(urlsplit(url).query)["state"][0])
        await db.execute("update oidc_logins set expires_at = now() - interval '25 hours' where state_hash = $1", old)
        recent = await browser.at_provider(await browser.leave())
        await delete_expired(db)
        assert not await db.fetchval("select exists (select 1 from oidc_logins where state_hash = $1)", old)
        assert error_of(await browser.come_back(recent)) == "oidc_email_missing", "the other one is still there"

    async def test_denied(self, browser: Browser, provider: IdentityProvider) -> None:
        provider.signs_in("nobody")
        provider.wrong = Misbehavior(denies="access_denied")
        assert error_of(await browser.sign_in()) == "oidc_denied"

    async def test_response_of_another_issuer(
        self, account: Account, provider: IdentityProvider, browser: Browser
    ) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        back = await browser.at_provider(await browser.leave())
        assert error_of(await browser.come_back(f"{back}&iss=https%3A%2F%2Fevil.example")) == "oidc_token_invalid"
        back = await browser.at_provider(await browser.leave(next="/in"))
        assert await browser.come_back(str(httpx.URL(back).copy_merge_params({"iss": provider.url}))) == "/in"


class TestToken:
    @pytest.mark.parametrize(
        "wrong",
        [
            Misbehavior(no_id_token=True),
            Misbehavior(unpublished_key=True),
            Misbehavior(algorithm="HS256"),
            Misbehavior(algorithm="none"),
            Misbehavior(algorithm="RS512"),
            Misbehavior(claims={"iss": "https://evil.example"}),
            Misbehavior(claims={"iss": None}),
            Misbehavior(claims={"aud": "somebody-else"}),
            Misbehavior(claims={"aud": None}),
            Misbehavior(claims={"aud": [CLIENT_ID, "somebody-else"]}),
            Misbehavior(claims={"azp": "somebody-else"}),
            Misbehavior(claims={"exp": 1_000_000_000}),
            Misbehavior(claims={"exp": None}),
            Misbehavior(claims={"exp": "soon"}),
            Misbehavior(claims={"nbf": 9_000_000_000}),
            Misbehavior(claims={"nonce": "another"}),
            Misbehavior(claims={"nonce": None}),
            Misbehavior(claims={"sub": None}),
            Misbehavior(claims={"sub": ""}),
            Misbehavior(claims={"sub": 17}),
            Misbehavior(claims={"sub": "x" * 256}),
            Misbehavior(claims={"at_hash": "bm90IHRoaXM"}),
            Misbehavior(token_status=400, token_body=b'{"error": "invalid_grant"}'),
            Misbehavior(token_status=401, token_body=b"nonsense"),
            Misbehavior(token_body=b'{"id_token": "a.b.c"}'),
            Misbehavior(token_body=b'{"id_token": 5}'),
            Misbehavior(token_body=b'{"id_token": "e30.e30."}'),
        ],
        ids=repr,
    )
    async def test_refused(
        self, account: Account, provider: IdentityProvider, browser: Browser, wrong: Misbehavior
    ) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        provider.wrong = wrong
        assert error_of(await browser.sign_in()) == "oidc_token_invalid"
        assert SESSION not in browser.client.cookies

    async def test_keys_are_reloaded_for_an_unknown_key_id(
        self, account: Account, provider: IdentityProvider, browser: Browser
    ) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        await browser.sign_in()
        provider.rotate_key()
        request_count = len(provider.asked)
        assert not urlsplit(await browser.sign_in()).query
        assert provider.asked[request_count:].count("/jwks") == 1
        request_count = len(provider.asked)
        await browser.sign_in()
        assert provider.asked[request_count:] == ["/token"]

    @pytest.mark.parametrize(
        "wrong",
        [
            Misbehavior(token_status=500),
            Misbehavior(token_status=302),
            Misbehavior(token_body=b"nonsense"),
            Misbehavior(token_body=b"[]"),
            Misbehavior(token_body=b'{"id_token": "' + b"x" * 2_000_000 + b'"}'),
        ],
        ids=["broken", "elsewhere", "no JSON", "no object", "huge"],
    )
    async def test_provider_errors(
        self, account: Account, provider: IdentityProvider, browser: Browser, wrong: Misbehavior
    ) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        provider.wrong = wrong
        assert error_of(await browser.sign_in()) == "oidc_unavailable"

    async def test_userinfo_of_another_subject(
        self, account: Account, provider: IdentityProvider, browser: Browser
    ) -> None:
        provider.signs_in(unique("sub"))
        claims = {"sub": "another", "email": (await invite(account))["email"], "email_verified": True}
        provider.wrong = Misbehavior(userinfo=claims)
        assert error_of(await browser.sign_in()) == "oidc_token_invalid"


class TestWho:
    @pytest.mark.parametrize("verified", [False, None, "false", "yes", 1, "True"])
    async def test_unverified(
        self, account: Account, provider: IdentityProvider, browser: Browser, verified: Any
    ) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=verified)
        assert error_of(await browser.sign_in()) == "oidc_email_unverified"

    @pytest.mark.parametrize("email", [None, "", 5])
    async def test_no_address(self, provider: IdentityProvider, browser: Browser, email: Any) -> None:
        provider.signs_in(unique("sub"), email=email, email_verified=True)
        assert error_of(await browser.sign_in()) == "oidc_email_missing"

    @pytest.mark.parametrize("email", ["nobody", "a@b@example.com", "x" * 400 + "@example.com", "ann@host.invalid"])
    async def test_invalid_address(self, provider: IdentityProvider, browser: Browser, email: str) -> None:
        provider.signs_in(unique("sub"), email=email, email_verified=True)
        assert error_of(await browser.sign_in()) == "oidc_email_invalid"

    @pytest.mark.parametrize("domain", ["mail.local", "corp.test", "localhost"])
    async def test_private_address(
        self, account: Account, provider: IdentityProvider, browser: Browser, domain: str
    ) -> None:
        email = (await invite(account, email=f"{unique('ann')}@{domain}"))["email"]
        provider.signs_in(unique("sub"), email=email, email_verified=True)
        await browser.sign_in()
        assert (await browser.me())["user"]["email"] == email

    @pytest.mark.parametrize("domain", ["example.com", "evil-joins.example", "a.joins.example", "joins.example.evil"])
    async def test_without_an_invitation(self, provider: IdentityProvider, browser: Browser, domain: str) -> None:
        provider.signs_in(unique("sub"), email=f"{unique('nobody')}@{domain}", email_verified=True)
        assert error_of(await browser.sign_in()) == "oidc_not_invited"

    async def test_joins_by_domain(self, account: Account, provider: IdentityProvider, browser: Browser) -> None:
        email = f"{unique('new')}@also.example"
        provider.signs_in(unique("sub"), email=email, email_verified=True, name=" Nia New ")
        await browser.sign_in()
        me = await browser.me()
        assert (me["user"]["email"], me["user"]["name"], me["role"]) == (email, "Nia New", "editor")
        assert me["account"]["accountId"] == account.account_id
        log = await assert_ok(account.owner.get("/auditLog", params={"objectId": me["user"]["userId"]}))
        assert [entry["action"] for entry in log["items"]] == ["user.signed_in", "user.joined"]

    async def test_concurrent_sign_ins_join_once(
        self, account: Account, provider: IdentityProvider, oidc_service: Service
    ) -> None:
        email = f"{unique('new')}@joins.example"
        provider.signs_in(unique("sub"), email=email, email_verified=True)
        async with new_client(oidc_service.api) as one, new_client(oidc_service.api) as two:
            browsers = [Browser(oidc_service.api, one), Browser(oidc_service.api, two)]
            backs = [await client.at_provider(await client.leave(next="/in")) for client in browsers]
            assert await asyncio.gather(*(b.come_back(back) for b, back in zip(browsers, backs, strict=True))) == [
                "/in",
                "/in",
            ]
            first, second = [(await browser_.me())["user"]["userId"] for browser_ in browsers]
            assert first == second

    async def test_disabled(self, account: Account, provider: IdentityProvider, browser: Browser) -> None:
        invited, subject = await invite(account), unique("sub")
        await assert_ok(account.owner.patch(f"/users/{invited['userId']}", json={"disabled": True}))
        provider.signs_in(subject, email=invited["email"], email_verified=True)
        assert error_of(await browser.sign_in()) == "oidc_person_disabled"

    async def test_disabled_later(self, account: Account, provider: IdentityProvider, browser: Browser) -> None:
        invited, subject = await invite(account), unique("sub")
        provider.signs_in(subject, email=invited["email"], email_verified=True)
        await browser.sign_in()
        await assert_ok(account.owner.patch(f"/users/{invited['userId']}", json={"disabled": True}))
        await assert_error(browser.client.get(f"{browser.api}/auth/me"), 401)
        provider.signs_in(subject, email=f"{unique('other')}@joins.example", email_verified=True)
        assert error_of(await browser.sign_in()) == "oidc_person_disabled", "must not join as somebody new"

    async def test_email_reassigned_to_someone_else(
        self, account: Account, provider: IdentityProvider, browser: Browser, other_browser: Browser
    ) -> None:
        """The provider gave a former colleague's email to a new one: they are different users."""
        invited = await invite(account)
        provider.signs_in(unique("sub"), email=invited["email"], email_verified=True)
        await browser.sign_in()
        provider.signs_in(unique("sub"), email=invited["email"], email_verified=True)
        assert error_of(await other_browser.sign_in()) == "oidc_email_linked"
        for disabled in (True, False):  # an admin says that they are the same
            await assert_ok(account.owner.patch(f"/users/{invited['userId']}", json={"disabled": disabled}))
        await other_browser.sign_in()
        assert (await other_browser.me())["user"]["userId"] == invited["userId"]

    async def test_password_still_works(self, account: Account, provider: IdentityProvider, browser: Browser) -> None:
        person, client = await account.make_person("editor")
        provider.signs_in(unique("sub"), email=person["email"], email_verified=True)
        await browser.sign_in()
        assert (await browser.me())["hasPassword"] is True
        assert (await client.get("/auth/me")).status_code == 200

    async def test_email_claimed_by_a_member(
        self, account: Account, provider: IdentityProvider, browser: Browser
    ) -> None:
        person, squatter = await account.make_person("reviewer")
        email, password = f"{unique('victim')}@joins.example", "a password that is long"
        await assert_ok(squatter.patch("/auth/me", json={"email": email, "currentPassword": password}))
        provider.signs_in(unique("sub"), email=email, email_verified=True)
        await browser.sign_in()
        me = await browser.me()
        assert (me["user"]["email"], me["hasPassword"]) == (email, False)
        assert me["user"]["userId"] != person["userId"]

    async def test_unconfirmed_email(
        self, account: Account, provider: IdentityProvider, browser: Browser, db: Database
    ) -> None:
        """The owner of a new workspace may enter any email: their credentials stop working once the email's owner signs
        in."""
        person, squatter = await account.make_person("reviewer")
        email, password = f"{unique('victim')}@joins.example", "a password that is long"
        await db.execute(
            "update users set email = $2, email_unconfirmed = true where user_id = $1", person["userId"], email
        )
        provider.signs_in(unique("sub"), email=email, email_verified=True)
        await browser.sign_in()
        assert (await browser.me())["hasPassword"] is False
        await assert_error(squatter.get("/auth/me"), 401)
        await assert_error(account.public.post("/auth/login", json={"email": email, "password": password}), 401)

    async def test_a_pending_invitation_ends(
        self, account: Account, provider: IdentityProvider, browser: Browser
    ) -> None:
        invited = await invite(account)
        provider.signs_in(unique("sub"), email=invited["email"], email_verified=True)
        await browser.sign_in()
        token = httpx.URL(invited["invitationLink"]).params["token"]
        await assert_error(account.public.post("/auth/link", json={"token": token}), 401, "link_invalid")


class TestSecrets:
    async def test_are_not_logged(
        self, account: Account, provider: IdentityProvider, browser: Browser, oidc_service: Service
    ) -> None:
        provider.signs_in(unique("sub"), email=(await invite(account))["email"], email_verified=True)
        await browser.sign_in()
        [session] = [cookie.value for cookie in browser.client.cookies.jar if cookie.name == SESSION]
        provider.wrong = Misbehavior(claims={"nonce": "another"})
        await browser.sign_in()
        text = oidc_service.log.read_text()
        assert "identity provider response rejected" in text, "the log is the right one"
        secrets = {*provider.tokens, CLIENT_SECRET, session, browser.client.cookies[BROWSER]}
        assert not [secret for secret in secrets if secret in text]


class TestConfiguration:
    """Services whose provider is misconfigured; each gets as few requests as possible."""

    async def test_not_configured(self, service: Service) -> None:
        async with new_client(service.api) as client:
            browser = Browser(service.api, client)
            assert error_of(await browser.leave()) == "oidc_not_configured"
            assert error_of(await browser.come_back(f"{service.api}/auth/oidc/callback")) == "oidc_not_configured"

    async def test_provider_unavailable(self, start_service: StartService) -> None:
        """Down at first, then misconfigured in several ways, then healthy again: without a restart."""
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            port = held.getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        issuer = {"oidc_issuer": f"{url}/", "oidc_client_id": CLIENT_ID}
        async with start_service(**issuer, worker=False) as service, new_client(service.api) as client:
            browser = Browser(service.api, client)
            assert error_of(await browser.leave(next="/x")) == "oidc_unavailable"
            provider = IdentityProvider()
            runner = await provider.start(port)
            try:
                provider.signs_in("nobody")
                for wrong in (
                    Misbehavior(discovery_status=500),
                    Misbehavior(discovery={"issuer": "https://evil.example"}),
                    Misbehavior(discovery={"issuer": None}),
                    Misbehavior(discovery={"token_endpoint": "http://evil.example/token"}),
                    Misbehavior(discovery={"jwks_uri": "file:///etc/passwd"}),
                    Misbehavior(discovery={"authorization_endpoint": 5}),
                ):
                    provider.wrong = wrong
                    assert error_of(await browser.leave()) == "oidc_unavailable", wrong
                provider.wrong = Misbehavior()
                assert (await browser.leave()).startswith(f"{url}/authorize?")
            finally:
                await runner.cleanup()

    @pytest.mark.parametrize(
        ("settings", "told"),
        [
            ({"oidc_issuer": "http://login.example.com", "oidc_client_id": "x"}, "SIGNOFF_OIDC_ISSUER"),
            ({"oidc_issuer": "login.example.com", "oidc_client_id": "x"}, "SIGNOFF_OIDC_ISSUER"),
            ({"oidc_issuer": "https://login.example.com"}, "SIGNOFF_OIDC_CLIENT_ID"),
            ({"oidc_join_domains": "ann@example.com"}, "SIGNOFF_OIDC_JOIN_DOMAINS"),
            ({"oidc_join_role": "owner"}, "SIGNOFF_OIDC_JOIN_ROLE"),
        ],
    )
    def test_invalid_settings_prevent_startup(
        self, settings: dict[str, str], told: str, forked: RunForked, tmp_path: Path
    ) -> None:
        env = service_env(tmp_path / "unused", free_port(), oidc_client_secret="very-secret", **settings)
        ended = forked(("serve",), env, tmp_path, 60)
        assert ended.returncode == 2
        assert told in ended.stderr
        assert "very-secret" not in ended.stderr
