"""What a second browser sees of a session, within moments, and when it reconnects."""

from typing import Any

from session_helpers import Chat
from support.api import Workspace, assert_ok

from inbox.inbox_helpers import LiveEvent, LiveStream, open_live_stream


async def session_event(browser: LiveStream, session_id: str, action: str) -> LiveEvent:
    def find() -> LiveEvent | None:
        for event in browser.of("session"):
            if event.data["sessionId"] == session_id and event.data["action"] == action:
                return event
        return None

    return await browser.until(find)


class TestLive:
    async def test_changes_reach_another_browser(self, chat: Chat, workspace: Workspace) -> None:
        ann, ann_client = await workspace.make_person()
        ben, ben_client = await workspace.make_person()
        async with open_live_stream(ann_client) as anns, open_live_stream(ben_client) as bens:
            session_id = await chat.start(ann_client, name="Autumn")
            started = await session_event(bens, session_id, "session.started")
            assert started.data["actorId"] == ann["userId"]
            assert started.data["row"]["name"] == "Autumn"

            said = await chat.say(session_id, "Hello", ann_client)
            message = await session_event(bens, session_id, "session.message")
            assert message.data["row"]["lastMessage"]["messageId"] == said["messageId"]

            await assert_ok(ben_client.put(f"/sessions/{session_id}/typing"))
            typing = await session_event(anns, session_id, "session.typing")
            assert typing.data == {"sessionId": session_id, "action": "session.typing", "actorId": ben["userId"]}

            await assert_ok(workspace.agent.put(f"/sessions/{session_id}/working", json={"working": True}))
            assert "row" not in (await session_event(anns, session_id, "session.working")).data

            response = await chat.answer(session_id, "", streaming=True)
            path = f"/sessions/{session_id}/messages/{response['messageId']}/pieces"
            await assert_ok(workspace.agent.post(path, json={"offset": 0, "text": "Good "}))
            await session_event(anns, session_id, "session.piece")
            await assert_ok(workspace.agent.post(path, json={"offset": 5, "text": "day", "done": True}))

            def whole() -> Any:
                rows = [event.data.get("row") for event in anns.of("session") if event.data["sessionId"] == session_id]
                return [row for row in rows if row and row.get("lastMessage", {}).get("text") == "Good day"]

            await anns.until(whole)
            await assert_ok(ann_client.patch(f"/sessions/{session_id}", json={"name": "Winter"}))
            assert (await session_event(bens, session_id, "session.named")).data["row"]["name"] == "Winter"

    async def test_unread_counts_are_per_user(self, chat: Chat, workspace: Workspace) -> None:
        _, ann_client = await workspace.make_person()
        _, ben_client = await workspace.make_person()
        session_id = await chat.start(ann_client)
        async with open_live_stream(ann_client) as anns, open_live_stream(ben_client) as bens:
            response = await chat.answer(session_id)
            assert (await session_event(anns, session_id, "session.message")).data["row"]["unread"] == 1
            assert (await session_event(bens, session_id, "session.message")).data["row"]["unread"] == 0
            body = {"messageId": response["messageId"]}
            await assert_ok(ann_client.put(f"/sessions/{session_id}/read", json=body))
            assert (await session_event(anns, session_id, "session.read")).data["row"]["unread"] == 0
        for browser in (anns, bens):
            messages = [event for event in browser.of("session") if event.data["action"] == "session.message"]
            assert len([message for message in messages if message.data["sessionId"] == session_id]) == 1

    async def test_missed_changes(self, chat: Chat, workspace: Workspace) -> None:
        _, ann_client = await workspace.make_person()
        async with open_live_stream(ann_client) as browser:
            session_id = await chat.start(ann_client)
            last = (await session_event(browser, session_id, "session.started")).id
        await chat.answer(session_id, "While you were away")
        async with open_live_stream(ann_client, after=last) as browser:
            row = (await session_event(browser, session_id, "session.message")).data["row"]
            assert row["lastMessage"]["text"] == "While you were away"
            assert row["unread"] == 1

    async def test_nothing_for_other_accounts(self, chat: Chat, other_workspace: Workspace) -> None:
        async with open_live_stream(other_workspace.owner) as browser:
            session_id = await chat.start()
            await chat.say(session_id)
            await assert_ok(chat.workspace.owner.put(f"/sessions/{session_id}/typing"))
            agent = await other_workspace.make_agent()
            await browser.change("agent.created", agent["agentId"])
            assert [event for event in browser.of("session") if event.data["sessionId"] == session_id] == []
