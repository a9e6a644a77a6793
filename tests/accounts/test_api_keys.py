import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from accounts_helpers import Join, NewClient, Workspace, errors_of, problem_of
from fastapi import FastAPI

from signoff.accounts.api_keys.cache import ApiKeyCache
from signoff.platform.db import Database
from signoff.platform.errors import InvalidKey
from signoff.platform.tokens import token_hash


def in_an_hour() -> str:
    return (datetime.now(UTC) + timedelta(hours=1)).isoformat()


async def create(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    response = await client.post("/apiKeys", json={"name": "agent", **body})
    assert response.status_code == 201, response.text
    return response.json()


class TestCreateKey:
    async def test_is_shown_once(
        self, owner: httpx.AsyncClient, workspace: Workspace, new_client: NewClient, db: Database
    ) -> None:
        key = await create(owner, name=" CI ")
        secret = key.pop("apiKey")
        assert secret.startswith("sgn_")
        assert key == {
            "keyId": key["keyId"],
            "name": "CI",
            "scopes": ["reviews:write", "reviews:read"],
            "hint": f"sgn_…{secret[-4:]}",
            "createdAt": key["createdAt"],
            "createdBy": workspace.user_id,
            "replaces": None,
            "expiresAt": None,
            "lastUsedAt": None,
            "revokedAt": None,
            "status": "active",
        }
        assert (await owner.get(f"/apiKeys/{key['keyId']}")).json() == key
        assert secret not in (await owner.get("/apiKeys")).text
        assert secret not in (await owner.get("/auditLog")).text
        assert await db.fetchval("select hash from api_keys where key_id = $1", key["keyId"]) == token_hash(secret)
        assert (await new_client(x_api_key=secret).get("/authCheck")).status_code == 200
        assert (await owner.get(f"/apiKeys/{key['keyId']}")).json()["lastUsedAt"] is not None

    async def test_scopes_are_sorted_and_unique(self, owner: httpx.AsyncClient) -> None:
        key = await create(owner, scopes=["manage", "reviews:read", "manage"])
        assert key["scopes"] == ["reviews:read", "manage"]

    async def test_expiry(self, owner: httpx.AsyncClient) -> None:
        key = await create(owner, expiresAt="2099-01-31T14:00:00+02:00")
        assert key["expiresAt"] == "2099-01-31T12:00:00.000Z"

    @pytest.mark.parametrize(
        ("body", "error"),
        [
            ({}, ("name", "missing")),
            ({"name": None}, ("name", "string_type")),
            ({"name": ""}, ("name", "string_too_short")),
            ({"name": "x" * 10_000}, ("name", "string_too_long")),
            ({"name": "x", "scopes": None}, ("scopes", "list_type")),
            ({"name": "x", "scopes": []}, ("scopes", "too_short")),
            ({"name": "x", "scopes": "manage"}, ("scopes", "list_type")),
            ({"name": "x", "scopes": ["manage", "reviews:decide"]}, ("scopes[1]", "literal_error")),
            ({"name": "x", "scopes": [["manage"]]}, ("scopes[0]", "literal_error")),
            ({"name": "x", "scopes": ["manage"] * 51}, ("scopes", "too_long")),
            ({"name": "x", "expiresAt": "2020-01-01T00:00:00Z"}, ("expiresAt", "in_the_past")),
            ({"name": "x", "expiresAt": "2099-01-01T00:00:00"}, ("expiresAt", "invalid_timestamp")),
            ({"name": "x", "expiresAt": "2099-01-01"}, ("expiresAt", "invalid_timestamp")),
            ({"name": "x", "expiresAt": 4070908800}, ("expiresAt", "invalid_timestamp")),
            ({"name": "x", "expiresAt": "4070908800"}, ("expiresAt", "invalid_timestamp")),
            ({"name": "x", "expiresAt": "9999-12-31T23:59:59-14:00"}, ("expiresAt", "invalid_timestamp")),
            ({"name": "x", "expiresAt": "0001-01-01T00:00:00+14:00"}, ("expiresAt", "invalid_timestamp")),
            ({"name": "x", "expiresAt": "tomorrow"}, ("expiresAt", "invalid_timestamp")),
            ({"name": "x", "expiresAt": True}, ("expiresAt", "invalid_timestamp")),
            ({"name": "x", "apiKey": "sgn_mine"}, ("apiKey", "extra_forbidden")),
        ],
    )
    async def test_refused(self, owner: httpx.AsyncClient, body: dict[str, Any], error: tuple[str, str]) -> None:
        assert errors_of(await owner.post("/apiKeys", json=body)) == {error}

    async def test_by_role(
        self, join: Join, manage: httpx.AsyncClient, new_client: NewClient, workspace: Workspace
    ) -> None:
        body = {"name": "agent"}
        assert problem_of(await (await join("editor")).post("/apiKeys", json=body)) == (403, "forbidden")
        agent = new_client(x_api_key=workspace.api_key)
        assert problem_of(await agent.post("/apiKeys", json=body)) == (403, "forbidden")
        assert problem_of(await agent.get("/apiKeys")) == (403, "forbidden")
        assert (await create(await join("admin"), scopes=["manage"]))["scopes"] == ["manage"]
        assert (await create(manage))["createdBy"].startswith("key_")


class TestUseKey:
    @pytest.mark.parametrize("scopes", [["reviews:write"], ["reviews:read"], ["manage"]])
    async def test_auth_check_with_any_scope(
        self, owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace, scopes: list[str]
    ) -> None:
        key = await create(owner, scopes=scopes)
        response = await new_client(x_api_key=key["apiKey"]).get("/authCheck")
        assert response.status_code == 200
        body = response.json()
        assert "decide" not in body.pop("permissions")
        assert body == {
            "ok": True,
            "accountId": workspace.account_id,
            "accountName": "Acme",
            "actor": {"kind": "key", "id": key["keyId"], "name": "agent"},
        }

    async def test_auth_check_without_a_valid_key(self, client: httpx.AsyncClient, new_client: NewClient) -> None:
        assert problem_of(await client.get("/authCheck")) == (401, "invalid_api_key")
        for key in ("", "sgn_made-up", "x" * 5000, "' or true --"):
            assert problem_of(await new_client(x_api_key=key).get("/authCheck")) == (401, "invalid_api_key")

    async def test_auth_check_rejects_external_links(
        self, new_client: NewClient, db: Database, workspace: Workspace
    ) -> None:
        await db.execute(
            """
            insert into external_reviewers (account_id, review_id, email, token_hash, expires_at)
            values ($1, 'rev_1', 'ext@example.com', $2, now() + interval '1 day')
            """,
            workspace.account_id,
            token_hash(f"ext_{workspace.account_id}"),
        )
        response = await new_client(x_review_token=f"ext_{workspace.account_id}").get("/authCheck")
        assert problem_of(response) == (403, "forbidden")

    async def test_expired(self, owner: httpx.AsyncClient, new_client: NewClient, db: Database, app: FastAPI) -> None:
        key = await create(owner, expiresAt=in_an_hour())
        client = new_client(x_api_key=key["apiKey"])
        assert (await client.get("/authCheck")).status_code == 200
        await db.execute("update api_keys set expires_at = now() where key_id = $1", key["keyId"])
        app.state.context.keys.clear()
        assert problem_of(await client.get("/authCheck")) == (401, "invalid_api_key")
        assert (await owner.get(f"/apiKeys/{key['keyId']}")).json()["status"] == "expired"


class TestChangeKey:
    async def test_takes_effect_immediately(self, owner: httpx.AsyncClient, new_client: NewClient) -> None:
        key = await create(owner, scopes=["manage"], expiresAt=in_an_hour())
        client = new_client(x_api_key=key["apiKey"])
        assert (await client.get("/account")).status_code == 200
        change = {"name": "New", "scopes": ["reviews:read"], "expiresAt": None}
        changed = (await owner.patch(f"/apiKeys/{key['keyId']}", json=change)).json()
        assert (changed["name"], changed["scopes"], changed["expiresAt"]) == ("New", ["reviews:read"], None)
        assert "apiKey" not in changed
        assert problem_of(await client.get("/account")) == (403, "forbidden")
        log = await owner.get("/auditLog", params={"objectId": key["keyId"], "action": "key.changed"})
        assert [entry["details"] for entry in log.json()["items"]] == [change]

    async def test_omitted_fields_stay(self, owner: httpx.AsyncClient) -> None:
        key = await create(owner, expiresAt=in_an_hour())
        changed = (await owner.patch(f"/apiKeys/{key['keyId']}", json={"name": "New"})).json()
        assert (changed["scopes"], changed["expiresAt"]) == (key["scopes"], key["expiresAt"])

    @pytest.mark.parametrize(
        ("body", "error"),
        [
            ({"name": None}, ("name", "null_not_allowed")),
            ({"scopes": None}, ("scopes", "null_not_allowed")),
            ({"scopes": []}, ("scopes", "too_short")),
            ({"expiresAt": "2020-01-01T00:00:00Z"}, ("expiresAt", "in_the_past")),
            ({"revokedAt": None}, ("revokedAt", "extra_forbidden")),
        ],
    )
    async def test_refused(self, owner: httpx.AsyncClient, body: dict[str, Any], error: tuple[str, str]) -> None:
        key = await create(owner)
        assert errors_of(await owner.patch(f"/apiKeys/{key['keyId']}", json=body)) == {error}

    async def test_revoked(self, owner: httpx.AsyncClient) -> None:
        path = f"/apiKeys/{(await create(owner))['keyId']}"
        await owner.delete(path)
        assert problem_of(await owner.patch(path, json={"name": "Back"})) == (409, "key_revoked")


class TestRevokeKey:
    async def test_is_immediate_and_permanent(self, owner: httpx.AsyncClient, new_client: NewClient) -> None:
        key = await create(owner)
        client, path = new_client(x_api_key=key["apiKey"]), f"/apiKeys/{key['keyId']}"
        assert (await client.get("/authCheck")).status_code == 200
        assert (await owner.delete(path)).status_code == 204
        assert problem_of(await client.get("/authCheck")) == (401, "invalid_api_key")
        revoked = (await owner.get(path)).json()
        assert (revoked["status"], revoked["revokedAt"] is not None) == ("revoked", True)
        assert (await owner.delete(path)).status_code == 204
        assert (await owner.get(path)).json() == revoked

    async def test_concurrent_revocations_count_once(self, owner: httpx.AsyncClient) -> None:
        path = f"/apiKeys/{(await create(owner))['keyId']}"
        responses = await asyncio.gather(*(owner.delete(path) for _ in range(4)))
        assert {response.status_code for response in responses} == {204}
        log = await owner.get("/auditLog", params={"objectId": path.rpartition("/")[2], "action": "key.revoked"})
        assert len(log.json()["items"]) == 1

    async def test_a_key_can_revoke_itself(self, manage: httpx.AsyncClient) -> None:
        key_id = (await manage.get("/authCheck")).json()["actor"]["id"]
        assert (await manage.delete(f"/apiKeys/{key_id}")).status_code == 204
        assert problem_of(await manage.get("/authCheck")) == (401, "invalid_api_key")

    async def test_during_a_key_lookup(self, db: Database, workspace: Workspace) -> None:
        """Read before the revocation and cached after it: a revoked key must not be cached."""

        class RevokesAfterReading:
            async def fetchrow(self, query: str, *args: Any) -> Any:
                row = await db.fetchrow(query, *args)
                await db.execute("update api_keys set revoked_at = now() where hash = $1", *args)
                ring.clear()
                return row

            async def execute(self, query: str, *args: Any) -> Any:
                return await db.execute(query, *args)

            def notify(self, channel: str, payload: str) -> None: ...

        ring = ApiKeyCache(RevokesAfterReading())  # type: ignore[arg-type]
        await ring.find(workspace.api_key)
        with pytest.raises(InvalidKey):
            await ring.find(workspace.api_key)


class TestUnknownKey:
    @pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
    async def test_another_accounts_key_looks_unknown(
        self, owner: httpx.AsyncClient, other_owner: httpx.AsyncClient, new_client: NewClient, method: str
    ) -> None:
        key = await create(other_owner)
        body: dict[str, Any] = {"json": {"name": "Mine"}} if method == "PATCH" else {}
        unknown = await owner.request(method, "/apiKeys/key_unknown", **body)
        foreign = await owner.request(method, f"/apiKeys/{key['keyId']}", **body)
        assert problem_of(unknown) == problem_of(foreign) == (404, "not_found")
        assert foreign.text.replace(key["keyId"], "key_unknown") == unknown.text
        assert (await new_client(x_api_key=key["apiKey"]).get("/authCheck")).status_code == 200


class TestListKeys:
    async def test_pages(self, owner: httpx.AsyncClient, other: Workspace) -> None:
        await create(owner)
        first = (await owner.get("/apiKeys", params={"limit": 2})).json()
        second = (await owner.get("/apiKeys", params={"limit": 2, "cursor": first["nextCursor"]})).json()
        names = [key["name"] for key in first["items"] + second["items"]]
        assert sorted(names) == ["agent", "default", "manage"]
        assert second["nextCursor"] is None
