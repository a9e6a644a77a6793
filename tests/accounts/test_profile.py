import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from accounts_helpers import PASSWORD, Join, NewClient, Workspace, errors_of, key_id_of, problem_of, token_from_link

from signoff.accounts.cleanup import delete_expired
from signoff.accounts.setup import PLACEHOLDER_EMAIL, create_account, create_first_run_link
from signoff.platform.db import Database
from signoff.platform.settings import Settings

NEW = "another password"


async def change(client: httpx.AsyncClient, **body: Any) -> httpx.Response:
    return await client.patch("/auth/me", json=body)


class TestChangeProfile:
    async def test_name(self, owner: httpx.AsyncClient) -> None:
        response = await change(owner, name="  Anna Owner ")
        assert response.status_code == 200
        assert response.json()["user"]["name"] == "Anna Owner"

    async def test_language(self, owner: httpx.AsyncClient) -> None:
        assert (await change(owner, language="ar")).json()["user"]["language"] == "ar"
        assert (await change(owner, name="Anna")).json()["user"]["language"] == "ar"
        assert (await change(owner, language=None)).json()["user"]["language"] is None
        log = (await owner.get("/auditLog", params={"action": "user.profile_changed"})).json()["items"]
        assert [entry["details"] for entry in log] == [{"language": None}, {"name": "Anna"}, {"language": "ar"}]

    async def test_empty_change(self, owner: httpx.AsyncClient) -> None:
        before = (await owner.get("/auth/me")).json()
        assert (await change(owner)).json() == before
        log = (await owner.get("/auditLog", params={"action": "user.profile_changed"})).json()
        assert log["items"] == []

    @pytest.mark.parametrize(
        ("body", "error"),
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
            ({"language": "tlh"}, ("language", "literal_error")),
            ({"language": "de-AT"}, ("language", "literal_error")),
            ({"role": "owner"}, ("role", "extra_forbidden")),
        ],
    )
    async def test_refused(self, owner: httpx.AsyncClient, body: dict[str, Any], error: tuple[str, str]) -> None:
        before = (await owner.get("/auth/me")).json()
        assert errors_of(await change(owner, **body)) == {error}
        assert (await owner.get("/auth/me")).json() == before

    async def test_from_another_origin(self, owner: httpx.AsyncClient) -> None:
        response = await owner.patch("/auth/me", json={"name": "x"}, headers={"sec-fetch-site": "cross-site"})
        assert problem_of(response) == (403, "cross_origin")


class TestChangePassword:
    async def test_ends_other_sessions_and_links(
        self, owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace, db: Database, settings: Settings
    ) -> None:
        elsewhere = new_client()
        await elsewhere.post("/auth/login", json={"email": workspace.email, "password": PASSWORD})
        token = token_from_link(await create_first_run_link(db, settings, workspace.user_id))
        assert (await change(owner, password=NEW, currentPassword=PASSWORD)).status_code == 200
        assert (await owner.get("/auth/me")).status_code == 200
        assert problem_of(await elsewhere.get("/auth/me")) == (401, "unauthenticated")
        assert problem_of(await elsewhere.post("/auth/link", json={"token": token})) == (401, "link_invalid")
        signed_in = await elsewhere.post("/auth/login", json={"email": workspace.email, "password": NEW})
        assert signed_in.status_code == 200

    async def test_keeps_other_users_sessions(self, owner: httpx.AsyncClient, join: Join) -> None:
        colleague = await join("admin")
        await change(owner, password=NEW, currentPassword=PASSWORD)
        assert (await colleague.get("/auth/me")).status_code == 200

    async def test_first_password_after_a_link(self, join: Join) -> None:
        editor = await join("editor")
        assert (await change(editor, password=NEW)).json()["hasPassword"] is True
        assert errors_of(await change(editor, password=PASSWORD)) == {("currentPassword", "missing")}
        assert (await change(editor, password=PASSWORD, currentPassword=NEW)).status_code == 200

    async def test_guesses_are_throttled(self, owner: httpx.AsyncClient) -> None:
        for _ in range(10):
            await change(owner, password=NEW, currentPassword="wrong horse battery")
        response = await change(owner, password=NEW, currentPassword=PASSWORD)
        assert problem_of(response) == (429, "too_many_failures")
        assert int(response.headers["retry-after"]) > 0

    async def test_concurrent_changes(self, owner: httpx.AsyncClient) -> None:
        results = await asyncio.gather(
            *(change(owner, password=f"{NEW} {number}", currentPassword=PASSWORD) for number in range(3))
        )
        assert Counter(response.status_code for response in results)[200] == 1
        refused = {problem_of(result)[1] for result in results if result.status_code != 200}
        assert refused <= {"profile_changed", "invalid"}

    async def test_is_recorded_without_the_password(self, owner: httpx.AsyncClient) -> None:
        await change(owner, password=NEW, currentPassword=PASSWORD, name="Anna")
        log = (await owner.get("/auditLog", params={"action": "user.profile_changed"})).json()["items"]
        assert [entry["details"] for entry in log] == [{"name": "Anna", "password": "changed"}]


