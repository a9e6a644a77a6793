"""Receives webhooks. Rejects those that aren't signed with one of our agents' secrets with 401."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from standardwebhooks import Webhook, WebhookVerificationError

from signoff.demo.agent.console import print_line

Event = dict[str, Any]
Events = asyncio.Queue[Event]

MAX_EVENT_BYTES = 64 * 1024 * 1024
MAX_REMEMBERED = 10_000
"""The number of delivery IDs to remember. In production, use a unique column in your database."""


class Inbox:
    """Events received, each once: chat messages, and everything about reviews."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self.messages, self.reviews = Events(), Events()
        self._webhooks = [Webhook(secret) for secret in secrets]
        self._seen: dict[str, None] = {}

    async def receive(self, request: web.Request) -> web.Response:
        """Respond as soon as the event is queued, and handle it later: webhooks time out after 15 seconds."""
        event = self._verify(await request.read(), dict(request.headers))
        if event is None:
            print_line("Demo", "rejected a webhook with an invalid signature")
            return web.Response(status=401)
        # If our response is lost, the event is sent again with the same `webhook-id`.
        if self._is_new(request.headers["webhook-id"]):
            queue = self.messages if event["event"] == "session.human_message" else self.reviews
            queue.put_nowait(event)
        return web.Response(status=204)

    def _verify(self, body: bytes, headers: dict[str, str]) -> Event | None:
        """The signature covers the raw bytes, so verify it before you parse them."""
        for webhook in self._webhooks:
            try:
                return webhook.verify(body, headers)
            except (WebhookVerificationError, ValueError):  # ValueError: the signature is malformed.
                continue
        return None

    def _is_new(self, webhook_id: str) -> bool:
        if webhook_id in self._seen:
            return False
        self._seen[webhook_id] = None
        if len(self._seen) > MAX_REMEMBERED:
            del self._seen[next(iter(self._seen))]
        return True


@asynccontextmanager
async def serve_webhooks(inbox: Inbox, port: int) -> AsyncGenerator[None]:
    """Listen on localhost only."""
    app = web.Application(client_max_size=MAX_EVENT_BYTES)
    app.router.add_post("/webhooks", inbox.receive)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        yield
    finally:
        await runner.cleanup()
