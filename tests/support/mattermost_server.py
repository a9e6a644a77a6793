"""A server on loopback with incoming webhooks as Mattermost has them."""

import itertools
from collections import deque
from typing import Any

from aiohttp import web
from support.slack_server import Held


class MattermostServer:
    def __init__(self) -> None:
        self.url = ""
        self.hooks: set[str] = set()
        self.channels: dict[str, list[dict[str, Any]]] = {}
        self._troubles: dict[str, deque[web.Response | Held]] = {}
        self._numbers = itertools.count(1)

    def hook(self) -> str:
        """The address of a new incoming webhook."""
        name = f"hook{next(self._numbers)}"
        self.hooks.add(name)
        return f"{self.url}/hooks/{name}"

    def remove(self, hook: str) -> None:
        self.hooks.discard(hook.rpartition("/")[2])

    def channel(self) -> str:
        name = f"reviews-{next(self._numbers)}"
        self.channels[name] = []
        return name

    def posts(self, channel: str) -> list[dict[str, Any]]:
        """The attachment of each post."""
        return [post["attachments"][0] for post in self.channels[channel]]

    def trouble(self, channel: str, *answers: web.Response | Held) -> None:
        self._troubles.setdefault(channel, deque()).extend(answers)

    async def start(self) -> web.AppRunner:
        app = web.Application()
        app.router.add_post("/hooks/{name}", self._post)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        return runner

    async def _post(self, request: web.Request) -> web.StreamResponse:
        sent = await request.json()
        waiting = self._troubles.get(sent["channel"])
        trouble = waiting.popleft() if waiting else None
        if isinstance(trouble, web.Response):
            return web.Response(status=trouble.status, text=trouble.text, headers=trouble.headers)
        if request.match_info["name"] not in self.hooks:
            return _refusal(400, "web.incoming_webhook.invalid.app_error", "Invalid webhook.")
        if sent["channel"] not in self.channels:
            return _refusal(404, "web.incoming_webhook.channel.app_error", "Couldn't find the channel.")
        if trouble is None or trouble.after:
            self.channels[sent["channel"]].append(sent)
        if trouble is not None:
            trouble.arrived.set()
            await trouble.release.wait()
        return web.Response(text="ok")


def _refusal(status: int, code: str, message: str) -> web.Response:
    return web.json_response({"id": code, "message": message, "status_code": status}, status=status)
