"""A streaming message: pieces in order, repeated, with gaps, too late, too long, interrupted."""

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from session_helpers import Chat, eventually
from support.api import assert_error, assert_ok, error_at
from support.in_process import Service

from signoff.platform.db import Database


@pytest.fixture
async def stream(chat: Chat) -> "Stream":
    session_id = await chat.start()
    message = await chat.answer(session_id, "", streaming=True)
    assert message["state"] == "streaming"
    return Stream(chat, session_id, message["messageId"])


class Stream:
    def __init__(self, chat: Chat, session_id: str, message_id: str) -> None:
        self.chat, self.session_id, self.message_id = chat, session_id, message_id
        self.path = f"/sessions/{session_id}/messages/{message_id}/pieces"

    async def add(self, offset: int, text: str, **members: Any) -> dict[str, Any]:
        body = {"offset": offset, "text": text, **members}
        return await assert_ok(self.chat.workspace.agent.post(self.path, json=body))

    async def refuse(self, status: int, code: str | None = None, **body: Any) -> dict[str, Any]:
        return await assert_error(self.chat.workspace.agent.post(self.path, json=body), status, code)

    async def message(self) -> dict[str, Any]:
        [message] = await self.chat.messages(self.session_id)
        return message


class TestPieces:
    async def test_in_sequence(self, stream: Stream) -> None:
        await stream.add(0, "How about ")
        growing = await stream.add(10, "*Autumn*")
        assert (growing["text"], growing["state"]) == ("How about *Autumn*", "streaming")
        assert growing["updatedAt"] >= growing["createdAt"]
        done = await stream.add(18, "?", done=True)
        assert (done["text"], done["state"]) == ("How about *Autumn*?", "complete")
        assert await stream.message() == done

    async def test_started_with_text(self, chat: Chat) -> None:
        session_id = await chat.start()
        message = await chat.answer(session_id, "Well, ", streaming=True)
        stream = Stream(chat, session_id, message["messageId"])
        assert (await stream.add(6, "yes.", done=True))["text"] == "Well, yes."

    async def test_repeated(self, stream: Stream) -> None:
        await stream.add(0, "abc")
        await stream.add(3, "def")
        for offset, text in ((0, "abc"), (3, "def"), (1, "bcd"), (0, ""), (6, "")):
            assert (await stream.add(offset, text))["text"] == "abcdef"
        done = await stream.add(6, "g", done=True)
        assert await stream.add(6, "g", done=True) == done
        assert await stream.add(0, "abc") == done

    async def test_concurrent(self, stream: Stream) -> None:
        await asyncio.gather(*(stream.add(0, "once") for _ in range(8)))
        assert (await stream.message())["text"] == "once"

    async def test_gap_and_overlap(self, stream: Stream) -> None:
        await stream.add(0, "abc")
        for offset, text in ((4, "x"), (4, ""), (0, "xyz"), (1, "x"), (2, "cd"), (0, "abcd")):
            problem = await stream.refuse(409, "wrong_offset", offset=offset, text=text)
            assert problem["length"] == 3
        assert (await stream.message())["text"] == "abc"

    async def test_complete_only_at_the_end(self, stream: Stream) -> None:
        await stream.add(0, "abc")
        await stream.refuse(409, "wrong_offset", offset=0, text="a", done=True)
        assert (await stream.message())["state"] == "streaming"
        assert (await stream.add(0, "abc", done=True))["state"] == "complete"

    async def test_completion_is_in_the_audit_log(self, chat: Chat, stream: Stream) -> None:
        """From which a browser reads what it missed while it was disconnected."""

        async def told() -> int:
            entries = (await assert_ok(chat.workspace.owner.get("/auditLog", params={"objectId": stream.session_id})))[
                "items"
            ]
            return len([entry for entry in entries if entry["action"] == "session.message"])

        before = await told()
        await stream.add(0, "whole")
        assert await told() == before
        await stream.add(5, "", done=True)
        await stream.add(5, "", done=True)
        assert await told() == before + 1

    async def test_after_done(self, stream: Stream) -> None:
        await stream.add(0, "abc", done=True)
        problem = await stream.refuse(409, "not_streaming", offset=3, text="d")
        assert problem["length"] == 3
        await stream.refuse(409, "not_streaming", offset=0, text="xyz")
        assert (await stream.message())["text"] == "abc"

    async def test_wrong_message(self, chat: Chat, stream: Stream) -> None:
        whole = await chat.answer(stream.session_id, "Whole")
        said = await chat.say(stream.session_id, "Mine")
        elsewhere = Stream(chat, await chat.start(), stream.message_id)
        unknown = Stream(chat, stream.session_id, "msg_unknown")
        piece = {"offset": 5, "text": "x"}
        await Stream(chat, stream.session_id, whole["messageId"]).refuse(409, "not_streaming", **piece)
        await Stream(chat, stream.session_id, said["messageId"]).refuse(409, "not_streaming", **piece)
        await elsewhere.refuse(404, "not_found", offset=0, text="x")
        await unknown.refuse(404, "not_found", offset=0, text="x")

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"text": "x"}, "offset"),
            ({"offset": 0}, "text"),
            ({"offset": -1, "text": "x"}, "offset"),
            ({"offset": "0", "text": "x"}, "offset"),
            ({"offset": 1.5, "text": "x"}, "offset"),
            ({"offset": 10**20, "text": "x"}, "offset"),
            ({"offset": 0, "text": None}, "text"),
            ({"offset": 0, "text": "x" * 32_001}, "text"),
            ({"offset": 0, "text": "x", "done": "yes"}, "done"),
            ({"offset": 0, "text": "a\0b"}, "text"),
        ],
    )
    async def test_refused(self, stream: Stream, body: dict[str, Any], path: str) -> None:
        error_at(await stream.refuse(422, None, **body), path)
        assert (await stream.message())["text"] == ""

    async def test_longest(self, stream: Stream) -> None:
        await stream.add(0, "ü" * 31_999)
        problem = await stream.refuse(422, offset=31_999, text="ab")
        assert error_at(problem, "text")["code"] == "too_long"
        assert len((await stream.add(31_999, "🎃", done=True))["text"]) == 32_000

    async def test_continues_while_users_write(self, chat: Chat, stream: Stream) -> None:
        await stream.add(0, "One ")
        await chat.say(stream.session_id, "Wait")
        await stream.add(4, "two", done=True)
        messages = await chat.messages(stream.session_id)
        assert [message["text"] for message in messages] == ["One two", "Wait"]

    async def test_interrupted_and_resumed(self, stream: Stream, service: Service) -> None:
        await stream.add(0, "Half a sen")
        # Directly in the database: nobody waits for the two minutes.
        db = await Database.connect(service.dsn(), size=1)
        try:
            await db.execute(
                "update messages set heard_at = now() - interval '121 seconds' where message_id = $1",
                stream.message_id,
            )
        finally:
            await db.close()
        message = await stream.message()
        assert (message["state"], message["text"]) == ("interrupted", "Half a sen")
        assert (await stream.add(10, "tence"))["state"] == "streaming"
        assert (await stream.add(15, ".", done=True))["state"] == "complete"


class TestAnyText:
    @settings(
        max_examples=15,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(
        pieces=st.lists(
            st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30), max_size=6
        )
    )
    async def test_arrives_unchanged(self, chat: Chat, pieces: list[str]) -> None:
        session_id = await chat.start()
        message = await chat.answer(session_id, "", streaming=True)
        stream = Stream(chat, session_id, message["messageId"])
        held = ""
        for piece in pieces:
            await stream.add(len(held), piece)
            held += piece
            assert (await stream.add(len(held) - len(piece), piece))["text"] == held
        assert (await stream.add(len(held), "", done=True))["text"] == held


async def test_working_expires(chat: Chat, service: Service) -> None:
    session_id = await chat.start()
    await assert_ok(chat.workspace.agent.put(f"/sessions/{session_id}/working", json={"working": True}))
    db = await Database.connect(service.dsn(), size=1)
    try:
        left = await db.fetchval(
            "select extract(epoch from until - now())::float8 from session_working where session_id = $1", session_id
        )
        assert 30 < left <= 60
        await db.execute(
            "update session_working set until = until - interval '60 seconds' where session_id = $1", session_id
        )
    finally:
        await db.close()

    async def over() -> bool:
        return (await chat.session(session_id))["working"] is None

    await eventually(over)
