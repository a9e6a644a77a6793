"""The load generator against a small server, and the parts that count messages."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from bench.live_streams import MessageCounter
from bench.load import Plan, ResponseReader, Step, build_request, generate_load, percentiles

MESSAGE = b'id: 7\nevent: review\ndata: {"reviewId":"rev_1"}\n\n'


@asynccontextmanager
async def serve(requests: list[str], status: int = 201) -> AsyncGenerator[str]:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = int(head.partition(b"content-length: ")[2].split(b"\r\n")[0])
            await reader.readexactly(length)
            requests.append(head.decode().splitlines()[0])
            body = json.dumps({"reviewId": f"rev_{len(requests)}", "webhookDeliveryId": f"whd_{len(requests)}"})
            writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())

    async with await asyncio.start_server(respond, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


class TestResponseReader:
    @pytest.mark.parametrize("size", [1, 7, 1_000])
    def test_puts_pieces_together(self, size: int) -> None:
        reader, response = ResponseReader(), b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        for _ in range(2):
            *others, last = [reader.feed(response[at : at + size]) for at in range(0, len(response), size)]
            assert set(others) <= {None}
            assert last == (True, b"hello")

    def test_error(self) -> None:
        assert ResponseReader().feed(b"HTTP/1.1 409 Conflict\r\ncontent-length: 2\r\n\r\n{}") == (False, b"{}")


class TestRequests:
    def test_subject_is_in_the_path(self) -> None:
        head, rest = build_request("http://host:1", Step("/reviews/{}/response", "é", key="key"), "cookie")
        assert head == b"POST /reviews/"
        assert rest.startswith(b"/response HTTP/1.1\r\nhost: host:1\r\ncontent-length: 2\r\n")
        assert rest.endswith(b"\r\nx-api-key: key\r\n\r\n\xc3\xa9")

    def test_cookie_without_a_key(self) -> None:
        head, rest = build_request("http://host:1", Step("/live"), "a=b")
        assert head == b"GET /live HTTP/1.1\r\nhost: host:1\r\ncontent-length: 0\r\ncookie: a=b"
        assert rest == b"\r\n\r\n"


class TestLoad:
    async def test_next_step_uses_the_response(self) -> None:
        requests = list[str]()
        async with serve(requests) as url:
            steps = [Step("/create", "{}", subject_from="reviewId"), Step("/decide/{}", mark_from="webhookDeliveryId")]
            result = await generate_load(Plan(url, steps, 1, 60.0, subjects=["a", "b"]))
        assert requests == [
            "POST /create HTTP/1.1",
            "GET /decide/rev_1 HTTP/1.1",
            "POST /create HTTP/1.1",
            "GET /decide/rev_3 HTTP/1.1",
        ]
        assert (result.done, result.failed, result.marks.keys()) == (2, 0, {"whd_2", "whd_4"})
        assert 0 < result.step_p50[0] < result.p50

    async def test_ends_when_no_subject_is_left(self) -> None:
        requests = list[str]()
        async with serve(requests) as url:
            result = await generate_load(Plan(url, [Step("/{}")], 3, 60.0, subjects=[f"id{n}" for n in range(10)]))
        assert result.done == 10
        assert sorted(requests) == sorted(f"GET /id{n} HTTP/1.1" for n in range(10))

    async def test_failed_request(self) -> None:
        async with serve([], status=500) as url:
            result = await generate_load(Plan(url, [Step("/")], 2, 60.0))
        assert (result.done, result.failed) == (0, 2)
        assert result.example is not None
        assert "reviewId" in result.example


@pytest.mark.parametrize("size", [1, 3, 16, 1_000])
def test_messages_in_pieces(size: int) -> None:
    counter, stream = MessageCounter(), b"id: 6\nevent: hello\ndata: {}\n\n" + 5 * MESSAGE + b": still here\nid: 8\n\n"
    for at in range(0, len(stream), size):
        counter.feed(stream[at : at + size])
    assert (counter.count, counter.is_open, counter.was_reset) == (5, True, False)


def test_percentiles() -> None:
    assert percentiles([]) == (0.0, 0.0)
    assert percentiles([3.0]) == (3.0, 3.0)
    assert percentiles([float(n) for n in range(101)]) == (50.0, 99.0)
