"""Chat: members and an agent in one session, in two browsers, with reviews, files, and everything that can go wrong."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import pyvips
from aiohttp import web
from playwright.async_api import FilePayload, Locator, Page, Route, expect
from support.api import Workspace, assert_ok, unique
from support.browser import ANIMATIONS_FINISHED, PHONE, Visitors, serious_findings
from support.receiver import Call, Receiver
from web_helpers import button, pass_undo_time

HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
HOSTILE_MARKDOWN = (
    f"{HOSTILE} [click](javascript:window.hacked=1) ![x](https://evil.example/pixel.png) "
    "<iframe srcdoc='<script>parent.hacked=1</script>'></iframe>"
)


@dataclass
class ChatAgent:
    """A small agent that gets members' messages by webhook and answers over the API."""

    workspace: Workspace
    agent: dict[str, Any]
    heard: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    answers: Callable[[dict[str, Any]], Awaitable[Any]] | None = None

    @property
    def id(self) -> str:
        return self.agent["agentId"]

    @property
    def name(self) -> str:
        return self.agent["name"]

    async def hear(self, call: Call) -> web.StreamResponse:
        event = call.json
        self.heard.append(event)
        if self.answers is not None:
            await self.answers(event)
        return web.Response()

    async def say(self, session_id: str, text: str, **members: Any) -> dict[str, Any]:
        body = {"agentId": self.id, "text": text, **members}
        return await assert_ok(self.workspace.agent.post(f"/sessions/{session_id}/messages", json=body))

    async def echo(self, event: dict[str, Any]) -> None:
        await self.say(event["sessionId"], f"You said **{event['message']['text']}**")

    async def add(self, message: dict[str, Any], offset: int, text: str, *, done: bool = False) -> None:
        path = f"/sessions/{message['sessionId']}/messages/{message['messageId']}/pieces"
        await assert_ok(self.workspace.agent.post(path, json={"offset": offset, "text": text, "done": done}))


@pytest.fixture
async def chat(workspace: Workspace, receiver: Receiver) -> ChatAgent:
    path = f"/{unique('chat')}"
    agent = ChatAgent(workspace, {})
    url = receiver.answer(path, agent.hear)
    agent.agent = await workspace.make_agent(name=unique("Writer"), chat="on", webhookUrl=url)
    return agent


async def start(client: Any, chat: ChatAgent, *texts: str, **members: Any) -> str:
    """A session that this member started, with these messages of theirs."""
    session = await assert_ok(client.post("/sessions", json={"agentId": chat.id, **members}))
    for text in texts:
        await assert_ok(client.post(f"/sessions/{session['sessionId']}/messages", json={"text": text}))
    return session["sessionId"]


def timeline(page: Page) -> Locator:
    return page.get_by_role("region", name="Messages")


def box(page: Page, chat: ChatAgent) -> Locator:
    return page.get_by_role("textbox", name=f"Message {chat.name}")


def session_row(page: Page, text: str) -> Locator:
    return page.get_by_role("region", name="Chat list").get_by_role("link", name=re.compile(re.escape(text)))


async def write(page: Page, chat: ChatAgent, text: str) -> None:
    await box(page, chat).fill(text)
    await box(page, chat).press("Enter")


async def messages_of(client: Any, session_id: str) -> list[dict[str, Any]]:
    return (await assert_ok(client.get(f"/sessions/{session_id}/messages")))["items"]


async def arrived(client: Any, session_id: str, count: int) -> list[dict[str, Any]]:
    """The session's messages, once there are this many."""
    async with asyncio.timeout(20):
        while True:
            messages = await messages_of(client, session_id)
            if len(messages) >= count:
                return messages
            await asyncio.sleep(0.05)


async def sessions_with(client: Any, chat: ChatAgent, count: int) -> list[dict[str, Any]]:
    """The agent's sessions, once there are this many."""
    async with asyncio.timeout(20):
        while True:
            sessions = (await assert_ok(client.get("/sessions", params={"agentId": chat.id})))["items"]
            if len(sessions) >= count:
                return sessions
            await asyncio.sleep(0.05)


async def open_palette(page: Page) -> None:
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("combobox", name="Search or jump to")).to_be_focused()


