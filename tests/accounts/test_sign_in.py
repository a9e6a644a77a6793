import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest
from accounts_helpers import (
    PASSWORD,
    URL,
    Join,
    NewClient,
    Workspace,
    errors_of,
    key_id_of,
    problem_of,
    token_from_link,
)
from argon2 import Parameters
from argon2.low_level import Type
from fastapi import FastAPI

from signoff.accounts.passwords import Passwords, passwords
from signoff.accounts.setup import create_first_run_link
from signoff.accounts.sign_in.devices import DEVICE_COOKIE
from signoff.accounts.users.actions import insert_user
from signoff.app import create_app
from signoff.platform.db import Database
from signoff.platform.settings import Settings, load_settings
from signoff.platform.tokens import token_hash

COOKIE = "signoff_session"


async def login(client: httpx.AsyncClient, email: Any, password: Any = PASSWORD, **headers: str) -> httpx.Response:
    return await client.post("/auth/login", json={"email": email, "password": password}, headers=headers)


def cookie_of(answer: httpx.Response) -> dict[str, str]:
    [text] = [header for header in answer.headers.get_list("set-cookie") if header.startswith(f"{COOKIE}=")]
    morsel = SimpleCookie(text)[COOKIE]
    return {"value": morsel.value, **{name: value for name, value in morsel.items() if value}}


