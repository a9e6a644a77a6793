from typing import Any

import httpx
import pytest
from accounts_helpers import Join, NewClient, Workspace, errors_of, problem_of

from signoff.platform.db import Database


class TestGetAccount:
    async def test_shows_no_secret(self, owner: httpx.AsyncClient, workspace: Workspace) -> None:
        account = (await owner.get("/account")).json()
        assert account == {
            "accountId": workspace.account_id,
            "name": "Acme",
            "plan": "self-hosted",
            "auditWebhookUrl": None,
            "notificationDefaults": {"email": "each", "digestHour": 8, "timeZone": None},
            "language": None,
            "createdAt": account["createdAt"],
        }

    async def test_by_role(
        self,
        client: httpx.AsyncClient,
        join: Join,
        manage: httpx.AsyncClient,
        new_client: NewClient,
        workspace: Workspace,
    ) -> None:
        assert problem_of(await client.get("/account")) == (401, "invalid_api_key")
        assert problem_of(await (await join("editor")).get("/account")) == (403, "forbidden")
        assert problem_of(await new_client(x_api_key=workspace.api_key).get("/account")) == (403, "forbidden")
        assert (await manage.get("/account")).status_code == 200
        assert (await (await join("admin")).get("/account")).status_code == 200


class TestChangeAccount:
    async def test_changes_only_given_fields(self, owner: httpx.AsyncClient, other_owner: httpx.AsyncClient) -> None:
        change = {"name": "Acme Ltd", "plan": "team", "auditWebhookUrl": "https://audit.example.com/hook"}
        changed = (await owner.patch("/account", json=change)).json()
        assert changed | change == changed
        assert (await owner.patch("/account", json={"name": "Acme"})).json() == {**changed, "name": "Acme"}
        assert (await owner.patch("/account", json={"auditWebhookUrl": None})).json()["auditWebhookUrl"] is None
        assert (await other_owner.get("/account")).json()["plan"] == "self-hosted"
        log = (await owner.get("/auditLog", params={"action": "account.changed"})).json()["items"]
        assert [entry["details"] for entry in log] == [{"auditWebhookUrl": None}, {"name": "Acme"}, change]

    async def test_language(self, owner: httpx.AsyncClient) -> None:
        assert (await owner.patch("/account", json={"language": "pt-BR"})).json()["language"] == "pt-BR"
        assert (await owner.patch("/account", json={"name": "Acme"})).json()["language"] == "pt-BR"
        me = (await owner.get("/auth/me")).json()
        assert (me["account"]["language"], me["user"]["language"]) == ("pt-BR", None)
        assert (await owner.patch("/account", json={"language": None})).json()["language"] is None

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"name": None}, "name"),
            ({"name": ""}, "name"),
            ({"name": "x" * 201}, "name"),
            ({"name": {}}, "name"),
            ({"plan": None}, "plan"),
            ({"plan": "gold"}, "plan"),
            ({"auditWebhookUrl": ""}, "auditWebhookUrl"),
            ({"auditWebhookUrl": "ftp://example.com"}, "auditWebhookUrl"),
            ({"auditWebhookUrl": "javascript:alert(1)"}, "auditWebhookUrl"),
            ({"auditWebhookUrl": 1}, "auditWebhookUrl"),
            ({"auditWebhookSecret": "whsec_mine"}, "auditWebhookSecret"),
            ({"accountId": "acc_1"}, "accountId"),
        ],
    )
    async def test_rejects_invalid_values(self, owner: httpx.AsyncClient, body: dict[str, Any], path: str) -> None:
        assert {place for place, _ in errors_of(await owner.patch("/account", json=body))} == {path}

    async def test_only_an_owner_changes_the_plan(self, join: Join, manage: httpx.AsyncClient) -> None:
        for caller in (await join("admin"), manage):
            assert problem_of(await caller.patch("/account", json={"plan": "business"})) == (403, "owner_needed")
            assert (await caller.patch("/account", json={"name": "Acme"})).status_code == 200


class TestRotateAuditSecret:
    async def test_secret_is_shown_once(self, owner: httpx.AsyncClient, workspace: Workspace, db: Database) -> None:
        stored = "select audit_webhook_secret from accounts where account_id = $1"
        before = await db.fetchval(stored, workspace.account_id)
        response = await owner.post("/account/rotateAuditSecret")
        secret = response.json()["auditWebhookSecret"]
        assert response.status_code == 200
        assert secret.startswith("whsec_")
        assert secret != before
        assert await db.fetchval(stored, workspace.account_id) == secret
        assert secret not in (await owner.get("/account")).text + (await owner.get("/auditLog")).text

    async def test_by_role(self, join: Join) -> None:
        assert problem_of(await (await join("editor")).post("/account/rotateAuditSecret")) == (403, "forbidden")
