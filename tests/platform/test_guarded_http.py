"""The guarded client against real servers on loopback, most of them hostile.

No test contacts another machine: if a test needs a permitted address and a forbidden one, the client is allowed
127.0.0.2, and the forbidden one is 127.0.0.1.
"""

import asyncio
import gzip
import socket
import ssl
import time
import tracemalloc
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_network
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.test_utils import TestServer
from hypothesis import given
from hypothesis import strategies as st

from signoff.platform.guarded_http import (
    BlockedAddressError,
    ConnectionFailedError,
    GuardedClient,
    HttpResponse,
    InvalidHeaderError,
    InvalidUrlError,
    OutboundError,
    OutboundTimeoutError,
    ResponseTooLargeError,
    check_url,
    connections,
)
from signoff.platform.guarded_http.addresses import is_permitted
from signoff.platform.settings import LOOPBACK_NETWORKS

LOOPBACK = LOOPBACK_NETWORKS
SECOND_LOOPBACK_ADDRESS = (ip_network("127.0.0.2/32"),)

# Self-signed for receiver.test, valid until 2120.
CERTIFICATE_AND_KEY = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIZ2WgQNNFr7XDopi
48WhNuRaDheI3TOYMyo7tm4eOrihRANCAAQjehrNbz+VYkvWYogtvPFG/CXNPzuc
P0Qm3luXmF/b2hadWc5ycSy4/vuZCdmGz5nb5P8R/cm7iOrZDOH4K/I1
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBnzCCAUSgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1yZWNlaXZl
ci50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1yZWNlaXZlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEI3oa
zW8/lWJL1mKILbzxRvwlzT87nD9EJt5bl5hf29oWnVnOcnEsuP77mQnZhs+Z2+T/
Ef3Ju4jq2Qzh+CvyNaN9MHswGAYDVR0RBBEwD4INcmVjZWl2ZXIudGVzdDAPBgNV
HRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIChDAdBgNVHQ4EFgQUP3KSVj9QCDlN
HNPImzCyJ8dXR8UwHwYDVR0jBBgwFoAUP3KSVj9QCDlNHNPImzCyJ8dXR8UwCgYI
KoZIzj0EAwIDSQAwRgIhAOkkr9itvpz7iSuHjwNsPARQWIqRTDpHYqgV+m2eyOer
AiEA2VUaA6S1VcD3f4AuzwD+rEOtFwMsuea55pGqTddn5+U=
-----END CERTIFICATE-----
"""

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Listener:
    port: int
    accepted: int = 0

    def url(self, host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}/"


@asynccontextmanager
async def listening(
    handler: Handler, *, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[Listener]:
    """A server that sends exactly the bytes of the test, and counts its connections."""
    tasks: set[asyncio.Task[Any]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        listener.accepted += 1
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await handler(reader, writer)
        writer.close()

    server = await asyncio.start_server(handle, host, port, ssl=tls)
    listener = Listener(server.sockets[0].getsockname()[1])
    try:
        yield listener
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def respond_slowly(*parts: bytes, pause: float = 0.0, then: Handler | None = None) -> Handler:
    """A handler that reads a request's head and sends `parts`."""

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause)
        if then is not None:
            await then(reader, writer)

    return handler


