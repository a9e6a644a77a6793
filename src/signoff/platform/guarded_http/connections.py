"""Connect only to permitted addresses."""

import asyncio
import socket
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ssl import SSLContext
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler

from signoff.platform.guarded_http.addresses import Network, is_permitted

# Below the five seconds after which common servers close an idle connection, so that a request isn't sent on a
# connection that is about to close.
_KEEP_ALIVE_SECONDS = 4.0
_DNS_CACHE_SECONDS = 10
_DNS_THREADS = 32
_MAX_UNREAD_ANSWERS = 16


class ForbiddenAddressError(OSError):
    """The address is forbidden. An `OSError`, because aiohttp expects that from resolvers and sockets and passes it
    on.
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address


class GuardedConnector(aiohttp.TCPConnector):
    def __init__(
        self,
        allowed_networks: Collection[Network],
        resolver: AbstractResolver,
        *,
        limit: int,
        tls: SSLContext | None,
    ) -> None:
        super().__init__(
            resolver=_CheckedResolver(resolver, allowed_networks),
            # The final check: it sees the address of every connection right before it's made. aiohttp doesn't call the
            # resolver for a host that is an address, and it caches resolved addresses for a few seconds.
            socket_factory=self._open_socket,
            ttl_dns_cache=_DNS_CACHE_SECONDS,
            keepalive_timeout=_KEEP_ALIVE_SECONDS,
            limit=limit,
            ssl=tls or True,
        )
        self._allowed_networks = allowed_networks
        # aiohttp has no public option for the connections' handler.
        self._factory = partial(_BoundedHandler, loop=asyncio.get_running_loop())

    def _open_socket(self, address_info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = address_info
        if not is_permitted(address[0], self._allowed_networks):
            raise ForbiddenAddressError(address[0])
        return socket.socket(family, kind, protocol)


class _CheckedResolver(AbstractResolver):
    """Refuses a host if any of its addresses is forbidden."""

    def __init__(self, resolver: AbstractResolver, allowed_networks: Collection[Network]) -> None:
        self._resolver = resolver
        self._allowed_networks = allowed_networks

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        results = await self._resolver.resolve(host, port, family)
        if not results:
            raise OSError("The host name has no DNS records.")
        for result in results:
            if not is_permitted(result["host"], self._allowed_networks):
                raise ForbiddenAddressError(result["host"])
        return results

    async def close(self) -> None:
        await self._resolver.close()


class SystemResolver(AbstractResolver):
    """Resolve names with `getaddrinfo` on dedicated threads.

    A name server that never responds blocks a thread for many seconds. Event loops resolve names on the few threads
    that everything else shares (uvloop: two at a time), so a handful of such names would block everything.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_DNS_THREADS, thread_name_prefix="dns")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        look_up = partial(socket.getaddrinfo, host, port, family, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
        addresses = await asyncio.get_running_loop().run_in_executor(self._threads, look_up)
        return [
            ResolveResult(hostname=host, host=str(address[0]), port=port, family=family, proto=protocol, flags=0)
            for family, _, protocol, _, address in addresses
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class _BoundedHandler(ResponseHandler):
    """Closes a connection that receives unsolicited responses.

    aiohttp parses and queues them without limit, even while the connection is idle in the pool: one such receiver grew
    the process by 100 MiB per second.
    """

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if len(self) > _MAX_UNREAD_ANSWERS:
            self.abort()
