"""Past decisions, chat, events, files and models, with both clients."""

import asyncio
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sdk_helpers import Sdk
from support.api import DATA, Workspace, assert_ok
from support.in_process import Service

from signoff_client import HumanMessage, InvalidRequest, MessageConflict, NotFound, ReviewCompleted
from signoff_client.__main__ import main


def picture(width: int = 4) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, 1, 8, 2, 0, 0, 0))
    pixels = b"\x00" + os.urandom(3 * width)
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


class TestMemory:
    @pytest.fixture
    async def form(self, workspace: Workspace) -> dict[str, Any]:
        """Seven decisions; those with even scores are rejected."""
        form = await workspace.make_form()
        for score in range(7):
            review = await workspace.request(form, data={**DATA, "body": f"a\u2028b\x85{score}", "score": score})
            await workspace.decide(review["reviewId"], "approved" if score % 2 else "rejected", data={"score": score})
        return form

    async def test_all_pages(self, sdk: Sdk, form: dict[str, Any]) -> None:
        for page_size in (1, 2, 7, 100):
            past = await sdk.items(sdk.client.list_responses(form["formId"], page_size=page_size))
            assert [past_review.suggested["score"] for past_review in past] == list(range(7))
            assert [response.suggested["body"] for response in past] == [f"a\u2028b\x85{score}" for score in range(7)]
        assert [each.response for each in past] == ["rejected", "approved"] * 3 + ["rejected"]
        assert [each.approved["score"] for each in past] == [None, 1, None, 3, None, 5, None]

    async def test_lazily_and_from_a_cursor(self, sdk: Sdk, form: dict[str, Any]) -> None:
        pages = sdk.client.list_responses(form["formId"], page_size=2)
        first = await sdk.items(pages, 4)
        rest = await sdk.items(sdk.client.list_responses(form["formId"], after=pages.cursor))
        assert [response.suggested["score"] for response in first + rest] == list(range(7))

    async def test_filtered(self, sdk: Sdk, form: dict[str, Any]) -> None:
        pages = sdk.client.list_responses(form["formId"], field_ids=["score"], response="approved", page_size=2)
        assert [response.approved for response in await sdk.items(pages)] == [{"score": 1}, {"score": 3}, {"score": 5}]
        recalled = await sdk(
            sdk.client.fetch_responses,
            form["formId"],
            ["score", "headline"],
            response="approved",
            where=[("score.value", ">=", 2), ("score.value", "<", 9), ("tags.value", "arrayIsEmpty")],
            limit=2,
        )
        assert [response.approved["score"] for response in recalled] == [5, 3]
        assert recalled[0].approved["headline"] == "Autumn news"

    async def test_none(self, sdk: Sdk, workspace: Workspace) -> None:
        form = await workspace.make_form()
        pages = sdk.client.list_responses(form["formId"])
        assert await sdk.items(pages) == []
        assert pages.cursor == ""
        assert await sdk(sdk.client.fetch_responses, form["formId"], ["score"]) == []

    async def test_refused(self, sdk: Sdk, form: dict[str, Any]) -> None:
        with pytest.raises(InvalidRequest):
            await sdk(sdk.client.fetch_responses, form["formId"], ["score"], where=[("score", "like", 3)])
        with pytest.raises(NotFound):
            await sdk.items(sdk.client.list_responses("frm_nothing"))


