"""Messages: who can write what and when, numbers, idempotency, paging, attachments."""

import asyncio
from typing import Any

import httpx
import pytest
from session_helpers import Chat, make_chat, upload_png
from support.api import Workspace, assert_error, assert_ok, error_at, unique
from support.in_process import Service
from support.receiver import Receiver

from signoff.media.references import delete_unused_media
from signoff.platform.db import Database

People = dict[str, tuple[dict[str, str], httpx.AsyncClient]]
HOSTILE = (
    "<img src=x onerror=alert(1)> [x](javascript:alert(1)) '; drop table messages; -- \u202e \ufeff 🎃👩‍👩‍👧 %s {0}"
)


class TestWriting:
    async def test_by_a_user(self, chat: Chat, people: People) -> None:
        reviewer, client = people["reviewer"]
        session_id = await chat.start()
        message = await chat.say(session_id, "Is it *autumn*?", client)
        assert message["messageId"].startswith("msg_")
        assert message["delivery"]["deliveryId"].startswith("whd_")
        known = {name: message[name] for name in ("sessionId", "number", "role", "text", "attachments", "state")}
        assert known == {
            "sessionId": session_id,
            "number": 1,
            "role": "human",
            "text": "Is it *autumn*?",
            "attachments": [],
            "state": "complete",
        }
        assert message["user"] == {"id": reviewer["userId"], "email": reviewer["email"], "name": reviewer["name"]}
        assert message["agentId"] == chat.agent_id
        assert message["createdAt"] == message["updatedAt"]
        assert "reviewId" not in message
        session = await chat.session(session_id)
        assert session["lastMessage"]["by"] == reviewer["name"]
        assert {person["userId"] for person in session["participants"]} >= {reviewer["userId"]}

    async def test_by_the_agent(self, chat: Chat) -> None:
        session_id = await chat.start()
        message = await chat.answer(session_id, "It is.")
        assert (message["role"], message["number"], message["state"]) == ("agent", 1, "complete")
        assert not {"user", "delivery", "reviewId"} & set(message)
        session = await chat.session(session_id)
        assert session["lastMessage"]["by"] == session["agentName"]

    async def test_first_message_creates_the_session(self, chat: Chat) -> None:
        session_id = unique("first-use")
        missing = await assert_error(
            chat.workspace.agent.post(f"/sessions/{session_id}/messages", json={"text": "Hi"}), 422
        )
        assert error_at(missing, "agentId")["code"] == "missing"
        await assert_error(chat.workspace.owner.get(f"/sessions/{session_id}"), 404)
        message = await chat.answer(session_id, agentId=chat.agent_id)
        assert message["agentId"] == chat.agent_id
        assert (await chat.answer(session_id))["number"] == 2
        other = await chat.workspace.make_agent(chat="on")
        body = {"text": "Hi", "agentId": other["agentId"]}
        path = f"/sessions/{session_id}/messages"
        await assert_error(chat.workspace.agent.post(path, json=body), 409, "session_of_another_agent")

    async def test_concurrent_first_messages(self, chat: Chat) -> None:
        session_id = unique("first-use-at-once")
        messages = await asyncio.gather(
            *(chat.answer(session_id, str(number), agentId=chat.agent_id) for number in range(10))
        )
        assert sorted(message["number"] for message in messages) == list(range(1, 11))

    @pytest.mark.parametrize("bad", ["white space", "a,b", "ü", "x" * 129])
    async def test_first_message_with_an_invalid_id(self, chat: Chat, bad: str) -> None:
        body = {"text": "Hi", "agentId": chat.agent_id}
        response = await chat.workspace.agent.post(f"/sessions/{bad}/messages", json=body)
        assert response.status_code in {400, 404}

    async def test_with_a_review(self, chat: Chat) -> None:
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        session_id = await chat.start()
        review = await chat.workspace.request(form, sessionId=session_id)
        elsewhere = await chat.workspace.request(form)
        message = await chat.answer(session_id, "", reviewId=review["reviewId"])
        assert message["reviewId"] == review["reviewId"]
        for review_id in (elsewhere["reviewId"], "rev_unknown"):
            body = {"text": "Look", "reviewId": review_id}
            problem = await assert_error(chat.workspace.agent.post(f"/sessions/{session_id}/messages", json=body), 422)
            assert error_at(problem, "reviewId")["code"] == "unknown_review"
        assert len(await chat.messages(session_id)) == 1

    async def test_in_a_session_created_by_a_review(self, chat: Chat) -> None:
        form = await chat.workspace.make_form({"agentId": chat.agent_id})
        session_id = (await chat.workspace.request(form))["sessionId"]
        assert (await chat.say(session_id, "About this"))["number"] == 1

    @pytest.mark.parametrize(
        ("mode", "person", "key"),
        [("on", None, None), ("replyOnly", None, None), ("off", "chat_off", None)],
    )
    async def test_chat_modes(self, chat: Chat, mode: str, person: str | None, key: str | None) -> None:
        session_id = await chat.start()
        await chat.set_mode(mode)
        for client, code in ((chat.workspace.owner, person), (chat.workspace.agent, key)):
            call = client.post(f"/sessions/{session_id}/messages", json={"text": "Hello"})
            await (assert_ok(call) if code is None else assert_error(call, 409, code))
        assert (await chat.session(session_id))["mayWrite"] is (person is None)

    async def test_key_can_not_start_one_with_chat_off(self, workspace: Workspace, receiver: Receiver) -> None:
        chat = await make_chat(workspace, receiver, "off")
        body = {"text": "Hello", "agentId": chat.agent_id}
        await assert_error(workspace.agent.post(f"/sessions/{unique('off')}/messages", json=body), 409, "chat_off")

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({}, "text"),
            ({"text": None}, "text"),
            ({"text": ""}, "text"),
            ({"text": " \n\t "}, "text"),
            ({"text": 5}, "text"),
            ({"text": "x" * 32_001}, "text"),
            ({"text": "x", "attachments": None}, "attachments"),
            ({"text": "x", "attachments": [{}]}, "attachments[0].url"),
            ({"text": "x", "attachments": [{"url": "/media/a/b"}] * 21}, "attachments"),
            ({"text": "x", "unknown": 1}, "unknown"),
        ],
    )
    async def test_refused(self, chat: Chat, body: dict[str, Any], path: str) -> None:
        session_id = await chat.start()
        for client in (chat.workspace.owner, chat.workspace.agent):
            error_at(await assert_error(client.post(f"/sessions/{session_id}/messages", json=body), 422), path)
        assert await chat.messages(session_id) == []

    @pytest.mark.parametrize("member", [{"reviewId": "rev_1"}, {"streaming": True}, {"agentId": "agt_1"}])
    async def test_users_have_fewer_fields(self, chat: Chat, member: dict[str, Any]) -> None:
        session_id = await chat.start()
        call = chat.workspace.owner.post(f"/sessions/{session_id}/messages", json={"text": "Hi", **member})
        assert error_at(await assert_error(call, 422), next(iter(member)))["code"] == "not_allowed"

    @pytest.mark.parametrize("content", [b"", b"{", b'{"text": "\xff"}', b'{"text": "\\ud800"}'])
    async def test_malformed(self, chat: Chat, content: bytes) -> None:
        session_id = await chat.start()
        headers = {"content-type": "application/json"}
        call = chat.workspace.owner.post(f"/sessions/{session_id}/messages", content=content, headers=headers)
        assert (await call).status_code in {400, 422}

    async def test_rejects_nul(self, chat: Chat) -> None:
        session_id = await chat.start()
        await assert_error(chat.workspace.owner.post(f"/sessions/{session_id}/messages", json={"text": "a\0b"}), 422)

    async def test_hostile_and_long_text_is_unchanged(self, chat: Chat) -> None:
        session_id = await chat.start()
        for text in (HOSTILE, "🎃" * 32_000, "  leading and trailing\n"):
            await chat.say(session_id, text)
            assert (await chat.messages(session_id, limit=1))[0]["text"] == text

    async def test_write_from_another_origin(self, chat: Chat) -> None:
        session_id = await chat.start()
        headers = {"sec-fetch-site": "cross-site"}
        call = chat.workspace.owner.post(f"/sessions/{session_id}/messages", json={"text": "x"}, headers=headers)
        await assert_error(call, 403, "cross_origin")


