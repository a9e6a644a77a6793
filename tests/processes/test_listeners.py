"""The sockets of several API processes."""

import socket
from collections import Counter
from collections.abc import Iterator

import pytest
from support.service_process import free_port

from signoff.platform.errors import CommandError
from signoff.platform.settings import Settings, load_settings
from signoff.processes import listeners
from signoff.processes.listeners import Listeners, open_listener

COUNT = 3


@pytest.fixture
def settings() -> Settings:
    return load_settings(port=free_port())


@pytest.fixture
def opened(settings: Settings) -> Iterator[Listeners]:
    with Listeners(settings, COUNT) as opened:
        if len(opened.own) == 1:
            pytest.skip("the system can't choose among sockets")
        yield opened


def count_connections(opened: Listeners) -> Counter[int]:
    """By the number of the socket that got them."""
    address = opened.own[0].getsockname()
    clients = [socket.create_connection(address, timeout=60) for _ in range(150)]
    counts = Counter[int]()
    for number, listener in enumerate(opened.own):
        listener.setblocking(False)
        while True:
            try:
                listener.accept()[0].close()
            except BlockingIOError:
                break
            counts[number] += 1
    for client in clients:
        client.close()
    return counts


class TestChoice:
    def test_all_get_connections(self, opened: Listeners) -> None:
        counts = count_connections(opened)
        assert set(counts) == {0, 1, 2}
        assert counts.total() == 150

    def test_only_the_chosen_get_connections(self, opened: Listeners) -> None:
        for chosen in ([0, 2], [1], [2], [0, 1, 2]):
            opened.choose(chosen)
            assert set(count_connections(opened)) == set(chosen)

    def test_none_means_all(self, opened: Listeners) -> None:
        opened.choose([1])
        opened.choose([])
        assert set(count_connections(opened)) == {0, 1, 2}


class TestAddress:
    @pytest.mark.parametrize("count", [1, COUNT])
    def test_is_exclusive(self, settings: Settings, count: int) -> None:
        with Listeners(settings, count):
            for other in (1, COUNT):
                with pytest.raises(CommandError, match="Address already in use"):
                    Listeners(settings, other)
            with pytest.raises(CommandError, match="Address already in use"):
                open_listener(settings)

    def test_is_free_afterward(self, settings: Settings) -> None:
        for _ in range(2):
            with Listeners(settings, COUNT) as opened:
                assert len({listener.getsockname() for listener in opened.own}) == 1

    def test_on_ipv6(self) -> None:
        try:
            with Listeners(load_settings(host="::1", port=free_port()), COUNT) as opened:
                assert opened.own[0].family == socket.AF_INET6
        except CommandError:
            pytest.skip("no IPv6")


def test_system_without_a_choice(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes share the first socket."""

    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(listeners, "_attach_filter", refuse)
    with Listeners(settings, COUNT) as opened:
        assert opened.by_process == [opened.own[0]] * COUNT
        opened.choose([1])
        with socket.create_connection(opened.own[0].getsockname(), timeout=60):
            opened.own[0].accept()[0].close()