class TestTwoBrowsers:
    async def test_both_see_all_messages(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        """A chat is started in one browser; the other, and the agent, take part without a reload."""
        chat.answers = chat.echo
        person, colleague = await workspace.make_person("reviewer")
        mine = await visitors.open("/", workspace.owner)
        theirs = await visitors.open("/sessions", colleague)
        await mine.get_by_role("link", name=f"New chat with {chat.name}").click()
        await write(mine, chat, "Good morning")
        await expect(mine).to_have_url(re.compile("/sessions/ses_"))
        await expect(timeline(mine).get_by_text("You said Good morning")).to_be_visible()
        await expect(timeline(mine).locator("strong", has_text="Good morning")).to_be_visible()
        await expect(timeline(mine).get_by_text("Delivered")).to_be_visible()
        await session_row(theirs, chat.name).click()
        await expect(timeline(theirs).get_by_text("Good morning", exact=True).first).to_be_visible()
        await write(theirs, chat, "Me too")
        for page in (mine, theirs):
            await expect(timeline(page).get_by_text("You said Me too")).to_be_visible()
        own = timeline(mine).get_by_role("article", name=re.compile(f"^{person['name']}, "))
        await expect(own.get_by_text("Me too", exact=True)).to_be_visible()
        assert [event["message"]["text"] for event in chat.heard] == ["Good morning", "Me too"]
        # Nothing is shown twice: no optimistic message next to the real one.
        await expect(timeline(mine).get_by_role("article")).to_have_count(4)

    @pytest.mark.slow
    async def test_typing_and_working(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        person, colleague = await workspace.make_person("reviewer")
        session_id = await start(workspace.owner, chat, "Hello")
        mine = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        theirs = await visitors.open(f"/sessions/{session_id}", colleague)
        await expect(timeline(mine).get_by_text("Hello")).to_be_visible()
        await box(theirs, chat).press_sequentially("I am")
        await expect(mine.get_by_text(f"{person['name']} is typing…")).to_be_visible()
        await expect(mine.get_by_text(f"{person['name']} is typing…")).to_be_hidden(timeout=15_000)
        at_work = {"working": True, "text": "Reading 14 files"}
        await assert_ok(workspace.agent.put(f"/sessions/{session_id}/working", json=at_work))
        await expect(mine.get_by_text(f"{chat.name}: Reading 14 files")).to_be_visible()
        await chat.say(session_id, "Read them.")
        await expect(timeline(mine).get_by_text("Read them.")).to_be_visible()
        await expect(mine.get_by_text(f"{chat.name}: Reading 14 files")).to_be_hidden()

    @pytest.mark.slow
    async def test_name_is_shared(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        _, colleague = await workspace.make_person("reviewer")
        session_id = await start(workspace.owner, chat, "Hello")
        mine = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        theirs = await visitors.open(f"/sessions/{session_id}", colleague)
        await button(mine, "Rename chat").click()
        await mine.get_by_role("textbox", name="Chat name").fill("Harvest letter")
        await mine.keyboard.press("Enter")
        await expect(button(mine, "Rename chat")).to_be_focused()
        for page in (mine, theirs):
            await expect(page.get_by_role("heading", level=1)).to_have_text("Harvest letter")
            await expect(session_row(page, "Harvest letter")).to_be_visible()

    @pytest.mark.slow
    async def test_started_after_leaving_the_page(
        self, workspace: Workspace, visitors: Visitors, chat: ChatAgent
    ) -> None:
        """A sent message stays sent, whatever page is open when the session is created."""
        page = await visitors.open(f"/sessions?new={chat.id}", workspace.owner)
        held, let_go = asyncio.Event(), asyncio.Event()

        async def hold(route: Route) -> None:
            if route.request.method == "POST":
                held.set()
                await let_go.wait()
            await route.continue_()

        await page.route("**/api/v1/sessions", hold)
        await write(page, chat, "On my way out")
        await held.wait()
        await expect(box(page, chat)).not_to_be_editable()
        await page.get_by_role("link", name="Insights").click()
        await expect(page.get_by_role("heading", name="Insights")).to_be_visible()
        let_go.set()
        [session] = await sessions_with(workspace.owner, chat, 1)
        [message] = await arrived(workspace.owner, session["sessionId"], 1)
        assert message["text"] == "On my way out"
        await expect(page.get_by_role("heading", name="Insights")).to_be_visible()
        await page.goto(f"/sessions?new={chat.id}")
        await expect(box(page, chat)).to_have_value("")


async def at_the_end(workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> tuple[str, Page]:
    """A session that is longer than its page, opened at the end."""
    session_id = unique("long")
    for number in range(25):
        await chat.say(session_id, f"Line {number}\n\nand some more.")
    page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
    await expect(timeline(page).get_by_text("Line 24")).to_be_in_viewport()
    return session_id, page


class TestWithoutChatAgents:
    @pytest.mark.slow
    async def test_the_empty_list_leads_to_the_setting(self, workspace: Workspace, visitors: Visitors) -> None:
        await workspace.make_agent(name="Writer", chat="off")
        page = await visitors.open("/sessions", workspace.owner)
        await expect(page.get_by_text("No chats yet").first).to_be_visible()
        await page.get_by_role("link", name="Agent settings").first.click()
        await expect(page).to_have_url(re.compile("/settings/agents$"))
        await expect(page.get_by_role("heading", name="Agents", exact=True).first).to_be_visible()

    @pytest.mark.slow
    async def test_a_reviewer_learns_whom_to_ask(self, workspace: Workspace, visitors: Visitors) -> None:
        _, reviewer = await workspace.make_person()
        page = await visitors.open("/sessions", reviewer)
        await expect(page.get_by_text("Ask an admin to turn on chat for an agent.").first).to_be_visible()
        await expect(page.get_by_role("link", name="Agent settings")).to_have_count(0)


class TestStreaming:
    async def test_grows_in_place(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        session_id = await start(workspace.owner, chat, "Tell me")
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await expect(timeline(page).get_by_text("Tell me")).to_be_visible()
        message = await chat.say(session_id, "Once **upon", streaming=True)
        article = timeline(page).get_by_role("article").last
        await expect(article).to_contain_text("Once **upon")
        await expect(article.get_by_text("Writing…")).to_be_attached()
        await chat.add(message, 11, " a time** there was")
        await expect(article.locator("strong")).to_have_text("upon a time")
        await chat.add(message, 30, " an end.", done=True)
        await expect(article).to_contain_text("there was an end.")
        await expect(article.get_by_text("Writing…")).not_to_be_attached()
        await expect(timeline(page).get_by_role("article")).to_have_count(2)

    @pytest.mark.slow
    async def test_nothing_moves(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        """At the end, the newest message stays visible while it grows; further up, nothing moves."""
        session_id, page = await at_the_end(workspace, visitors, chat)
        message = await chat.say(session_id, "Growing", streaming=True)
        await chat.add(message, 7, "\n\nline" * 40)
        last = timeline(page).get_by_text("line", exact=True).last
        await expect(timeline(page).get_by_text("line", exact=True)).to_have_count(40)
        await expect(last).to_be_in_viewport()
        await timeline(page).evaluate("box => { box.scrollTop -= 900 }")
        await expect(button(page, "Jump to latest")).to_be_visible()
        read = timeline(page).get_by_text("Line 20", exact=True)
        await read.scroll_into_view_if_needed()
        await page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        before = await read.bounding_box()
        await chat.add(message, 247, "\n\nmore" * 40, done=True)
        await expect(timeline(page).get_by_text("more", exact=True)).to_have_count(40)
        after = await read.bounding_box()
        assert before
        assert after
        assert abs(before["y"] - after["y"]) < 2
        await button(page, "Jump to latest").click()
        await expect(timeline(page).get_by_text("more", exact=True).last).to_be_in_viewport()

    @pytest.mark.slow
    async def test_several_chunks_at_once(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        """Something grows between the page's own scrolling and its scroll event."""
        _, page = await at_the_end(workspace, visitors, chat)
        await page.evaluate(ANIMATIONS_FINISHED)
        left_below = await timeline(page).evaluate("""async box => {
            const frame = () => new Promise(requestAnimationFrame)
            const grow = () => {
                const more = document.createElement('div')
                more.style.height = '400px'
                box.firstElementChild.append(more)
            }
            for (let time = 0; time < 5; time += 1) {
                const scrolled = new Promise(done => {
                    const watch = new ResizeObserver((_, observer) => {
                        if (++calls < 2) return // it is called once for the beginning
                        observer.disconnect()
                        setTimeout(() => done(grow()))
                    })
                    let calls = 0
                    watch.observe(box.firstElementChild)
                })
                await frame()
                await frame()
                grow()
                await scrolled
                await frame()
                await frame()
            }
            return box.scrollHeight - box.scrollTop - box.clientHeight
        }""")
        assert left_below < 2
        await expect(button(page, "Jump to latest")).not_to_be_attached()

    @pytest.mark.slow
    async def test_scrolling_up_stops_following(
        self, workspace: Workspace, visitors: Visitors, chat: ChatAgent
    ) -> None:
        _, page = await at_the_end(workspace, visitors, chat)
        await page.evaluate(ANIMATIONS_FINISHED)
        await timeline(page).evaluate("""async box => {
            for (let step = 0; step < 60; step += 1) {
                box.scrollTop -= 1
                await new Promise(requestAnimationFrame)
            }
        }""")
        await expect(button(page, "Jump to latest")).to_be_visible()

    @pytest.mark.slow
    async def test_scrolling_near_the_end_does_not_jump(
        self, workspace: Workspace, visitors: Visitors, chat: ChatAgent
    ) -> None:
        """The reader may be about to click something there. The page follows the end from then on."""
        session_id, page = await at_the_end(workspace, visitors, chat)
        await page.evaluate(ANIMATIONS_FINISHED)
        await timeline(page).evaluate("box => { box.scrollTop -= 300 }")
        await expect(button(page, "Jump to latest")).to_be_visible()
        await timeline(page).evaluate("box => { box.scrollTop += 280 }")
        await expect(button(page, "Jump to latest")).not_to_be_attached()
        await page.evaluate(ANIMATIONS_FINISHED)
        left_below = "box => box.scrollHeight - box.scrollTop - box.clientHeight"
        assert abs(await timeline(page).evaluate(left_below) - 20) < 2
        await chat.say(session_id, "\n\n".join(["One more"] * 20))
        await expect(timeline(page).get_by_text("One more").last).to_be_in_viewport()
        assert await timeline(page).evaluate(left_below) < 2

    @pytest.mark.slow
    async def test_older_messages_by_scrolling(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        session_id = unique("long")
        for number in range(120):
            await chat.say(session_id, f"Message {number}.")
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await expect(timeline(page).get_by_text("Message 119.")).to_be_in_viewport()
        await expect(timeline(page).get_by_text("Message 1.", exact=True)).not_to_be_attached()
        async with asyncio.timeout(60):
            while not await timeline(page).get_by_text("Message 0.", exact=True).count():
                await timeline(page).evaluate("box => { box.scrollTop = 0 }")
                await page.evaluate(ANIMATIONS_FINISHED)
        await expect(timeline(page).get_by_role("article")).to_have_count(120)
        await timeline(page).evaluate("box => { box.scrollTop = 0 }")
        await expect(timeline(page).get_by_text("Message 0.", exact=True)).to_be_in_viewport()


class TestReviews:
    async def test_decided_inside_the_chat(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        form = await workspace.make_form(chat.agent)
        session_id = await start(workspace.owner, chat, "A draft, please")
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner, clock=True)
        await expect(timeline(page).get_by_text("A draft, please")).to_be_visible()
        review_id = (await workspace.request(form, sessionId=session_id))["reviewId"]
        card = page.get_by_role("region", name="Review: Autumn news")
        await expect(card).to_be_visible()
        await chat.say(session_id, "Here it is.", reviewId=review_id)
        await expect(timeline(page).get_by_text("Here it is.")).to_be_visible()
        await expect(card).to_have_count(1)
        await expect(card.get_by_role("heading", name="Autumn news").first.get_by_text("Pending")).to_be_visible()
        await card.get_by_role("button", name=re.compile("Autumn news")).click()
        await card.get_by_role("textbox", name="Headline").fill("Autumn, at last")
        await button(card, "Approve").click()
        await expect(card.get_by_text("sending in")).to_be_visible()
        assert f"/sessions/{session_id}" in page.url
        await pass_undo_time(page)
        await expect(card.get_by_text("Approved").first).to_be_visible()
        await expect(card.get_by_role("heading", name="Autumn news").first.get_by_text("Pending")).to_be_hidden()
        decided = await workspace.review(review_id)
        assert decided["reviewResult"]["response"] == "approved"
        assert decided["reviewResult"]["data"]["draft"]["headline"] == "Autumn, at last"

    @pytest.mark.slow
    async def test_undo_inside_the_chat(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        form = await workspace.make_form(chat.agent)
        session_id = await start(workspace.owner, chat, "A draft, please")
        review_id = (await workspace.request(form, sessionId=session_id))["reviewId"]
        page = await visitors.open(f"/sessions/{session_id}?review={review_id}", workspace.owner)
        card = page.get_by_role("region", name="Review: Autumn news")
        await button(card, "Approve").click()
        await expect(card.get_by_text("sending in")).to_be_visible()
        await page.keyboard.press("z")
        await expect(card.get_by_text("sending in")).to_be_hidden()
        await expect(button(card, "Approve")).to_be_visible()
        assert f"/sessions/{session_id}" in page.url

    @pytest.mark.slow
    async def test_is_shown_once(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        form = await workspace.make_form(chat.agent)
        session_id = await start(workspace.owner, chat, "A draft, please")
        review_id = (await workspace.request(form, sessionId=session_id))["reviewId"]
        await chat.say(session_id, "Here it is.", reviewId=review_id)
        await chat.say(session_id, "I still wait for it.", reviewId=review_id)
        page = await visitors.open(f"/sessions/{session_id}?review={review_id}", workspace.owner)
        await expect(button(page, "Approve")).to_have_count(1)
        newest = timeline(page).get_by_role("article").filter(has_text="I still wait for it.")
        await expect(button(newest, "Approve")).to_be_visible()

    @pytest.mark.slow
    async def test_before_the_first_page(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        form = await workspace.make_form(chat.agent)
        session_id = await start(workspace.owner, chat, "A draft, please")
        review_id = (await workspace.request(form, sessionId=session_id))["reviewId"]
        for number in range(70):
            await chat.say(session_id, f"Line {number}\n\nand some more.")
        page = await visitors.open(f"/sessions/{session_id}?review={review_id}", workspace.owner)
        card = page.get_by_role("region", name="Review: Autumn news")
        await expect(card.get_by_role("button", name=re.compile("Autumn news"))).to_be_in_viewport()
        await expect(button(card, "Approve")).to_be_visible()

    @pytest.mark.slow
    async def test_typing_a_message_decides_nothing(
        self, workspace: Workspace, visitors: Visitors, chat: ChatAgent
    ) -> None:
        """Enter and its combinations send, whatever review is open above."""
        form = await workspace.make_form(chat.agent)
        session_id = await start(workspace.owner, chat, "Hello")
        review_id = (await workspace.request(form, sessionId=session_id))["reviewId"]
        page = await visitors.open(f"/sessions/{session_id}?review={review_id}", workspace.owner)
        card = page.get_by_role("region", name="Review: Autumn news")
        await expect(button(card, "Approve")).to_be_visible()
        await box(page, chat).fill("are you there")
        await box(page, chat).press("Control+Enter")
        await expect(timeline(page).get_by_text("are you there")).to_be_visible()
        await expect(card.get_by_text("sending in")).to_be_hidden()
        await expect(card.get_by_role("heading", name="Autumn news").first.get_by_text("Pending")).to_be_visible()

    @pytest.mark.slow
    async def test_from_a_review_to_its_session(
        self, workspace: Workspace, visitors: Visitors, chat: ChatAgent
    ) -> None:
        form = await workspace.make_form(chat.agent)
        session_id = await start(workspace.owner, chat, "Where it began", name="The beginning")
        review_id = (await workspace.request(form, sessionId=session_id))["reviewId"]
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner, viewport={"width": 1500, "height": 900})
        await page.get_by_role("link", name="Chat: The beginning").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("The beginning")
        card = page.get_by_role("region", name="Review: Autumn news")
        await expect(button(card, "Approve")).to_be_in_viewport()


class TestFiles:
    async def test_sent_and_received(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        """A member's image reaches the agent, and the agent's reaches the member."""

        async def send_back(event: dict[str, Any]) -> None:
            [attached] = event["message"]["attachments"]
            await chat.say(
                event["sessionId"], "Back to you", attachments=[{"url": attached["url"], "name": "back.png"}]
            )

        chat.answers = send_back
        session_id = await start(workspace.owner, chat)
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await box(page, chat).fill("Look at this")
        picture = FilePayload(name="leaf.png", mimeType="image/png", buffer=_picture())
        await page.locator("input[type=file]").set_input_files(picture)
        await expect(page.get_by_role("list", name="Attachments").get_by_text("leaf.png")).to_be_visible()
        await expect(page.get_by_role("button", name="Remove leaf.png")).to_be_visible()
        await expect(page.get_by_role("progressbar")).to_have_count(0)
        await box(page, chat).press("Enter")
        for name in ("leaf.png", "back.png"):
            shown = timeline(page).get_by_role("img", name=name)
            await expect(shown).to_be_visible()
            await expect(shown).to_have_js_property("naturalWidth", 60)
        assert chat.heard[0]["message"]["attachments"][0]["name"] == "leaf.png"
        assert chat.heard[0]["message"]["text"] == "Look at this"

    @pytest.mark.slow
    async def test_pasted_and_dropped(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        session_id = await start(workspace.owner, chat)
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await expect(box(page, chat)).to_be_visible()
        for kind, name in (("paste", "pasted.png"), ("drop", "dropped.png")):
            await box(page, chat).evaluate(
                """(box, {kind, name, bytes}) => {
                    const files = new DataTransfer()
                    files.items.add(new File([new Uint8Array(bytes)], name, {type: 'image/png'}))
                    const init = {bubbles: true, cancelable: true}
                    box.dispatchEvent(kind === 'paste'
                        ? new ClipboardEvent('paste', {...init, clipboardData: files})
                        : new DragEvent('drop', {...init, dataTransfer: files}))
                }""",
                {"kind": kind, "name": name, "bytes": list(_picture())},
            )
            await expect(page.get_by_role("button", name=f"Remove {name}")).to_be_visible()
        await expect(page.get_by_role("progressbar")).to_have_count(0)
        await button(page, "Send").click()
        await expect(timeline(page).get_by_role("img", name="dropped.png")).to_be_visible()
        [message] = await arrived(workspace.owner, session_id, 1)
        assert [attachment["name"] for attachment in message["attachments"]] == ["pasted.png", "dropped.png"]

    @pytest.mark.slow
    async def test_not_an_image(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        session_id = await start(workspace.owner, chat)
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await box(page, chat).fill("Here")
        for name, kind in (("notes.pdf", "application/pdf"), ("fake.png", "image/png")):
            await page.locator("input[type=file]").set_input_files(
                FilePayload(name=name, mimeType=kind, buffer=b"%PDF-1.4 not a picture")
            )
            await expect(page.get_by_role("button", name=f"Try uploading {name} again")).to_be_visible()
        await box(page, chat).press("Enter")
        await expect(page.get_by_text("Couldn't upload a file. Try again or remove it.")).to_be_visible()
        assert await messages_of(workspace.owner, session_id) == []
        for name in ("notes.pdf", "fake.png"):
            await page.get_by_role("button", name=f"Remove {name}").click()
        await box(page, chat).press("Enter")
        await expect(timeline(page).get_by_text("Here", exact=True)).to_be_visible()

    @pytest.mark.slow
    async def test_leaving_during_an_upload(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        one = await start(workspace.owner, chat, "One", name="Session one")
        await start(workspace.owner, chat, "Two", name="Session two")
        page = await visitors.open(f"/sessions/{one}", workspace.owner)
        held = asyncio.Event()
        # It never gets a response.
        await page.route("**/uploadFiles", lambda _: held.set())
        await page.locator("input[type=file]").set_input_files(
            FilePayload(name="harvest.png", mimeType="image/png", buffer=b"\x89PNG")
        )
        await held.wait()
        await session_row(page, "Session two").click()
        await expect(timeline(page).get_by_text("Two", exact=True)).to_be_visible()
        await expect(page.get_by_text("harvest.png")).to_have_count(0)
        await session_row(page, "Session one").click()
        await expect(page.get_by_text("You left the page, so this upload was canceled: harvest.png")).to_be_visible()


class TestNotSent:
    async def test_offline_and_back(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        session_id = await start(workspace.owner, chat)
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await expect(box(page, chat)).to_be_visible()
        await page.context.set_offline(True)
        await write(page, chat, "First")
        await write(page, chat, "Second")
        stuck = timeline(page).get_by_role("alert")
        await expect(stuck).to_have_count(2)
        await expect(stuck.first).to_contain_text("May not have been sent.")
        await expect(button(stuck.first, "Edit")).to_have_count(0)
        await expect(stuck.last).to_contain_text("Not sent yet.")
        await expect(button(stuck.last, "Edit")).to_be_visible()
        await page.context.set_offline(False)
        await expect(stuck).to_have_count(0)
        assert [message["text"] for message in await arrived(workspace.owner, session_id, 2)] == ["First", "Second"]
        visitors.watches[-1].errors.clear()

    @pytest.mark.slow
    async def test_kept_after_a_reload(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        session_id = await start(workspace.owner, chat)
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.accept()))
        await expect(box(page, chat)).to_be_visible()

        async def lose(route: Route) -> None:
            if route.request.method == "POST":
                await route.abort()
            else:
                await route.continue_()

        await page.route("**/messages", lose)
        # Too large to be sent while the page closes.
        text = f"Do not lose me {'ö' * 30_000}"
        await write(page, chat, text)
        await expect(timeline(page).get_by_text("May not have been sent.")).to_be_visible()
        await page.reload()
        await expect(timeline(page).get_by_text("Do not lose me")).to_be_visible()
        await expect(button(timeline(page), "Try again")).to_be_visible()
        await page.unroute("**/messages", lose)
        # It may be sent again by itself at any moment, so the button may just be gone.
        await button(timeline(page), "Try again").evaluate_all("(buttons) => buttons.forEach((each) => each.click())")
        await expect(timeline(page).get_by_text("May not have been sent.")).to_be_hidden()
        assert [message["text"] for message in await arrived(workspace.owner, session_id, 1)] == [text]
        visitors.watches[-1].errors.clear()

    @pytest.mark.slow
    async def test_lost_response(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        """The message had arrived: it's shown once, and a retry doesn't send it twice."""
        session_id = await start(workspace.owner, chat)
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await expect(box(page, chat)).to_be_visible()

        tried = asyncio.Semaphore(0)

        async def lose_answer(route: Route) -> None:
            if route.request.method != "POST":
                await route.continue_()
                return
            await route.fetch()
            await route.abort()
            tried.release()

        await page.route("**/messages", lose_answer)
        await write(page, chat, "Only once")
        for _ in range(2):
            await tried.acquire()
            await expect(timeline(page).get_by_text("Delivered")).to_be_visible()
            await expect(timeline(page).get_by_role("alert")).to_have_count(0)
            await expect(timeline(page).get_by_text("Only once")).to_have_count(1)
        assert len(await messages_of(workspace.owner, session_id)) == 1
        visitors.watches[-1].errors.clear()

    @pytest.mark.slow
    async def test_rejected_message_returns_to_the_box(
        self, workspace: Workspace, visitors: Visitors, chat: ChatAgent
    ) -> None:
        session_id = await start(workspace.owner, chat)
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await expect(box(page, chat)).to_be_visible()
        refusal = {"status": 422, "code": "invalid", "title": "Refused", "detail": "Not like this."}
        await page.route(
            "**/messages",
            lambda route: (
                route.fulfill(status=422, json=refusal) if route.request.method == "POST" else route.continue_()
            ),
            times=1,
        )
        await write(page, chat, "Try me")
        await expect(timeline(page).get_by_text("Not sent. Not like this.")).to_be_visible()
        await button(timeline(page), "Edit").click()
        await expect(box(page, chat)).to_have_value("Try me")
        await box(page, chat).press("Enter")
        await expect(timeline(page).get_by_text("Delivered")).to_be_visible()

    @pytest.mark.slow
    async def test_unreachable_agent(self, workspace: Workspace, visitors: Visitors, receiver: Receiver) -> None:
        path = f"/{unique('down')}"
        url = receiver.answer(path, [500])
        agent = ChatAgent(workspace, await workspace.make_agent(name=unique("Down"), chat="on", webhookUrl=url))
        session_id = await start(workspace.owner, agent)
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await write(page, agent, "Anybody?")
        await expect(timeline(page).get_by_text(f"Couldn't reach {agent.name}", exact=True)).to_be_visible()
        receiver.answer(path, [200])
        await button(timeline(page), "Retry delivery").click()
        await expect(timeline(page).get_by_text("Delivered")).to_be_visible()


@pytest.mark.slow
class TestUnread:
    async def test_counted_shown_first_and_cleared(
        self, workspace: Workspace, visitors: Visitors, chat: ChatAgent
    ) -> None:
        waits = await start(workspace.owner, chat, "Old one", name="Waits for me")
        await start(workspace.owner, chat, "New one", name="Nothing new")
        page = await visitors.open("/?view=all", workspace.owner)
        await expect(page.get_by_role("link", name="Chats", exact=True)).to_be_visible()
        await chat.say(waits, "Ready")
        await chat.say(waits, "Really")
        await expect(page.get_by_role("link", name="Chats 1 unread")).to_be_visible()
        await expect(page.get_by_role("link", name=f"1 unread chat with {chat.name}")).to_be_visible()
        await page.get_by_role("link", name="Chats 1 unread").click()
        unread = page.get_by_role("list", name="Unread")
        await expect(unread.get_by_role("link", name=re.compile("Waits for me.*2 unread"))).to_be_visible()
        await expect(unread.get_by_role("link")).to_have_count(1)
        await session_row(page, "Waits for me").click()
        await expect(timeline(page).get_by_text("New messages", exact=True)).to_be_visible()
        await expect(page.get_by_role("link", name="Chats", exact=True)).to_be_visible()
        await expect(session_row(page, "2 unread")).to_be_hidden()
        assert (await assert_ok(workspace.owner.get("/inbox/counts")))["chat"]["unread"] == 0

    async def test_shown_again_after_returning(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        one = await start(workspace.owner, chat, "Old one", name="Session one")
        await start(workspace.owner, chat, "New one", name="Session two")
        page = await visitors.open(f"/sessions/{one}", workspace.owner)
        await expect(timeline(page).get_by_text("Old one")).to_be_visible()
        await session_row(page, "Session two").click()
        await expect(timeline(page).get_by_text("New one", exact=True)).to_be_visible()
        await chat.say(one, "Something for you")
        await expect(session_row(page, "1 unread")).to_be_visible()
        await session_row(page, "Session one").click()
        await expect(timeline(page).get_by_text("Something for you")).to_be_visible()
        await expect(timeline(page).get_by_text("New messages", exact=True)).to_be_visible()

    async def test_not_cleared_while_reading_older_messages(
        self, workspace: Workspace, visitors: Visitors, chat: ChatAgent
    ) -> None:
        session_id = await start(workspace.owner, chat, "Hello")
        for number in range(30):
            await chat.say(session_id, f"Line {number}\n\nand some more.")
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await expect(timeline(page).get_by_text("New messages", exact=True)).to_be_in_viewport()
        await button(page, "30 new messages").click()
        await expect(button(page, "30 new messages")).to_be_hidden()
        await expect(page.get_by_role("link", name="Chats", exact=True)).to_be_visible()
        await timeline(page).evaluate("box => { box.scrollTop = 0 }")
        await expect(button(page, "Jump to latest")).to_be_visible()
        await chat.say(session_id, "While you were away")
        await expect(button(page, "1 new message")).to_be_visible()
        assert (await assert_ok(workspace.owner.get("/inbox/counts")))["chat"]["unread"] == 1


@pytest.mark.slow
class TestModes:
    async def test_reply_only(self, workspace: Workspace, visitors: Visitors) -> None:
        agent = ChatAgent(workspace, await workspace.make_agent(name=unique("Shy"), chat="replyOnly"))
        session_id = unique("shy")
        await agent.say(session_id, "May I?")
        page = await visitors.open("/sessions", workspace.owner)
        await expect(page.get_by_role("link", name=f"New chat with {agent.name}")).to_be_hidden()
        await session_row(page, "May I?").click()
        await write(page, agent, "You may")
        await expect(timeline(page).get_by_text("You may")).to_be_visible()
        await page.goto(f"/sessions?new={agent.id}")
        await expect(page.get_by_text(f"Only {agent.name} can start a chat.")).to_be_visible()
        await expect(box(page, agent)).to_be_hidden()

    async def test_off(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        session_id = await start(workspace.owner, chat, "Before")
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await expect(box(page, chat)).to_be_visible()
        await assert_ok(workspace.manager.patch(f"/agents/{chat.id}", json={"chat": "off"}))
        await expect(page.get_by_text(f"Chat with {chat.name} is off.")).to_be_visible()
        await expect(box(page, chat)).to_be_hidden()
        await expect(timeline(page).get_by_text("Before")).to_be_visible()

    async def test_viewer(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        _, viewer = await workspace.make_person("viewer")
        session_id = await start(workspace.owner, chat, "Read me")
        page = await visitors.open(f"/sessions/{session_id}", viewer)
        await expect(timeline(page).get_by_text("Read me")).to_be_visible()
        await expect(page.get_by_text("Your role is view-only. You can read this chat but not reply.")).to_be_visible()
        await expect(box(page, chat)).to_be_hidden()
        await expect(page.get_by_role("link", name=f"New chat with {chat.name}")).to_be_hidden()


@pytest.mark.slow
class TestKeyboard:
    async def test_whole_flow(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        await start(workspace.owner, chat, "Older", name="Older one")
        await start(workspace.owner, chat, "Newer", name="Newer one")
        page = await visitors.open("/", workspace.owner)
        await expect(page.get_by_role("main")).to_be_visible()
        await page.keyboard.press("g")
        await page.keyboard.press("c")
        await expect(session_row(page, "Newer one")).to_be_visible()
        await page.keyboard.press("j")
        await page.keyboard.press("j")
        await expect(session_row(page, "Older one")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(box(page, chat)).to_be_focused()
        await page.keyboard.type("One line")
        await page.keyboard.press("Shift+Enter")
        await page.keyboard.type("and another")
        await page.keyboard.press("Enter")
        await expect(timeline(page).get_by_text("One line\nand another")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(session_row(page, "Older one")).to_be_focused()
        await page.keyboard.press("c")
        await expect(box(page, chat)).to_be_focused()

    async def test_palette(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        await start(workspace.owner, chat, "The heron stands in the river")
        page = await visitors.open("/", workspace.owner)
        await expect(page.get_by_role("main")).to_be_visible()
        await open_palette(page)
        await page.keyboard.type("heron")
        await page.get_by_role("option", name=re.compile("The heron stands")).click()
        await expect(timeline(page).get_by_text("The heron stands in the river")).to_be_visible()
        await open_palette(page)
        await page.keyboard.type(f"new chat {chat.name}")
        await page.get_by_role("option", name=f"New chat with {chat.name}").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text(f"New chat with {chat.name}")

    async def test_drafts_are_per_session(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        one = await start(workspace.owner, chat, "One", name="Session one")
        await start(workspace.owner, chat, "Two", name="Session two")
        page = await visitors.open(f"/sessions/{one}", workspace.owner)
        await box(page, chat).fill("Half a thought")
        await session_row(page, "Session two").click()
        await expect(timeline(page).get_by_text("Two", exact=True)).to_be_visible()
        await expect(box(page, chat)).to_have_value("")
        await page.reload()
        await session_row(page, "Session one").click()
        await expect(box(page, chat)).to_have_value("Half a thought")


@pytest.mark.slow
class TestList:
    async def test_search_and_agents(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        other = ChatAgent(workspace, await workspace.make_agent(name=unique("Other"), chat="on"))
        await start(workspace.owner, chat, "About the heron", name="Birds")
        await start(workspace.owner, other, "About the oak", name="Trees")
        page = await visitors.open("/sessions", workspace.owner)
        await expect(session_row(page, "Trees")).to_be_visible()
        await page.get_by_role("combobox", name="Agent", exact=True).select_option(other.id)
        await expect(session_row(page, "Birds")).to_be_hidden()
        await expect(session_row(page, "Trees")).to_be_visible()
        await page.get_by_role("combobox", name="Agent", exact=True).select_option("")
        await page.keyboard.press("/")
        await page.keyboard.type("heron")
        await expect(session_row(page, "Trees")).to_be_hidden()
        await expect(session_row(page, "Birds")).to_be_visible()
        await page.get_by_role("textbox", name="Search chats").fill("nothing like it")
        await expect(page.get_by_text("No results for “nothing like it”")).to_be_visible()

    async def test_sessions_without_messages(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        await workspace.request(await workspace.make_form(chat.agent), sessionId="ordered-77")
        page = await visitors.open("/sessions", workspace.owner)
        await expect(page.get_by_text("No chats yet")).to_be_visible()
        await page.get_by_role("combobox", name="Show", exact=True).select_option("all")
        await session_row(page, "1 review").click()
        await expect(page.get_by_role("region", name="Review: Autumn news")).to_be_visible()

    async def test_unknown_session(self, visitors: Visitors, workspace: Workspace) -> None:
        page = await visitors.open("/sessions/ses_nowhere", workspace.owner)
        await expect(page.get_by_text("Chat not found")).to_be_visible()


class TestHostileContent:
    async def test_stays_text(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        await assert_ok(workspace.manager.patch(f"/agents/{chat.id}", json={"name": HOSTILE[:100]}))
        session_id = await start(workspace.owner, chat, HOSTILE, name=HOSTILE[:150])
        await chat.say(session_id, HOSTILE_MARKDOWN)
        streamed = await chat.say(session_id, "[x](java", streaming=True)
        await chat.add(streamed, 8, f"script:window.hacked=1) {HOSTILE}")
        at_work = {"working": True, "text": HOSTILE}
        await assert_ok(workspace.agent.put(f"/sessions/{session_id}/working", json=at_work))
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner)
        await expect(timeline(page).get_by_role("article")).to_have_count(3)
        await expect(timeline(page).get_by_text("Image: x")).to_be_visible()
        for address in await timeline(page).locator("a").evaluate_all("links => links.map(each => each.href)"):
            assert address.startswith("https://evil.example/")
        assert await page.evaluate("window.hacked") is None
        assert await page.locator("iframe, article img, article script").count() == 0
        assert await serious_findings(page) == []


class TestPhone:
    @pytest.mark.slow
    async def test_one_column(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        form = await workspace.make_form(chat.agent)
        session_id = await start(workspace.owner, chat, "Hello", name="On the way")
        review_id = (await workspace.request(form, sessionId=session_id))["reviewId"]
        await chat.say(session_id, f"{'A-very-long-word' * 20}\n\n```\n{'x' * 300}\n```", reviewId=review_id)
        page = await visitors.open("/sessions", workspace.owner, **PHONE)
        await session_row(page, "On the way").tap()
        await expect(timeline(page).get_by_text("Hello")).to_be_visible()
        await expect(page.get_by_role("region", name="Chat list")).to_be_hidden()
        place = await box(page, chat).bounding_box()
        assert place
        assert place["y"] + place["height"] <= 844
        assert place["height"] >= 44
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390
        card = page.get_by_role("region", name="Review: Autumn news")
        await card.get_by_role("button", name=re.compile("Autumn news")).tap()
        await button(card, "Approve").tap()
        await expect(card.get_by_text("sending in")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390
        assert await serious_findings(page) == []
        await button(page, "Back to list").tap()
        await expect(session_row(page, "On the way")).to_be_visible()

    @pytest.mark.slow
    async def test_above_the_keyboard(self, workspace: Workspace, visitors: Visitors, chat: ChatAgent) -> None:
        """If the keyboard covers the page, as on some phones, the box moves above it."""
        session_id = await start(workspace.owner, chat, "Hello")
        page = await visitors.open(f"/sessions/{session_id}", workspace.owner, **PHONE)
        await expect(timeline(page).get_by_text("Hello")).to_be_visible()
        await page.evaluate(
            """() => {
                Object.defineProperty(visualViewport, 'height', {get: () => innerHeight - 300, configurable: true})
                visualViewport.dispatchEvent(new Event('resize'))
            }"""
        )
        place = await box(page, chat).bounding_box()
        assert place
        assert place["y"] + place["height"] <= 844 - 300
        await expect(timeline(page).get_by_text("Hello")).to_be_in_viewport()


def _picture() -> bytes:
    return pyvips.Image.black(60, 40, bands=3).pngsave_buffer()