class TestNumbers:
    async def test_concurrent_messages(self, chat: Chat, people: People) -> None:
        session_id = await chat.start()
        writers = [chat.workspace.owner, people["reviewer"][1], people["editor"][1], chat.workspace.agent]

        async def write(client: httpx.AsyncClient, number: int) -> dict[str, Any]:
            return await assert_ok(client.post(f"/sessions/{session_id}/messages", json={"text": f"Message {number}"}))

        results = await asyncio.gather(*(write(writers[number % 4], number) for number in range(60)))
        assert sorted(message["number"] for message in results) == list(range(1, 61))
        read = await chat.messages(session_id, limit=200)
        assert [message["number"] for message in read] == list(range(1, 61))
        assert [message["createdAt"] for message in read] == sorted(message["createdAt"] for message in read)
        assert (await chat.session(session_id))["messageCount"] == 60


class TestIdempotency:
    async def test_repeated_request(self, chat: Chat) -> None:
        session_id = await chat.start()
        path, headers = f"/sessions/{session_id}/messages", {"Idempotency-Key": unique("key")}
        for client in (chat.workspace.owner, chat.workspace.agent):
            first = await assert_ok(client.post(path, json={"text": "Once"}, headers=headers))
            again = await assert_ok(client.post(path, json={"text": "Once"}, headers=headers))
            assert again["messageId"] == first["messageId"]
            problem = await assert_error(client.post(path, json={"text": "Twice"}, headers=headers), 409)
            assert problem["code"] == "idempotency_key_reused"
        # A member and the agent each have their own, and so does every session.
        assert [message["number"] for message in await chat.messages(session_id)] == [1, 2]
        other = await chat.start()
        await assert_ok(
            chat.workspace.owner.post(f"/sessions/{other}/messages", json={"text": "Other"}, headers=headers)
        )
        await chat.receiver.wait_for(chat.path, 2)
        assert chat.texts(session_id) == ["Once"]

    async def test_concurrent_requests(self, chat: Chat) -> None:
        session_id = unique("idempotent")
        body = {"text": "Once", "agentId": chat.agent_id}
        headers = {"Idempotency-Key": unique("key")}
        messages = await asyncio.gather(
            *(
                assert_ok(chat.workspace.agent.post(f"/sessions/{session_id}/messages", json=body, headers=headers))
                for _ in range(10)
            )
        )
        assert len({response["messageId"] for response in messages}) == 1
        assert len(await chat.messages(session_id)) == 1

    async def test_after_the_chat_was_turned_off(self, chat: Chat) -> None:
        session_id = await chat.start()
        path, headers = f"/sessions/{session_id}/messages", {"Idempotency-Key": unique("key")}
        first = await assert_ok(chat.workspace.owner.post(path, json={"text": "Once"}, headers=headers))
        await chat.set_mode("off")
        again = await assert_ok(chat.workspace.owner.post(path, json={"text": "Once"}, headers=headers))
        assert again["messageId"] == first["messageId"]

    async def test_rejected_request_does_not_use_the_key(self, chat: Chat) -> None:
        session_id = await chat.start()
        path, headers = f"/sessions/{session_id}/messages", {"Idempotency-Key": unique("key")}
        await assert_error(chat.workspace.agent.post(path, json={"text": "x", "reviewId": "r"}, headers=headers), 422)
        await assert_ok(chat.workspace.agent.post(path, json={"text": "x"}, headers=headers))

    @pytest.mark.parametrize("key", ["", "k" * 256])
    async def test_bad_key(self, chat: Chat, key: str) -> None:
        session_id = await chat.start()
        headers = {"Idempotency-Key": key}
        call = chat.workspace.agent.post(f"/sessions/{session_id}/messages", json={"text": "x"}, headers=headers)
        await assert_error(call, 400, "invalid_query")


