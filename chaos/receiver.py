"""The agent's side: takes webhooks, checks their signatures, remembers each, fails now and then, and is down at times.

The pictures that requests name are here too.
"""

import asyncio
import hashlib
import json
import random
import struct
import zlib

from aiohttp import web
from standardwebhooks import Webhook, WebhookVerificationError

from chaos.evidence import Call, tool_response
from chaos.processes import free_port

# How a call is answered, by share. None: the connection is dropped.
STATUS_WEIGHTS: dict[int | None, float] = {200: 0.90, 500: 0.05, 503: 0.03, None: 0.02}


class Receiver:
    def __init__(self, chance: random.Random, *, always_succeeds: bool = False) -> None:
        self.calls: list[Call] = []
        self.secrets: list[str] = []
        self.always_succeeds = always_succeeds
        """Set for the time after the trouble, so that what was left over gets through."""
        self._chance = chance
        self._resumed = asyncio.Event()
        self._resumed.set()
        self._port = free_port()
        self._runner: web.AppRunner | None = None
        self.url = f"http://127.0.0.1:{self._port}"

    async def start(self) -> None:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/{target:agent|tool|audit}", self._receive)
        app.router.add_get("/pictures/{name}.png", self._picture)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port, backlog=512).start()

    async def stop(self) -> None:
        """Connections break off, and new ones are refused."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _receive(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        event = json.loads(body)
        target = request.match_info["target"]
        answers = {200: 1.0} if self.always_succeeds else STATUS_WEIGHTS
        [status] = self._chance.choices(list(answers), list(answers.values()))
        # Written down before it is answered: whatever the service knows of an answer, we know too.
        call = Call(
            request.headers.get("webhook-id", ""),
            event["eventId"],
            event["event"],
            hashlib.sha256(body).hexdigest()[:16],
            self._is_genuine(body, dict(request.headers)) and event["deliveryId"] == request.headers["webhook-id"],
            None,
            event.get("sessionId"),
            target,
            event,
        )
        self.calls.append(call)
        if self._chance.random() < 0.05:
            await asyncio.sleep(self._chance.uniform(0.1, 0.8))
        if not self._resumed.is_set():
            await self._resumed.wait()
            status = None
        call.status = status
        if status is None and request.transport is not None:
            request.transport.abort()  # what is returned below goes nowhere
        if status == 200 and target == "tool":
            return web.json_response(tool_response(event["reviewId"]))
        return web.Response(status=status or 200, headers={"Retry-After": "1"} if status == 503 else None)

    def hang(self) -> None:
        """Take calls and answer none, until `go_on`."""
        self._resumed.clear()

    def resume(self) -> None:
        self._resumed.set()

    def _is_genuine(self, body: bytes, headers: dict[str, str]) -> bool:
        for secret in self.secrets:
            try:
                Webhook(secret).verify(body, headers)
            except WebhookVerificationError:
                continue
            return True
        return False

    async def _picture(self, request: web.Request) -> web.Response:
        return web.Response(body=picture(request.match_info["name"]), content_type="image/png")


def picture(name: str) -> bytes:
    """A small PNG that no other name has."""
    pixels = hashlib.shake_256(name.encode()).digest(16 * 16 * 3)
    rows = b"".join(b"\0" + pixels[at : at + 48] for at in range(0, len(pixels), 48))
    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
