"""Requests to URLs that users enter: every webhook call and every media fetch.

- An address is checked when the connection is made, and the connection goes to exactly the address that was checked.
  Names are resolved once for this, so DNS that changes its answer in between (rebinding) doesn't help an attacker.
- A host that resolves to several addresses is refused if any one of them is forbidden. A public service has no reason
  to mix them, a rebinding attack does, and which one would be used is left to chance.
- Every response is limited in time and size. Redirects aren't followed, cookies aren't stored, proxies from the
  environment aren't used, and compressed bodies are neither requested nor decompressed.
"""

# ruff: noqa: ASYNC109 - a caller's own timeout could neither keep a late response nor cover a stream's body.

import math
import re
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from ssl import SSLContext
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp.abc import AbstractResolver
from multidict import CIMultiDictProxy

from signoff.platform.guarded_http.addresses import Network
from signoff.platform.guarded_http.connections import (
    ForbiddenAddressError,
    GuardedConnector,
    SystemResolver,
)
from signoff.platform.guarded_http.errors import (
    BlockedAddressError,
    ConnectionFailedError,
    ConnectionRefusedByPeer,
    DnsFailedError,
    InvalidHeaderError,
    InvalidUrlError,
    OutboundError,
    OutboundTimeoutError,
    ProtocolError,
    ResponseTooLargeError,
    TlsFailedError,
)
from signoff.platform.guarded_http.urls import target_of
from signoff.platform.messages import ByteSize, msg

_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_NO_HEADERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class HttpResponse:
    status: int
    reason: str
    headers: CIMultiDictProxy[str]
    body: bytes
    truncated: bool
    """The body is incomplete: it was too large, too slow, or the connection broke."""


class HttpResponseStream:
    """A response whose body is read in chunks."""

    def __init__(self, response: aiohttp.ClientResponse, max_answer_bytes: int) -> None:
        self.status = response.status
        self.reason = _printable(response.reason)
        self.headers = response.headers
        self._content = response.content
        self._max_answer_bytes = max_answer_bytes

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the body in chunks. Raises an `OutboundError` if it's too large, too slow, or incomplete."""
        received = 0
        while chunk := await self._next_chunk():
            received += len(chunk)
            if received > self._max_answer_bytes:
                raise ResponseTooLargeError(
                    msg("The response is larger than {limit}.", limit=ByteSize(self._max_answer_bytes))
                )
            yield chunk

    async def _next_chunk(self) -> bytes:
        try:
            return await self._content.readany()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise _translate(error) from error


class GuardedClient:
    """The guarded HTTP client: one per process, created inside its event loop.

    `limit` is the maximum number of connections in use at once. Waiting for a free one counts towards a request's time
    limit, so it should not be below the number of requests the caller runs at once. `connect_timeout` limits the
    connection to one address, including the TLS handshake.
    """

    def __init__(
        self,
        allowed_networks: Collection[Network] = (),
        *,
        resolver: AbstractResolver | None = None,
        limit: int = 1000,
        connect_timeout: float = 10.0,
        tls: SSLContext | None = None,
    ) -> None:
        self._connect_timeout = connect_timeout
        self._resolver = resolver or SystemResolver()
        self._session = aiohttp.ClientSession(
            connector=GuardedConnector(tuple(allowed_networks), self._resolver, limit=limit, tls=tls),
            headers={"Accept-Encoding": "identity", "User-Agent": "Signoff"},
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._session.close()
        await self._resolver.close()

    async def post(
        self, url: str, *, body: bytes, headers: Mapping[str, str], timeout: float, max_answer_bytes: int
    ) -> HttpResponse:
        return await self.request(
            "POST", url, body=body, headers=headers, timeout=timeout, max_answer_bytes=max_answer_bytes
        )

    async def request(
        self,
        method: str,
        url: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
        timeout: float,
        max_answer_bytes: int,
    ) -> HttpResponse:
        """Send one request and return the response, or raise an `OutboundError`.

        The response counts as soon as the status and headers have arrived, whatever happens to its body: a receiver
        that returned 200 in time has the event. A body that is too large, incomplete at the time limit, or cut off is
        returned as far as it arrived, and marked as truncated.
        """
        response = await self._send(method, url, body, headers, timeout)
        try:
            content, truncated = await _read(response.content, max_answer_bytes)
        finally:
            _release(response)
        return HttpResponse(response.status, _printable(response.reason), response.headers, content, truncated)

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        url: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
        timeout: float,
        max_answer_bytes: int,
    ) -> AsyncGenerator[HttpResponseStream]:
        """Send one request and stream the response. The time limit includes the whole body."""
        response = await self._send(method, url, body, headers, timeout)
        try:
            yield HttpResponseStream(response, max_answer_bytes)
        finally:
            _release(response)

    async def _send(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], timeout: float
    ) -> aiohttp.ClientResponse:
        target = target_of(url)
        for name, value in headers.items():
            if not (_HEADER_NAME.fullmatch(name) and value.isprintable()):
                raise InvalidHeaderError(msg("A header contains a line break or another invalid character."))
        try:
            return await self._session.request(
                method,
                target,
                data=body,
                headers=headers,
                timeout=_time_limits(timeout, self._connect_timeout),
                allow_redirects=False,
            )
        except (aiohttp.ClientError, TimeoutError) as error:
            raise _translate(error) from error


