import asyncio
from collections import Counter
from typing import Any

import httpx
import pytest
from accounts_helpers import Join, Workspace, errors_of, key_id_of, problem_of

from signoff.platform.db import Database


async def create(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    response = await client.post("/groups", json=body)
    assert response.status_code == 201, response.text
    return response.json()


def member_ids(group: dict[str, Any]) -> list[str]:
    return [member["userId"] for member in group["members"]]


class TestCreateGroup:
    async def test_members_by_id_or_email(self, owner: httpx.AsyncClient, workspace: Workspace, join: Join) -> None:
        editor = (await (await join("editor")).get("/auth/me")).json()["user"]
        members = [editor["userId"], workspace.email.upper(), workspace.user_id, editor["email"]]
        group = await create(owner, name=" Legal ", members=members)
        assert group["name"] == "Legal"
        assert group["members"] == [
            {"userId": workspace.user_id, "email": workspace.email, "name": workspace.email.partition("@")[0]},
            {name: editor[name] for name in ("userId", "email", "name")},
        ]
        assert group.keys() == {"groupId", "name", "members", "createdAt"}
        assert (await owner.get(f"/groups/{group['groupId']}")).json() == group

    async def test_without_members(self, owner: httpx.AsyncClient) -> None:
        assert (await create(owner, name="Empty"))["members"] == []

    async def test_error_names_unknown_members(
        self, owner: httpx.AsyncClient, workspace: Workspace, other: Workspace
    ) -> None:
        members = ["nobody@example.com", workspace.email, other.email, other.user_id, "", "' or true --"]
        response = await owner.post("/groups", json={"name": "Legal", "members": members})
        assert errors_of(response) == {(f"members[{n}]", "unknown_member") for n in (0, 2, 3, 4, 5)}
        assert "nobody@example.com" in response.text
        assert (await owner.get("/groups")).json()["items"] == []

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({}, "name"),
            ({"name": None}, "name"),
            ({"name": "  "}, "name"),
            ({"name": "x" * 201}, "name"),
            ({"name": 1}, "name"),
            ({"name": "A", "members": None}, "members"),
            ({"name": "A", "members": "a@example.com"}, "members"),
            ({"name": "A", "members": [1]}, "members[0]"),
            ({"name": "A", "members": [None]}, "members[0]"),
            ({"name": "A", "members": ["x" * 400]}, "members[0]"),
            ({"name": "A", "members": ["x"] * 1001}, "members"),
            ({"name": "A", "groupId": "grp_1"}, "groupId"),
        ],
    )
    async def test_refused(self, owner: httpx.AsyncClient, body: dict[str, Any], path: str) -> None:
        assert {place for place, _ in errors_of(await owner.post("/groups", json=body))} == {path}

    async def test_name_taken(self, owner: httpx.AsyncClient, other_owner: httpx.AsyncClient) -> None:
        await create(owner, name="Legal")
        assert problem_of(await owner.post("/groups", json={"name": "Legal"})) == (409, "group_name_taken")
        await create(other_owner, name="Legal")

    async def test_concurrent_creates(self, owner: httpx.AsyncClient) -> None:
        responses = await asyncio.gather(*(owner.post("/groups", json={"name": "Legal"}) for _ in range(5)))
        assert Counter(response.status_code for response in responses) == {201: 1, 409: 4}

    async def test_by_role(self, join: Join, manage: httpx.AsyncClient) -> None:
        editor = await join("editor")
        assert problem_of(await editor.post("/groups", json={"name": "Legal"})) == (403, "forbidden")
        group = await create(manage, name="Legal")
        assert (await editor.get(f"/groups/{group['groupId']}")).status_code == 200


