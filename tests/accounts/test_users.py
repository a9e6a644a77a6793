import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

import httpx
import pytest
from accounts_helpers import Join, NewClient, Workspace, errors_of, key_id_of, problem_of, token_from_link
from fastapi import FastAPI

from signoff.accounts.sign_in.password_resets import send_password_reset
from signoff.platform.clock import now
from signoff.platform.db import Database
from signoff.platform.settings import Settings
from signoff.platform.tokens import token_hash


async def invite(client: httpx.AsyncClient, email: Any, role: Any = "reviewer", **more: Any) -> httpx.Response:
    return await client.post("/users", json={"email": email, "role": role, **more})


async def enabled_owners(db: Database, account_id: str) -> int:
    query = "select count(*) from users where account_id = $1 and role = 'owner' and disabled_at is null"
    return await db.fetchval(query, account_id)


@pytest.fixture
def address(workspace: Workspace) -> str:
    """An email that nobody has."""
    return f"new-{workspace.user_id}@example.com"


class TestInvite:
    async def test_returns_the_user_and_a_link(
        self, owner: httpx.AsyncClient, client: httpx.AsyncClient, address: str, db: Database
    ) -> None:
        response = await invite(owner, f" {address.upper()} ", "editor", name="Eddie")
        assert response.status_code == 201
        user = response.json()
        token = token_from_link(user.pop("invitationLink"))
        assert user == {
            "userId": user["userId"],
            "email": address,
            "name": "Eddie",
            "role": "editor",
            "disabled": False,
            "invitationHeld": False,
            "lastSignInAt": None,
            "createdAt": user["createdAt"],
            "absence": None,
        }
        assert (await owner.get(f"/users/{user['userId']}")).json() == user
        expires_at = await db.fetchval("select expires_at from sign_in_links where token_hash = $1", token_hash(token))
        assert timedelta(days=6.9) < expires_at - now() <= timedelta(days=7)
        signed_in = await client.post("/auth/link", json={"token": token, "password": "my own password"})
        assert (signed_in.json()["role"], signed_in.json()["hasPassword"]) == ("editor", True)

    async def test_name_from_the_email(self, owner: httpx.AsyncClient, address: str) -> None:
        assert (await invite(owner, address, name=None)).json()["name"] == address.partition("@")[0]

    @pytest.mark.parametrize(
        ("body", "error"),
        [
            ({"role": "viewer"}, ("email", "missing")),
            ({"email": "a@example.com"}, ("role", "missing")),
            ({"email": None, "role": "viewer"}, ("email", "string_type")),
            ({"email": "", "role": "viewer"}, ("email", "invalid_email")),
            ({"email": "a@", "role": "viewer"}, ("email", "invalid_email")),
            ({"email": "a\n@example.com", "role": "viewer"}, ("email", "invalid_email")),
            ({"email": "a@example.com\r\nBcc: x@example.com", "role": "viewer"}, ("email", "invalid_email")),
            ({"email": ["a@example.com"], "role": "viewer"}, ("email", "string_type")),
            ({"email": "x" * 5000, "role": "viewer"}, ("email", "string_too_long")),
            ({"email": "a@example.com", "role": "god"}, ("role", "literal_error")),
            ({"email": "a@example.com", "role": None}, ("role", "literal_error")),
            ({"email": "a@example.com", "role": ["owner"]}, ("role", "literal_error")),
            ({"email": "a@example.com", "role": "viewer", "name": ""}, ("name", "string_too_short")),
            ({"email": "a@example.com", "role": "viewer", "name": "x" * 201}, ("name", "string_too_long")),
            ({"email": "a@example.com", "role": "viewer", "accountId": "acc_1"}, ("accountId", "extra_forbidden")),
        ],
    )
    async def test_refused(self, owner: httpx.AsyncClient, body: dict[str, Any], error: tuple[str, str]) -> None:
        assert errors_of(await owner.post("/users", json=body)) == {error}

    @pytest.mark.parametrize(
        "email", ["İpek@example.com", "ΣΊΣΥΦΟΣ@example.com", "straße@bücher.example", "Ǆ@example.com"]
    )
    async def test_emails_in_any_script(self, owner: httpx.AsyncClient, email: str) -> None:
        first = await invite(owner, email)
        assert first.status_code == 201
        assert problem_of(await invite(owner, first.json()["email"])) == (409, "email_taken")
        assert problem_of(await invite(owner, email)) == (409, "email_taken")

    async def test_taken(self, owner: httpx.AsyncClient, address: str, other: Workspace) -> None:
        await invite(owner, address)
        assert problem_of(await invite(owner, address.upper())) == (409, "email_taken")
        assert problem_of(await invite(owner, other.email)) == (409, "email_taken")

    async def test_concurrent_invites(self, owner: httpx.AsyncClient, address: str) -> None:
        results = await asyncio.gather(*(invite(owner, address) for _ in range(5)))
        assert Counter(response.status_code for response in results) == {201: 1, 409: 4}

    async def test_by_role(self, join: Join, manage: httpx.AsyncClient, address: str) -> None:
        assert problem_of(await invite(await join("editor"), address)) == (403, "forbidden")
        assert problem_of(await invite(await join("admin"), address, "owner")) == (403, "owner_needed")
        assert problem_of(await invite(manage, address, "owner")) == (403, "owner_needed")
        assert (await invite(await join("admin"), address, "admin")).status_code == 201
        assert (await invite(manage, f"x{address}", "admin")).status_code == 201
        assert (await invite(await join("owner"), f"y{address}", "owner")).status_code == 201

    async def test_without_permission(
        self, client: httpx.AsyncClient, new_client: NewClient, workspace: Workspace
    ) -> None:
        assert problem_of(await invite(client, "x@example.com")) == (401, "invalid_api_key")
        assert problem_of(await invite(new_client(x_api_key=workspace.api_key), "x@example.com")) == (403, "forbidden")

    async def test_from_another_origin(self, owner: httpx.AsyncClient, address: str) -> None:
        body = {"email": address, "role": "viewer"}
        response = await owner.post("/users", json=body, headers={"sec-fetch-site": "cross-site"})
        assert problem_of(response) == (403, "cross_origin")

    async def test_audit_entry_does_not_contain_the_link(self, owner: httpx.AsyncClient, address: str) -> None:
        user = (await invite(owner, address)).json()
        log = await owner.get("/auditLog", params={"objectId": user["userId"]})
        assert [(entry["action"], entry["details"]) for entry in log.json()["items"]] == [
            ("user.invited", {"email": address, "role": "reviewer"})
        ]


