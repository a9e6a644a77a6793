"""One timeline of a session's messages, reviews and trigger forms: complete, in order, without duplicates."""

import asyncio
from typing import Any

import pytest
from session_helpers import Chat
from support.api import Workspace, assert_error, assert_ok, unique


async def read_all(chat: Chat, session_id: str, limit: int) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    query: dict[str, Any] = {"limit": limit}
    while True:
        page = await assert_ok(chat.workspace.agent.get(f"/sessions/{session_id}/timeline", params=query))
        items += page["items"]
        assert len(page["items"]) <= limit
        if page["nextCursor"] is None:
            return items
        assert len(page["items"]) == limit
        query["before"] = page["nextCursor"]


def names(items: list[dict[str, Any]]) -> list[str]:
    return [item["message"]["messageId"] if item["kind"] == "message" else item["review"]["reviewId"] for item in items]


class TestTimeline:
    async def test_items_in_order(self, chat: Chat) -> None:
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        trigger = await chat.workspace.make_form({"agentId": chat.agent_id}, trigger=True)
        session_id = await chat.start()
        said = await chat.say(session_id, "Begin")
        review = await chat.workspace.request(form, sessionId=session_id)
        submitted = await chat.workspace.request(trigger, sessionId=session_id)
        await assert_ok(chat.workspace.owner.post(f"/reviews/{submitted['reviewId']}/response", json={}))
        message = await chat.answer(session_id, "", reviewId=review["reviewId"])
        items = await read_all(chat, session_id, 50)
        assert [item["kind"] for item in items] == ["message", "trigger", "review", "message"]
        expected = [message["messageId"], submitted["reviewId"], review["reviewId"], said["messageId"]]
        assert names(items) == expected
        assert items[2]["review"]["title"] == "Autumn news"
        assert "data" not in items[2]["review"]
        assert items[3]["message"]["text"] == "Begin"
        for limit in (1, 2, 3):
            assert names(await read_all(chat, session_id, limit)) == expected

    async def test_complete_during_writes(self, chat: Chat) -> None:
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        session_id = unique("busy-timeline")
        message_ids: list[str] = []

        async def ask() -> None:
            message_ids.append((await chat.workspace.request(form, sessionId=session_id))["reviewId"])

        async def write() -> None:
            message_ids.append((await chat.answer(session_id, "x", agentId=chat.agent_id))["messageId"])

        await asyncio.gather(*(act() for _ in range(20) for act in (ask, write)))
        before = list(message_ids)
        stop = asyncio.Event()

        async def keep_writing() -> None:
            while not stop.is_set():
                await asyncio.gather(ask(), write())

        writing = asyncio.create_task(keep_writing())
        try:
            for limit in (3, 7):
                seen = names(await read_all(chat, session_id, limit))
                assert len(seen) == len(set(seen))
                assert set(seen) >= set(before)
        finally:
            stop.set()
            await writing
        assert sorted(names(await read_all(chat, session_id, 200))) == sorted(message_ids)

    async def test_empty_and_after_a_deletion(self, chat: Chat) -> None:
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        session_id = await chat.start()
        assert await read_all(chat, session_id, 1) == []
        reviews = [(await chat.workspace.request(form, sessionId=session_id))["reviewId"] for _ in range(3)]
        await assert_ok(chat.workspace.agent.delete(f"/reviews/{reviews[1]}"))
        assert names(await read_all(chat, session_id, 1)) == [reviews[2], reviews[0]]

    @pytest.mark.parametrize("cursor", ["x", "1", "1.", "1.rev_", "-1.rev_g", "1.rev_g;", "99999999999.rev_g"])
    async def test_invalid_cursor(self, chat: Chat, cursor: str) -> None:
        session_id = await chat.start()
        call = chat.workspace.agent.get(f"/sessions/{session_id}/timeline", params={"before": cursor})
        await assert_error(call, 400, "invalid_query")

    async def test_any_cursor_number(self, chat: Chat) -> None:
        session_id = await chat.start()
        await chat.answer(session_id)
        path = f"/sessions/{session_id}/timeline"
        page = await assert_ok(chat.workspace.agent.get(path, params={"before": "9999999999.rev_g"}))
        assert len(page["items"]) == 1

    async def test_readable_by_agents(self, chat: Chat, workspace: Workspace) -> None:
        session_id = await chat.start(workspace.agent)
        await assert_ok(workspace.agent.get(f"/sessions/{session_id}/timeline"))