class TestLogin:
    async def test_signs_in(self, client: httpx.AsyncClient, workspace: Workspace) -> None:
        response = await login(client, workspace.email)
        assert response.status_code == 200
        assert response.json() == {
            "user": {
                "userId": workspace.user_id,
                "email": workspace.email,
                "name": workspace.email.partition("@")[0],
                "pendingEmail": None,
                "language": None,
            },
            "role": "owner",
            "account": {
                "accountId": workspace.account_id,
                "name": "Acme",
                "plan": "self-hosted",
                "language": None,
            },
            "preferences": {
                "email": "each",
                "emailIsDefault": True,
                "digestHour": 8,
                "digestHourIsDefault": True,
                "agents": {},
                "shortcuts": True,
                "theme": "system",
                "timeZone": None,
                "browserNotifications": False,
            },
            "groups": [],
            "standingInFor": [],
            "permissions": ["read", "request", "decide", "deliver", "design", "administer"],
            "hasPassword": True,
        }
        assert (await client.get("/auth/me")).json() == response.json()

    async def test_cookie(self, client: httpx.AsyncClient, workspace: Workspace, db: Database) -> None:
        cookie = cookie_of(await login(client, workspace.email))
        token = cookie.pop("value")
        assert cookie == {"httponly": True, "samesite": "lax", "path": "/", "max-age": str(14 * 86_400)}
        row = await db.fetchrow("select * from sign_in_sessions where token_hash = $1", token_hash(token))
        assert row is not None
        assert row["user_id"] == workspace.user_id
        assert round((row["expires_at"] - row["created_at"]).total_seconds()) == 14 * 86_400
        assert row["user_agent"].startswith("python-httpx")

    async def test_cookie_is_secure_under_https(self, app: FastAPI, workspace: Workspace) -> None:
        https = load_settings(public_url="https://signoff.example.com")
        secure = create_app(https, "unused")
        secure.state.context = replace(app.state.context, settings=https)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(secure), base_url="https://x/api/v1") as client:
            assert cookie_of(await login(client, workspace.email))["secure"] is True

    @pytest.mark.parametrize("spelling", [str.upper, str.title, "  {}\n".format])
    async def test_spelling_of_the_email(
        self, client: httpx.AsyncClient, workspace: Workspace, spelling: Callable[[str], str]
    ) -> None:
        assert (await login(client, spelling(workspace.email))).status_code == 200

    async def test_wrong_unknown_and_disabled_look_the_same(
        self, new_client: NewClient, workspace: Workspace, db: Database, password_hash: str
    ) -> None:
        disabled = await insert_user(db, workspace.account_id, "gone@example.com", None, "editor", password_hash)
        await insert_user(db, workspace.account_id, "no-password@example.com", None, "editor")
        await db.execute("update users set disabled_at = now() where user_id = $1", disabled["user_id"])
        responses = [
            await login(new_client(), workspace.email, "wrong horse battery"),
            await login(new_client(), workspace.email, ""),
            await login(new_client(), "nobody@example.com"),
            await login(new_client(), "not an address"),
            await login(new_client(), ""),
            await login(new_client(), "gone@example.com"),
            await login(new_client(), "no-password@example.com"),
        ]
        assert {problem_of(response) for response in responses} == {(401, "invalid_credentials")}
        assert len({answer.text for answer in responses}) == 1
        assert not any("set-cookie" in answer.headers for answer in responses)

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"password": PASSWORD}, "email"),
            ({"email": "a@example.com"}, "password"),
            ({"email": None, "password": PASSWORD}, "email"),
            ({"email": "a@example.com", "password": None}, "password"),
            ({"email": 7, "password": PASSWORD}, "email"),
            ({"email": ["a@example.com"], "password": PASSWORD}, "email"),
            ({"email": {"$ne": ""}, "password": {"$ne": ""}}, "password"),
            ({"email": "a@example.com", "password": True}, "password"),
            ({"email": "a" * 400 + "@example.com", "password": PASSWORD}, "email"),
            ({"email": "a@example.com", "password": "x" * 10_000}, "password"),
            ({"email": "a@example.com", "password": PASSWORD, "admin": True}, "admin"),
        ],
    )
    async def test_rejects_invalid_credentials(
        self, client: httpx.AsyncClient, body: dict[str, Any], path: str
    ) -> None:
        response = await client.post("/auth/login", json=body)
        assert path in {place for place, _ in errors_of(response)}
        assert PASSWORD not in response.text

    async def test_malformed_bodies(self, client: httpx.AsyncClient) -> None:
        nul = await client.post("/auth/login", json={"email": "a\x00@example.com", "password": "x\x00"})
        assert problem_of(nul) == (422, "invalid")
        assert problem_of(await client.post("/auth/login", json=[])) == (422, "invalid")
        assert problem_of(await client.post("/auth/login", content=b'{"email": "\\ud800"}')) == (
            400,
            "malformed_request",
        )
        form = await client.post("/auth/login", data={"email": "a@example.com", "password": PASSWORD})
        assert problem_of(form) == (415, "unsupported_media_type")

    @pytest.mark.parametrize(
        "headers",
        [
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
            {"origin": "https://evil.example"},
            {"origin": "null"},
        ],
    )
    async def test_from_another_origin(
        self, client: httpx.AsyncClient, workspace: Workspace, headers: dict[str, str]
    ) -> None:
        response = await login(client, workspace.email, **headers)
        assert problem_of(response) == (403, "cross_origin")
        assert "set-cookie" not in response.headers

    async def test_from_our_own_origin(self, client: httpx.AsyncClient, workspace: Workspace) -> None:
        response = await login(client, workspace.email, **{"sec-fetch-site": "same-origin", "origin": URL})
        assert response.status_code == 200

    async def test_ends_the_previous_session(self, client: httpx.AsyncClient, workspace: Workspace) -> None:
        first = cookie_of(await login(client, workspace.email))["value"]
        second = cookie_of(await login(client, workspace.email))["value"]
        assert first != second
        client.cookies.clear()
        stale = await client.get("/auth/me", headers={"cookie": f"{COOKIE}={first}"})
        assert problem_of(stale) == (401, "unauthenticated")

    async def test_concurrent_sign_ins(self, new_client: NewClient, workspace: Workspace) -> None:
        clients = [new_client() for _ in range(4)]
        results = await asyncio.gather(*(login(client, workspace.email) for client in clients))
        assert {response.status_code for response in results} == {200}
        for client in clients:
            assert (await client.get("/auth/me")).status_code == 200

    async def test_rehashes_after_costs_change(
        self, client: httpx.AsyncClient, workspace: Workspace, db: Database
    ) -> None:
        cheap = Passwords(Parameters(Type.ID, 19, 16, 32, time_cost=1, memory_cost=64, parallelism=1))
        user_id = workspace.user_id
        await db.execute("update users set password_hash = $2 where user_id = $1", user_id, await cheap.hash(PASSWORD))
        assert (await login(client, workspace.email)).status_code == 200
        stored = await db.fetchval("select password_hash from users where user_id = $1", user_id)
        assert not passwords.is_outdated(stored)
        assert passwords.is_outdated(await cheap.hash(PASSWORD))
        assert (await login(client, workspace.email)).status_code == 200

    async def test_is_recorded(
        self, client: httpx.AsyncClient, owner: httpx.AsyncClient, workspace: Workspace, db: Database
    ) -> None:
        await login(client, workspace.email)
        entry = (await owner.get("/auditLog", params={"action": "user.signed_in"})).json()["items"][0]
        assert entry["actor"] == {"kind": "user", "id": workspace.user_id, "name": workspace.email}
        assert entry["details"] == {"means": "password"}
        assert entry["ip"] == client.headers["x-forwarded-for"]
        assert await db.fetchval("select last_sign_in_at from users where user_id = $1", workspace.user_id)


