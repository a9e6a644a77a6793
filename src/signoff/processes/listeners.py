"""The sockets that accept connections.

A socket that several processes share gives nearly all connections to the process that the kernel happens to wake first,
even if that process is busy. So each API process has its own, on the same address, and the kernel chooses one at random
for each connection (`SO_REUSEPORT`). A small filter limits its choice to processes that respond. Only Linux has this;
on other systems, and where a sandbox forbids it, the processes share one socket.
"""

import ctypes
import socket
import struct
import sys
from collections.abc import Sequence
from typing import Self

from signoff.platform.errors import CommandError
from signoff.platform.logs import get_logger
from signoff.platform.settings import Settings

log = get_logger("supervisor")

BACKLOG = 1024
STALLED_AFTER = 60
"""Seconds after which a connection is closed if its client doesn't read what it's sent, or is gone."""

ATTACH_FILTER = 51
"""`SO_ATTACH_REUSEPORT_CBPF`, which Python doesn't have. Its number is the same on all processors that we support."""
# Instructions of the kernel's classic packet filter, which `man 7 socket` and linux/filter.h describe.
_LOAD_RANDOM = (0x20, 0, 0, 0xFFFF_F000 + 56)
_MODULO, _SKIP_UNLESS, _RETURN = 0x94, 0x15, 0x06


def open_listener(settings: Settings) -> socket.socket:
    """Listen on the configured address, exclusively. Raises `CommandError` if it's in use."""
    try:
        addresses = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = min(addresses)  # IPv4 before IPv6, if a name stands for both.
        return _listen(family, address)
    except OSError as error:
        raise CommandError(
            f"Can't listen on {settings.host}:{settings.port}: {error.strerror}. "
            "Use another SIGNOFF_HOST or SIGNOFF_PORT."
        ) from None


class Listeners:
    """One socket for each API process. Without support for that, it's the same for all."""

    def __init__(self, settings: Settings, count: int) -> None:
        """Raises `CommandError` if the address is in use."""
        # The first one is bound exclusively: two services must not share an address and its connections.
        first = open_listener(settings)
        more = _open_more(first, count - 1)
        if count > 1 and not more:
            log.warning("this system can't spread connections over API processes evenly", api_processes=count)
        self.own = [first, *more]
        """Each socket once."""
        self.by_process = self.own if more else [first] * count
        """The socket of each process."""
        self._chosen = tuple(range(count))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for listener in self.own:
            listener.close()

    def choose(self, numbers: Sequence[int]) -> None:
        """Give new connections only to the processes with these numbers, or to all if there are none."""
        chosen = tuple(numbers) or tuple(range(len(self.own)))
        if len(self.own) > 1 and chosen != self._chosen:
            _attach_filter(self.own[0], chosen)
            self._chosen = chosen


def _listen(family: int, address: object, *, is_shared: bool = False) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if is_shared:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        _end_stalled(listener)
        listener.bind(address)  # pyright: ignore[reportArgumentType]
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _open_more(first: socket.socket, count: int) -> list[socket.socket]:
    """Open more sockets on the same address, or none if the system can't choose among them."""
    more = list[socket.socket]()
    if count and sys.platform == "linux":
        try:
            first.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            for _ in range(count):
                more.append(_listen(first.family, first.getsockname(), is_shared=True))
            _attach_filter(first, range(1 + count))
        except OSError:
            for listener in more:
                listener.close()
            more.clear()
    return more


def _end_stalled(listener: socket.socket) -> None:
    """Set socket options that close stalled connections; accepted connections inherit them."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        ("TCP_KEEPIDLE", STALLED_AFTER),
        ("TCP_KEEPINTVL", 10),
        ("TCP_KEEPCNT", 3),
        ("TCP_USER_TIMEOUT", STALLED_AFTER * 1000),
    ):
        if hasattr(socket, option):  # not on every system
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def _attach_filter(listener: socket.socket, chosen: Sequence[int]) -> None:
    """Let the kernel choose among these sockets, which are numbered in the order in which they were opened."""
    program = [_LOAD_RANDOM, (_MODULO, 0, 0, len(chosen))]
    for index, number in enumerate(chosen[:-1]):
        program += [(_SKIP_UNLESS, 0, 1, index), (_RETURN, 0, 0, number)]
    program.append((_RETURN, 0, 0, chosen[-1]))
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in program)
    memory = ctypes.create_string_buffer(code, len(code))
    listener.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, struct.pack("HP", len(program), ctypes.addressof(memory)))
