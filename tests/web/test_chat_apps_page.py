"""Settings, Chat apps: connect, test, choose channels, see what is wrong; against a Slack of our own."""

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, expect
from support.api import Workspace, ok
from support.browser import PHONE, Visitors, listening, serious_findings, visitors_of
from support.in_process import Service, StartService
from support.mattermost_server import MattermostServer
from support.second_account import open_second_account
from support.slack_server import SlackServer
from web_support import button


@pytest.fixture(scope="module")
async def slack() -> AsyncIterator[SlackServer]:
    server = SlackServer()
    runner = await server.start()
    yield server
    await runner.cleanup()


@pytest.fixture(scope="module")
async def mattermost() -> AsyncIterator[MattermostServer]:
    server = MattermostServer()
    runner = await server.start()
    yield server
    await runner.cleanup()


@pytest.fixture(scope="module")
async def chatting(slack: SlackServer, start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(slack_api_url=f"{slack.url}/api") as service, listening(service):
        yield service


@pytest.fixture
async def workplace(chatting: Service) -> Workspace:
    """Where nothing is connected yet."""
    return await open_second_account(chatting)


@pytest.fixture
async def callers(browser: Browser, chatting: Service) -> AsyncIterator[Visitors]:
    async with visitors_of(browser, chatting.url) as visitors:
        yield visitors


class TestChatApps:
    async def test_from_a_token_to_a_channel_and_back(
        self, workplace: Workspace, callers: Visitors, slack: SlackServer
    ) -> None:
        agent = await workplace.make_agent(name="Newsletter writer")
        await workplace.make_form(agent)
        channel, token = slack.channel(), slack.workspace("Acme Slack")
        page = await callers.open("/settings/chat-apps", workplace.owner)
        await button(page, "Connect Slack").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("/api/v1/slack/interactivity")).to_be_visible()
        await dialog.get_by_label("Bot token").fill("xoxb-something-else")
        await button(dialog, "Connect").click()
        await expect(dialog.get_by_text("Slack does not know the token.")).to_be_visible()
        await dialog.get_by_label("Bot token").fill(token)
        await dialog.get_by_label("Signing secret").fill("0123456789abcdef")
        await button(dialog, "Connect").click()
        await expect(dialog).to_be_hidden()
        await expect(page.get_by_text("Acme Slack")).to_be_visible()
        assert token not in await page.content()

        everything = page.get_by_label("Channel for all reviews")
        await everything.fill("C-nowhere")
        await button(page, "Test the channel of all reviews").click()
        await expect(page.get_by_text("Nothing arrived in C-nowhere.")).to_be_visible()
        await everything.fill(channel.id)
        await button(page, "Test the channel of all reviews").click()
        await expect(page.get_by_text("It arrived.")).to_be_visible()
        assert len(channel.messages) == 1
        adding = page.get_by_label("Add an agent or a review type with a channel of its own in Slack")
        await adding.select_option(label="Newsletter writer")
        await page.get_by_label("Channel of Newsletter writer", exact=True).fill("C-letters")
        await button(page, "Save the channels").click()
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
        saved = await ok(workplace.owner.get("/chatApps/slack/channels"))
        assert saved == {"default": channel.id, "agents": {agent["agentId"]: "C-letters"}, "forms": {}}

        slack.tokens.pop(token)
        await button(page, "Test the channel of all reviews").click()
        await expect(page.get_by_text("nothing is posted until that is done")).to_be_visible()
        await expect(page.get_by_text("Not working")).to_be_visible()
        await button(page, "Disconnect Slack").click()
        await button(page.get_by_role("dialog"), "Disconnect").click()
        await expect(button(page, "Connect Slack")).to_be_visible()

    @pytest.mark.slow
    async def test_on_a_phone(self, workplace: Workspace, callers: Visitors, slack: SlackServer) -> None:
        channel = slack.channel()
        await ok(workplace.owner.put("/chatApps/slack", json={"botToken": slack.workspace()}))
        form = await workplace.make_form(name="A review type with quite a long name, as they have them")
        channels = {"default": channel.id, "forms": {form["formId"]: ""}}
        await ok(workplace.owner.put("/chatApps/slack/channels", json=channels))
        page = await callers.open("/settings/chat-apps", workplace.owner, **PHONE)
        await expect(page.get_by_label("Channel for all reviews")).to_have_value(channel.id)
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert await serious_findings(page) == []

    @pytest.mark.slow
    async def test_mattermost_with_a_bot_token_or_a_webhook(
        self, workplace: Workspace, callers: Visitors, mattermost: MattermostServer
    ) -> None:
        token, room = mattermost.bot(), mattermost.channel_id()
        page = await callers.open("/settings/chat-apps", workplace.owner)
        await button(page, "Connect Mattermost").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_label("Server URL").fill(mattermost.url)
        await dialog.get_by_label("Bot token", exact=True).fill("something-else")
        await button(dialog, "Connect").click()
        await expect(dialog.get_by_text("Mattermost doesn't accept the bot token.")).to_be_visible()
        assert await serious_findings(page) == []
        await dialog.get_by_label("Bot token", exact=True).fill(token)
        await button(dialog, "Connect").click()
        await expect(dialog).to_be_hidden()
        assert token not in await page.content()
        part = page.locator("section").filter(has=page.get_by_role("heading", name="Mattermost")).last
        await expect(part.get_by_text("The channel ID is at the bottom")).to_be_visible()
        await part.get_by_label("Channel for all reviews").fill(room)
        await button(part, "Test the channel of all reviews").click()
        await expect(part.get_by_text("It arrived.")).to_be_visible()
        assert len(mattermost.posts(room)) == 1

        await button(part, "Change the connection").click()
        await dialog.get_by_label("Connect with").select_option(label="Incoming webhook")
        await expect(dialog.get_by_label("Bot token", exact=True)).to_have_count(0)
        await dialog.get_by_label("Address of the incoming webhook").fill(mattermost.hook())
        await button(dialog, "Connect").click()
        await expect(dialog).to_be_hidden()
        await expect(part.get_by_text("name is what its address ends with.")).to_be_visible()
        await ok(workplace.owner.delete("/chatApps/mattermost"))

    @pytest.mark.slow
    async def test_the_signing_secret_is_the_owners(self, workplace: Workspace, callers: Visitors) -> None:
        _, admin = await workplace.make_person("admin")
        page = await callers.open("/settings/chat-apps", admin)
        await page.get_by_role("button", name=re.compile("Connect Slack|Change the token")).click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_label("Bot token")).to_be_visible()
        await expect(dialog.get_by_text("an owner has to enter the token")).to_be_visible()
        await expect(dialog.get_by_label("Signing secret")).to_have_count(0)
        await admin.aclose()