async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def respond_ok(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await respond_slowly(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")(reader, writer)


class FakeDns(AbstractResolver):
    """Each query gets the next answer of its list, and then the last one forever."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = answers
        self.questions = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        addresses = self.answers[min(self.questions, len(self.answers) - 1)]
        self.questions += 1
        return [
            ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=0)
            for address in addresses
        ]

    async def close(self) -> None:
        pass


@pytest.fixture
async def client() -> AsyncIterator[GuardedClient]:
    async with GuardedClient(LOOPBACK) as client:
        yield client


async def post(client: GuardedClient, url: str, *, timeout: float = 5, limit: int = 10_000) -> HttpResponse:  # noqa: ASYNC109
    return await client.post(url, body=b"{}", headers={}, timeout=timeout, max_answer_bytes=limit)


async def error_of(client: GuardedClient, url: str, *, timeout: float = 5) -> str:  # noqa: ASYNC109
    with pytest.raises(OutboundError) as caught:
        await post(client, url, timeout=timeout)
    assert str(caught.value)
    return caught.value.code


@asynccontextmanager
async def serve(handler: Callable[[web.Request], Awaitable[web.Response]]) -> AsyncGenerator[str]:
    """A well-behaved server; yields its URL."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    async with TestServer(app) as server:
        yield str(server.make_url("/"))


LOOPBACK_IN_DISGUISE = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "0x7f.1",
    "0x7F000001",
    "0177.0.0.1",
    "017700000001",
    "2130706433",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "localhost",
    "LOCALHOST",
    "0",
    "0.0.0.0",  # noqa: S104
    "[::]",
    "[::1]",
    "[::1%25lo]",
    "[::1%251]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::FFFF:7F00:1]",
    "[::ffff:0.0.0.0]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b:1::127.0.0.1]",
    "[2002:7f00:1::]",
    "[2001:0:4136:e378:8000:63bf:80ff:fffe]",  # Teredo: 127.0.0.1 is its inverted end
]

FORBIDDEN_ADDRESSES = [
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::10.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::8.8.8.8",
    "2002:a00:1::",
    "2002:808:808::",
    "2001::1",
    "2001:db8::1",
    "3fff::1",
    "100::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1111%eth0",
    "fec0::1",
    "ff02::1",
]

PUBLIC_ADDRESSES = ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]

IPV4_MAPPED = int(IPv6Address("::ffff:0:0")) >> 32
NAT64 = int(IPv6Address("64:ff9b::")) >> 32


class TestAddresses:
    @pytest.mark.parametrize("host", LOOPBACK_IN_DISGUISE)
    async def test_loopback_in_any_form_is_blocked_before_connecting(self, host: str):
        async with listening(respond_ok) as listener, GuardedClient() as client:
            assert await error_of(client, listener.url(host)) == "blocked_address"
            assert listener.accepted == 0

    @pytest.mark.parametrize("address", FORBIDDEN_ADDRESSES)
    async def test_forbidden_address_is_blocked_before_connecting(self, address: str, monkeypatch: pytest.MonkeyPatch):
        connected: list[Any] = []

        async def connect_to_nothing(_: socket.socket, to: Any) -> None:
            connected.append(to)
            raise OSError

        # So that nothing leaves this machine even if the guard fails.
        monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", connect_to_nothing)
        in_url = f"[{address.replace('%', '%25')}]" if ":" in address else address
        async with GuardedClient(LOOPBACK, resolver=FakeDns([address])) as client:
            assert await error_of(client, f"http://{in_url}/") == "blocked_address"
            assert await error_of(client, "http://receiver.test/") == "blocked_address"
        assert not connected
        assert not is_permitted(address, ())

    @pytest.mark.parametrize("address", PUBLIC_ADDRESSES)
    def test_public_address_is_permitted(self, address: str):
        assert is_permitted(address, ())

    @given(st.ip_addresses())
    def test_permitted_addresses_are_global_in_the_standard_library(self, address: IPv4Address | IPv6Address):
        if is_permitted(str(address), ()) and int(address) >> 32 not in (IPV4_MAPPED, NAT64):
            assert address.is_global
            assert not address.is_multicast
            assert not address.is_reserved

    @given(st.ip_addresses(v=4), st.sampled_from([IPV4_MAPPED, NAT64]))
    def test_embedded_ipv4_addresses_are_checked(self, address: IPv4Address, prefix: int):
        ipv6_form = IPv6Address(prefix << 32 | int(address))
        assert is_permitted(str(ipv6_form), ()) == is_permitted(str(address), ())

    @pytest.mark.parametrize("text", ["", "localhost", "127.1", "1.2.3", "::1%", "8.8.8.8 ", "8.8.8.8/32"])
    def test_invalid_addresses_are_not_permitted(self, text: str):
        assert not is_permitted(text, (ip_network("0.0.0.0/0"), ip_network("::/0")))

    @pytest.mark.parametrize(
        ("network", "address"),
        [
            ("10.1.0.0/16", "10.1.2.3"),
            ("10.1.0.0/16", "::ffff:10.1.2.3"),
            ("10.1.0.0/16", "64:ff9b::10.1.2.3"),
            ("fd00::/8", "fd12::1"),
        ],
    )
    def test_allowed_network_opens_its_addresses_only(self, network: str, address: str):
        assert is_permitted(address, (ip_network(network),))
        assert not is_permitted("10.2.0.1", (ip_network(network),))
        assert not is_permitted("fc00::1", (ip_network(network),))

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
    async def test_allowed_network_is_reached(self, client: GuardedClient, host: str):
        async with listening(respond_ok) as listener:
            assert (await post(client, listener.url(host))).body == b"ok"

    async def test_blocked_address_is_only_logged(self):
        async with GuardedClient(resolver=FakeDns(["10.9.8.7"])) as client:
            with pytest.raises(BlockedAddressError) as caught:
                await post(client, "http://internal.test/")
        assert caught.value.address == "10.9.8.7"
        assert "10.9.8.7" not in str(caught.value)


