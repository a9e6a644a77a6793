"""Helpers for tests of chat apps: a service that calls fake Slack and Mattermost servers."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from support.api import Workspace, assert_ok
from support.in_process import Service
from support.mattermost_server import MattermostServer
from support.service_process import RunningService
from support.slack_server import Channel, SlackServer, texts

from signoff.platform.db import Database

SIGNING_SECRET = "0123456789abcdef0123456789abcdef"
SETTINGS: dict[str, Any] = {
    "chat_app_timeout": 10,
    "chat_app_retry_schedule": "0.2,0.2,0.2",
    "chat_burst": 8,
    "sign_in_failures": 1000,
    "shutdown_grace": 1,
    "poll_interval": 0.1,
}


@dataclass
class ChatSetup:
    """A workspace with a connected Slack and Mattermost."""

    service: Service | RunningService
    workspace: Workspace
    db: Database
    slack: SlackServer
    mattermost: MattermostServer
    token: str = ""
    hook: str = ""

    async def connect(self) -> None:
        self.token, self.hook = self.token or self.slack.workspace(), self.hook or self.mattermost.hook()
        await self.connect_slack(self.token)
        await assert_ok(self.workspace.owner.put("/chatApps/mattermost", json={"webhookUrl": self.hook}))

    async def connect_slack(self, token: str) -> None:
        self.token = token
        credentials = {"botToken": token, "signingSecret": SIGNING_SECRET}
        await assert_ok(self.workspace.owner.put("/chatApps/slack", json=credentials))

    @property
    def team_id(self) -> str:
        return self.slack.tokens[self.token]["team_id"]

    async def form_in(self, channel: Channel | str, **members: Any) -> dict[str, Any]:
        """A review type whose reviews are posted to the channel: in Slack, or in Mattermost if named."""
        form = await self.workspace.make_form(**members)
        await self.choose(form["formId"], channel)
        return form

    async def choose(self, form_id: str, channel: Channel | str) -> None:
        app, name = ("mattermost", channel) if isinstance(channel, str) else ("slack", channel.id)
        channels = await assert_ok(self.workspace.owner.get(f"/chatApps/{app}/channels"))
        channels["forms"][form_id] = name
        await assert_ok(self.workspace.owner.put(f"/chatApps/{app}/channels", json=channels))

    async def app(self, name: str) -> dict[str, Any]:
        apps = (await assert_ok(self.workspace.owner.get("/chatApps")))["items"]
        return next(each for each in apps if each["app"] == name)

    async def marker(self, channel: Channel) -> None:
        """Wait until a review that is requested now is posted: everything before it has been posted by then."""
        known = {message["ts"] for message in channel.messages}
        form = await self.form_in(channel)
        await self.workspace.request(form)
        await wait_until(lambda: {message["ts"] for message in channel.messages} - known)
        channel.messages[:] = [message for message in channel.messages if message["ts"] in known]


async def wait_until(holds: Callable[[], Any], within: float = 60.0) -> Any:
    deadline = time.monotonic() + within
    while not (found := holds()):
        assert time.monotonic() < deadline, "it does not come to that"
        await asyncio.sleep(0.03)
    return found


async def wait_for_text(channel: Channel, words: str, index: int = -1, within: float = 60.0) -> dict[str, Any]:
    """The channel's message, once it has this text."""

    def found() -> bool:
        return len(channel.messages) > max(index, 0) and words in "\n".join(texts(channel.messages[index]))

    deadline = time.monotonic() + within
    while not found():
        shown = [texts(message) for message in channel.messages]
        assert time.monotonic() < deadline, f"no message says {words!r}: {shown}"
        await asyncio.sleep(0.03)
    return channel.messages[index]
