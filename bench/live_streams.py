"""Open streams of live updates while reviews arrive: how long until every stream has every review.

It runs as a separate process, `python -m bench.live_streams`, with a plan as a line of JSON on standard input. When all
streams are open, it prints a line and waits for one. It then prints the result as JSON. Reviews arrive at a fixed rate,
whatever the service does, and times run from when each was due.
"""

import asyncio
import json
import re
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

import uvloop

from bench.load import ResponseReader, Step, build_request, percentiles, processor_seconds

SENDERS = 16
OPENED_AT_ONCE = 50
START_TIMEOUT, END_TIMEOUT = 120.0, 60.0
SAMPLE = 50
"""Every so many streams, one is read in full. The others only count."""

HELLO, MESSAGE, RESET = b"\nevent: hello\n", b"\nevent: review\n", b"\nevent: reset\n"
REVIEW_ID = re.compile(rb'\ndata: \{"reviewId":"(\w+)"')


@dataclass(frozen=True, slots=True)
class StreamPlan:
    url: str
    create: Step
    per_second: float
    seconds: float
    streams: int
    cookies: Sequence[str]


@dataclass(frozen=True, slots=True)
class StreamResult:
    done: int
    """Reviews that were created."""
    seconds: float
    """Until all streams have all reviews."""
    p50: float
    p99: float
    """Of the time from when a review was due until a stream had it."""
    messages: int
    missing: int
    """Messages that didn't arrive, because the stream was reset, was closed, or is too far behind."""
    processor_seconds: float


def run_streams(plan: StreamPlan, when_open: Callable[[], None]) -> StreamResult:
    """Call `when_open` once all streams are open, before the first review arrives."""
    command = [sys.executable, "-m", "bench.live_streams"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(asdict(plan)) + "\n")
        if not process.stdout.readline():
            raise RuntimeError("the service did not open all streams")
        when_open()
        process.stdin.write("\n")
        result = process.stdout.read()
    if not result:
        raise RuntimeError("the reviews could not be created")
    return StreamResult(**json.loads(result))


class MessageCounter:
    """Counts the messages in a stream that arrives in arbitrary pieces."""

    def __init__(self) -> None:
        self.count = 0
        self.is_open = self.was_reset = False
        self._tail = b""

    def feed(self, data: bytes) -> None:
        # What could be the start of a message's first line is counted with the next piece.
        piece = self._tail + data
        self.count += piece.count(MESSAGE)
        self.is_open = self.is_open or HELLO in piece
        self.was_reset = self.was_reset or RESET in piece
        self._tail = piece[-(len(MESSAGE) - 1) :]


class Stream(asyncio.Protocol):
    def __init__(self, request: bytes, arrivals: dict[str, list[float]] | None) -> None:
        self.counter = MessageCounter()
        self.is_closed = False
        self._request, self._arrivals = request, arrivals
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(self._request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self.counter.feed(data)
        if self._arrivals is not None:
            at = time.perf_counter()
            self._buffer += data
            complete, _, self._buffer = self._buffer.rpartition(b"\n\n")
            for review_id in REVIEW_ID.findall(complete):
                self._arrivals[review_id.decode()].append(at)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_closed = True


async def follow_streams(plan: StreamPlan) -> StreamResult:
    arrivals = defaultdict[str, list[float]](list)
    streams = await _open_streams(plan, arrivals)
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    used_before = processor_seconds()
    due_at = dict[str, float]()
    began = time.perf_counter()
    await asyncio.gather(*(_create_reviews(plan, number, began, due_at) for number in range(SENDERS)))
    until = time.perf_counter() + END_TIMEOUT
    waiting = streams
    while waiting and time.perf_counter() < until:
        await asyncio.sleep(0.02)
        waiting = [
            each
            for each in waiting
            if each.counter.count < len(due_at) and not each.counter.was_reset and not each.is_closed
        ]
    seconds = time.perf_counter() - began
    times = [at - due for review_id, due in due_at.items() for at in arrivals[review_id]]
    p50, p99 = percentiles(times)
    for stream in streams:
        stream.transport.abort()  # type: ignore[attr-defined]
    return StreamResult(
        done=len(due_at),
        seconds=seconds,
        p50=p50,
        p99=p99,
        messages=sum(stream.counter.count for stream in streams),
        missing=sum(max(0, len(due_at) - stream.counter.count) for stream in streams),
        processor_seconds=processor_seconds() - used_before,
    )


async def _open_streams(plan: StreamPlan, arrivals: dict[str, list[float]]) -> list[Stream]:
    loop, parts, cookies = asyncio.get_running_loop(), urlsplit(plan.url), cycle(plan.cookies)
    streams = list[Stream]()
    until = time.perf_counter() + START_TIMEOUT
    for number in range(plan.streams):
        head, rest = build_request(plan.url, Step("/api/v1/live"), next(cookies))
        stream = Stream(head + rest, arrivals if number % SAMPLE == 0 else None)
        await loop.create_connection(lambda made=stream: made, parts.hostname, parts.port)
        streams.append(stream)
        while (number + 1) % OPENED_AT_ONCE == 0 or number + 1 == plan.streams:
            if all(each.counter.is_open for each in streams):
                break
            if time.perf_counter() > until or any(each.is_closed for each in streams):
                raise RuntimeError("the service did not open all streams")
            await asyncio.sleep(0.01)
    return streams


async def _create_reviews(plan: StreamPlan, number: int, began: float, due_at: dict[str, float]) -> None:
    """Send every `SENDERS`th request at its time, or as soon as the one before it has its response."""
    parts = urlsplit(plan.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    request, response = b"".join(build_request(plan.url, plan.create, None)), ResponseReader()
    for index in range(number, round(plan.per_second * plan.seconds), SENDERS):
        due = began + index / plan.per_second
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        writer.write(request)
        received = None
        while received is None:
            if not (data := await reader.read(65_536)):
                raise RuntimeError("connection lost")
            received = response.feed(data)
        succeeded, body = received
        if not succeeded:
            raise RuntimeError(body.decode("latin-1"))
        due_at[json.loads(body)["reviewId"]] = due
    writer.close()


def main() -> None:
    values: dict[str, Any] = json.loads(sys.stdin.readline())
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    create = Step(**values.pop("create"))
    plan = StreamPlan(create=create, **values)
    print(json.dumps(asdict(uvloop.run(follow_streams(plan)))))


if __name__ == "__main__":
    main()
