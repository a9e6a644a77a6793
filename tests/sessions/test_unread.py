"""Unread messages, in one session and in total."""

import asyncio

import pytest
from session_helpers import Chat, eventually
from support.api import Workspace, assert_error, assert_ok


async def unread(chat: Chat, session_id: str, client) -> int:
    session = await chat.session(session_id, client)
    rows = (await assert_ok(client.get("/sessions", params={"agentId": chat.agent_id})))["items"]
    assert {row["sessionId"]: row["unread"] for row in rows}[session_id] == session["unread"]
    return session["unread"]


async def chats_unread(client) -> int:
    return (await assert_ok(client.get("/inbox/counts")))["chat"]["unread"]


class TestUnread:
    async def test_for_participants(self, chat: Chat, workspace: Workspace) -> None:
        _, ann = await workspace.make_person()
        _, ben = await workspace.make_person()
        session_id = await chat.start(ann)
        assert await chats_unread(ann) == 0
        responses = [await chat.answer(session_id, str(number)) for number in range(3)]
        assert await unread(chat, session_id, ann) == 3
        assert await unread(chat, session_id, ben) == 0
        assert (await chats_unread(ann), await chats_unread(ben)) == (1, 0)
        path = f"/sessions/{session_id}/read"
        await assert_ok(ann.put(path, json={"messageId": responses[1]["messageId"]}))
        assert await unread(chat, session_id, ann) == 1
        await assert_ok(ann.put(path, json={"messageId": responses[0]["messageId"]}))
        assert await unread(chat, session_id, ann) == 1, "it never goes back"
        await assert_ok(ann.put(path, json={"messageId": responses[2]["messageId"]}))
        assert (await unread(chat, session_id, ann), await chats_unread(ann)) == (0, 0)
        await chat.say(session_id, "Me too", ben)
        assert (await unread(chat, session_id, ann), await unread(chat, session_id, ben)) == (1, 0)
        await chat.say(session_id, "I see", ann)
        assert (await unread(chat, session_id, ann), await unread(chat, session_id, ben)) == (0, 1)
        assert (await chat.session(session_id, workspace.agent))["unread"] == 0

    async def test_over_several_sessions(self, chat: Chat, workspace: Workspace) -> None:
        _, ann = await workspace.make_person()
        for _ in range(3):
            session_id = await chat.start(ann)
            await chat.answer(session_id)
            await chat.answer(session_id)
        assert await chats_unread(ann) == 3

    async def test_during_new_messages(self, chat: Chat, workspace: Workspace) -> None:
        """Concurrent reads and writes leave the flag and the numbers consistent."""
        _, ann = await workspace.make_person()
        session_id = await chat.start(ann)
        path = f"/sessions/{session_id}/read"

        async def read() -> None:
            for _ in range(15):
                if messages := await chat.messages(session_id, limit=1):
                    await assert_ok(ann.put(path, json={"messageId": messages[0]["messageId"]}))

        async def write() -> None:
            for number in range(15):
                await chat.answer(session_id, str(number))

        await asyncio.gather(read(), write(), read())
        assert (await unread(chat, session_id, ann) > 0) == (await chats_unread(ann) == 1)
        [last] = await chat.messages(session_id, limit=1)
        await assert_ok(ann.put(path, json={"messageId": last["messageId"]}))
        assert (await unread(chat, session_id, ann), await chats_unread(ann)) == (0, 0)

    @pytest.mark.parametrize("body", [{}, {"messageId": None}, {"messageId": ""}, {"messageId": 1}])
    async def test_refused(self, chat: Chat, body: dict[str, object]) -> None:
        session_id = await chat.start()
        await assert_error(chat.workspace.owner.put(f"/sessions/{session_id}/read", json=body), 422)

    async def test_message_of_another_session(self, chat: Chat) -> None:
        first, second = await chat.start(), await chat.start()
        message = await chat.answer(second)
        body = {"messageId": message["messageId"]}
        await assert_error(chat.workspace.owner.put(f"/sessions/{first}/read", json=body), 404, "not_found")

    async def test_viewers_have_no_position(self, chat: Chat, workspace: Workspace) -> None:
        _, ben = await workspace.make_person()
        session_id = await chat.start()
        message = await chat.answer(session_id)
        await assert_ok(ben.put(f"/sessions/{session_id}/read", json={"messageId": message["messageId"]}))
        await chat.answer(session_id)
        assert await unread(chat, session_id, ben) == 0

        async def only_the_owner() -> bool:
            return len((await chat.session(session_id))["participants"]) == 1

        assert await eventually(only_the_owner)
