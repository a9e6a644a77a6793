"""Which connections are closed, on sockets of this process. `tests/app/test_slow_clients.py` tests it from outside."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from signoff.platform.client_limits import RESPONSE_TIMEOUT, ClientLimits
from signoff.platform.settings import Settings

SHARE = 2


class Clients:
    """One client's connections: its ends and ours."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.port: int = self._listener.getsockname()[1]

    def connect(self) -> socket.socket:
        line = self._stack.enter_context(socket.create_connection(("127.0.0.1", self.port)))
        self._stack.enter_context(self._listener.accept()[0])
        line.setblocking(False)
        return line


def is_ended(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False


@pytest.fixture
def clients() -> Iterator[Clients]:
    with ExitStack() as stack:
        yield Clients(stack)


@pytest.fixture
def limits(clients: Clients) -> ClientLimits:
    return ClientLimits(Settings(port=clients.port, client_connections=SHARE))


def test_idle_connections_beyond_the_limit_are_closed(clients: Clients, limits: ClientLimits) -> None:
    lines = [clients.connect() for _ in range(5)]
    assert limits.end_idle() == 0
    assert limits.end_idle() == 3
    assert sum(map(is_ended, lines)) == 3


def test_connections_within_the_limit_stay_open(clients: Clients, limits: ClientLimits) -> None:
    lines = [clients.connect() for _ in range(SHARE)]
    assert (limits.end_idle(), limits.end_idle()) == (0, 0)
    assert not any(map(is_ended, lines))


def test_new_connection_has_time_to_send_its_request(clients: Clients, limits: ClientLimits) -> None:
    old = [clients.connect() for _ in range(4)]
    limits.end_idle()
    new = [clients.connect() for _ in range(4)]
    limits.end_idle()
    assert all(map(is_ended, old))
    assert not any(map(is_ended, new))


def test_connection_with_a_pending_request_stays_open(clients: Clients, limits: ClientLimits) -> None:
    busy, *others = [clients.connect() for _ in range(4)]
    with limits.request("127.0.0.1", busy.getsockname()):
        limits.end_idle()
        limits.end_idle()
    assert not is_ended(busy)
    assert sum(map(is_ended, others)) == 2


class TestRejectedRequests:
    def test_connection_closes_after_the_response(self, clients: Clients, limits: ClientLimits) -> None:
        dropped, other = clients.connect(), clients.connect()
        limits.drop_later(dropped.getsockname())
        limits.end_dropped(time.monotonic())
        assert not is_ended(dropped)
        limits.end_dropped(time.monotonic() + RESPONSE_TIMEOUT)
        assert is_ended(dropped)
        assert not is_ended(other)

    def test_new_request_from_the_same_client_is_independent(self, clients: Clients, limits: ClientLimits) -> None:
        line = clients.connect()
        limits.drop_later(line.getsockname())
        with limits.request("127.0.0.1", line.getsockname()):
            limits.end_dropped(time.monotonic() + RESPONSE_TIMEOUT)
        assert not is_ended(line)
