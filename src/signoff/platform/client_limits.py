"""Per-client limits on requests in progress and on idle connections.

The server accepts connections before this process sees them, so a client could open all of them and send nothing. A
thread inspects the open sockets once a second. It closes connections beyond a client's share, and connections whose
request was abandoned: the server might otherwise keep waiting for the rest of a body that nobody will read.
"""

import os
import socket
import stat
import threading
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from signoff.platform.errors import TooManyRequests
from signoff.platform.logs import get_logger
from signoff.platform.messages import msg
from signoff.platform.settings import Network, Settings

log = get_logger("connections")

CHECK_INTERVAL = 1.0
RESPONSE_TIMEOUT = 1.0
"""Seconds that the response to an abandoned request gets to reach its client."""
_OPEN_FILES = "/proc/self/fd"
Peer = tuple[str, int]


class ClientLimits:
    def __init__(self, settings: Settings) -> None:
        self._most = settings.client_connections
        self._port = settings.port
        self._trusted = settings.trusted_proxies
        self._under_way = Counter[str]()
        self._busy = set[Peer]()
        self._idle = set[Peer]()
        """Connections that had no request in progress at the last check."""
        self._dropped = dict[Peer, float]()
        """When each connection was given up, on the monotonic clock."""

    @contextmanager
    def request(self, client: str | None, peer: Peer | None) -> Generator[None]:
        """Count a request for as long as it's in progress. `peer` is the other end of the connection: the client,
        or a proxy.
        """
        who = None if client is None or not self._most else client_address(client)
        if who is not None and self._under_way[who] >= self._most:
            detail = msg(
                "Your IP address already has {limit} requests in progress. Wait for one to finish, then try again.",
                limit=self._most,
            )
            raise TooManyRequests(detail, retry_after=1)
        if who is not None:
            self._under_way[who] += 1
        if peer is not None:
            self._busy.add(peer)
            self._dropped.pop(peer, None)
        try:
            yield
        finally:
            if peer is not None:
                self._busy.discard(peer)
            if who is not None:
                self._under_way[who] -= 1
                if not self._under_way[who]:
                    del self._under_way[who]

    def watch_connections(self) -> None:
        """Start the watching thread. On systems that can't list open files, only requests are limited."""
        if os.path.isdir(_OPEN_FILES):  # noqa: PTH112
            threading.Thread(target=self._watch, name="client-connections", daemon=True).start()

    def _watch(self) -> None:
        while True:
            time.sleep(CHECK_INTERVAL)
            self.end_dropped(time.monotonic())
            ended = self.end_idle() if self._most else 0
            if ended:
                log.warning("closed idle connections of clients over the limit", ended=ended, allowed=self._most)

    def drop_later(self, peer: Peer) -> None:
        """Close the connection shortly. Call this after its request has been answered."""
        self._dropped[peer] = time.monotonic()

    def end_dropped(self, now: float) -> None:
        due = {peer for peer, since in list(self._dropped.items()) if now - since >= RESPONSE_TIMEOUT}
        if not due:
            return
        for number in map(int, os.listdir(_OPEN_FILES)):  # noqa: PTH208
            if (peer := self._peer(number)) in due:
                self._end(peer, number)
        for peer in due:
            self._dropped.pop(peer, None)

    def end_idle(self) -> int:
        """Close the idle connections of clients that exceed their share, and return how many were closed.

        Only connections that were also idle at the previous check are closed: a new one may be about to send its
        request.
        """
        idle_before, self._idle = self._idle, set[Peer]()
        numbers = os.listdir(_OPEN_FILES)  # noqa: PTH208
        if len(numbers) <= self._most:
            return 0
        lines: dict[str, list[tuple[Peer, int]]] = {}
        for number in numbers:
            if (peer := self._peer(int(number))) is not None and (who := self._limited(peer[0])) is not None:
                lines.setdefault(who, []).append((peer, int(number)))
        ended = 0
        for each in lines.values():
            if len(each) <= self._most:
                continue
            idle = [line for line in each if line[0] not in self._busy]
            self._idle.update(peer for peer, _ in idle)
            surplus = [line for line in idle if line[0] in idle_before][: len(each) - self._most]
            ended += sum(self._end(peer, number) for peer, number in surplus)
        return ended

    def _limited(self, address: str) -> str | None:
        """Return the client to limit, or None for a trusted proxy, which speaks for many clients."""
        return None if is_among(address, self._trusted) else client_address(address)

    def _peer(self, number: int) -> Peer | None:
        """Return the other end, if the file is a connection to our port."""
        try:
            if not stat.S_ISSOCK(os.fstat(number).st_mode):
                return None
            with socket.socket(fileno=os.dup(number)) as line:
                if line.family not in (socket.AF_INET, socket.AF_INET6) or line.getsockname()[1] != self._port:
                    return None
                return line.getpeername()[:2]
        except OSError:  # closed since it was listed, or the listening socket
            return None

    def _end(self, peer: Peer, number: int) -> bool:
        """Shut the connection down. Works on a duplicate, because the file number may have been reused by now."""
        try:
            with socket.socket(fileno=os.dup(number)) as line:
                if line.getpeername()[:2] != peer or line.getsockname()[1] != self._port:
                    return False
                line.shutdown(socket.SHUT_RDWR)
                return True
        except OSError:
            return False


def client_address(address: str) -> str:
    """Return what counts as one client: an IPv4 address, or the /64 network of an IPv6 address."""
    parsed = _parse_address(address)
    return str(ip_network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address


def is_among(address: str, networks: tuple[Network, ...]) -> bool:
    parsed = _parse_address(address)
    return parsed is not None and any(parsed in network for network in networks)


def _parse_address(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address)
    except ValueError:
        return None