class TestDns:
    @pytest.mark.parametrize(
        "answer", [["127.0.0.2", "127.0.0.1"], ["127.0.0.1", "127.0.0.2"], ["127.0.0.2", "::1"], ["not an address"]]
    )
    async def test_one_forbidden_address_blocks_the_host(self, answer: list[str]):
        async with (
            listening(respond_ok) as forbidden,
            listening(respond_ok, host="127.0.0.2", port=forbidden.port) as permitted,
            GuardedClient(SECOND_LOOPBACK_ADDRESS, resolver=FakeDns(answer)) as client,
        ):
            assert await error_of(client, forbidden.url("mixed.test")) == "blocked_address"
            assert forbidden.accepted == permitted.accepted == 0

    async def test_rebinding_never_reaches_the_forbidden_address(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(connections, "_DNS_CACHE_SECONDS", 0)
        dns = FakeDns(["127.0.0.2"], ["127.0.0.1"])
        async with (
            listening(respond_ok) as forbidden,
            listening(respond_ok, host="127.0.0.2", port=forbidden.port) as permitted,
            GuardedClient(SECOND_LOOPBACK_ADDRESS, resolver=dns) as client,
        ):
            assert (await post(client, forbidden.url("rebinding.test"))).body == b"ok"
            assert dns.questions == 1
            assert await error_of(client, forbidden.url("rebinding.test")) == "blocked_address"
            assert dns.questions == 2
            assert (forbidden.accepted, permitted.accepted) == (0, 1)

    async def test_resolved_address_is_cached_for_some_seconds(self):
        dns = FakeDns(["127.0.0.1"])
        async with listening(respond_ok) as listener, GuardedClient(LOOPBACK, resolver=dns) as client:
            for _ in range(3):
                await post(client, listener.url("receiver.test"))
            assert (listener.accepted, dns.questions) == (3, 1)

    async def test_cached_address_is_checked_again(self):
        async with listening(respond_ok) as listener, GuardedClient(resolver=FakeDns(["127.0.0.1"])) as client:
            # As if resolved addresses weren't checked.
            connector: Any = client._session.connector  # pyright: ignore[reportPrivateUsage]
            connector._resolver = FakeDns(["127.0.0.1"])
            assert await error_of(client, listener.url("receiver.test")) == "blocked_address"
            assert listener.accepted == 0

    async def test_host_without_address(self):
        async with GuardedClient(resolver=FakeDns([])) as client:
            assert await error_of(client, "http://empty.test/") == "dns_failed"

    async def test_unknown_host(self):
        class Unknown(FakeDns):
            async def resolve(self, *_: Any, **__: Any) -> list[ResolveResult]:
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        async with GuardedClient(resolver=Unknown()) as client:
            assert await error_of(client, "http://unknown.test/") == "dns_failed"

    async def test_unresponsive_name_server(self):
        class Silent(FakeDns):
            async def resolve(self, *_: Any, **__: Any) -> list[ResolveResult]:
                await asyncio.sleep(60)
                return []

        async with GuardedClient(resolver=Silent()) as client:
            assert await error_of(client, "http://silent.test/", timeout=0.2) == "timeout"


class TestRequest:
    async def test_response(self, client: GuardedClient):
        async def handle(request: web.Request) -> web.Response:
            assert request.method == "POST"
            assert await request.read() == b'{"a":1}'
            assert request.headers["webhook-id"] == "dlv_1"
            assert request.headers["Accept-Encoding"] == "identity"
            return web.Response(status=202, reason="Taken", body=b"thanks", headers={"Retry-After": "7"})

        async with serve(handle) as url:
            answer = await client.post(
                url, body=b'{"a":1}', headers={"webhook-id": "dlv_1"}, timeout=5, max_answer_bytes=100
            )
        assert (answer.status, answer.reason, answer.body, answer.truncated) == (202, "Taken", b"thanks", False)
        assert answer.headers["retry-after"] == "7"

    async def test_get_without_body(self, client: GuardedClient):
        async def handle(request: web.Request) -> web.Response:
            return web.Response(body=request.method.encode() + await request.read())

        async with serve(handle) as url:
            answer = await client.request("GET", url, timeout=5, max_answer_bytes=100)
        assert answer.body == b"GET"

    async def test_connection_is_reused(self, client: GuardedClient):
        transports: set[Any] = set()

        async def handle(request: web.Request) -> web.Response:
            transports.add(request.transport)
            return web.Response(body=b"ok")

        async with serve(handle) as url:
            for _ in range(5):
                assert (await post(client, url)).body == b"ok"
        assert len(transports) == 1

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    async def test_redirect_is_not_followed(self, client: GuardedClient, status: int):
        paths: list[str] = []

        async def handle(request: web.Request) -> web.Response:
            paths.append(request.path)
            return web.Response(status=status, headers={"Location": "/elsewhere"})

        async with serve(handle) as url:
            answer = await post(client, url)
        assert (answer.status, answer.headers["Location"], paths) == (status, "/elsewhere", ["/"])

    async def test_cookies_are_not_kept(self):
        async def handle(request: web.Request) -> web.Response:
            return web.Response(text=request.headers.get("Cookie", "none"), headers={"Set-Cookie": "a=b"})

        async with serve(handle) as url, GuardedClient(LOOPBACK, resolver=FakeDns(["127.0.0.1"])) as client:
            for _ in range(2):
                assert (await post(client, url.replace("127.0.0.1", "receiver.test"))).body == b"none"

    async def test_proxy_of_the_environment_is_not_used(self, monkeypatch: pytest.MonkeyPatch):
        async with listening(respond_ok) as proxy, listening(respond_ok) as listener:
            for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy.url())
            async with GuardedClient(LOOPBACK) as client:
                await post(client, listener.url())
            assert (proxy.accepted, listener.accepted) == (0, 1)

    async def test_valid_url_is_sent_unchanged(self, client: GuardedClient):
        async def handle(request: web.Request) -> web.Response:
            return web.Response(text=request.raw_path)

        async with serve(handle) as url:
            assert (await post(client, f"{url}a%2Fb%2c/../c?s=%7e%2B+")).body == b"/a%2Fb%2c/../c?s=%7e%2B+"
            assert (await post(client, f"{url}caf\N{LATIN SMALL LETTER E WITH ACUTE}")).body == b"/caf%C3%A9"

    @pytest.mark.parametrize(
        "headers",
        [
            {"X-Name": "a\r\nInjected: b"},
            {"X-Name": "a\nb"},
            {"X-Name": "a\rb"},
            {"X-Name": "a\0b"},
            {"X-Name": "a\ud800"},
            {"X-Name\r\nInjected": "a"},
            {"X-Name: a": "b"},
            {"": "a"},
        ],
    )
    async def test_header_injection_is_refused(self, client: GuardedClient, headers: dict[str, str]):
        async with listening(respond_ok) as listener:
            with pytest.raises(InvalidHeaderError) as caught:
                await client.post(listener.url(), body=b"", headers=headers, timeout=5, max_answer_bytes=9)
            assert caught.value.code == "invalid_header"
            assert listener.accepted == 0


