"""A server on loopback with incoming webhooks, and the part of the REST API that bots use, like Mattermost.

Errors are those of Mattermost 10: editing a deleted post, for instance, fails like a missing permission.
"""

import itertools
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web
from support.slack_server import HeldCall


class MattermostServer:
    def __init__(self) -> None:
        self.url = ""
        self.hooks: set[str] = set()
        self.channels: dict[str, list[dict[str, Any]]] = {}
        self.bots: dict[str, str] = {}
        """The user ID of each bot token."""
        self.archived: set[str] = set()
        self.left: set[str] = set()
        """Channels that no bot is in."""
        self.calls: list[tuple[str, str, str]] = []
        """Method, path below `/api/v4/`, and channel of each call to the REST API."""
        self._troubles: dict[str, deque[web.Response | HeldCall]] = {}
        self._numbers = itertools.count(1)

    def hook(self) -> str:
        """The URL of a new incoming webhook."""
        name = f"hook{next(self._numbers)}"
        self.hooks.add(name)
        return f"{self.url}/hooks/{name}"

    def remove(self, hook: str) -> None:
        self.hooks.discard(hook.rpartition("/")[2])

    def channel(self) -> str:
        name = f"reviews-{next(self._numbers)}"
        self.channels[name] = []
        return name

    def bot(self, user_id: str | None = None) -> str:
        """A new token, of a new or an existing bot."""
        token = self._id("token")
        self.bots[token] = user_id or self._id("bot")
        return token

    def channel_id(self) -> str:
        """A channel's ID, which bots use."""
        new_id = self._id("channel")
        self.channels[new_id] = []
        return new_id

    def _id(self, kind: str) -> str:
        return f"{kind}{next(self._numbers)}".ljust(26, "x")

    def called(self, method: str, channel: str) -> int:
        return sum(call[0] == method and call[2] == channel for call in self.calls)

    def posts(self, channel: str) -> list[dict[str, Any]]:
        """The attachment of each post."""
        return [post["attachments"][0] for post in self.channels[channel]]

    def trouble(self, channel: str, *answers: web.Response | HeldCall) -> None:
        self._troubles.setdefault(channel, deque()).extend(answers)

    async def start(self) -> web.AppRunner:
        app = web.Application()
        app.router.add_post("/hooks/{name}", self._post)
        app.router.add_get("/api/v4/users/me", self._me)
        app.router.add_post("/api/v4/posts", self._create)
        app.router.add_put("/api/v4/posts/{post}/patch", self._patch)
        app.router.add_get("/api/v4/posts/{post}", self._read)
        app.router.add_get("/api/v4/channels/{channel}/posts", self._list)
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

    async def _me(self, request: web.Request) -> web.StreamResponse:
        async def do(bot: str) -> web.Response:
            return web.json_response({"id": bot, "username": "signoff", "is_bot": True})

        return await self._answer(request, "", do)

    async def _create(self, request: web.Request) -> web.StreamResponse:
        sent = await request.json()
        channel = sent["channel_id"]

        async def do(bot: str) -> web.Response:
            if channel not in self.channels or channel in self.left:
                return _no_permission()
            if channel in self.archived:
                return _refusal(400, "api.post.create_post.can_not_post_to_deleted.error", "Can not post to deleted.")
            post = {"id": self._id("post"), "user_id": bot, "create_at": int(time.time() * 1000), **sent}
            self.channels[channel].append({**post, "attachments": sent["props"]["attachments"]})
            return web.json_response(post, status=201)

        return await self._answer(request, channel, do)

    async def _patch(self, request: web.Request) -> web.StreamResponse:
        sent = await request.json()
        channel, post = self._find(request)

        async def do(bot: str) -> web.Response:
            if post is None or channel in self.left or post["user_id"] != bot:
                return _no_permission()
            if channel in self.archived:
                code = "api.post.patch_post.can_not_update_post_in_deleted.error"
                return _refusal(400, code, "Can not update a post in a deleted channel.")
            post.update(props=sent["props"], attachments=sent["props"]["attachments"])
            return web.json_response({"id": post["id"]})

        return await self._answer(request, channel, do)

    async def _read(self, request: web.Request) -> web.StreamResponse:
        channel, post = self._find(request)

        async def do(_: str) -> web.Response:
            if post is None:
                return _refusal(404, "app.post.get.app_error", "Unable to get the post.")
            return _no_permission() if channel in self.left else web.json_response(post)

        return await self._answer(request, channel, do)

    async def _list(self, request: web.Request) -> web.StreamResponse:
        channel = request.match_info["channel"]

        async def do(_: str) -> web.Response:
            if channel not in self.channels or channel in self.left:
                return _no_permission()
            newest = self.channels[channel][::-1][: int(request.query["per_page"])]
            return web.json_response(
                {"order": [post["id"] for post in newest], "posts": {post["id"]: post for post in newest}}
            )

        return await self._answer(request, channel, do)

    def _find(self, request: web.Request) -> tuple[str, dict[str, Any] | None]:
        """The channel in which the post is, or was, and the post."""
        wanted = request.match_info["post"]
        for channel, posts in self.channels.items():
            for post in posts:
                if post.get("id") == wanted:
                    return channel, post
        return "", None

    async def _answer(
        self, request: web.Request, channel: str, do: Callable[[str], Awaitable[web.Response]]
    ) -> web.StreamResponse:
        self.calls.append((request.method, request.path.removeprefix("/api/v4/"), channel))
        waiting = self._troubles.get(channel)
        trouble = waiting.popleft() if waiting else None
        if isinstance(trouble, web.Response):
            return web.Response(status=trouble.status, text=trouble.text, headers=trouble.headers)
        bot = self.bots.get(request.headers.get("authorization", "").removeprefix("Bearer "))
        if bot is None:
            return _refusal(401, "api.context.session_expired.app_error", "Invalid or expired session.")
        if trouble is None:
            return await do(bot)
        response = await do(bot) if trouble.after else None
        trouble.arrived.set()
        await trouble.release.wait()
        return response or await do(bot)


def _no_permission() -> web.Response:
    return _refusal(403, "api.context.permissions.app_error", "You do not have the appropriate permissions.")


def _refusal(status: int, code: str, message: str) -> web.Response:
    return web.json_response({"id": code, "message": message, "status_code": status}, status=status)