class TestChangeGroup:
    async def test_name_alone_keeps_members(self, owner: httpx.AsyncClient, workspace: Workspace) -> None:
        group = await create(owner, name="Legal", members=[workspace.email])
        changed = (await owner.patch(f"/groups/{group['groupId']}", json={"name": "Law"})).json()
        assert changed == {**group, "name": "Law"}

    async def test_members_are_replaced(self, owner: httpx.AsyncClient, workspace: Workspace, join: Join) -> None:
        editor_id = await key_id_of(await join("editor"))
        group = await create(owner, name="Legal", members=[workspace.email])
        path = f"/groups/{group['groupId']}"
        assert member_ids((await owner.patch(path, json={"members": [editor_id]})).json()) == [editor_id]
        assert member_ids((await owner.patch(path, json={"members": []})).json()) == []

    async def test_unknown_member_changes_nothing(self, owner: httpx.AsyncClient, workspace: Workspace) -> None:
        group = await create(owner, name="Legal", members=[workspace.email])
        path = f"/groups/{group['groupId']}"
        refused = await owner.patch(path, json={"name": "Law", "members": ["nobody@example.com"]})
        assert errors_of(refused) == {("members[0]", "unknown_member")}
        assert (await owner.get(path)).json() == group

    async def test_rejects_null(self, owner: httpx.AsyncClient) -> None:
        path = f"/groups/{(await create(owner, name='Legal'))['groupId']}"
        refused = await owner.patch(path, json={"name": None, "members": None})
        assert errors_of(refused) == {("name", "null_not_allowed"), ("members", "null_not_allowed")}

    async def test_name_taken(self, owner: httpx.AsyncClient) -> None:
        await create(owner, name="Legal")
        path = f"/groups/{(await create(owner, name='Law'))['groupId']}"
        assert problem_of(await owner.patch(path, json={"name": "Legal"})) == (409, "group_name_taken")
        assert (await owner.patch(path, json={"name": "Law"})).status_code == 200

    async def test_concurrent_member_changes(self, owner: httpx.AsyncClient, workspace: Workspace, join: Join) -> None:
        ids = [workspace.user_id, await key_id_of(await join("editor")), await key_id_of(await join("editor"))]
        path = f"/groups/{(await create(owner, name='Legal'))['groupId']}"
        wanted = [[ids[0]], [ids[1], ids[2]], [ids[0], ids[2]]] * 2
        responses = await asyncio.gather(*(owner.patch(path, json={"members": members}) for members in wanted))
        assert {response.status_code for response in responses} == {200}
        assert member_ids((await owner.get(path)).json()) in [sorted(members) for members in wanted]


class TestDeleteGroup:
    async def test_deletes_the_group(self, owner: httpx.AsyncClient, workspace: Workspace) -> None:
        path = f"/groups/{(await create(owner, name='Legal', members=[workspace.email]))['groupId']}"
        assert (await owner.delete(path)).status_code == 204
        assert problem_of(await owner.get(path)) == (404, "not_found")
        assert problem_of(await owner.delete(path)) == (404, "not_found")
        await create(owner, name="Legal")

    async def test_not_while_reviews_are_pending(
        self, owner: httpx.AsyncClient, workspace: Workspace, db: Database
    ) -> None:
        group_id = (await create(owner, name="Legal"))["groupId"]
        review = (workspace.account_id, f"rev_{group_id}")
        await db.execute(
            """
            insert into reviews (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, state)
            values ($1, $2, 'agt_1', 'frm_1', 1, 'Form', 'ses_1', 'pending')
            """,
            *review,
        )
        await db.execute("insert into review_assignees values ($1, $2, $3)", *review, group_id)
        assert problem_of(await owner.delete(f"/groups/{group_id}")) == (409, "group_in_use")
        assert (await owner.get(f"/groups/{group_id}")).status_code == 200
        await db.execute("update reviews set state = 'responded' where account_id = $1 and review_id = $2", *review)
        assert (await owner.delete(f"/groups/{group_id}")).status_code == 204


class TestUnknownGroup:
    @pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
    async def test_another_accounts_group_looks_unknown(
        self, owner: httpx.AsyncClient, other_owner: httpx.AsyncClient, method: str
    ) -> None:
        group = await create(other_owner, name="Theirs")
        body: dict[str, Any] = {"json": {"name": "Mine"}} if method == "PATCH" else {}
        unknown = await owner.request(method, "/groups/grp_unknown", **body)
        foreign = await owner.request(method, f"/groups/{group['groupId']}", **body)
        assert problem_of(unknown) == problem_of(foreign) == (404, "not_found")
        assert foreign.text.replace(group["groupId"], "grp_unknown") == unknown.text
        assert (await other_owner.get(f"/groups/{group['groupId']}")).json() == group


class TestListGroups:
    async def test_pages(self, owner: httpx.AsyncClient, other_owner: httpx.AsyncClient) -> None:
        await create(other_owner, name="Theirs")
        group_ids = [(await create(owner, name=f"Group {n}"))["groupId"] for n in range(3)]
        first = (await owner.get("/groups", params={"limit": 2})).json()
        second = (await owner.get("/groups", params={"limit": 2, "cursor": first["nextCursor"]})).json()
        assert [group["groupId"] for group in first["items"] + second["items"]] == sorted(group_ids)
        assert second["nextCursor"] is None

    async def test_is_recorded(self, owner: httpx.AsyncClient, workspace: Workspace) -> None:
        group_id = (await create(owner, name="Legal", members=[workspace.email]))["groupId"]
        await owner.patch(f"/groups/{group_id}", json={"members": []})
        await owner.delete(f"/groups/{group_id}")
        log = (await owner.get("/auditLog", params={"objectId": group_id})).json()["items"]
        assert [(entry["action"], entry["details"]) for entry in log] == [
            ("group.deleted", {"name": "Legal"}),
            ("group.changed", {"members": []}),
            ("group.created", {"name": "Legal", "members": [workspace.user_id]}),
        ]