class TestFailure:
    async def test_refused_connection(self, client: GuardedClient):
        async with listening(respond_ok) as listener:
            pass
        assert await error_of(client, listener.url()) == "connection_refused"
        assert await error_of(client, listener.url("localhost")) == "connection_refused"

    async def test_connection_closed_without_a_response(self, client: GuardedClient):
        async with listening(respond_slowly()) as listener:
            assert await error_of(client, listener.url()) == "connection_failed"

    async def test_connection_that_is_not_accepted(self, client: GuardedClient):
        with socket.socket() as full, socket.socket() as first, socket.socket() as second:
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            for waiting in (first, second):
                waiting.setblocking(False)
                waiting.connect_ex(full.getsockname())
            started = time.monotonic()
            url = f"http://127.0.0.1:{full.getsockname()[1]}/"
            assert await error_of(client, url, timeout=1) == "timeout"
            assert time.monotonic() - started < 5

    async def test_tls_handshake_that_never_ends(self):
        async with listening(hang) as listener, GuardedClient(LOOPBACK, connect_timeout=0.2) as client:
            assert await error_of(client, listener.url(scheme="https")) == "timeout"

    @pytest.mark.parametrize("parts", [(), (b"HTTP/1.1 200 OK\r\nX-Slow: ", *[b"a"] * 100)])
    async def test_headers_that_do_not_come_in_time(self, client: GuardedClient, parts: tuple[bytes, ...]):
        async with listening(respond_slowly(*parts, pause=0.05, then=hang)) as listener:
            started = time.monotonic()
            assert await error_of(client, listener.url(), timeout=1) == "timeout"
            assert time.monotonic() - started < 5

    @pytest.mark.parametrize(
        "answer",
        [
            b"SSH-2.0-OpenSSH_9.6\r\n",
            b"HTTP/1.1 banana\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 20_000 + b"\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n" + b"X-Many: a\r\n" * 1000 + b"\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        ],
    )
    async def test_what_is_not_http(self, client: GuardedClient, answer: bytes):
        async with listening(respond_slowly(answer, then=hang)) as listener:
            assert await error_of(client, listener.url()) == "protocol_error"

    @pytest.mark.parametrize(
        ("host", "is_trusted", "failure"),
        [("receiver.test", True, None), ("receiver.test", False, "tls_failed"), ("other.test", True, "tls_failed")],
    )
    async def test_certificate(self, tmp_path: Path, host: str, is_trusted: bool, failure: str | None):
        certificate = tmp_path / "certificate.pem"
        certificate.write_text(CERTIFICATE_AND_KEY)
        server_side = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        server_side.load_cert_chain(certificate)
        client_side = ssl.create_default_context(cafile=certificate) if is_trusted else None
        async with (
            listening(respond_ok, tls=server_side) as listener,
            GuardedClient(LOOPBACK, resolver=FakeDns(["127.0.0.1"]), tls=client_side) as client,
        ):
            url = listener.url(host, scheme="https")
            if failure is None:
                assert (await post(client, url)).body == b"ok"
            else:
                assert await error_of(client, url) == failure

    async def test_plain_http_behind_https(self, client: GuardedClient):
        async def talk_http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            await hang(reader, writer)

        async with listening(talk_http) as listener:
            assert await error_of(client, listener.url(scheme="https")) == "tls_failed"


