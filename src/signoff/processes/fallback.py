"""Responses while the API is unavailable: 503, when to retry, and what the service is waiting for.

The supervisor opens the listening sockets once and shares them with the API processes. Whoever accepts a connection
answers it, so clients never find the port closed, however often an API process is restarted.
"""

import asyncio
import json
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from signoff.platform.errors import ServiceUnavailable
from signoff.platform.ids import new_id
from signoff.platform.messages import RIGHT_TO_LEFT, Message, msg, negotiate
from signoff.processes.listeners import BACKLOG

RETRY_AFTER = 5
HEAD_TIMEOUT, DRAIN_TIMEOUT = 5.0, 2.0
MAX_HEAD_BYTES, MAX_DRAINED_BYTES = 16 * 1024, 32 * 1024 * 1024
MAX_CONNECTIONS = 500

PAGE = """<!doctype html>
<html lang="{language}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="5">
<title>{title}</title>
</head>
<body style="font-family: system-ui, sans-serif; max-width: 28rem; margin: 20vh auto; padding: 0 1.5rem">
<h1 style="font-size: 1.25rem">{title}</h1>
<p>{reason}</p>
</body>
</html>
"""


class Fallback:
    """A thread that responds on the `listeners`, from `answer` until `rest`."""

    def __init__(self, listeners: Sequence[socket.socket]) -> None:
        self._listeners = listeners
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fallback", daemon=True)
        self._servers = list[asyncio.Server]()
        self._connections = set[asyncio.Task[None]]()
        self._waiting_for: Message | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._finish(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def answer(self, waiting_for: Message) -> None:
        """Respond to new connections with 503. `waiting_for` is public, so it must not contain details."""
        if waiting_for != self._waiting_for:
            self._waiting_for = waiting_for
            asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()

    def rest(self) -> None:
        """Leave new connections to the API."""
        if self._waiting_for is not None:
            self._waiting_for = None
            asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()

    async def _open(self) -> None:
        if not self._servers:
            for listener in self._listeners:
                server = await asyncio.start_server(
                    self._accept, sock=listener.dup(), backlog=BACKLOG, limit=MAX_HEAD_BYTES
                )
                self._servers.append(server)

    async def _close(self) -> None:
        for server in self._servers:
            server.close()
        self._servers.clear()

    async def _finish(self) -> None:
        await self._close()
        if self._connections:
            await asyncio.wait(self._connections, timeout=DRAIN_TIMEOUT)
        for connection in self._connections:
            connection.cancel()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= MAX_CONNECTIONS:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            with suppress(OSError):
                await self._respond(reader, writer)
        finally:
            self._connections.discard(task)
            writer.transport.abort()

    async def _respond(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(HEAD_TIMEOUT):
                head = await reader.readuntil(b"\r\n\r\n")
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return
        writer.write(render(head, self._waiting_for or msg("Signoff to start")))
        writer.write_eof()
        # A client that is still sending would see a connection reset instead of the response.
        drained = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_TIMEOUT):
                await writer.drain()
                while drained < MAX_DRAINED_BYTES and (piece := await reader.read(65_536)):
                    drained += len(piece)


def render(head: bytes, waiting_for: Message) -> bytes:
    """Return the complete response to a request with this head."""
    request, *lines = head.decode("latin-1").split("\r\n")
    method, _, rest = request.partition(" ")
    path = rest.partition(" ")[0].partition("?")[0]
    accept = _header(lines, "accept").lower()
    language = negotiate(_header(lines, "accept-language"))
    request_id = new_id("req")
    if path == "/readyz":
        kind, body = "application/json", json.dumps({"status": "unavailable", "waitingFor": waiting_for})
    elif "text/html" in accept and not path.startswith("/api/"):
        reason = msg("Waiting for {what}. This page reloads automatically.", what=waiting_for)
        kind = "text/html; charset=utf-8"
        body = PAGE.format(
            language=language,
            direction="rtl" if language in RIGHT_TO_LEFT else "ltr",
            title=msg("Signoff is unavailable").markup(language),
            reason=reason.markup(language),
        )
    else:
        detail = msg("Signoff is unavailable. Waiting for {what}.", what=waiting_for)
        problem = ServiceUnavailable(detail, requestId=request_id)
        kind, body = "application/problem+json", json.dumps(problem.body(language))
    content = body.encode()
    headers = {
        "content-type": kind,
        "content-length": len(content),
        "retry-after": RETRY_AFTER,
        "cache-control": "no-store",
        "x-request-id": request_id,
        "x-content-type-options": "nosniff",
        "connection": "close",
    }
    answer = "HTTP/1.1 503 Service Unavailable\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{answer}\r\n".encode() + (b"" if method == "HEAD" else content)


def _header(lines: Sequence[str], name: str) -> str:
    return next((value.strip() for key, _, value in (line.partition(":") for line in lines) if key.lower() == name), "")