class TestThrottle:
    async def fail(self, client: httpx.AsyncClient, email: str, times: int = 10) -> None:
        for _ in range(times):
            assert problem_of(await login(client, email, "wrong horse battery")) == (401, "invalid_credentials")

    async def test_by_email(self, new_client: NewClient, workspace: Workspace) -> None:
        for _ in range(10):
            await self.fail(new_client(), workspace.email, 1)
        response = await login(new_client(), workspace.email)
        assert problem_of(response) == (429, "too_many_failures")
        assert 800 < int(response.headers["retry-after"]) <= 900

    async def test_by_client(self, new_client: NewClient, workspace: Workspace) -> None:
        client = new_client()
        for number in range(10):
            await self.fail(client, f"stranger{number}-{workspace.account_id}@example.com", 1)
        assert problem_of(await login(client, workspace.email)) == (429, "too_many_failures")
        assert (await login(new_client(), workspace.email)).status_code == 200

    async def test_a_client_cannot_hide_in_its_ipv6_network(self, new_client: NewClient, workspace: Workspace) -> None:
        for number in range(10):
            await self.fail(new_client(f"2001:db8:7:7::{number:x}"), f"v6-{number}@example.com", 1)
        assert problem_of(await login(new_client("2001:db8:7:7:ffff::1"), workspace.email)) == (
            429,
            "too_many_failures",
        )
        assert (await login(new_client("2001:db8:7:8::1"), workspace.email)).status_code == 200

    async def test_clients_of_ipv4_on_a_socket_for_both(self, new_client: NewClient, workspace: Workspace) -> None:
        for number in range(10):
            await self.fail(new_client("::ffff:192.0.2.7"), f"mapped-{number}@example.com", 1)
        assert problem_of(await login(new_client("192.0.2.7"), workspace.email)) == (429, "too_many_failures")
        assert (await login(new_client("::ffff:192.0.2.8"), workspace.email)).status_code == 200

    async def test_unknown_emails_count_too(self, new_client: NewClient) -> None:
        for _ in range(10):
            await self.fail(new_client(), "ghost@example.com", 1)
        assert problem_of(await login(new_client(), "ghost@example.com")) == (429, "too_many_failures")

    async def test_spellings_of_an_email_count_together(self, new_client: NewClient, workspace: Workspace) -> None:
        for number in range(10):
            spelling = workspace.email.upper() if number % 2 else f" {workspace.email} "
            await self.fail(new_client(), spelling, 1)
        assert problem_of(await login(new_client(), workspace.email)) == (429, "too_many_failures")

    async def test_concurrent_failures(self, new_client: NewClient, workspace: Workspace) -> None:
        attempts = (login(new_client(), workspace.email, "wrong horse battery") for _ in range(25))
        statuses = Counter(response.status_code for response in await asyncio.gather(*attempts))
        assert statuses == {401: 10, 429: 15}

    async def test_success_resets_the_email(self, new_client: NewClient, workspace: Workspace) -> None:
        await self.fail(new_client(), workspace.email, 9)
        assert (await login(new_client(), workspace.email)).status_code == 200
        await self.fail(new_client(), workspace.email, 9)
        assert (await login(new_client(), workspace.email)).status_code == 200

    async def test_successes_do_not_count(self, client: httpx.AsyncClient, workspace: Workspace) -> None:
        for _ in range(12):
            assert (await login(client, workspace.email)).status_code == 200

    async def test_ends_after_the_window(self, new_client: NewClient, workspace: Workspace, db: Database) -> None:
        await self.fail(new_client(), workspace.email)
        await self.age(db, workspace.email, "14 minutes 50 seconds")
        response = await login(new_client(), workspace.email)
        assert problem_of(response) == (429, "too_many_failures")
        assert 0 < int(response.headers["retry-after"]) <= 10
        await self.age(db, workspace.email, "15 minutes")
        assert (await login(new_client(), workspace.email)).status_code == 200

    async def test_throttled_attempts_do_not_extend_it(
        self, new_client: NewClient, workspace: Workspace, db: Database
    ) -> None:
        await self.fail(new_client(), workspace.email)
        for _ in range(5):
            assert problem_of(await login(new_client(), workspace.email)) == (429, "too_many_failures")
        count = await db.fetchval("select count(*) from sign_in_failures where email = $1", workspace.email)
        assert count == 10

    async def age(self, db: Database, email: str, interval: str) -> None:
        await db.execute(
            "update sign_in_failures set failed_at = now() - $2::text::interval where email = $1", email, interval
        )


