"""Sessions: created, named, listed, read; and everyone who isn't allowed to."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import asyncpg
import httpx
import pytest
from session_helpers import Chat, make_chat
from support.api import Workspace, assert_error, assert_ok, error_at, unique
from support.in_process import Service
from support.receiver import Receiver

People = dict[str, tuple[dict[str, str], httpx.AsyncClient]]


@pytest.fixture
async def db(service: Service) -> AsyncIterator[asyncpg.Connection]:
    """To move times into the past."""
    connection = await asyncpg.connect(service.dsn())
    yield connection
    await connection.close()


async def backdate(db: asyncpg.Connection, session_id: str) -> None:
    """As if everything in the session so far had happened earlier."""
    await db.execute(
        "update sessions set active_at = active_at - interval '2 seconds' where session_id = $1", session_id
    )


class TestStarting:
    async def test_by_a_user(self, chat: Chat, people: People) -> None:
        reviewer, client = people["reviewer"]
        response = await client.post("/sessions", json={"agentId": chat.agent_id, "name": "  About autumn "})
        assert response.status_code == 201
        session = response.json()
        assert session["name"] == "About autumn"
        assert session["agentId"] == chat.agent_id
        assert session["agentName"]
        assert session["chat"] == "on"
        assert session["mayWrite"] is True
        assert session["messageCount"] == session["unread"] == session["openReviews"] == 0
        assert session["participants"] == [
            {"userId": reviewer["userId"], "name": reviewer["name"], "email": reviewer["email"]}
        ]
        assert session["working"] is None
        assert session["typing"] == session["runs"] == []
        assert "lastMessage" not in session
        assert await chat.session(session["sessionId"], client) == session

    async def test_by_a_key(self, chat: Chat) -> None:
        session_id = await chat.start(chat.workspace.agent)
        session = await chat.session(session_id, chat.workspace.agent)
        assert session["participants"] == []
        assert session["name"] is None
        assert "mayWrite" not in session

    async def test_same_id_again(self, chat: Chat) -> None:
        own = unique("my.own:session_")
        first = await chat.workspace.owner.post("/sessions", json={"agentId": chat.agent_id, "sessionId": own})
        again = await chat.workspace.agent.post(
            "/sessions", json={"agentId": chat.agent_id, "sessionId": own, "name": "Not taken"}
        )
        assert (first.status_code, again.status_code) == (201, 200)
        assert again.json()["createdAt"] == first.json()["createdAt"]
        assert again.json()["name"] is None
        await chat.set_mode("off")
        await assert_ok(chat.workspace.owner.post("/sessions", json={"agentId": chat.agent_id, "sessionId": own}))

    async def test_concurrent_same_id(self, chat: Chat) -> None:
        body = {"agentId": chat.agent_id, "sessionId": unique("same-moment")}
        responses = await asyncio.gather(*(chat.workspace.agent.post("/sessions", json=body) for _ in range(8)))
        assert sorted(response.status_code for response in responses) == [200] * 7 + [201]

    async def test_same_id_with_another_agent(self, chat: Chat) -> None:
        session_id = await chat.start()
        other = await chat.workspace.make_agent(chat="on")
        body = {"agentId": other["agentId"], "sessionId": session_id}
        for client in (chat.workspace.owner, chat.workspace.agent):
            await assert_error(client.post("/sessions", json=body), 409, "session_of_another_agent")

    @pytest.mark.parametrize(
        ("mode", "person", "key"),
        [("on", None, None), ("replyOnly", "chat_reply_only", None), ("off", "chat_off", "chat_off")],
    )
    async def test_chat_modes(
        self, workspace: Workspace, receiver: Receiver, mode: str, person: str | None, key: str | None
    ) -> None:
        chat = await make_chat(workspace, receiver, mode)
        for client, code in ((workspace.owner, person), (workspace.agent, key)):
            call = client.post("/sessions", json={"agentId": chat.agent_id})
            await (assert_ok(call) if code is None else assert_error(call, 409, code))

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({}, "agentId"),
            ({"agentId": None}, "agentId"),
            ({"agentId": ""}, "agentId"),
            ({"agentId": 7}, "agentId"),
            ({"agentId": "agt_unknown"}, "agentId"),
            ({"agentId": "x", "name": ""}, "name"),
            ({"agentId": "x", "name": "n" * 201}, "name"),
            ({"agentId": "x", "sessionId": ""}, "sessionId"),
            ({"agentId": "x", "sessionId": "s" * 129}, "sessionId"),
            ({"agentId": "x", "sessionId": "white space"}, "sessionId"),
            ({"agentId": "x", "sessionId": "a/b"}, "sessionId"),
            ({"agentId": "x", "sessionId": "."}, "sessionId"),
            ({"agentId": "x", "sessionId": ".."}, "sessionId"),
            ({"agentId": "x", "session": "s"}, "session"),
        ],
    )
    async def test_refused(self, workspace: Workspace, body: dict[str, Any], path: str) -> None:
        for client in (workspace.owner, workspace.agent):
            error_at(await assert_error(client.post("/sessions", json=body), 422), path)

    @pytest.mark.parametrize("own", [".", ".."])
    async def test_ids_that_can_not_be_in_a_url(self, workspace: Workspace, own: str) -> None:
        problem = await assert_error(workspace.agent.post("/sessions", json={"agentId": "x", "sessionId": own}), 422)
        error = next(error for error in problem["errors"] if error["path"] == "sessionId")
        assert error["code"] == "bad_id"
        assert error["message"] == "can't be . or .., which have a special meaning in URLs"

    async def test_deleted_agent(self, chat: Chat) -> None:
        session_id = await chat.start()
        await assert_ok(chat.workspace.manager.delete(f"/agents/{chat.agent_id}"))
        error_at(
            await assert_error(chat.workspace.owner.post("/sessions", json={"agentId": chat.agent_id}), 422), "agentId"
        )
        session = await chat.session(session_id)
        assert (session["chat"], session["mayWrite"]) == ("off", False)
        path = f"/sessions/{session_id}/messages"
        await assert_error(chat.workspace.owner.post(path, json={"text": "Anybody?"}), 409, "chat_off")


class TestNaming:
    async def test_named(self, chat: Chat, people: People) -> None:
        session_id = await chat.start()
        for client in (people["reviewer"][1], chat.workspace.agent):
            name = unique("Name")
            named = await assert_ok(client.patch(f"/sessions/{session_id}", json={"name": name}))
            assert named["name"] == name
            assert (await chat.session(session_id))["name"] == name

    @pytest.mark.parametrize("body", [{}, {"name": None}, {"name": " "}, {"name": "n" * 201}, {"name": 1}])
    async def test_refused(self, chat: Chat, body: dict[str, Any]) -> None:
        session_id = await chat.start()
        await assert_error(chat.workspace.owner.patch(f"/sessions/{session_id}", json=body), 422)

    async def test_hostile_name_is_unchanged(self, chat: Chat) -> None:
        name = "<script>alert(1)</script> '; drop table sessions; -- \u202e%_\\"
        session_id = await chat.start(name=name)
        assert (await chat.session(session_id))["name"] == name
        [listing] = (await assert_ok(chat.workspace.owner.get("/sessions", params={"agentId": chat.agent_id})))["items"]
        assert listing["name"] == name


class TestListing:
    async def test_newest_activity_first(self, chat: Chat, db: asyncpg.Connection) -> None:
        first, second, third = [await chat.start(name=unique("s")) for _ in range(3)]
        await chat.say(first, "Once more")
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        # A request doesn't update a session that was active a moment ago.
        await backdate(db, second)
        await chat.workspace.request(form, sessionId=second)
        rows = (await assert_ok(chat.workspace.owner.get("/sessions", params={"agentId": chat.agent_id})))["items"]
        assert [row["sessionId"] for row in rows] == [second, first, third]
        by_id = {row["sessionId"]: row for row in rows}
        assert by_id[second]["openReviews"] == 1
        assert by_id[first]["lastMessage"]["text"] == "Once more"
        assert by_id[first]["lastMessage"]["role"] == "human"
        assert by_id[first]["messageCount"] == 1

    async def test_concurrent_requests_of_one_session(self, chat: Chat, db: asyncpg.Connection) -> None:
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        session_id = unique("many-requests")
        await asyncio.gather(*(chat.workspace.request(form, sessionId=session_id) for _ in range(30)))
        before = (await chat.session(session_id))["activeAt"]
        await backdate(db, session_id)
        await asyncio.gather(*(chat.workspace.request(form, sessionId=session_id) for _ in range(30)))
        session = await chat.session(session_id)
        assert session["activeAt"] > before
        assert session["openReviews"] == 60

    async def test_replaced_content_counts_as_activity(self, chat: Chat) -> None:
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        review = await chat.workspace.request(form)
        before = (await chat.session(review["sessionId"]))["activeAt"]
        await asyncio.sleep(0.01)
        await chat.workspace.request(form, updateForReviewId=review["reviewId"])
        assert (await chat.session(review["sessionId"]))["activeAt"] > before

    async def test_pages(self, chat: Chat) -> None:
        sessions = [await chat.start() for _ in range(7)]
        seen: list[str] = []
        query: dict[str, Any] = {"agentId": chat.agent_id, "limit": 3}
        while True:
            page = await assert_ok(chat.workspace.agent.get("/sessions", params=query))
            seen += [row["sessionId"] for row in page["items"]]
            if page["nextCursor"] is None:
                break
            query["cursor"] = page["nextCursor"]
        assert seen == sessions[::-1]

    async def test_of_all_agents(self, chat: Chat, receiver: Receiver) -> None:
        other = await make_chat(chat.workspace, receiver)
        mine = [await started_chat.start() for started_chat in (chat, other, chat, other)]
        rows = (await assert_ok(chat.workspace.owner.get("/sessions", params={"limit": 200})))["items"]
        assert [row["sessionId"] for row in rows if row["sessionId"] in mine] == mine[::-1]

    async def test_chats_only(self, chat: Chat) -> None:
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        with_review = (await chat.workspace.request(form))["sessionId"]
        session = await chat.start()
        query = {"agentId": chat.agent_id, "chat": "true"}
        rows = (await assert_ok(chat.workspace.owner.get("/sessions", params=query)))["items"]
        assert [row["sessionId"] for row in rows] == [session]
        await chat.answer(with_review)
        rows = (await assert_ok(chat.workspace.owner.get("/sessions", params=query)))["items"]
        assert {row["sessionId"] for row in rows} == {session, with_review}

    async def test_long_text_is_truncated(self, chat: Chat) -> None:
        session_id = await chat.start()
        await chat.answer(session_id, "ü" * 5_000)
        assert (await chat.session(session_id))["lastMessage"]["text"] == "ü" * 200

    @pytest.mark.parametrize("cursor", ["x", "1", "1.", ".a", "99999999999999999.a", "1.a/b", "1.a\n"])
    async def test_invalid_cursor(self, workspace: Workspace, cursor: str) -> None:
        await assert_error(workspace.owner.get("/sessions", params={"cursor": cursor}), 400, "invalid_query")

    async def test_any_cursor_of_the_right_form(self, workspace: Workspace) -> None:
        await assert_ok(workspace.owner.get("/sessions", params={"cursor": "9999999999999999.~".replace("~", "z")}))
        assert (await assert_ok(workspace.owner.get("/sessions", params={"cursor": "0.a"})))["items"] == []

    async def test_runs_of_a_session(self, chat: Chat) -> None:
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        session_id, first, second = unique("with-runs"), unique("run-a"), unique("run-b")
        for run, name in ((first, "First"), (second, None), (first, None)):
            workflow = {"runId": run, **({"runName": name} if name else {})}
            await chat.workspace.request(form, sessionId=session_id, meta={"_svcWorkflow": workflow})
        session = await chat.session(session_id)
        assert session["runs"] == [{"runId": first, "name": "First"}, {"runId": second, "name": None}]


class TestSearching:
    async def find(self, chat: Chat, words: str, **query: Any) -> list[str]:
        params = {"q": words, "agentId": chat.agent_id, **query}
        return [
            row["sessionId"] for row in (await assert_ok(chat.workspace.owner.get("/sessions", params=params)))["items"]
        ]

    async def test_by_id_name_and_words(self, chat: Chat) -> None:
        named = await chat.start(name="Harvest festival")
        said, session = await chat.start(), await chat.start()
        await chat.say(said, "Where are the pumpkins?")
        await chat.answer(session, "The *pumpkins* are in the cellar.")
        assert await self.find(chat, said) == [said]
        assert await self.find(chat, "harvest") == [named]
        assert await self.find(chat, "festi") == [named]
        assert await self.find(chat, "pumpkins") == [session, said]
        assert await self.find(chat, "pumpkins -cellar") == [said]
        assert await self.find(chat, "pumpkins", limit=1) == [session]
        assert await self.find(chat, "zucchini") == []

    async def test_streaming_messages_are_found_when_complete(self, chat: Chat) -> None:
        session_id = await chat.start()
        message = await chat.answer(session_id, "", streaming=True)
        path = f"/sessions/{session_id}/messages/{message['messageId']}/pieces"
        await assert_ok(chat.workspace.agent.post(path, json={"offset": 0, "text": "aubergines"}))
        assert await self.find(chat, "aubergines") == []
        await assert_ok(chat.workspace.agent.post(path, json={"offset": 10, "text": "", "done": True}))
        assert await self.find(chat, "aubergines") == [session_id]

    async def test_pages(self, chat: Chat) -> None:
        sessions = [await chat.start(name=f"Parsnip {number}") for number in range(5)]
        query = {"q": "parsnip", "agentId": chat.agent_id, "limit": 2}
        seen: list[str] = []
        while True:
            page = await assert_ok(chat.workspace.owner.get("/sessions", params=query))
            seen += [row["sessionId"] for row in page["items"]]
            if page["nextCursor"] is None:
                break
            query["cursor"] = page["nextCursor"]
        assert seen == sessions[::-1]

    @pytest.mark.parametrize(
        "words", ["'", '"', "\\", "% _", "!&|()<->", ":*", "a' or '1'='1", "🎃", " ", "-", "x" * 500]
    )
    async def test_any_text_is_a_valid_search(self, chat: Chat, words: str) -> None:
        await self.find(chat, words)

    async def test_too_long(self, workspace: Workspace) -> None:
        await assert_error(workspace.owner.get("/sessions", params={"q": "x" * 501}), 400, "invalid_query")


class TestPermissions:
    async def test_another_account(self, chat: Chat, other_workspace: Workspace) -> None:
        session_id = await chat.start()
        message = await chat.answer(session_id, "", streaming=True)
        base, piece = f"/sessions/{session_id}", {"offset": 0, "text": "x"}
        theirs = other_workspace
        await assert_error(theirs.owner.get(base), 404, "not_found")
        await assert_error(theirs.agent.get(base), 404)
        await assert_error(theirs.agent.get(f"{base}/messages"), 404)
        await assert_error(theirs.agent.get(f"{base}/messages", params={"after": message["messageId"]}), 404)
        await assert_error(theirs.agent.get(f"{base}/timeline"), 404)
        await assert_error(theirs.owner.patch(base, json={"name": "Ours"}), 404)
        await assert_error(theirs.owner.post(f"{base}/messages", json={"text": "Hi"}), 404)
        await assert_error(theirs.agent.post(f"{base}/messages/{message['messageId']}/pieces", json=piece), 404)
        await assert_error(theirs.agent.put(f"{base}/working", json={"working": True}), 404)
        await assert_error(theirs.owner.put(f"{base}/typing"), 404)
        await assert_error(theirs.owner.put(f"{base}/read", json={"messageId": message["messageId"]}), 404)
        error_at(await assert_error(theirs.agent.post("/sessions", json={"agentId": chat.agent_id}), 422), "agentId")
        listing = await assert_ok(theirs.owner.get("/sessions", params={"q": session_id}))
        assert listing["items"] == []
        # The same ID is another session there.
        agent = await theirs.make_agent(chat="on")
        response = await theirs.owner.post("/sessions", json={"agentId": agent["agentId"], "sessionId": session_id})
        assert response.status_code == 201
        assert (await chat.session(session_id))["agentId"] == chat.agent_id

    async def test_unknown(self, workspace: Workspace) -> None:
        base = "/sessions/ses_nobody"
        await assert_error(workspace.owner.get(base), 404)
        await assert_error(workspace.owner.get(f"{base}/messages"), 404)
        await assert_error(workspace.owner.get(f"{base}/timeline"), 404)
        await assert_error(workspace.owner.patch(base, json={"name": "x"}), 404)
        await assert_error(workspace.owner.post(f"{base}/messages", json={"text": "x"}), 404)
        await assert_error(workspace.agent.put(f"{base}/working", json={"working": True}), 404)
        await assert_error(workspace.owner.put(f"{base}/typing"), 404)
        await assert_error(workspace.owner.put(f"{base}/read", json={"messageId": "msg_x"}), 404)
        await assert_error(workspace.owner.get("/sessions/" + "s" * 129), 400)

    async def test_viewers_can_only_read(self, chat: Chat, people: People) -> None:
        session_id = await chat.start()
        message = await chat.say(session_id)
        viewer, base = people["viewer"][1], f"/sessions/{session_id}"
        assert (await chat.session(session_id, viewer))["mayWrite"] is False
        await assert_ok(viewer.get(f"{base}/messages"))
        await assert_ok(viewer.get(f"{base}/timeline"))
        await assert_ok(viewer.put(f"{base}/read", json={"messageId": message["messageId"]}))
        for call in (
            viewer.post("/sessions", json={"agentId": chat.agent_id}),
            viewer.patch(base, json={"name": "x"}),
            viewer.post(f"{base}/messages", json={"text": "x"}),
            viewer.put(f"{base}/typing"),
        ):
            await assert_error(call, 403, "forbidden")

    async def test_keys_without_the_scope(self, chat: Chat) -> None:
        session_id = await chat.start()
        base = f"/sessions/{session_id}"
        keys = {}
        for scope in ("reviews:read", "reviews:write", "manage"):
            new = {"name": unique(scope), "scopes": [scope]}
            keys[scope] = (await assert_ok(chat.workspace.manager.post("/apiKeys", json=new)))["apiKey"]
        async with chat.workspace.client(**{"x-api-key": keys["reviews:write"]}) as writer:
            await assert_error(writer.get("/sessions"), 403, "forbidden")
            await assert_error(writer.get(base), 403)
            await assert_error(writer.get(f"{base}/messages"), 403)
            await assert_error(writer.get(f"{base}/timeline"), 403)
            await assert_ok(writer.post(f"{base}/messages", json={"text": "From the agent"}))
        for scope in ("reviews:read", "manage"):
            async with chat.workspace.client(**{"x-api-key": keys[scope]}) as client:
                await assert_ok(client.get(base))
                await assert_error(client.post("/sessions", json={"agentId": chat.agent_id}), 403, "forbidden")
                await assert_error(client.patch(base, json={"name": "x"}), 403)
                await assert_error(client.post(f"{base}/messages", json={"text": "x"}), 403)
                await assert_error(client.put(f"{base}/working", json={"working": True}), 403)

    async def test_users_and_keys_are_separate(self, chat: Chat) -> None:
        session_id = await chat.start()
        message = await chat.answer(session_id, "", streaming=True)
        base = f"/sessions/{session_id}"
        piece = {"offset": 0, "text": "x"}
        pieces = f"{base}/messages/{message['messageId']}/pieces"
        await assert_error(chat.workspace.owner.post(pieces, json=piece), 403, "key_needed")
        await assert_error(chat.workspace.owner.put(f"{base}/working", json={"working": True}), 403, "key_needed")
        await assert_error(chat.workspace.agent.put(f"{base}/typing"), 403, "person_needed")
        read = {"messageId": message["messageId"]}
        await assert_error(chat.workspace.agent.put(f"{base}/read", json=read), 403, "person_needed")

    async def test_without_credentials_and_external_reviewers(self, chat: Chat) -> None:
        session_id = await chat.start()
        await assert_error(chat.workspace.public.get(f"/sessions/{session_id}"), 401)
        await assert_error(chat.workspace.public.post("/sessions", json={"agentId": chat.agent_id}), 401)
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        review = await chat.workspace.request(form, sessionId=session_id, extReviewers=["out@example.org"])
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        async with chat.workspace.client(**{"x-review-token": token}) as outsider:
            await assert_error(outsider.get(f"/sessions/{session_id}"), 403)
            await assert_error(outsider.post(f"/sessions/{session_id}/messages", json={"text": "x"}), 403)
            await assert_error(outsider.get("/sessions"), 403)


class TestActivity:
    async def test_working(self, chat: Chat) -> None:
        session_id = await chat.start()
        path = f"/sessions/{session_id}/working"
        agent = chat.workspace.agent
        await assert_ok(agent.put(path, json={"working": True, "text": "Counting leaves"}))
        working = (await chat.session(session_id))["working"]
        assert working["text"] == "Counting leaves"
        await assert_ok(agent.put(path, json={"working": True}))
        assert (await chat.session(session_id))["working"] == {"since": working["since"]}
        await assert_ok(agent.put(path, json={"working": False}))
        assert (await chat.session(session_id))["working"] is None

    async def test_ends_with_the_next_complete_message(self, chat: Chat) -> None:
        session_id = await chat.start()
        working = f"/sessions/{session_id}/working"
        await assert_ok(chat.workspace.agent.put(working, json={"working": True}))
        await chat.say(session_id)
        message = await chat.answer(session_id, "", streaming=True)
        assert (await chat.session(session_id))["working"] is not None
        pieces = f"/sessions/{session_id}/messages/{message['messageId']}/pieces"
        await assert_ok(chat.workspace.agent.post(pieces, json={"offset": 0, "text": "x"}))
        assert (await chat.session(session_id))["working"] is not None
        await assert_ok(chat.workspace.agent.post(pieces, json={"offset": 1, "text": "y", "done": True}))
        assert (await chat.session(session_id))["working"] is None
        await assert_ok(chat.workspace.agent.put(working, json={"working": True}))
        await chat.answer(session_id)
        assert (await chat.session(session_id))["working"] is None

    @pytest.mark.parametrize(
        "body", [{}, {"working": None}, {"working": 1}, {"working": "yes"}, {"working": True, "text": "x" * 201}]
    )
    async def test_working_refused(self, chat: Chat, body: dict[str, Any]) -> None:
        session_id = await chat.start()
        await assert_error(chat.workspace.agent.put(f"/sessions/{session_id}/working", json=body), 422)

    async def test_typing_expires(self, chat: Chat, people: People, db: asyncpg.Connection) -> None:
        session_id = await chat.start()
        reviewer, client = people["reviewer"]
        await assert_ok(client.put(f"/sessions/{session_id}/typing"))
        typing = (await chat.session(session_id))["typing"]
        assert typing == [{"userId": reviewer["userId"], "name": reviewer["name"]}]
        left = await db.fetchval("select until - now() from session_typing where session_id = $1", session_id)
        assert timedelta(0) < left < timedelta(seconds=10)
        await db.execute("update session_typing set until = now() where session_id = $1", session_id)
        assert (await chat.session(session_id))["typing"] == []

    async def test_typing_ends_with_the_message(self, chat: Chat) -> None:
        session_id = await chat.start()
        await assert_ok(chat.workspace.owner.put(f"/sessions/{session_id}/typing"))
        await chat.say(session_id)
        assert (await chat.session(session_id))["typing"] == []