class TestBounds:
    @pytest.mark.parametrize(("size", "is_cut"), [(0, False), (99, False), (100, False), (101, True), (100_000, True)])
    @pytest.mark.parametrize("is_chunked", [False, True])
    async def test_body_is_truncated_at_the_limit(
        self, client: GuardedClient, size: int, is_cut: bool, is_chunked: bool
    ):
        async def handle(request: web.Request) -> web.Response:
            response = web.Response(body=b"x" * size)
            if is_chunked:
                response.enable_chunked_encoding()
            return response

        async with serve(handle) as url:
            answer = await post(client, url, limit=100)
        assert answer.body == b"x" * min(size, 100)
        assert answer.truncated is is_cut

    async def test_endless_response_is_truncated_and_its_connection_closed(self, client: GuardedClient):
        sent = 0
        is_closed = asyncio.Event()

        async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal sent
            piece = b"x" * 65_536
            try:
                while True:
                    writer.write(piece)
                    await writer.drain()
                    sent += len(piece)
            except ConnectionError:
                is_closed.set()

        async with listening(respond_slowly(b"HTTP/1.1 200 OK\r\n\r\n", then=flood)) as listener:
            tracemalloc.start()
            try:
                answer = await post(client, listener.url(), limit=100_000)
                await asyncio.wait_for(is_closed.wait(), 30)
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
        assert (answer.status, len(answer.body), answer.truncated) == (200, 100_000, True)
        assert sent < 20_000_000  # the capacity of the two sockets' buffers
        assert peak < 4_000_000

    async def test_slow_body_still_counts_as_a_response(self, client: GuardedClient):
        head = b"HTTP/1.1 200 OK\r\n\r\n"
        async with listening(respond_slowly(head, *[b"a"] * 2_000, pause=0.05)) as listener:
            started = time.monotonic()
            answer = await post(client, listener.url(), timeout=2)
            assert time.monotonic() - started < 10
        assert (answer.status, answer.truncated) == (200, True)
        assert 1 <= len(answer.body) <= 50

    @pytest.mark.parametrize(
        "parts",
        [
            (b"Content-Length: 10\r\n\r\n12345",),
            (b"Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",),
            (b"Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n", b"not a chunk"),
        ],
    )
    async def test_interrupted_body_still_counts_as_a_response(self, client: GuardedClient, parts: tuple[bytes, ...]):
        async with listening(respond_slowly(b"HTTP/1.1 200 OK\r\n", *parts, pause=0.1)) as listener:
            answer = await post(client, listener.url(), timeout=1)
        assert (answer.status, answer.body, answer.truncated) == (200, b"12345", True)

    async def test_compressed_response_is_not_decompressed(self, client: GuardedClient):
        bomb = gzip.compress(bytes(10_000_000))

        async def handle(request: web.Request) -> web.Response:
            return web.Response(body=bomb, headers={"Content-Encoding": "gzip"})

        async with serve(handle) as url:
            answer = await post(client, url, limit=len(bomb))
        assert (answer.body, answer.truncated) == (bomb, False)

    async def test_response_before_the_request_was_read(self, client: GuardedClient):
        answer_at_once = respond_slowly(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", then=hang)
        async with listening(answer_at_once) as listener:
            answer = await client.post(
                listener.url(), body=bytes(1_000_000) * 20, headers={}, timeout=5, max_answer_bytes=9
            )
            assert answer.status == 413
            assert (await post(client, listener.url())).status == 413
            assert listener.accepted == 2

    async def test_connection_of_a_truncated_response_is_not_reused(self, client: GuardedClient):
        async with listening(
            respond_slowly(b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n" + b"x" * 150, then=hang)
        ) as listener:
            for _ in range(2):
                assert (await post(client, listener.url(), limit=100)).truncated
            assert listener.accepted == 2

    async def test_protocol_switch_counts_as_a_response(self, client: GuardedClient):
        switch = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nxx"
        async with listening(respond_slowly(switch, then=hang)) as listener:
            for _ in range(2):
                assert (await post(client, listener.url())).status == 101
            assert listener.accepted == 2

    @pytest.mark.parametrize("first", [b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b""])
    @pytest.mark.parametrize(
        "unasked", [b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"]
    )
    async def test_unsolicited_responses_close_the_connection(
        self, first: bytes, unasked: bytes, monkeypatch: pytest.MonkeyPatch
    ):
        # The pool must not be what closes it.
        monkeypatch.setattr("signoff.platform.guarded_http.connections._KEEP_ALIVE_SECONDS", 600)
        is_closed = asyncio.Event()

        async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                while True:
                    writer.write(unasked * 200)
                    await writer.drain()
            except ConnectionError:
                is_closed.set()

        async with (
            listening(respond_slowly(first, pause=0.1, then=flood)) as listener,
            GuardedClient(LOOPBACK) as client,
        ):
            with suppress(OutboundError):
                await post(client, listener.url())
            await asyncio.wait_for(is_closed.wait(), 30)

    async def test_reason_phrase_can_be_stored_and_shown(self, client: GuardedClient):
        async with listening(respond_slowly(b"HTTP/1.1 200 \xff\xfe\tfine\r\nContent-Length: 0\r\n\r\n")) as listener:
            answer = await post(client, listener.url())
        assert answer.reason.endswith("fine")
        assert answer.reason.isprintable()
        answer.reason.encode()

    async def test_cancelled_request_frees_its_connection(self):
        async with listening(hang) as listener, GuardedClient(LOOPBACK, limit=1) as client:
            for number in range(1, 4):
                request = asyncio.create_task(post(client, listener.url(), timeout=60))
                async with asyncio.timeout(30):
                    while listener.accepted < number:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
                request.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await request


class TestStream:
    async def read(self, client: GuardedClient, url: str, *, timeout: float = 5) -> bytes:  # noqa: ASYNC109
        async with client.stream("GET", url, timeout=timeout, max_answer_bytes=1_000_000) as answer:
            assert answer.status == 200
            return b"".join([chunk async for chunk in answer.chunks()])

    async def test_complete_response(self, client: GuardedClient):
        async def handle(request: web.Request) -> web.Response:
            return web.Response(body=b"x" * 1_000_000)

        async with serve(handle) as url:
            for _ in range(2):
                assert await self.read(client, url) == b"x" * 1_000_000

    async def test_too_large_response(self, client: GuardedClient):
        async def handle(request: web.Request) -> web.Response:
            return web.Response(body=b"x" * 1_000_001)

        async with serve(handle) as url:
            with pytest.raises(ResponseTooLargeError):
                await self.read(client, url)

    async def test_interrupted_response(self, client: GuardedClient):
        async with listening(respond_slowly(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")) as listener:
            with pytest.raises(ConnectionFailedError):
                await self.read(client, listener.url())

    async def test_slow_response(self, client: GuardedClient):
        async with listening(respond_slowly(b"HTTP/1.1 200 OK\r\n\r\n", *[b"a"] * 200, pause=0.05)) as listener:
            with pytest.raises(OutboundTimeoutError):
                await self.read(client, listener.url(), timeout=0.3)

    async def test_unread_response_frees_its_connection(self):
        async with listening(respond_slowly(b"HTTP/1.1 200 OK\r\n\r\nx", then=hang)) as listener:
            async with GuardedClient(LOOPBACK, limit=1) as client:
                for _ in range(2):
                    async with client.stream("GET", listener.url(), timeout=5, max_answer_bytes=9) as answer:
                        assert answer.status == 200
            assert listener.accepted == 2

    async def test_forbidden_address(self):
        async with listening(respond_ok) as listener, GuardedClient() as client:
            with pytest.raises(BlockedAddressError):
                await self.read(client, listener.url())
            assert listener.accepted == 0


class TestUrl:
    @pytest.mark.parametrize(
        "url",
        [
            "http://example.com",
            "HTTPS://Example.COM:8443/a/b?c=d&e=%20#f",
            "http://localhost:3000/hook",
            "http://127.0.0.1/",
            "http://[::1]:8080/",
            "http://my_service.internal./",
            "https://b\N{LATIN SMALL LETTER U WITH DIAERESIS}cher.example/\N{LATIN SMALL LETTER E WITH ACUTE}",
            "https://example.com/?next=http://user@other.example/",
            "https://example.com/" + "a" * 2028,
        ],
    )
    def test_valid_url_is_returned_unchanged(self, url: str):
        assert check_url(url) == url

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "example.com",
            "//example.com/",
            "/hook",
            "ftp://example.com/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "unix:///var/run/docker.sock",
            "http:example.com",
            "http:/example.com",
            "http://",
            "http:///hook",
            "http://?a",
            "http://:80/",
            "http://.",
            "http://a..b/",
            "http://" + "a" * 64 + ".example/",
            "http://" + "a." * 127 + "example/",
            "http://user@example.com/",
            "http://user:password@example.com/",
            "http://:password@example.com/",
            "http://@example.com/",
            "http://good.example\\@bad.example/",
            "http://good.example\\.bad.example/",
            "http://a%2eb/",
            "http://example.com%00/",
            "http://exa mple.com/",
            " http://example.com/",
            "http://example.com/ ",
            "http://example.com/a b",
            "http://example.com/\t",
            "http://example.com/\r\nX: y",
            "http://example.com/\0",
            "http://example.com/\x7f",
            "http://example.com/\N{NO-BREAK SPACE}",
            "http://example.com/\N{LINE SEPARATOR}",
            "http://example.com/\ud800",
            "http://example.com:99999/",
            "http://example.com:-1/",
            "http://example.com:port/",
            "http://[::1/",
            "http://::1/",
            "http://[::1]a/",
            "http://[127.0.0.1]/",
            "http://[example.com]/",
            "https://example.com/" + "a" * 8173,
        ],
    )
    async def test_invalid_url_is_refused(self, client: GuardedClient, url: str):
        with pytest.raises(InvalidUrlError) as caught:
            check_url(url)
        assert isinstance(caught.value, ValueError)
        assert await error_of(client, url) == "invalid_url"

    def test_stored_url_limit_is_below_the_request_limit(self):
        """External media URLs can contain a whole token; webhook URLs don't need one."""
        with pytest.raises(InvalidUrlError):
            check_url("https://example.com/" + "a" * 2029)