class TestKnownDevices:
    """Repeated failures elsewhere don't lock a user out of the browser they use."""

    async def test_is_not_locked_out(self, new_client: NewClient, workspace: Workspace) -> None:
        mine = new_client()
        await login(mine, workspace.email)
        await mine.post("/auth/logout")
        for _ in range(2):
            await TestThrottle().fail(new_client(), workspace.email)
            assert problem_of(await login(new_client(), workspace.email)) == (429, "too_many_failures")
            assert (await login(mine, workspace.email)).status_code == 200

    async def test_is_counted_separately(self, new_client: NewClient, workspace: Workspace) -> None:
        mine = new_client()
        await login(mine, workspace.email)
        await TestThrottle().fail(mine, workspace.email)
        assert problem_of(await login(mine, workspace.email)) == (429, "too_many_failures")
        assert (await login(new_client(), workspace.email)).status_code == 200

    async def test_device_is_known_only_for_its_members(
        self, new_client: NewClient, workspace: Workspace, other: Workspace
    ) -> None:
        mine = new_client()
        await login(mine, workspace.email)
        await TestThrottle().fail(new_client(), other.email)
        assert problem_of(await login(mine, other.email)) == (429, "too_many_failures")

    @pytest.mark.parametrize("token", ["", "x", "sgd_made-up", "x" * 4000])
    async def test_forged_device_cookie(self, new_client: NewClient, workspace: Workspace, token: str) -> None:
        await TestThrottle().fail(new_client(), workspace.email)
        stranger = new_client()
        stranger.cookies.set(DEVICE_COOKIE, token)
        assert problem_of(await login(stranger, workspace.email)) == (429, "too_many_failures")

    async def test_cookie(self, new_client: NewClient, workspace: Workspace, db: Database) -> None:
        client = new_client()
        await login(client, workspace.email)
        token = client.cookies[DEVICE_COOKIE]
        assert (await client.get("/auth/me", headers={"cookie": f"{DEVICE_COOKIE}={token}"})).status_code == 401
        stored = await db.fetch("select token_hash from known_devices where user_id = $1", workspace.user_id)
        assert token_hash(token) in {row["token_hash"] for row in stored}
        await login(client, workspace.email)
        assert client.cookies[DEVICE_COOKIE] == token, "the same browser stays the same device"


