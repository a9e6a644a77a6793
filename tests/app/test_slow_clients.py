"""Slow clients on real sockets: they lose their connection, and nobody else notices."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest
from support.api import Workspace, sign_in_workspace
from support.service_process import RunningService, new_client, running_service

TIMEOUT = 1.0
CLIENT_CONNECTIONS = 40
MAX_CONNECTIONS = 128
RATE = 1000
BEGINNINGS = {"/requestReview": b'{"formId"', "/sessions": b'{"name', "/uploadFiles": b"--x\r\nContent-Disp"}
SOON = 90.0
"""Seconds after which we no longer believe that a state will come."""


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(
        tmp_path_factory.mktemp("impatient"),
        header_timeout=TIMEOUT,
        body_timeout=TIMEOUT,
        body_min_rate=RATE,
        client_connections=CLIENT_CONNECTIONS,
        max_connections=MAX_CONNECTIONS,
    ) as service:
        yield service


@pytest.fixture
async def impatient_workspace(impatient: RunningService) -> Workspace:
    return await sign_in_workspace(impatient)


def connect(service: RunningService) -> socket.socket:
    address = httpx.URL(service.url)
    return socket.create_connection((address.host, address.port), timeout=SOON)


def head(service: RunningService, path: str, length: int) -> bytes:
    key = service.workspace["apiKey"]
    kind = "multipart/form-data; boundary=x" if path == "/uploadFiles" else "application/json"
    lines = (
        f"POST /api/v1{path} HTTP/1.1",
        "Host: signoff",
        f"x-api-key: {key}",
        f"Content-Type: {kind}",
        f"Content-Length: {length}",
    )
    return "\r\n".join((*lines, "", "")).encode()


def read_to_end(line: socket.socket) -> bytes:
    """Reads until the server closes the connection. A response may come in several pieces."""
    pieces: list[bytes] = []
    try:
        while piece := line.recv(65536):
            pieces.append(piece)
    except ConnectionError:
        pass
    return b"".join(pieces)


def is_closed(line: socket.socket) -> bool:
    """Waits until the connection is closed. The server may say why before."""
    read_to_end(line)
    return True


def is_healthy(service: RunningService) -> bool:
    return httpx.get(f"{service.url}/healthz", timeout=SOON, verify=False).status_code == 200  # noqa: S501


class TestConnections:
    def test_that_are_silent_leave_room_for_others(self, impatient: RunningService) -> None:
        """More than the server accepts at once, all from one client, and again as soon as one is closed."""
        with ExitStack() as lines:
            silent = [lines.enter_context(connect(impatient)) for _ in range(2 * MAX_CONNECTIONS)]
            for _ in range(5):
                assert is_healthy(impatient)
            assert sum(map(is_closed, silent)) == len(silent)

    def test_with_a_pending_request_stay_open(self, impatient: RunningService) -> None:
        """However many silent connections the client has open as well."""
        key = impatient.workspace["apiKey"]
        waiting = f"GET /api/v1/events?wait={TIMEOUT} HTTP/1.1\r\nHost: x\r\nx-api-key: {key}\r\n\r\n".encode()
        with ExitStack() as lines:
            busy = [lines.enter_context(connect(impatient)) for _ in range(5)]
            for line in busy:
                line.sendall(waiting)
            for _ in range(2 * CLIENT_CONNECTIONS):
                lines.enter_context(connect(impatient))
            for line in busy:
                assert line.recv(65536).startswith(b"HTTP/1.1 200 ")

    @pytest.mark.parametrize("said", [b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\n", b"\x16\x03\x01"])
    def test_without_a_whole_request_are_closed(self, impatient: RunningService, said: bytes) -> None:
        with connect(impatient) as line:
            line.sendall(said)
            assert is_closed(line)

    def test_that_are_idle_after_an_answer_are_closed(self, impatient: RunningService) -> None:
        with connect(impatient) as line:
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert line.recv(65536).startswith(b"HTTP/1.1 200")
            assert is_closed(line)


class TestBodies:
    @pytest.mark.parametrize("path", BEGINNINGS)
    def test_that_stop_are_rejected(self, impatient: RunningService, path: str) -> None:
        with connect(impatient) as line:
            line.sendall(head(impatient, path, 1000) + BEGINNINGS[path])
            answer = read_to_end(line)
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert b"request_timeout" in answer

    def test_that_drip_are_rejected(self, impatient: RunningService) -> None:
        with connect(impatient) as line:
            line.sendall(head(impatient, "/requestReview", 1_000_000))
            dripping = threading.Event()

            def drip() -> None:
                while not dripping.wait(0.3):
                    try:
                        line.send(b" ")
                    except OSError:
                        return

            thread = threading.Thread(target=drip, daemon=True)
            thread.start()
            assert line.recv(65536).startswith(b"HTTP/1.1 408 ")
            dripping.set()
            thread.join(SOON)

    def test_on_a_slow_but_steady_connection_are_accepted(self, impatient: RunningService) -> None:
        """For longer than the timeout."""
        body = b'{"formId": "none", "data": {"text": "' + b"x" * 60_000 + b'"}}'
        with connect(impatient) as line:
            line.sendall(head(impatient, "/requestReview", len(body)))
            started = time.monotonic()
            pieces = [body[start : start + 4_000] for start in range(0, len(body), 4_000)]
            for piece in pieces:
                line.sendall(piece)
                time.sleep(1.5 * TIMEOUT / len(pieces))
            assert time.monotonic() - started > TIMEOUT
            assert line.recv(65536).startswith(b"HTTP/1.1 404 ")


class TestStreams:
    async def test_stay_open(self, impatient_workspace: Workspace) -> None:
        """Connections that the service itself keeps open have no such limits, however long they are idle."""
        async with impatient_workspace.owner.stream("GET", "/live") as stream:
            assert stream.status_code == 200
            parts = aiter(stream.aiter_raw())
            started = time.monotonic()
            while (left := 3 * TIMEOUT - (time.monotonic() - started)) > 0:
                following = asyncio.create_task(anext(parts))
                done, _ = await asyncio.wait({following}, timeout=left)
                if not done:
                    break
            else:
                following = asyncio.create_task(anext(parts))
            await impatient_workspace.request(await impatient_workspace.make_form())
            assert await asyncio.wait_for(following, SOON)

    async def test_long_polls_get_a_response(self, impatient_workspace: Workspace) -> None:
        answer = await impatient_workspace.agent.get("/events", params={"wait": 2 * TIMEOUT})
        assert answer.status_code == 200


class TestClosedConnections:
    """A client that disconnects in the middle of its body isn't our error."""

    @pytest.mark.parametrize("path", BEGINNINGS)
    async def test_are_counted_and_logged(self, impatient: RunningService, path: str) -> None:
        counted = f'method="POST",route="/api/v1{path}",status="499"'
        with connect(impatient) as line:
            line.sendall(head(impatient, path, 1000) + BEGINNINGS[path])
        async with asyncio.timeout(SOON):
            while counted not in (shown := await metrics(impatient)):
                pass
        assert f'method="POST",route="/api/v1{path}",status="500"' not in shown
        assert b"Traceback" not in impatient.log.read_bytes()


async def metrics(service: RunningService) -> str:
    async with new_client(service.url) as client:
        return (await client.get("/metrics")).text