@lru_cache(maxsize=64)
def _time_limits(total: float, connect: float) -> aiohttp.ClientTimeout:
    # aiohttp rounds timeouts above `ceil_threshold` up to whole seconds; ours must be exact.
    return aiohttp.ClientTimeout(total=total, sock_connect=connect, ceil_threshold=math.inf)


async def _read(content: aiohttp.StreamReader, max_bytes: int) -> tuple[bytes, bool]:
    """Return the body up to `max_bytes`, and whether it was truncated."""
    received = bytearray()
    whole = False
    try:
        while not whole and len(received) <= max_bytes:
            received += await content.read(max_bytes + 1 - len(received))
            whole = content.at_eof()
    except (aiohttp.ClientError, TimeoutError):
        return bytes(received), True
    return bytes(received[:max_bytes]), not whole or len(received) > max_bytes


def _release(response: aiohttp.ClientResponse) -> None:
    """Close the connection, unless the response was read completely and the connection is back in the pool."""
    if response.connection is not None:
        response.close()


def _printable(reason: str | None) -> str:
    """Make a reason phrase, which may contain any bytes, safe to store and show."""
    reason = reason or ""
    if reason.isascii() and reason.isprintable():
        return reason
    return "".join(character if character.isprintable() else "?" for character in reason)


def _translate(error: aiohttp.ClientError | TimeoutError) -> OutboundError:
    match error:
        case aiohttp.ClientSSLError():
            cause = error.__cause__
            detail = getattr(cause, "verify_message", None) or getattr(cause, "reason", "handshake failure")
            return TlsFailedError(msg("TLS connection failed: {detail}.", detail=detail))
        case aiohttp.ClientConnectorError(os_error=ForbiddenAddressError() as forbidden):
            return BlockedAddressError(
                msg(
                    "The host resolves to a private or reserved IP address. "
                    "Add its network to SIGNOFF_ALLOWED_NETWORKS to allow it."
                ),
                address=forbidden.address,
            )
        case aiohttp.ClientConnectorDNSError():
            return DnsFailedError(msg("Couldn't resolve the hostname."))
        case aiohttp.ClientConnectorError(os_error=ConnectionRefusedError()):
            return ConnectionRefusedByPeer(msg("Connection refused."))
        case aiohttp.ConnectionTimeoutError():
            return OutboundTimeoutError(msg("Timed out connecting to the host."))
        case TimeoutError():
            return OutboundTimeoutError(msg("Timed out waiting for a response."))
        case aiohttp.InvalidURL():
            return InvalidUrlError(msg("The URL isn't valid."))
        case aiohttp.ClientConnectionError():
            return ConnectionFailedError(msg("Connection failed."))
        case aiohttp.ClientPayloadError():
            return ConnectionFailedError(msg("The connection closed before the full response arrived."))
        case _:
            return ProtocolError(msg("The response isn't valid HTTP."))