class TestReading:
    async def test_pages_in_both_directions(self, chat: Chat) -> None:
        session_id = await chat.start()
        message_ids = [(await chat.answer(session_id, str(number)))["messageId"] for number in range(7)]
        path = f"/sessions/{session_id}/messages"

        async def read(**query: Any) -> tuple[list[str], str | None]:
            result = await assert_ok(chat.workspace.agent.get(path, params=query))
            return [message["messageId"] for message in result["items"]], result.get("nextBefore")

        assert await read() == (message_ids, None)
        assert await read(limit=3) == (message_ids[4:], message_ids[4])
        assert await read(limit=3, before=message_ids[4]) == (message_ids[1:4], message_ids[1])
        assert await read(limit=3, before=message_ids[1]) == (message_ids[:1], None)
        assert await read(before=message_ids[0]) == ([], None)
        assert await read(limit=3, after=message_ids[0]) == (message_ids[1:4], None)
        assert await read(after=message_ids[6]) == ([], None)

    async def test_refused(self, chat: Chat) -> None:
        first, second = await chat.start(), await chat.start()
        elsewhere = (await chat.answer(second))["messageId"]
        agent, path = chat.workspace.agent, f"/sessions/{first}/messages"
        for query in ({"after": elsewhere}, {"before": elsewhere}, {"after": ""}, {"before": "msg_unknown"}):
            await assert_error(agent.get(path, params=query), 404)
        await assert_error(agent.get(path, params={"after": elsewhere, "before": elsewhere}), 400, "invalid_query")
        for limit in ("0", "201", "x", "-1"):
            await assert_error(agent.get(path, params={"limit": limit}), 400, "invalid_query")