class TestInviteByKey:
    """A key that can invite could act as a user, and users decide."""

    async def test_waits_for_an_admin(
        self,
        owner: httpx.AsyncClient,
        manage: httpx.AsyncClient,
        client: httpx.AsyncClient,
        address: str,
        db: Database,
        settings: Settings,
    ) -> None:
        held = (await invite(manage, address, "admin")).json()
        assert (held["invitationHeld"], held["disabled"], held["invitationLink"]) == (True, True, None)
        assert await self.ways_in(db, held["userId"]) == (0, 0)
        await self.ask_for_a_link(client, db, settings, address)
        assert await self.ways_in(db, held["userId"]) == (0, 0), "a forgotten password is no way in either"

        response = await owner.post(f"/users/{held['userId']}/approveInvitation")
        assert response.status_code == 200, response.text
        approved = response.json()
        assert (approved["invitationHeld"], approved["disabled"], approved["role"]) == (False, False, "admin")
        assert await self.ways_in(db, held["userId"]) == (1, 1)
        signed_in = await client.post("/auth/link", json={"token": token_from_link(approved["invitationLink"])})
        assert signed_in.json()["user"]["email"] == address
        log = (await owner.get("/auditLog", params={"objectId": held["userId"]})).json()["items"]
        assert {"user.invited", "user.invitation_approved"} <= {entry["action"] for entry in log}

    async def test_keys_can_not_approve_it(self, manage: httpx.AsyncClient, address: str) -> None:
        user_id = (await invite(manage, address)).json()["userId"]
        assert problem_of(await manage.post(f"/users/{user_id}/approveInvitation")) == (403, "person_needed")
        for change in ({"disabled": False}, {"disabled": True}, {"role": "admin"}, {"name": "Boss"}):
            assert problem_of(await manage.patch(f"/users/{user_id}", json=change)) == (409, "invitation_held")
        assert problem_of(await manage.post(f"/users/{user_id}/signInLink")) == (403, "person_needed")
        assert (await manage.get(f"/users/{user_id}")).json()["invitationHeld"] is True

    async def test_keys_can_not_grant_more_permissions(
        self, owner: httpx.AsyncClient, manage: httpx.AsyncClient, address: str
    ) -> None:
        """A user approved as a viewer stays one until a user changes the role."""
        user_id = (await invite(manage, address, "viewer")).json()["userId"]
        await owner.post(f"/users/{user_id}/approveInvitation")
        for role in ("reviewer", "editor", "admin"):
            assert problem_of(await manage.patch(f"/users/{user_id}", json={"role": role})) == (403, "person_needed")
        assert (await owner.patch(f"/users/{user_id}", json={"role": "editor"})).json()["role"] == "editor"
        assert (await manage.patch(f"/users/{user_id}", json={"role": "viewer"})).json()["role"] == "viewer"

    async def test_declined(self, owner: httpx.AsyncClient, manage: httpx.AsyncClient, address: str) -> None:
        user_id = (await invite(manage, address)).json()["userId"]
        declined = (await owner.patch(f"/users/{user_id}", json={"disabled": True})).json()
        assert (declined["invitationHeld"], declined["disabled"]) == (False, True)
        assert problem_of(await manage.patch(f"/users/{user_id}", json={"disabled": False})) == (403, "person_needed")
        assert problem_of(await owner.post(f"/users/{user_id}/approveInvitation")) == (409, "invitation_not_held")

    async def test_enabling_is_not_approving(
        self, owner: httpx.AsyncClient, manage: httpx.AsyncClient, address: str
    ) -> None:
        user_id = (await invite(manage, address)).json()["userId"]
        assert problem_of(await owner.patch(f"/users/{user_id}", json={"disabled": False})) == (409, "invitation_held")

    async def test_concurrent_approvals(
        self, owner: httpx.AsyncClient, manage: httpx.AsyncClient, address: str, db: Database
    ) -> None:
        user_id = (await invite(manage, address)).json()["userId"]
        responses = await asyncio.gather(*(owner.post(f"/users/{user_id}/approveInvitation") for _ in range(4)))
        assert Counter(response.status_code for response in responses) == {200: 1, 409: 3}
        assert await self.ways_in(db, user_id) == (1, 1)

    async def test_another_accounts_admin(
        self, other_owner: httpx.AsyncClient, manage: httpx.AsyncClient, address: str
    ) -> None:
        user_id = (await invite(manage, address)).json()["userId"]
        assert problem_of(await other_owner.post(f"/users/{user_id}/approveInvitation")) == (404, "not_found")

    async def test_without_permission(self, join: Join, manage: httpx.AsyncClient, address: str) -> None:
        user_id = (await invite(manage, address)).json()["userId"]
        editor = await join("editor")
        assert problem_of(await editor.post(f"/users/{user_id}/approveInvitation")) == (403, "forbidden")

    async def test_allowed_domain(
        self, app: FastAPI, manage: httpx.AsyncClient, address: str, db: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        service = app.state.context
        allowed = service.settings.model_copy(update={"key_invite_domains": ("example.com",)})
        monkeypatch.setattr(service, "settings", allowed)
        invited = (await invite(manage, address)).json()
        assert (invited["invitationHeld"], invited["disabled"], invited["invitationLink"]) == (False, False, None)
        assert await self.ways_in(db, invited["userId"]) == (1, 1)
        for elsewhere in (f"{address}.evil.example", address.replace("@", "@sub.")):
            assert (await invite(manage, elsewhere)).json()["invitationHeld"] is True

    async def ways_in(self, db: Database, user_id: str) -> tuple[int, int]:
        """The number of links for the user, and of their mails."""
        links = await db.fetchval("select count(*) from sign_in_links where user_id = $1", user_id)
        return links, await db.fetchval("select count(*) from mails where user_id = $1", user_id)

    async def ask_for_a_link(self, client: httpx.AsyncClient, db: Database, settings: Settings, address: str) -> None:
        assert (await client.post("/auth/forgotPassword", json={"email": address})).status_code == 202
        request_id = await db.fetchval("select request_id from password_reset_requests where email = $1", address)
        await send_password_reset(db, settings, request_id)


class TestListUsers:
    async def test_pages(self, owner: httpx.AsyncClient, workspace: Workspace, address: str) -> None:
        invited = [(await invite(owner, f"{n}{address}")).json()["userId"] for n in range(4)]
        seen: list[str] = []
        cursor: str | None = None
        while True:
            params = {"limit": "2"} | ({"cursor": cursor} if cursor else {})
            page = (await owner.get("/users", params=params)).json()
            assert len(page["items"]) <= 2
            seen += [user["userId"] for user in page["items"]]
            cursor = page["nextCursor"]
            if cursor is None:
                break
        assert seen == [workspace.user_id, *sorted(invited)]

    async def test_only_own_account(self, owner: httpx.AsyncClient, workspace: Workspace, other: Workspace) -> None:
        items = (await owner.get("/users")).json()["items"]
        assert [user["userId"] for user in items] == [workspace.user_id]
        assert "passwordHash" not in items[0]

    @pytest.mark.parametrize("params", [{"limit": "0"}, {"limit": "201"}, {"limit": "x"}, {"cursor": "x" * 300}])
    async def test_bad_query(self, owner: httpx.AsyncClient, params: dict[str, str]) -> None:
        assert problem_of(await owner.get("/users", params=params)) == (400, "invalid_query")

    @pytest.mark.parametrize("cursor", ["", "zzz", "' or 1=1 --", "%00", "🙂"])
    async def test_invalid_cursors_are_rejected(self, owner: httpx.AsyncClient, cursor: str) -> None:
        assert (await owner.get("/users", params={"cursor": cursor})).status_code == 200

    async def test_everyone_in_the_account_may_see_colleagues(
        self, join: Join, new_client: NewClient, workspace: Workspace
    ) -> None:
        assert (await (await join("viewer")).get("/users")).status_code == 200
        assert (await new_client(x_api_key=workspace.api_key).get("/users")).status_code == 200


class TestUnknownUser:
    @pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
    async def test_another_accounts_user_looks_unknown(
        self, owner: httpx.AsyncClient, other: Workspace, method: str, db: Database
    ) -> None:
        body: dict[str, Any] = {"json": {"name": "Mine now"}} if method == "PATCH" else {}
        unknown = await owner.request(method, "/users/usr_unknown", **body)
        foreign = await owner.request(method, f"/users/{other.user_id}", **body)
        assert problem_of(unknown) == problem_of(foreign) == (404, "not_found")
        assert foreign.text.replace(other.user_id, "usr_unknown") == unknown.text
        row = await db.fetchrow("select name, disabled_at from users where user_id = $1", other.user_id)
        assert row is not None
        assert (row["name"] != "Mine now", row["disabled_at"]) == (True, None)

    async def test_sign_in_link(self, owner: httpx.AsyncClient, other: Workspace) -> None:
        assert problem_of(await owner.post("/users/usr_unknown/signInLink")) == (404, "not_found")
        assert problem_of(await owner.post(f"/users/{other.user_id}/signInLink")) == (404, "not_found")

    async def test_hostile_identifiers(self, owner: httpx.AsyncClient) -> None:
        assert problem_of(await owner.get("/users/%00")) == (400, "malformed_request")
        assert problem_of(await owner.get("/users/" + "x" * 200)) == (400, "invalid_query")
        assert problem_of(await owner.get("/users/' or true --")) == (404, "not_found")


class TestChangeUser:
    async def test_name_and_role(self, owner: httpx.AsyncClient, join: Join) -> None:
        editor = await join("editor")
        response = await owner.patch(f"/users/{await key_id_of(editor)}", json={"name": "Eddie", "role": "viewer"})
        assert (response.json()["name"], response.json()["role"]) == ("Eddie", "viewer")
        assert (await editor.get("/auth/me")).json()["permissions"] == ["read"]

    async def test_empty_change(self, owner: httpx.AsyncClient, join: Join) -> None:
        user_id = await key_id_of(await join("editor"))
        before = (await owner.get(f"/users/{user_id}")).json()
        assert (await owner.patch(f"/users/{user_id}", json={})).json() == before
        same = {"role": "editor", "disabled": False, "name": before["name"]}
        assert (await owner.patch(f"/users/{user_id}", json=same)).json() == before
        log = await owner.get("/auditLog", params={"objectId": user_id, "action": "user.changed"})
        assert log.json()["items"] == []

    @pytest.mark.parametrize(
        ("body", "error"),
        [
            ({"name": None}, ("name", "null_not_allowed")),
            ({"role": None}, ("role", "null_not_allowed")),
            ({"disabled": None}, ("disabled", "null_not_allowed")),
            ({"disabled": "true"}, ("disabled", "bool_type")),
            ({"disabled": 1}, ("disabled", "bool_type")),
            ({"role": "root"}, ("role", "literal_error")),
            ({"email": "x@example.com"}, ("email", "extra_forbidden")),
            ({"password": "another password"}, ("password", "extra_forbidden")),
        ],
    )
    async def test_refused(
        self, owner: httpx.AsyncClient, join: Join, body: dict[str, Any], error: tuple[str, str]
    ) -> None:
        user_id = await key_id_of(await join("editor"))
        assert errors_of(await owner.patch(f"/users/{user_id}", json=body)) == {error}

    async def test_not_by_editors(self, join: Join) -> None:
        editor = await join("editor")
        response = await editor.patch(f"/users/{await key_id_of(editor)}", json={"role": "admin"})
        assert problem_of(response) == (403, "forbidden")

    async def test_is_in_the_audit_log(self, owner: httpx.AsyncClient, join: Join) -> None:
        user_id = await key_id_of(await join("editor"))
        await owner.patch(f"/users/{user_id}", json={"role": "admin"})
        log = await owner.get("/auditLog", params={"objectId": user_id, "action": "user.changed"})
        assert [entry["details"] for entry in log.json()["items"]] == [{"role": "admin"}]


class TestRights:
    async def test_users_can_not_change_their_own_role(self, join: Join) -> None:
        await join("owner")
        for role in ("owner", "admin"):
            person = await join(role)
            path = f"/users/{await key_id_of(person)}"
            assert problem_of(await person.patch(path, json={"role": "viewer"})) == (403, "not_yourself")
            assert problem_of(await person.patch(path, json={"disabled": True})) == (403, "not_yourself")
            assert problem_of(await person.delete(path)) == (403, "not_yourself")
            assert (await person.patch(path, json={"role": role, "name": "Me"})).status_code == 200

    async def test_only_owners_change_owners(self, join: Join, manage: httpx.AsyncClient, workspace: Workspace) -> None:
        second = f"/users/{await key_id_of(await join('owner'))}"
        admin = await join("admin")
        somebody = f"/users/{await key_id_of(await join('reviewer'))}"
        for caller in (admin, manage):
            assert problem_of(await caller.patch(second, json={"role": "viewer"})) == (403, "owner_needed")
            assert problem_of(await caller.patch(second, json={"disabled": True})) == (403, "owner_needed")
            assert problem_of(await caller.delete(second)) == (403, "owner_needed")
            assert problem_of(await caller.patch(somebody, json={"role": "owner"})) == (403, "owner_needed")
            assert (await caller.patch(second, json={"name": "Chief"})).status_code == 200

    async def test_admins_cannot_bring_a_disabled_owner_back(self, owner: httpx.AsyncClient, join: Join) -> None:
        second = f"/users/{await key_id_of(await join('owner'))}"
        assert (await owner.delete(second)).status_code == 204
        assert problem_of(await (await join("admin")).patch(second, json={"disabled": False})) == (403, "owner_needed")
        assert (await owner.patch(second, json={"disabled": False})).status_code == 200

    async def test_owners_promote_and_demote_owners(self, owner: httpx.AsyncClient, join: Join) -> None:
        path = f"/users/{await key_id_of(await join('reviewer'))}"
        assert (await owner.patch(path, json={"role": "owner"})).json()["role"] == "owner"
        assert (await owner.patch(path, json={"role": "reviewer"})).json()["role"] == "reviewer"

    async def test_the_last_owner_stays(
        self, owner: httpx.AsyncClient, workspace: Workspace, join: Join, db: Database
    ) -> None:
        disabled = await key_id_of(await join("owner"))
        await owner.delete(f"/users/{disabled}")
        path = f"/users/{workspace.user_id}"
        assert problem_of(await owner.patch(path, json={"role": "admin"})) == (409, "last_owner")
        assert problem_of(await owner.patch(path, json={"disabled": True})) == (409, "last_owner")
        assert problem_of(await owner.delete(path)) == (409, "last_owner")
        assert await enabled_owners(db, workspace.account_id) == 1

    @pytest.mark.parametrize("change", [{"role": "viewer"}, {"disabled": True}])
    async def test_concurrent_demotions_keep_one_owner(
        self, join: Join, workspace: Workspace, db: Database, change: dict[str, Any]
    ) -> None:
        owners = [await join("owner") for _ in range(3)]
        await db.execute("update users set disabled_at = now() where user_id = $1", workspace.user_id)
        ids = [await key_id_of(owner) for owner in owners]
        responses = await asyncio.gather(
            *(
                owner.patch(f"/users/{user_id}", json=change)
                for owner in owners
                for user_id in ids
                if user_id != ids[owners.index(owner)]
            )
        )
        # The first one lost no permission; those whom they demoted couldn't retaliate.
        assert await enabled_owners(db, workspace.account_id) >= 1
        assert {response.status_code for response in responses} <= {200, 401, 403, 409}

    async def test_owners_can_demote_each_other(self, join: Join, workspace: Workspace, db: Database) -> None:
        first, second = await join("owner"), await join("owner")
        await db.execute("update users set disabled_at = now() where user_id = $1", workspace.user_id)
        first_id, second_id = await key_id_of(first), await key_id_of(second)
        responses = await asyncio.gather(
            first.patch(f"/users/{second_id}", json={"role": "admin"}),
            second.patch(f"/users/{first_id}", json={"role": "admin"}),
        )
        assert sorted(response.status_code for response in responses) == [200, 403]
        assert await enabled_owners(db, workspace.account_id) == 1


class TestDisable:
    async def test_ends_sessions_and_links(
        self, owner: httpx.AsyncClient, client: httpx.AsyncClient, address: str
    ) -> None:
        user = (await invite(owner, address)).json()
        token = token_from_link(user["invitationLink"])
        await client.post("/auth/link", json={"token": token})
        second = (await owner.post(f"/users/{user['userId']}/signInLink")).json()["signInLink"]
        response = await owner.patch(f"/users/{user['userId']}", json={"disabled": True})
        assert response.json()["disabled"] is True
        assert problem_of(await client.get("/auth/me")) == (401, "unauthenticated")
        assert problem_of(await client.post("/auth/link", json={"token": token_from_link(second)})) == (
            401,
            "link_invalid",
        )

    async def test_can_be_enabled_again(
        self, owner: httpx.AsyncClient, join: Join, client: httpx.AsyncClient, workspace: Workspace
    ) -> None:
        path = f"/users/{await key_id_of(await join('editor'))}"
        await owner.patch(path, json={"disabled": True})
        assert problem_of(await owner.post(f"{path}/signInLink")) == (409, "user_disabled")
        assert (await owner.patch(path, json={"disabled": False})).json()["disabled"] is False
        link = (await owner.post(f"{path}/signInLink")).json()["signInLink"]
        assert (await client.post("/auth/link", json={"token": token_from_link(link)})).status_code == 200

    async def test_delete_disables_and_keeps(self, owner: httpx.AsyncClient, join: Join) -> None:
        editor = await join("editor")
        path = f"/users/{await key_id_of(editor)}"
        assert (await owner.delete(path)).status_code == 204
        assert (await owner.delete(path)).status_code == 204
        assert (await owner.get(path)).json()["disabled"] is True
        assert problem_of(await editor.get("/auth/me")) == (401, "unauthenticated")
        log = await owner.get("/auditLog", params={"objectId": path.rpartition("/")[2], "action": "user.changed"})
        assert [entry["details"] for entry in log.json()["items"]] == [{"disabled": True}]

    async def test_during_a_sign_in(
        self, owner: httpx.AsyncClient, new_client: NewClient, address: str, db: Database
    ) -> None:
        """In either order, no session survives."""
        for number in range(8):
            user = (await invite(owner, f"{number}{address}")).json()
            body = {"token": token_from_link(user["invitationLink"])}
            _, signed_in = await asyncio.gather(
                owner.delete(f"/users/{user['userId']}"), new_client().post("/auth/link", json=body)
            )
            assert signed_in.status_code in {200, 401}
            count = "select count(*) from sign_in_sessions where user_id = $1"
            assert await db.fetchval(count, user["userId"]) == 0


class TestSignInLink:
    async def test_resets_a_password(
        self, owner: httpx.AsyncClient, client: httpx.AsyncClient, join: Join, new_client: NewClient
    ) -> None:
        editor = await join("editor")
        await editor.patch("/auth/me", json={"password": "forgotten password"})
        me = (await editor.get("/auth/me")).json()["user"]
        response = await owner.post(f"/users/{me['userId']}/signInLink")
        assert response.status_code == 200
        assert response.json().keys() == {"signInLink", "expiresAt"}
        body = {"token": token_from_link(response.json()["signInLink"]), "password": "remembered password"}
        assert (await client.post("/auth/link", json=body)).status_code == 200
        credentials = {"email": me["email"], "password": "remembered password"}
        assert (await new_client().post("/auth/login", json=credentials)).status_code == 200
        assert problem_of(await editor.get("/auth/me")) == (401, "unauthenticated")

    async def test_who_can_create_one(self, join: Join, manage: httpx.AsyncClient, workspace: Workspace) -> None:
        admin, editor = await join("admin"), await join("editor")
        path = f"/users/{await key_id_of(editor)}/signInLink"
        assert problem_of(await editor.post(path)) == (403, "forbidden")
        assert problem_of(await manage.post(path)) == (403, "person_needed")
        assert (await admin.post(path)).status_code == 200
        assert problem_of(await admin.post(f"/users/{workspace.user_id}/signInLink")) == (403, "owner_needed")

    async def test_audit_entry_does_not_contain_the_link(self, owner: httpx.AsyncClient, workspace: Workspace) -> None:
        await owner.post(f"/users/{workspace.user_id}/signInLink")
        log = await owner.get("/auditLog", params={"action": "user.sign_in_link_made", "actorId": workspace.user_id})
        assert [entry["details"] for entry in log.json()["items"]] == [None]
