"""The event `session.human_message`: its content, its destination, and how it's pulled."""

import json

from session_helpers import Chat, make_chat
from standardwebhooks import Webhook
from support.api import Workspace, assert_ok, unique
from support.receiver import Receiver

COMMON = {"event", "eventId", "accountId", "agentId", "sessionId", "deliveryId", "createdAt"}


class TestEvent:
    async def test_members(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("chat")
        agent = await workspace.make_agent(chat="on", webhookUrl=receiver.url + path)
        chat = Chat(workspace, receiver, agent["agentId"], path)
        session_id = await chat.start(name="Autumn")
        greeting = await chat.answer(session_id, "What can I do?")
        said = await chat.say(session_id, "Write a *poem*.")
        [call] = await receiver.wait_for(path)
        event = call.json
        assert set(event) == COMMON | {"message", "session", "history"}
        assert event["event"] == "session.human_message"
        assert event["accountId"] == workspace.account_id
        assert event["agentId"] == chat.agent_id
        assert event["sessionId"] == session_id
        assert event["deliveryId"] == said["delivery"]["deliveryId"] == call.headers["webhook-id"]
        assert event["message"] == {
            "id": said["messageId"],
            "text": "Write a *poem*.",
            "attachments": [],
            "createdAt": said["createdAt"],
            "user": said["user"],
        }
        session = await chat.session(session_id)
        assert event["session"] == {"id": session_id, "name": "Autumn", "createdAt": session["createdAt"]}
        before = {"id": greeting["messageId"], "role": "agent", "text": "What can I do?", "attachments": []}
        assert event["history"] == [
            {**before, "createdAt": greeting["createdAt"]},
            {"role": "human", **event["message"]},
        ]
        Webhook(agent["webhookSecret"]).verify(call.body, call.headers)

    async def test_history_has_the_latest_twenty(self, chat: Chat) -> None:
        session_id = await chat.start()
        for number in range(25):
            await chat.answer(session_id, f"Note {number}")
        await chat.say(session_id, "And now?")
        [call] = await chat.receiver.wait_for(chat.path)
        texts = [message["text"] for message in call.json["history"]]
        assert texts == [f"Note {number}" for number in range(6, 25)] + ["And now?"]

    async def test_agent_messages_send_no_event(self, chat: Chat) -> None:
        session_id = await chat.start()
        await chat.answer(session_id, "Just so")
        await chat.say(session_id, "I see")
        await chat.receiver.wait_for(chat.path)
        assert chat.texts(session_id) == ["I see"]

    async def test_delivery_record(self, chat: Chat) -> None:
        said = await chat.say(await chat.start())
        record = await chat.workspace.delivery(said["delivery"]["deliveryId"], "succeeded")
        assert (record["event"], record["target"], record["urlSource"]) == ("session.human_message", "agent", "agent")
        assert record["lineNumber"] == 1
        assert not {"reviewId", "formId"} & set(record)
        [message] = await chat.messages(said["sessionId"])
        assert message["delivery"] == {"deliveryId": record["deliveryId"], "status": "succeeded"}

    async def test_polled_without_a_webhook(self, workspace: Workspace, receiver: Receiver) -> None:
        agent = await workspace.make_agent(chat="on")
        chat = Chat(workspace, receiver, agent["agentId"], "/none")
        session_id = await chat.start()
        latest = (await assert_ok(workspace.agent.get("/events", params={"after": "latest"})))["nextCursor"]
        said = [await chat.say(session_id, f"Message {number}") for number in range(5)]
        assert all("delivery" not in message for message in said)
        query = {"after": latest, "agentId": chat.agent_id, "wait": 10}
        events = (await assert_ok(workspace.agent.get("/events", params=query)))["items"]
        assert [event["message"]["id"] for event in events] == [message["messageId"] for message in said]
        assert all(event["deliveryId"] is None for event in events)


class TestAudit:
    async def test_log_has_the_author_but_not_the_text(self, chat: Chat) -> None:
        session_id = await chat.start(name="Autumn")
        said = await chat.say(session_id, "Something private")
        await assert_ok(chat.workspace.owner.patch(f"/sessions/{session_id}", json={"name": "Winter"}))
        log = (await assert_ok(chat.workspace.owner.get("/auditLog", params={"objectId": session_id})))["items"]
        assert [entry["action"] for entry in log] == ["session.named", "session.message", "session.started"]
        assert log[1]["details"] == {"messageId": said["messageId"]}
        assert "private" not in json.dumps(log)

    async def test_chats_are_separate(self, chat: Chat, receiver: Receiver) -> None:
        other = await make_chat(chat.workspace, receiver)
        mine, theirs = await chat.start(), await other.start()
        await chat.say(mine, "Mine")
        await other.say(theirs, "Theirs")
        [call] = await receiver.wait_for(other.path)
        assert [message["text"] for message in call.json["history"]] == ["Theirs"]
