"""A proxy in front of the service that fails like networks and proxies do."""

import asyncio
from collections import Counter

import httpx
from aiohttp import web


class FlakyProxy:
    """Each of `faults` affects one request, in turn; after that all succeed.

    - `drop before`: the connection breaks before the request reaches the service;
    - `drop after`: the service handles the request, and its response is lost;
    - a number, perhaps with a `Retry-After`, as in `429 1`: that status, without calling the service;
    - `page`: a web page, with status 200.
    """

    def __init__(self, target: str) -> None:
        self.url = ""
        self.faults: list[str] = []
        self.came: Counter[str] = Counter()
        """How often each method and path came."""
        self.headers: list[dict[str, str]] = []
        self.arrived = asyncio.Event()
        self._target = httpx.AsyncClient(base_url=target, timeout=60, verify=False)  # noqa: S501

    async def start(self) -> None:
        app = web.Application(client_max_size=32 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        await self._runner.cleanup()
        await self._target.aclose()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        self.came[f"{request.method} {request.path.removeprefix('/api/v1')}"] += 1
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        self.arrived.set()
        body = await request.read()
        error = self.faults.pop(0) if self.faults else None
        if error == "drop before":
            return self._drop(request)
        if error == "page":
            return web.Response(text="<h1>Sign in to the network</h1>", content_type="text/html")
        if error is not None and error != "drop after":
            status, _, retry_after = error.partition(" ")
            return web.Response(status=int(status), headers={"retry-after": retry_after} if retry_after else {})
        passed_on = {
            name: value for name, value in request.headers.items() if name.lower() not in ("host", "connection")
        }
        review = await self._target.request(request.method, request.path_qs, content=body, headers=passed_on)
        if error == "drop after":
            return self._drop(request)
        hop = ("content-length", "transfer-encoding", "content-encoding", "connection", "date", "server")
        headers = {name: value for name, value in review.headers.items() if name not in hop}
        return web.Response(status=review.status_code, body=review.content, headers=headers)

    @staticmethod
    def _drop(request: web.Request) -> web.Response:
        if request.transport is not None:
            request.transport.abort()
        return web.Response()
