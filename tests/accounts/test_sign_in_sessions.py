import asyncio
from typing import Any

import httpx
import pytest
from accounts_helpers import Join, NewClient, Workspace, problem_of

from signoff.platform.db import Database


async def sign_in(client: httpx.AsyncClient, workspace: Workspace) -> httpx.AsyncClient:
    response = await client.post("/auth/login", json={"email": workspace.email, "password": workspace.password})
    assert response.status_code == 200, response.text
    return client


async def sessions(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    response = await client.get("/auth/sessions")
    assert response.status_code == 200, response.text
    return response.json()["items"]


class TestList:
    async def test_session_fields(self, new_client: NewClient, workspace: Workspace) -> None:
        client = await sign_in(new_client(user_agent="Firefox"), workspace)
        [session] = await sessions(client)
        assert session == {
            "sessionId": session["sessionId"],
            "current": True,
            "createdAt": session["createdAt"],
            "lastSeenAt": session["lastSeenAt"],
            "ip": client.headers["x-forwarded-for"],
            "userAgent": "Firefox",
        }
        assert session["sessionId"].startswith("sis_")

    async def test_does_not_show_tokens(self, owner: httpx.AsyncClient) -> None:
        token = owner.cookies["signoff_session"]
        text = (await owner.get("/auth/sessions")).text
        assert token not in text
        [session] = await sessions(owner)
        for stolen in (session["sessionId"], session["sessionId"].removeprefix("sis_")):
            response = await owner.get("/auth/me", headers={"cookie": f"signoff_session={stolen}"})
            assert response.status_code == 401

    async def test_the_current_one_first(self, new_client: NewClient, workspace: Workspace) -> None:
        clients = [await sign_in(new_client(), workspace) for _ in range(3)]
        for client in clients:
            listed_sessions = await sessions(client)
            assert [session["current"] for session in listed_sessions] == [True, False, False]
        assert len({session["sessionId"] for session in await sessions(clients[0])}) == 3

    async def test_only_own_sessions(
        self, owner: httpx.AsyncClient, join: Join, other_owner: httpx.AsyncClient
    ) -> None:
        assert len(await sessions(await join("admin"))) == 1
        assert len(await sessions(other_owner)) == 1
        assert len(await sessions(owner)) == 1

    async def test_without_ended_sessions(
        self, new_client: NewClient, workspace: Workspace, owner: httpx.AsyncClient, db: Database
    ) -> None:
        gone = await sign_in(new_client(), workspace)
        await gone.post("/auth/logout")
        await sign_in(new_client(), workspace)
        [expired] = [session["sessionId"] for session in await sessions(owner) if not session["current"]]
        await db.execute(
            """
            update sign_in_sessions set expires_at = now() - interval '1 second'
            where 'sis_' || left(encode(sha256(token_hash), 'hex'), 28) = $1
            """,
            expired,
        )
        assert [session["current"] for session in await sessions(owner)] == [True]

    async def test_not_for_other_users(self, client: httpx.AsyncClient, manage: httpx.AsyncClient) -> None:
        assert problem_of(await client.get("/auth/sessions")) == (401, "invalid_api_key")
        assert problem_of(await manage.get("/auth/sessions")) == (403, "person_needed")
        assert problem_of(await manage.delete("/auth/sessions")) == (403, "person_needed")


class TestEnd:
    async def test_another(self, owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace) -> None:
        lost = await sign_in(new_client(), workspace)
        [session] = [listed for listed in await sessions(owner) if not listed["current"]]
        assert (await owner.delete(f"/auth/sessions/{session['sessionId']}")).status_code == 204
        assert problem_of(await lost.get("/auth/me")) == (401, "unauthenticated")
        assert len(await sessions(owner)) == 1
        assert problem_of(await owner.delete(f"/auth/sessions/{session['sessionId']}")) == (404, "not_found")
        [entry] = (await owner.get("/auditLog", params={"action": "user.sessions_ended"})).json()["items"]
        assert entry["details"] == {"sessionId": session["sessionId"]}

    async def test_the_current_one(self, owner: httpx.AsyncClient) -> None:
        [session] = await sessions(owner)
        assert (await owner.delete(f"/auth/sessions/{session['sessionId']}")).status_code == 204
        assert problem_of(await owner.get("/auth/me")) == (401, "unauthenticated")

    async def test_not_another_users(
        self, owner: httpx.AsyncClient, join: Join, other_owner: httpx.AsyncClient
    ) -> None:
        for stranger in (await join("admin"), other_owner):
            [session] = await sessions(stranger)
            assert problem_of(await owner.delete(f"/auth/sessions/{session['sessionId']}")) == (404, "not_found")
            assert (await stranger.get("/auth/me")).status_code == 200

    @pytest.mark.parametrize("session_id", ["sis_", "x", "' or true --", "%25", "sis_" + "0" * 28])
    async def test_unknown(self, owner: httpx.AsyncClient, session_id: str) -> None:
        assert problem_of(await owner.delete(f"/auth/sessions/{session_id}")) == (404, "not_found")
        assert len(await sessions(owner)) == 1

    async def test_from_another_origin(self, owner: httpx.AsyncClient) -> None:
        response = await owner.delete("/auth/sessions", headers={"sec-fetch-site": "cross-site"})
        assert problem_of(response) == (403, "cross_origin")

    async def test_all_others(self, owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace) -> None:
        others = [await sign_in(new_client(), workspace) for _ in range(3)]
        colleague_count = len(await sessions(owner)) - 1
        assert colleague_count == 3
        assert (await owner.delete("/auth/sessions")).status_code == 204
        assert [(await other.get("/auth/me")).status_code for other in others] == [401] * 3
        assert (await owner.get("/auth/me")).status_code == 200
        [entry] = (await owner.get("/auditLog", params={"action": "user.sessions_ended"})).json()["items"]
        assert entry["details"] == {"sessions": 3}

    async def test_no_others(self, owner: httpx.AsyncClient) -> None:
        assert (await owner.delete("/auth/sessions")).status_code == 204
        log = (await owner.get("/auditLog", params={"action": "user.sessions_ended"})).json()
        assert log["items"] == []

    async def test_concurrently_ending_each_other(self, new_client: NewClient, workspace: Workspace) -> None:
        clients = [await sign_in(new_client(), workspace) for _ in range(4)]
        responses = await asyncio.gather(*(client.delete("/auth/sessions") for client in clients))
        assert {response.status_code for response in responses} <= {204, 401}
        left = [(await client.get("/auth/me")).status_code for client in clients]
        assert left.count(200) <= 1