@dataclass(frozen=True)
class Mail:
    to: str
    kind: str
    context: dict[str, str]

    @property
    def token(self) -> str:
        return parse_qs(urlsplit(self.context["link"]).query)["confirmEmail"][0]


class TestChangeEmail:
    async def test_takes_effect_after_confirmation(
        self, owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace, db: Database
    ) -> None:
        email = f"New-{workspace.user_id}@Example.com"
        pending = await change(owner, email=email, currentPassword=PASSWORD)
        shown = pending.json()["user"]
        assert (shown["email"], shown["pendingEmail"]) == (workspace.email, email.lower())
        credentials = {"email": workspace.email, "password": PASSWORD}
        assert (await new_client().post("/auth/login", json=credentials)).status_code == 200
        [mail] = await self.mails(db, workspace.user_id)
        assert (mail.to, mail.kind, mail.context["before"]) == (email.lower(), "email_confirmation", workspace.email)

        confirmed = await self.confirm(owner, mail.token)
        assert confirmed.status_code == 200, confirmed.text
        shown = confirmed.json()["user"]
        assert (shown["email"], shown["pendingEmail"]) == (email.lower(), None)
        assert problem_of(await new_client().post("/auth/login", json=credentials)) == (401, "invalid_credentials")
        assert (await new_client().post("/auth/login", json={**credentials, "email": email})).status_code == 200
        assert [(mail.to, mail.kind) for mail in await self.mails(db, workspace.user_id)][1:] == [
            (workspace.email, "email_changed")
        ]
        log = (await owner.get("/auditLog", params={"objectId": workspace.user_id})).json()["items"]
        assert {"user.email_change_requested", "user.email_confirmed"} <= {entry["action"] for entry in log}
        assert mail.token not in str(log)

    async def test_link_works_only_for_its_user(
        self,
        owner: httpx.AsyncClient,
        other_owner: httpx.AsyncClient,
        join: Join,
        client: httpx.AsyncClient,
        workspace: Workspace,
        db: Database,
    ) -> None:
        """A person who can read the mailbox can't give the email to the user who claims it."""
        attacker = await join("editor")
        await change(attacker, email=f"cfo-{workspace.user_id}@example.com")
        [mail] = await self.mails(db, await key_id_of(attacker))
        assert (await self.confirm(client, mail.token)).status_code == 401
        for someone in (owner, other_owner):
            assert problem_of(await self.confirm(someone, mail.token)) == (409, "email_change_invalid")
        assert (await attacker.get("/auth/me")).json()["user"]["email"].startswith("editor-")

    async def test_unconfirmed_email_gets_no_reviews(
        self, owner: httpx.AsyncClient, join: Join, workspace: Workspace, db: Database
    ) -> None:
        email = f"cfo-{workspace.user_id}@example.com"
        await change(await join("editor"), email=email)
        members = (await owner.get("/users")).json()["items"]
        assert email not in {member["email"] for member in members}

    @pytest.mark.parametrize("token", ["", "sge_x", "x" * 200])
    async def test_invalid_token(self, owner: httpx.AsyncClient, token: str) -> None:
        assert problem_of(await self.confirm(owner, token)) == (409, "email_change_invalid")

    async def test_a_link_works_once(self, owner: httpx.AsyncClient, workspace: Workspace, db: Database) -> None:
        await change(owner, email=f"once-{workspace.user_id}@example.com", currentPassword=PASSWORD)
        [mail] = await self.mails(db, workspace.user_id)
        results = await asyncio.gather(*(self.confirm(owner, mail.token) for _ in range(4)))
        assert sorted(response.status_code for response in results) == [200, 409, 409, 409]

    async def test_a_newer_change_replaces_it(
        self, owner: httpx.AsyncClient, workspace: Workspace, db: Database
    ) -> None:
        for number in (1, 2):
            await change(owner, email=f"new-{number}-{workspace.user_id}@example.com", currentPassword=PASSWORD)
        first, second = await self.mails(db, workspace.user_id)
        assert problem_of(await self.confirm(owner, first.token)) == (409, "email_change_invalid")
        assert (await self.confirm(owner, second.token)).status_code == 200

    async def test_changing_back_cancels_it(self, owner: httpx.AsyncClient, workspace: Workspace, db: Database) -> None:
        await change(owner, email=f"new-{workspace.user_id}@example.com", currentPassword=PASSWORD)
        back = await change(owner, email=workspace.email)
        assert back.json()["user"]["pendingEmail"] is None
        [mail] = await self.mails(db, workspace.user_id)
        assert problem_of(await self.confirm(owner, mail.token)) == (409, "email_change_invalid")

    async def test_expires(self, owner: httpx.AsyncClient, workspace: Workspace, db: Database) -> None:
        await change(owner, email=f"late-{workspace.user_id}@example.com", currentPassword=PASSWORD)
        await db.execute("update email_changes set expires_at = now() where user_id = $1", workspace.user_id)
        [mail] = await self.mails(db, workspace.user_id)
        assert problem_of(await self.confirm(owner, mail.token)) == (409, "email_change_invalid")
        assert (await owner.get("/auth/me")).json()["user"]["pendingEmail"] is None
        await delete_expired(db)
        assert not await db.fetchval("select count(*) from email_changes where user_id = $1", workspace.user_id)

    async def test_limits_mails(self, owner: httpx.AsyncClient, workspace: Workspace, db: Database) -> None:
        responses = [
            await change(owner, email=f"flood-{number}@example.com", currentPassword=PASSWORD) for number in range(6)
        ]
        assert [response.status_code for response in responses] == [200] * 5 + [429]
        assert problem_of(responses[-1]) == (429, "too_many_email_changes")
        assert int(responses[-1].headers["retry-after"]) > 0
        assert len(await self.mails(db, workspace.user_id)) == 5

    async def test_rejects_emails_taken_in_any_account(
        self, owner: httpx.AsyncClient, workspace: Workspace, other: Workspace
    ) -> None:
        response = await change(owner, email=other.email.upper(), currentPassword=PASSWORD)
        assert problem_of(response) == (409, "email_taken")

    async def test_current_email_needs_no_confirmation(self, owner: httpx.AsyncClient, workspace: Workspace) -> None:
        assert (await change(owner, email=workspace.email.upper())).status_code == 200

    async def test_two_users_want_the_same_email(self, join: Join, workspace: Workspace, db: Database) -> None:
        """Both may request it, but only one has the mailbox. The first to confirm gets it."""
        people = [await join("editor"), await join("editor")]
        email = f"wanted-{workspace.user_id}@example.com"
        for person in people:
            assert (await change(person, email=email)).status_code == 200
        tokens = [(await self.mails(db, await key_id_of(person)))[0].token for person in people]
        results = await asyncio.gather(*(self.confirm(*owner) for owner in zip(people, tokens, strict=True)))
        assert sorted(response.status_code for response in results) == [200, 409]
        assert {problem_of(result) for result in results if result.status_code == 409} == {(409, "email_taken")}

    async def test_placeholder_owner_can_set_an_email(
        self, db: Database, settings: Settings, new_client: NewClient
    ) -> None:
        async with db.transaction() as tx:
            founding = await create_account(tx, email=PLACEHOLDER_EMAIL, password_hash=None, name="New")
        someone = new_client()
        link = await create_first_run_link(db, settings, founding.user_id)
        await someone.post("/auth/link", json={"token": token_from_link(link)})
        email = f"{founding.user_id}@example.org"
        response = await change(someone, name="Anna", email=email, password=NEW)
        shown = response.json()["user"]
        assert (shown["email"], shown["pendingEmail"]) == (email, None)
        again = await change(someone, email=f"2-{email}", currentPassword=NEW)
        assert again.json()["user"]["email"] == email, "the second time it has to be confirmed"

    async def confirm(self, client: httpx.AsyncClient, token: str) -> httpx.Response:
        return await client.post("/auth/confirmEmail", json={"token": token})

    async def mails(self, db: Database, user_id: str) -> list[Mail]:
        rows = await db.fetch(
            "select to_email, kind, context from mails where user_id = $1 order by created_at, mail_id", user_id
        )
        return [Mail(*row.values()) for row in rows]
