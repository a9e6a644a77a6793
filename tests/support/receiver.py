"""A real webhook receiver on loopback. It records requests and responds as the test says."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Answer = Callable[["Call"], Awaitable[web.StreamResponse]]


@dataclass
class Call:
    path: str
    headers: dict[str, str]
    body: bytes
    request: web.Request = field(repr=False)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Receiver:
    """Each test uses its own paths, so that tests can share one receiver."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.url = ""
        self._answers: dict[str, Answer] = {}
        self._arrived = asyncio.Condition()

    def answer(self, path: str, answer: Answer | web.Response | list[int]) -> str:
        """How to respond at `path`: with a function, or with a list of statuses in turn (the last one repeats)."""
        if isinstance(answer, list):
            statuses = list(answer)

            async def in_turn(_: Call) -> web.StreamResponse:
                return web.Response(status=statuses.pop(0) if len(statuses) > 1 else statuses[0])

            self._answers[path] = in_turn
        elif isinstance(answer, web.Response):
            status, text, headers = answer.status, answer.text, answer.headers

            async def always(_: Call) -> web.StreamResponse:
                return web.Response(status=status, text=text, headers=headers)

            self._answers[path] = always
        else:
            self._answers[path] = answer
        return self.url + path

    def at(self, path: str) -> list[Call]:
        return [call for call in self.calls if call.path == path]

    async def wait_for(self, path: str, count: int = 1, within: float = 60.0) -> list[Call]:
        async with asyncio.timeout(within), self._arrived:
            await self._arrived.wait_for(lambda: len(self.at(path)) >= count)
        return self.at(path)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        call = Call(request.path, {k.lower(): v for k, v in request.headers.items()}, await request.read(), request)
        async with self._arrived:
            self.calls.append(call)
            self._arrived.notify_all()
        response = self._answers.get(request.path)
        return await response(call) if response else web.Response(text="ok")

    async def start(self) -> web.AppRunner:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        return runner