class TestAttachments:
    async def test_stored_and_shown(self, chat: Chat, people: People) -> None:
        session_id = await chat.start()
        mine, theirs = await upload_png(people["reviewer"][1]), await upload_png(chat.workspace.agent)
        attachment = {"url": mine["downloadURL"], "name": "Leaf <b>.png"}
        said = await chat.say(session_id, "", people["reviewer"][1], attachments=[attachment])
        assert said["attachments"] == [
            {"url": mine["downloadURL"], "name": "Leaf <b>.png", "contentType": "image/png", "size": mine["size"]}
        ]
        message = await chat.answer(session_id, "", attachments=[{"url": theirs["downloadURL"]}] * 2)
        assert [attachment["name"] for attachment in message["attachments"]] == ["attachment"] * 2
        assert (await chat.workspace.public.get(mine["downloadURL"])).status_code == 200
        [call] = await chat.receiver.wait_for(chat.path)
        assert call.json["message"]["attachments"] == said["attachments"]

    @pytest.mark.parametrize(
        "url",
        [
            "https://example.com/leaf.png",
            "/media/acc_x/med_y",
            "javascript:alert(1)",
            "not an address",
            "../../etc/passwd",
            "/media/",
        ],
    )
    async def test_not_uploaded(self, chat: Chat, url: str) -> None:
        session_id = await chat.start()
        good = (await upload_png(chat.workspace.agent))["downloadURL"]
        body = {"text": "x", "attachments": [{"url": good}, {"url": url}, {"url": url}]}
        for client in (chat.workspace.owner, chat.workspace.agent):
            problem = await assert_error(client.post(f"/sessions/{session_id}/messages", json=body), 422)
            assert [(error["path"], error["code"]) for error in problem["errors"]] == [
                ("attachments[1].url", "not_uploaded"),
                ("attachments[2].url", "not_uploaded"),
            ]
        assert await chat.messages(session_id) == []

    async def test_of_another_account(self, chat: Chat, other_workspace: Workspace) -> None:
        session_id = await chat.start()
        theirs = await upload_png(other_workspace.agent)
        body = {"text": "x", "attachments": [{"url": theirs["downloadURL"]}]}
        problem = await assert_error(chat.workspace.owner.post(f"/sessions/{session_id}/messages", json=body), 422)
        assert error_at(problem, "attachments[0].url")["code"] == "not_uploaded"

    async def test_kept_while_a_message_has_it(self, chat: Chat, service: Service) -> None:
        used, unused = await upload_png(chat.workspace.agent), await upload_png(chat.workspace.agent)
        await chat.answer(await chat.start(), attachments=[{"url": used["downloadURL"]}])
        # Directly in the database: nobody waits for the thirty days.
        db = await Database.connect(service.dsn(), size=1)
        try:
            ids = [record["downloadURL"].rpartition("/")[2] for record in (used, unused)]
            await db.execute("update media set kept_at = now() - interval '90 days' where media_id = any($1)", ids)
            await delete_unused_media(db, 30)
            left = await db.fetch("select media_id from media where media_id = any($1)", ids)
        finally:
            await db.close()
        assert [row["media_id"] for row in left] == ids[:1]
        assert (await chat.workspace.public.get(used["downloadURL"])).status_code == 200

    async def test_kept_after_deletion_of_a_review_with_it(self, chat: Chat) -> None:
        fields = [{"id": "photo", "type": "image", "label": "Photo"}]
        form = await chat.workspace.make_form(
            {"agentId": chat.agent_id},
            fields=fields,
            layout=[{"kind": "field", "field": "photo"}],
            rules=[],
            titleField=None,
        )
        record = await upload_png(chat.workspace.agent)
        review = await chat.workspace.request(form, data={"photo": record["downloadURL"]})
        await chat.answer(review["sessionId"], attachments=[{"url": record["downloadURL"]}])
        await assert_ok(chat.workspace.agent.delete(f"/reviews/{review['reviewId']}"))
        assert (await chat.workspace.public.get(record["downloadURL"])).status_code == 200

    async def test_viewers_can_not_upload(self, people: People) -> None:
        files = {"file": ("leaf.png", b"x", "image/png")}
        await assert_error(people["viewer"][1].post("/uploadFiles", files=files), 403)
