"""Settings, Chat apps: connect, test, choose channels, see errors; with a test Slack server."""

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, expect
from support.api import Workspace, assert_ok
from support.browser import PHONE, Visitors, listening, serious_findings, visitors_of
from support.in_process import Service, StartService
from support.mattermost_server import MattermostServer
from support.second_account import open_second_account
from support.slack_server import SlackServer
from web_helpers import button


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
async def chat_service(slack: SlackServer, start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(slack_api_url=f"{slack.url}/api") as service, listening(service):
        yield service


@pytest.fixture
async def workspace(chat_service: Service) -> Workspace:
    """A workspace without connections."""
    return await open_second_account(chat_service)


@pytest.fixture
async def visitors(browser: Browser, chat_service: Service) -> AsyncIterator[Visitors]:
    async with visitors_of(browser, chat_service.url) as visitors:
        yield visitors


class TestChatApps:
    async def test_from_a_token_to_a_channel_and_back(
        self, workspace: Workspace, visitors: Visitors, slack: SlackServer
    ) -> None:
        agent = await workspace.make_agent(name="Newsletter writer")
        await workspace.make_form(agent)
        channel, token = slack.channel(), slack.workspace("Acme Slack")
        page = await visitors.open("/settings/chat-apps", workspace.owner)
        await button(page, "Connect Slack").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("/api/v1/slack/interactivity")).to_be_visible()
        await dialog.get_by_label("Bot token").fill("xoxb-something-else")
        await button(dialog, "Connect").click()
        await expect(dialog.get_by_text("Slack doesn't recognize this token.")).to_be_visible()
        await dialog.get_by_label("Bot token").fill(token)
        await dialog.get_by_label("Signing secret").fill("0123456789abcdef")
        await button(dialog, "Connect").click()
        await expect(dialog).to_be_hidden()
        await expect(page.get_by_text("Acme Slack")).to_be_visible()
        assert token not in await page.content()

        everything = page.get_by_label("Default channel", exact=True)
        await everything.fill("C-nowhere")
        await button(page, "Send test message to the default channel").click()
        await expect(page.get_by_text("The test message didn't arrive in C-nowhere.")).to_be_visible()
        await everything.fill(channel.id)
        await button(page, "Send test message to the default channel").click()
        await expect(page.get_by_text("Test message sent.")).to_be_visible()
        assert len(channel.messages) == 1
        adding = page.get_by_label("Add channel override in Slack")
        await adding.select_option(label="Newsletter writer")
        await page.get_by_label("Channel for Newsletter writer", exact=True).fill("C-letters")
        await button(page, "Save channels").click()
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
        saved = await assert_ok(workspace.owner.get("/chatApps/slack/channels"))
        assert saved == {"default": channel.id, "agents": {agent["agentId"]: "C-letters"}, "forms": {}}

        slack.tokens.pop(token)
        await button(page, "Send test message to the default channel").click()
        await expect(page.get_by_text("Nothing is posted until you fix this")).to_be_visible()
        await expect(page.get_by_text("Credentials rejected")).to_be_visible()
        await button(page, "Disconnect Slack").click()
        await button(page.get_by_role("dialog"), "Disconnect").click()
        await expect(button(page, "Connect Slack")).to_be_visible()

    @pytest.mark.slow
    async def test_on_a_phone(self, workspace: Workspace, visitors: Visitors, slack: SlackServer) -> None:
        channel = slack.channel()
        await assert_ok(workspace.owner.put("/chatApps/slack", json={"botToken": slack.workspace()}))
        form = await workspace.make_form(name="A review type with quite a long name, as they have them")
        channels = {"default": channel.id, "forms": {form["formId"]: ""}}
        await assert_ok(workspace.owner.put("/chatApps/slack/channels", json=channels))
        page = await visitors.open("/settings/chat-apps", workspace.owner, **PHONE)
        await expect(page.get_by_label("Default channel", exact=True)).to_have_value(channel.id)
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert await serious_findings(page) == []

    @pytest.mark.slow
    async def test_mattermost_with_a_bot_token_or_a_webhook(
        self, workspace: Workspace, visitors: Visitors, mattermost: MattermostServer
    ) -> None:
        token, room = mattermost.bot(), mattermost.channel_id()
        page = await visitors.open("/settings/chat-apps", workspace.owner)
        await button(page, "Connect Mattermost").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_label("Server URL").fill(mattermost.url)
        await dialog.get_by_label("Bot token", exact=True).fill("something-else")
        await button(dialog, "Connect").click()
        await expect(dialog.get_by_text("Mattermost rejected the bot token.")).to_be_visible()
        assert await serious_findings(page) == []
        await dialog.get_by_label("Bot token", exact=True).fill(token)
        await button(dialog, "Connect").click()
        await expect(dialog).to_be_hidden()
        assert token not in await page.content()
        part = page.locator("section").filter(has=page.get_by_role("heading", name="Mattermost")).last
        await expect(part.get_by_text("Enter a channel ID. In Mattermost,")).to_be_visible()
        await part.get_by_label("Default channel", exact=True).fill(room)
        await button(part, "Send test message to the default channel").click()
        await expect(part.get_by_text("Test message sent.")).to_be_visible()
        assert len(mattermost.posts(room)) == 1

        await button(part, "Change connection").click()
        await dialog.get_by_label("Connect with").select_option(label="Incoming webhook")
        await expect(dialog.get_by_label("Bot token", exact=True)).to_have_count(0)
        await dialog.get_by_label("Incoming webhook URL").fill(mattermost.hook())
        await button(dialog, "Reconnect").click()
        await expect(dialog).to_be_hidden()
        await expect(
            part.get_by_text("Enter the channel's name as shown at the end of the channel's URL.")
        ).to_be_visible()
        await assert_ok(workspace.owner.delete("/chatApps/mattermost"))

    @pytest.mark.slow
    async def test_only_owners_set_the_signing_secret(self, workspace: Workspace, visitors: Visitors) -> None:
        _, admin = await workspace.make_person("admin")
        page = await visitors.open("/settings/chat-apps", admin)
        await page.get_by_role("button", name=re.compile("Connect Slack|Change token")).click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_label("Bot token")).to_be_visible()
        await expect(dialog.get_by_text("an owner must connect the app")).to_be_visible()
        await expect(dialog.get_by_label("Signing secret")).to_have_count(0)
        await admin.aclose()