class TestChat:
    async def test_send_and_receive(self, sdk: Sdk, workspace: Workspace) -> None:
        agent = await workspace.make_agent(chat="on")
        session_id = f"chat-{agent['agentId']}"
        stored = await sdk(sdk.client.upload_file, picture(), name="leaf.png")
        first = await sdk(
            sdk.client.send_message, session_id, "Hello", agent_id=agent["agentId"], attachments=[stored, stored.url]
        )
        assert (first.role, first.text, first.state, first.user) == ("agent", "Hello", "complete", None)
        assert [(attachment.url, attachment.content_type) for attachment in first.attachments] == [
            (stored.url, "image/png")
        ] * 2
        assert first.attachments[0].name == "leaf.png"
        await assert_ok(workspace.owner.post(f"/sessions/{session_id}/messages", json={"text": "Hello yourself"}))
        [event] = await sdk.items(sdk.client.stream_events(agent_id=agent["agentId"], wait=20), 1)
        assert isinstance(event, HumanMessage)
        assert [message.text for message in event.history] == ["Hello", "Hello yourself"]

        await sdk(sdk.client.set_working, session_id, "Thinking")
        assert (await assert_ok(workspace.owner.get(f"/sessions/{session_id}")))["working"]["text"] == "Thinking"
        for _ in range(2):  # The event may come twice.
            await sdk(sdk.client.send_message, event.session_id, "How are you?", idempotency_key=event.event_id)
        said = await sdk(sdk.client.list_messages, session_id)
        assert [message.text for message in said] == ["Hello", "Hello yourself", "How are you?"]
        assert [
            message.text
            for message in await sdk(sdk.client.list_messages, session_id, after=said[0].message_id, limit=1)
        ] == ["Hello yourself"]
        assert await sdk(sdk.client.list_messages, session_id, before=said[1].message_id) == said[:1]

    async def test_streaming(self, sdk: Sdk, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        """People see it grow: the first pieces arrive before the last is created."""
        monkeypatch.setattr("signoff_client.messages.PIECE_INTERVAL", 0.0)
        agent = await workspace.make_agent(chat="on")
        session_id = f"chat-{agent['agentId']}"
        seen: list[str] = []

        async def look() -> None:
            items = await assert_ok(workspace.agent.get(f"/sessions/{session_id}/messages"))
            seen.extend(f"{message['text']}|{message['state']}" for message in items["items"])

        async def pieces() -> AsyncIterator[str]:
            yield "Fünf "
            yield "🍁 "
            await look()
            yield "fallen."

        def blocking_pieces() -> Any:
            yield "Fünf "
            yield "🍁 "
            asyncio.run_coroutine_threadsafe(look(), loop).result(20)
            yield "fallen."

        loop = asyncio.get_running_loop()
        text = pieces() if sdk.is_async else blocking_pieces()
        message = await sdk(sdk.client.send_message, session_id, text, agent_id=agent["agentId"])
        assert seen == ["Fünf 🍁 |streaming"]
        assert (message.text, message.state) == ("Fünf 🍁 fallen.", "complete")
        assert (await sdk(sdk.client.send_message, session_id, iter(["a", "b"]))).text == "ab"

    async def test_repeated_streaming(self, sdk: Sdk, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        """With a key, an interrupted text continues where it stopped, and a complete one stays unchanged."""
        monkeypatch.setattr("signoff_client.messages.PIECE_INTERVAL", 0.0)
        agent = await workspace.make_agent(chat="on")
        session_id = f"chat-{agent['agentId']}"

        def broken_off() -> Any:
            yield "Fünf "
            yield "🍁 "
            raise RuntimeError("the model is gone")

        def say(text: Any) -> Any:
            options = {"agent_id": agent["agentId"], "idempotency_key": "evt_1"}
            return sdk(sdk.client.send_message, session_id, text, **options)

        async def there() -> list[tuple[str, str]]:
            return [(message.text, message.state) for message in await sdk(sdk.client.list_messages, session_id)]

        with pytest.raises(RuntimeError, match="the model is gone"):
            await say(broken_off())
        for other in (["Sechs 🍁"], ["Fün"], [], ["Fünf 🍂 fallen."]):
            with pytest.raises(MessageConflict, match="match the interrupted message") as refused:
                await say(iter(other))
            assert refused.value.existing_text == "Fünf 🍁 "
            assert await there() == [("Fünf 🍁 ", "streaming")]
        assert (await say(iter(["Fü", "nf 🍁 fal", "len."]))).text == "Fünf 🍁 fallen."
        again = await say(iter(["Something else"]))
        assert (again.text, again.state) == ("Fünf 🍁 fallen.", "complete")
        assert await there() == [("Fünf 🍁 fallen.", "complete")]

    async def test_review_in_a_chat(self, sdk: Sdk, workspace: Workspace) -> None:
        agent = await workspace.make_agent(chat="on")
        form = await workspace.make_form(agent)
        review = await sdk.ask(form, DATA)
        message = await sdk(sdk.client.send_message, review.session_id, "Please look", review_id=review.id)
        assert message.raw["reviewId"] == review.id


class TestEvents:
    async def test_from_a_cursor(self, sdk: Sdk, workspace: Workspace) -> None:
        form = await workspace.make_form(autoApprove=True)
        review_ids = [(await workspace.request(form))["reviewId"] for _ in range(5)]
        events = sdk.client.stream_events(agent_id=form["agentId"], wait=0)
        first = await sdk.items(events)
        assert [event.review_id for event in first] == review_ids
        assert all(isinstance(event, ReviewCompleted) for event in first)
        review_ids.append((await workspace.request(form))["reviewId"])
        [sixth] = await sdk.items(sdk.client.stream_events(agent_id=form["agentId"], after=events.cursor, wait=20), 1)
        assert sixth.review_id == review_ids[-1]

    async def test_unfinished_events_are_repeated(self, sdk: Sdk, workspace: Workspace) -> None:
        form = await workspace.make_form(autoApprove=True)
        review_ids = [(await workspace.request(form))["reviewId"] for _ in range(3)]
        events = sdk.client.stream_events(agent_id=form["agentId"], wait=0)
        await sdk.items(events, 2)
        again = await sdk.items(sdk.client.stream_events(agent_id=form["agentId"], after=events.cursor, wait=0))
        assert [event.review_id for event in again] == review_ids

    async def test_only_new_events(self, sdk: Sdk, workspace: Workspace) -> None:
        form = await workspace.make_form(autoApprove=True)
        await workspace.request(form)
        events = sdk.client.stream_events(agent_id=form["agentId"], after="latest", wait=0.1)
        assert await sdk.items(events) == []
        waiting = asyncio.create_task(
            sdk.items(sdk.client.stream_events(after=events.cursor, agent_id=form["agentId"]), 1)
        )
        await asyncio.sleep(0.1)
        review = await workspace.request(form)
        assert [event.review_id for event in await waiting] == [review["reviewId"]]


class TestFiles:
    async def test_a_path_or_bytes(self, sdk: Sdk, tmp_path: Path) -> None:
        path = tmp_path / "leaf.png"
        path.write_bytes(content := picture())
        for file in (path, str(path)):
            stored = await sdk(sdk.client.upload_file, file)
            assert (stored.name, stored.size, stored.content_type) == ("leaf.png", len(content), "image/png")
        same = await sdk(sdk.client.upload_file, content)
        assert same.url == stored.url
        assert (await asyncio.to_thread(httpx.get, stored.url)).content == content

    async def test_resized(self, sdk: Sdk) -> None:
        stored = await sdk(sdk.client.upload_file, picture(40), width=10, without_enlargement=True)
        content = (await asyncio.to_thread(httpx.get, stored.url)).content
        assert struct.unpack(">I", content[16:20]) == (10,)

    async def test_not_an_image(self, sdk: Sdk) -> None:
        with pytest.raises(InvalidRequest) as refused:
            await sdk(sdk.client.upload_file, b"<svg/>")
        assert refused.value.details[0]["code"] == "active_content"


class TestModels:
    async def test_generated_by_the_service(self, sdk: Sdk, workspace: Workspace, tmp_path: Path) -> None:
        form = await workspace.make_form(name="News item")
        models: dict[str, Any] = {}
        exec(await sdk(sdk.client.generate_models, form["formId"]), models)  # noqa: S102
        data = models["NewsItemData"].model_validate({**DATA, "tags": ["a"], "channel": "blog"})
        review = await sdk.ask(form, data)
        await workspace.decide(review.id, data={"tags": ["a", "b"]})
        values = (await sdk(review.wait)).values_as(models["NewsItemData"])
        assert (values.draft.headline, values.score, values.channel) == ("Autumn news", 7, "blog")
        assert [tag.model_dump(by_alias=True)["id"] for tag in values.tags] == ["a", "b"]

    async def test_the_command(self, service: Service, workspace: Workspace, tmp_path: Path) -> None:
        form = await workspace.make_form(name="News item")
        env = {**os.environ, "SIGNOFF_URL": service.url, "SIGNOFF_API_KEY": service.workspace["apiKey"]}
        output = tmp_path / "news.py"
        command = [sys.executable, "-m", "signoff_client", "models", form["formId"]]

        def run(*more: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run([*command, *more], env=env, capture_output=True, text=True, timeout=60)

        shown = await asyncio.to_thread(run, "--version", "1")
        assert "class NewsItemData(BaseModel):" in shown.stdout
        assert (await asyncio.to_thread(run, "-o", str(output))).returncode == 0
        assert output.read_text() == shown.stdout

    def test_error_messages(
        self, service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.delenv("SIGNOFF_URL", raising=False)
        monkeypatch.setenv("SIGNOFF_API_KEY", service.workspace["apiKey"])
        assert main(["models", "frm_x"]) == 1
        assert "SIGNOFF_URL" in capsys.readouterr().err
        assert main(["models", "frm_x", "--url", service.url]) == 1
        assert "404 not_found" in capsys.readouterr().err
