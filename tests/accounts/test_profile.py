import asyncio
from collections import Counter
from typing import Any

import httpx
import pytest
from accounts_support import PASSWORD, Join, NewClient, Workspace, faults, id_of, problem, token_of

from signoff.accounts.setup import first_run_link
from signoff.platform.db import Database
from signoff.platform.settings import Settings

NEW = "another password"


async def change(client: httpx.AsyncClient, **body: Any) -> httpx.Response:
    return await client.patch("/auth/me", json=body)


class TestChangeProfile:
    async def test_name(self, owner: httpx.AsyncClient) -> None:
        answer = await change(owner, name="  Anna Owner ")
        assert answer.status_code == 200
        assert answer.json()["user"]["name"] == "Anna Owner"

    async def test_nothing(self, owner: httpx.AsyncClient) -> None:
        before = (await owner.get("/auth/me")).json()
        assert (await change(owner)).json() == before
        log = (await owner.get("/auditLog", params={"action": "user.profile_changed"})).json()
        assert log["items"] == []

    @pytest.mark.parametrize(
        ("body", "fault"),
        [
            ({"name": None}, ("name", "null_not_allowed")),
            ({"name": " "}, ("name", "string_too_short")),
            ({"name": "x" * 201}, ("name", "string_too_long")),
            ({"email": None}, ("email", "null_not_allowed")),
            ({"email": "nobody"}, ("email", "invalid_email")),
            ({"email": "Anna <anna@example.com>"}, ("email", "invalid_email")),
            ({"email": "a@b@example.com"}, ("email", "invalid_email")),
            ({"email": f"{'x' * 320}@example.com"}, ("email", "string_too_long")),
            ({"password": None}, ("password", "null_not_allowed")),
            ({"password": "seven c"}, ("password", "string_too_short")),
            ({"password": "x" * 201}, ("password", "string_too_long")),
            ({"password": " " * 12}, ("password", "blank_password")),
            ({"password": NEW}, ("currentPassword", "missing")),
            ({"password": NEW, "currentPassword": "wrong"}, ("currentPassword", "wrong_password")),
            ({"email": "new@example.com", "currentPassword": ""}, ("currentPassword", "wrong_password")),
            ({"email": "new@example.com"}, ("currentPassword", "missing")),
            ({"role": "owner"}, ("role", "extra_forbidden")),
        ],
    )
    async def test_refused(self, owner: httpx.AsyncClient, body: dict[str, Any], fault: tuple[str, str]) -> None:
        before = (await owner.get("/auth/me")).json()
        assert faults(await change(owner, **body)) == {fault}
        assert (await owner.get("/auth/me")).json() == before

    async def test_from_another_origin(self, owner: httpx.AsyncClient) -> None:
        answer = await owner.patch("/auth/me", json={"name": "x"}, headers={"sec-fetch-site": "cross-site"})
        assert problem(answer) == (403, "cross_origin")


class TestChangePassword:
    async def test_ends_other_sessions_and_links(
        self, owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace, db: Database, settings: Settings
    ) -> None:
        elsewhere = new_client()
        await elsewhere.post("/auth/login", json={"email": workspace.email, "password": PASSWORD})
        token = token_of(await first_run_link(db, settings, workspace.user_id))
        assert (await change(owner, password=NEW, currentPassword=PASSWORD)).status_code == 200
        assert (await owner.get("/auth/me")).status_code == 200
        assert problem(await elsewhere.get("/auth/me")) == (401, "unauthenticated")
        assert problem(await elsewhere.post("/auth/link", json={"token": token})) == (401, "link_invalid")
        signed_in = await elsewhere.post("/auth/login", json={"email": workspace.email, "password": NEW})
        assert signed_in.status_code == 200

    async def test_nobody_elses_sessions(self, owner: httpx.AsyncClient, join: Join) -> None:
        colleague = await join("admin")
        await change(owner, password=NEW, currentPassword=PASSWORD)
        assert (await colleague.get("/auth/me")).status_code == 200

    async def test_first_password_after_a_link(self, join: Join) -> None:
        editor = await join("editor")
        assert (await change(editor, password=NEW)).json()["hasPassword"] is True
        assert faults(await change(editor, password=PASSWORD)) == {("currentPassword", "missing")}
        assert (await change(editor, password=PASSWORD, currentPassword=NEW)).status_code == 200

    async def test_guesses_are_throttled(self, owner: httpx.AsyncClient) -> None:
        for _ in range(10):
            await change(owner, password=NEW, currentPassword="wrong horse battery")
        answer = await change(owner, password=NEW, currentPassword=PASSWORD)
        assert problem(answer) == (429, "too_many_failures")
        assert int(answer.headers["retry-after"]) > 0

    async def test_twice_at_the_same_moment(self, owner: httpx.AsyncClient) -> None:
        answers = await asyncio.gather(
            *(change(owner, password=f"{NEW} {number}", currentPassword=PASSWORD) for number in range(3))
        )
        assert Counter(answer.status_code for answer in answers)[200] == 1
        refused = {problem(answer)[1] for answer in answers if answer.status_code != 200}
        assert refused <= {"profile_changed", "invalid"}

    async def test_is_recorded_without_the_password(self, owner: httpx.AsyncClient) -> None:
        await change(owner, password=NEW, currentPassword=PASSWORD, name="Anna")
        log = (await owner.get("/auditLog", params={"action": "user.profile_changed"})).json()["items"]
        assert [entry["details"] for entry in log] == [{"name": "Anna", "password": "changed"}]


class TestChangeEmail:
    async def test_is_the_new_way_in(
        self, owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace
    ) -> None:
        email = f"New-{workspace.user_id}@Example.com"
        answer = await change(owner, email=email, currentPassword=PASSWORD)
        assert answer.json()["user"]["email"] == email.lower()
        credentials = {"email": workspace.email, "password": PASSWORD}
        assert problem(await new_client().post("/auth/login", json=credentials)) == (401, "invalid_credentials")
        assert (await new_client().post("/auth/login", json={**credentials, "email": email})).status_code == 200

    async def test_taken_in_any_account(self, owner: httpx.AsyncClient, workspace: Workspace, other: Workspace) -> None:
        answer = await change(owner, email=other.email.upper(), currentPassword=PASSWORD)
        assert problem(answer) == (409, "email_taken")

    async def test_ones_own_needs_no_proof(self, owner: httpx.AsyncClient, workspace: Workspace) -> None:
        assert (await change(owner, email=workspace.email.upper())).status_code == 200

    async def test_two_want_the_same(self, join: Join, workspace: Workspace) -> None:
        people = [await join("editor"), await join("editor")]
        email = f"wanted-{workspace.user_id}@example.com"
        answers = await asyncio.gather(*(change(person, email=email) for person in people))
        assert sorted(answer.status_code for answer in answers) == [200, 409]

    async def test_the_placeholder_owner_becomes_a_person(self, join: Join) -> None:
        someone = await join("owner")
        email = f"{await id_of(someone)}@example.org"
        answer = await change(someone, name="Anna", email=email, password=NEW)
        assert answer.status_code == 200
        assert answer.json()["user"]["email"] == email
