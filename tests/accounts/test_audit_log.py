import httpx
import pytest
from accounts_helpers import Join, NewClient, Workspace, problem_of


async def actions(client: httpx.AsyncClient, **params: str) -> list[str]:
    response = await client.get("/auditLog", params=params)
    assert response.status_code == 200, response.text
    return [entry["action"] for entry in response.json()["items"]]


class TestAuditLog:
    async def test_entry_fields(self, owner: httpx.AsyncClient, workspace: Workspace) -> None:
        response = await owner.post("/groups", json={"name": "Legal"}, headers={"x-request-id": "test-request-1"})
        entry = (await owner.get("/auditLog")).json()["items"][0]
        assert entry == {
            "entryId": entry["entryId"],
            "at": entry["at"],
            "actor": {"kind": "user", "id": workspace.user_id, "name": workspace.email},
            "action": "group.created",
            "objectId": response.json()["groupId"],
            "details": {"name": "Legal", "members": []},
            "ip": owner.headers["x-forwarded-for"],
            "requestId": "test-request-1",
        }

    async def test_newest_first_in_pages(self, owner: httpx.AsyncClient) -> None:
        for number in range(5):
            await owner.post("/groups", json={"name": f"Group {number}"})
        names: list[str] = []
        cursor: str | None = None
        for _ in range(3):
            params = {"limit": "2", "action": "group.created"} | ({"cursor": cursor} if cursor else {})
            page = (await owner.get("/auditLog", params=params)).json()
            names += [entry["details"]["name"] for entry in page["items"]]
            cursor = page["nextCursor"]
        assert names == [f"Group {number}" for number in reversed(range(5))]
        assert cursor is None

    async def test_filters(self, owner: httpx.AsyncClient, manage: httpx.AsyncClient, workspace: Workspace) -> None:
        group_id = (await owner.post("/groups", json={"name": "Legal"})).json()["groupId"]
        await manage.patch(f"/groups/{group_id}", json={"name": "Law"})
        assert await actions(owner, objectId=group_id) == ["group.changed", "group.created"]
        assert await actions(owner, objectId=group_id, actorId=workspace.user_id) == ["group.created"]
        assert await actions(owner, action="group.changed") == ["group.changed"]
        assert await actions(owner, action="nothing.like_it") == []

    async def test_times(self, owner: httpx.AsyncClient) -> None:
        await owner.post("/groups", json={"name": "Legal"})
        assert await actions(owner, since="2099-01-01T00:00:00Z") == []
        assert await actions(owner, until="2020-01-01T00:00:00Z") == []
        entry = (await owner.get("/auditLog")).json()["items"][0]
        assert (await actions(owner, since=entry["at"], until="2099-01-01T00:00:00+02:00"))[0] == "group.created"

    @pytest.mark.parametrize(
        "params",
        [
            {"since": "yesterday"},
            {"since": "2026-01-01T00:00:00"},
            {"until": "9999-12-31T23:59:59-14:00"},
            {"cursor": "abc"},
            {"cursor": "-1"},
            {"cursor": "9" * 30},
            {"cursor": "٣"},
            {"limit": "0"},
            {"action": "x" * 200},
        ],
    )
    async def test_bad_query(self, owner: httpx.AsyncClient, params: dict[str, str]) -> None:
        assert problem_of(await owner.get("/auditLog", params=params)) == (400, "invalid_query")

    @pytest.mark.parametrize("name", ["action", "actorId", "objectId"])
    async def test_hostile_filters(self, owner: httpx.AsyncClient, name: str) -> None:
        assert await actions(owner, **{name: "' or true --"}) == []
        assert problem_of(await owner.get("/auditLog", params={name: "\x00"})) == (400, "malformed_request")

    async def test_only_own_account(
        self, owner: httpx.AsyncClient, other_owner: httpx.AsyncClient, other: Workspace
    ) -> None:
        group_id = (await other_owner.post("/groups", json={"name": "Theirs"})).json()["groupId"]
        assert await actions(owner, objectId=group_id) == []
        assert other.email not in (await owner.get("/auditLog")).text

    async def test_by_role(
        self,
        client: httpx.AsyncClient,
        join: Join,
        manage: httpx.AsyncClient,
        new_client: NewClient,
        workspace: Workspace,
    ) -> None:
        assert problem_of(await client.get("/auditLog")) == (401, "invalid_api_key")
        for role in ("editor", "reviewer", "viewer"):
            assert problem_of(await (await join(role)).get("/auditLog")) == (403, "forbidden")
        assert problem_of(await new_client(x_api_key=workspace.api_key).get("/auditLog")) == (403, "forbidden")
        assert (await manage.get("/auditLog")).status_code == 200