class TestLogout:
    async def test_ends_the_session(self, owner: httpx.AsyncClient, db: Database, workspace: Workspace) -> None:
        token = owner.cookies[COOKIE]
        response = await owner.post("/auth/logout")
        assert response.status_code == 204
        assert cookie_of(response)["max-age"] == "0"
        assert COOKIE not in owner.cookies
        stale = await owner.get("/auth/me", headers={"cookie": f"{COOKIE}={token}"})
        assert problem_of(stale) == (401, "unauthenticated")
        query = "select count(*) from audit_log where account_id = $1 and action = 'user.signed_out'"
        assert await db.fetchval(query, workspace.account_id) == 1

    async def test_twice_or_without_a_session(self, owner: httpx.AsyncClient, client: httpx.AsyncClient) -> None:
        await owner.post("/auth/logout")
        assert (await owner.post("/auth/logout")).status_code == 204
        assert (await client.post("/auth/logout")).status_code == 204
        assert (await client.post("/auth/logout", headers={"cookie": f"{COOKIE}=rubbish"})).status_code == 204

    async def test_keeps_other_sessions(
        self, owner: httpx.AsyncClient, client: httpx.AsyncClient, workspace: Workspace
    ) -> None:
        await login(client, workspace.email)
        await client.post("/auth/logout")
        assert (await owner.get("/auth/me")).status_code == 200

    async def test_from_another_origin(self, owner: httpx.AsyncClient) -> None:
        response = await owner.post("/auth/logout", headers={"sec-fetch-site": "cross-site"})
        assert problem_of(response) == (403, "cross_origin")
        assert (await owner.get("/auth/me")).status_code == 200


class TestMe:
    async def test_without_a_session(self, client: httpx.AsyncClient) -> None:
        assert problem_of(await client.get("/auth/me")) == (401, "invalid_api_key")

    async def test_not_for_keys(self, manage: httpx.AsyncClient) -> None:
        assert problem_of(await manage.get("/auth/me")) == (403, "person_needed")
        assert problem_of(await manage.patch("/auth/me", json={"name": "Key"})) == (403, "person_needed")

    async def test_permissions_follow_the_role(self, join: Join) -> None:
        viewer = (await (await join("viewer")).get("/auth/me")).json()
        assert (viewer["role"], viewer["permissions"], viewer["hasPassword"]) == ("viewer", ["read"], False)
        reviewer = (await (await join("reviewer")).get("/auth/me")).json()
        assert reviewer["permissions"] == ["read", "decide", "deliver"]

    async def test_expired_session(self, owner: httpx.AsyncClient, db: Database, workspace: Workspace) -> None:
        await db.execute("update sign_in_sessions set expires_at = now() where user_id = $1", workspace.user_id)
        assert problem_of(await owner.get("/auth/me")) == (401, "unauthenticated")


