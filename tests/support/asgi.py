"""Calls an application in this process as a client would over a socket, including streams and disconnects."""

import asyncio
from collections.abc import AsyncIterator, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

import httpx
from support.declared_responses import check_response

if TYPE_CHECKING:
    from fastapi import FastAPI

Message = MutableMapping[str, Any]
MOST_CONNECTIONS = 100
"""Of one client, as httpx has it over sockets."""
IN_TRANSIT = 16
"""So many parts of an answer wait for the client before the application has to."""


class AppTransport(httpx.AsyncBaseTransport):
    """httpx has one too, which returns a response only when it has ended: live streams never do."""

    def __init__(self, app: "FastAPI", port: int) -> None:
        """`port`: the port of the client's end, by which the application distinguishes connections."""
        self._app = app
        self._port = port
        self._connections = asyncio.Semaphore(MOST_CONNECTIONS)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await self._connections.acquire()
        exchange = _Exchange(self._app, request, self._port, self._connections.release)
        return await exchange.begin(request.extensions.get("timeout", {}).get("read"))


class _Exchange(httpx.AsyncByteStream):
    """One request and its response."""

    def __init__(self, app: "FastAPI", request: httpx.Request, port: int, ended: Callable[[], None]) -> None:
        assert isinstance(request.stream, httpx.AsyncByteStream)
        self._request = request
        self._sending: AsyncIterator[bytes] | None = aiter(request.stream)
        self._messages = asyncio.Queue[Message | None]()
        self._room = asyncio.Semaphore(IN_TRANSIT)
        self._hung_up = asyncio.Event()
        self._timeout: float | None = None
        url = request.url
        self._scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": request.method,
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "scheme": url.scheme,
            "path": url.path,
            "raw_path": url.raw_path.partition(b"?")[0],
            "query_string": url.query,
            "root_path": "",
            "server": (url.host, url.port or 80),
            "client": ("127.0.0.1", port),
            "state": {},
        }
        self._start: Message = {}
        self._body = bytearray()
        self._running = asyncio.create_task(self._run(app, self._scope))
        self._running.add_done_callback(lambda _: ended())

    async def begin(self, read_within: float | None) -> httpx.Response:
        self._timeout = read_within
        try:
            start = await self._next()
        except BaseException:
            await self.aclose()
            raise
        if start is None:
            raise httpx.RemoteProtocolError("The connection ended without an answer.", request=self._request)
        self._start = start
        return httpx.Response(start["status"], headers=start["headers"], stream=self)

    async def _run(self, app: "FastAPI", scope: dict[str, Any]) -> None:
        try:
            await app(scope, self._receive, self._send)
        except ConnectionResetError:
            pass  # ours: the client has disconnected
        except Exception as error:  # noqa: BLE001 - whatever it is, the client learns that there was something
            self._messages.put_nowait({"type": "failed", "error": error})
        self._messages.put_nowait(None)

    async def _receive(self) -> Message:
        if self._sending is not None:
            part = asyncio.ensure_future(anext(self._sending))
            leaving = asyncio.ensure_future(self._hung_up.wait())
            try:
                await asyncio.wait({part, leaving}, return_when=asyncio.FIRST_COMPLETED)
                if part.done():
                    return {"type": "http.request", "body": part.result(), "more_body": True}
                self._sending = None
            except StopAsyncIteration:
                self._sending = None
                return {"type": "http.request", "body": b"", "more_body": False}
            except Exception:  # noqa: BLE001 - of whoever sends; it has stopped half-way
                self._sending = None
                self._hung_up.set()
            finally:
                part.cancel()
                leaving.cancel()
        await self._hung_up.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        await self._room.acquire()
        if self._hung_up.is_set():
            raise ConnectionResetError
        self._messages.put_nowait(message)

    async def _next(self) -> Message | None:
        try:
            async with asyncio.timeout(self._timeout):
                message = await self._messages.get()
            self._room.release()
        except TimeoutError:
            raise httpx.ReadTimeout("No answer in time.", request=self._request) from None
        if message is not None and message["type"] == "failed":
            raise httpx.RemoteProtocolError("The connection broke off.", request=self._request) from message["error"]
        return message

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (message := await self._next()) is not None:
            if message["type"] == "http.response.body":
                self._body += message.get("body", b"")
                yield message.get("body", b"")
                if not message.get("more_body"):
                    await asyncio.shield(self._running)
                    check_response(self._scope, self._start, bytes(self._body))
                    return

    async def aclose(self) -> None:
        self._hung_up.set()
        self._room.release()  # for a part that is waiting to be sent
        if self._running is not asyncio.current_task():
            await asyncio.wait({self._running}, timeout=5)
            self._running.cancel()
