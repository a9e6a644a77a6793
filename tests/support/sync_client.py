"""Calls a service in this process from tests that await nothing."""

import asyncio

import httpx
from support.asgi import AppTransport
from support.in_process import Service


def sync_client(service: Service, loop: asyncio.AbstractEventLoop, **headers: str) -> httpx.Client:
    """`loop`: the service's event loop, which stands still while such a test runs."""
    return httpx.Client(base_url=service.url, headers=headers, transport=_InProcess(service, loop), timeout=60)


class _InProcess(httpx.BaseTransport):
    def __init__(self, service: Service, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = AppTransport(service.app, port=49_999)
        self._loop = loop

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        body = request.read()
        return self._loop.run_until_complete(self._call(request, body))

    async def _call(self, request: httpx.Request, body: bytes) -> httpx.Response:
        outgoing = httpx.Request(
            request.method, request.url, headers=request.headers, content=body, extensions=request.extensions
        )
        response = await self._transport.handle_async_request(outgoing)
        content = b"".join([part async for part in response.aiter_raw()])
        await response.aclose()
        return httpx.Response(response.status_code, headers=response.headers, stream=httpx.ByteStream(content))