class TestLink:
    @pytest.fixture
    async def token(self, db: Database, settings: Settings, workspace: Workspace) -> str:
        return token_from_link(await create_first_run_link(db, settings, workspace.user_id))

    async def test_signs_in(self, client: httpx.AsyncClient, token: str, workspace: Workspace) -> None:
        response = await client.post("/auth/link", json={"token": token})
        assert response.status_code == 200
        assert response.json()["user"]["userId"] == workspace.user_id
        assert cookie_of(response)["samesite"] == "lax"
        assert await key_id_of(client) == workspace.user_id

    async def test_twice(self, client: httpx.AsyncClient, new_client: NewClient, token: str) -> None:
        assert (await client.post("/auth/link", json={"token": token})).status_code == 200
        assert problem_of(await new_client().post("/auth/link", json={"token": token})) == (401, "link_used")

    async def test_concurrent_uses(self, new_client: NewClient, token: str) -> None:
        body = {"token": token, "password": "another password"}
        responses = await asyncio.gather(*(new_client().post("/auth/link", json=body) for _ in range(6)))
        assert Counter(response.status_code for response in responses) == {200: 1, 401: 5}
        assert {problem_of(answer) for answer in responses if answer.status_code == 401} == {(401, "link_used")}

    async def test_expired(self, client: httpx.AsyncClient, token: str, db: Database) -> None:
        await db.execute("update sign_in_links set expires_at = now() where token_hash = $1", token_hash(token))
        assert problem_of(await client.post("/auth/link", json={"token": token})) == (401, "link_expired")

    @pytest.mark.parametrize("token", ["", "sgl_made-up", "' or true --"])
    async def test_unknown(self, client: httpx.AsyncClient, token: str) -> None:
        assert problem_of(await client.post("/auth/link", json={"token": token})) == (401, "link_invalid")

    @pytest.mark.parametrize("body", [{}, {"token": None}, {"token": 1}, {"token": "x" * 1000}, {"token": ["x"]}])
    async def test_rejects_invalid_tokens(self, client: httpx.AsyncClient, body: dict[str, Any]) -> None:
        assert "token" in {path for path, _ in errors_of(await client.post("/auth/link", json=body))}

    @pytest.mark.parametrize("password", ["short", " " * 20, "x" * 201, "", 12345678901])
    async def test_invalid_password_does_not_use_it(self, client: httpx.AsyncClient, token: str, password: Any) -> None:
        refused = await client.post("/auth/link", json={"token": token, "password": password})
        assert {path for path, _ in errors_of(refused)} == {"password"}
        assert (await client.post("/auth/link", json={"token": token})).status_code == 200

    async def test_get_does_not_use_it(self, client: httpx.AsyncClient, token: str) -> None:
        for method in ("GET", "HEAD", "OPTIONS"):
            response = await client.request(method, "/auth/link", params={"token": token})
            assert response.status_code == 405
        assert (await client.post("/auth/link", json={"token": token})).status_code == 200

    async def test_from_another_origin(self, client: httpx.AsyncClient, token: str) -> None:
        body = {"token": token}
        refused = await client.post("/auth/link", json=body, headers={"origin": "https://evil.example"})
        assert problem_of(refused) == (403, "cross_origin")
        assert (await client.post("/auth/link", json=body)).status_code == 200

    async def test_sets_a_password_and_ends_other_sessions(
        self, owner: httpx.AsyncClient, new_client: NewClient, token: str, workspace: Workspace
    ) -> None:
        client = new_client()
        response = await client.post("/auth/link", json={"token": token, "password": "another password"})
        assert response.json()["hasPassword"] is True
        assert problem_of(await owner.get("/auth/me")) == (401, "unauthenticated")
        assert (await client.get("/auth/me")).status_code == 200
        assert problem_of(await login(new_client(), workspace.email)) == (401, "invalid_credentials")
        assert (await login(new_client(), workspace.email, "another password")).status_code == 200

    async def test_revokes_the_users_other_links(
        self, client: httpx.AsyncClient, token: str, db: Database, settings: Settings, workspace: Workspace
    ) -> None:
        printed_earlier = token_from_link(await create_first_run_link(db, settings, workspace.user_id))
        await client.post("/auth/link", json={"token": token})
        assert problem_of(await client.post("/auth/link", json={"token": printed_earlier})) == (401, "link_invalid")

    async def test_of_a_former_member(
        self, client: httpx.AsyncClient, token: str, db: Database, workspace: Workspace
    ) -> None:
        await db.execute("update users set disabled_at = now() where user_id = $1", workspace.user_id)
        assert problem_of(await client.post("/auth/link", json={"token": token})) == (401, "link_invalid")

    async def test_works_for_throttled_users(
        self, client: httpx.AsyncClient, new_client: NewClient, token: str, workspace: Workspace
    ) -> None:
        for _ in range(10):
            await login(new_client(), workspace.email, "wrong horse battery")
        assert (await client.post("/auth/link", json={"token": token})).status_code == 200
        assert (await login(new_client(), workspace.email)).status_code == 200
