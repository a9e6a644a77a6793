"""A cheap load generator: each connection sends a request, reads the whole response, and sends the next.

It runs as a separate process, `python -m bench.load`, with a plan as JSON on standard input, and prints the result as
JSON. Its processor time can then be told apart from that of the service.
"""

import asyncio
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

import orjson
import uvloop

MAX_EXAMPLE = 300


@dataclass(frozen=True, slots=True)
class Step:
    """One request. `{}` in its path stands for the subject: an ID from the plan, or from the previous response."""

    path: str
    body: str = ""
    """A request without a body is a GET."""
    key: str | None = None
    """The API key. Without one, the request carries the connection's cookie."""
    authorization: str | None = None
    """The `Authorization` header, for other programs."""
    subject_from: str | None = None
    """The property of the response that is the next step's subject."""
    mark_from: str | None = None
    """The property of the response under which the start of the operation is reported."""


@dataclass(frozen=True, slots=True)
class Plan:
    url: str
    steps: Sequence[Step]
    """An operation: requests that one connection sends one after another."""
    connections: int
    seconds: float
    cookies: Sequence[str] = ()
    """Of members. The connections share them."""
    subjects: Sequence[str] | None = None
    """An ID for each operation. The load ends when none are left."""
    repeat_subjects: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    done: int
    """Operations."""
    seconds: float
    p50: float
    p99: float
    """Of the time from an operation's first request to its last response."""
    step_p50: Sequence[float]
    step_p99: Sequence[float]
    processor_seconds: float
    failed: int
    example: str | None
    """The start of a response with an error."""
    marks: dict[str, float] = field(default_factory=dict[str, float])
    """When operations began, in Unix time."""

    @property
    def rate(self) -> float:
        return self.done / self.seconds


def run_load(plan: Plan) -> Result:
    """Run the load generator as a process. Raises `RuntimeError` if a request failed."""
    command = [sys.executable, "-m", "bench.load"]
    process = subprocess.run(command, input=json.dumps(asdict(plan)).encode(), stdout=subprocess.PIPE, check=True)
    result = Result(**json.loads(process.stdout))
    if result.failed:
        raise RuntimeError(f"{result.failed} requests failed: {result.example}")
    return result


def percentiles(times: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile."""
    if len(times) < 2:
        return (times[0], times[0]) if times else (0.0, 0.0)
    ranks = statistics.quantiles(times, n=100, method="inclusive")
    return ranks[49], ranks[98]


class ResponseReader:
    """Puts the pieces of a response together. Responses have a `content-length`."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._body_at = 0

    def feed(self, data: bytes) -> tuple[bool, bytes] | None:
        """Return whether the request succeeded, and the body, once the response is complete."""
        self._buffer += data
        if self._length is None:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return None
            head = bytes(self._buffer[:end]).lower() + b"\r\n"
            at = head.index(b"content-length:") + 15
            self._body_at, self._length = end + 4, int(head[at : head.index(b"\r\n", at)])
        if len(self._buffer) < self._body_at + self._length:
            return None
        succeeded, body = self._buffer.startswith(b"HTTP/1.1 2"), bytes(self._buffer[self._body_at :])
        self._buffer.clear()
        self._length = None
        return succeeded, body


class Connection(asyncio.Protocol):
    """Sends what `requests` yields, and gives it each response's body."""

    def __init__(self, requests: Generator[bytes, bytes], failed: Callable[[bytes], None]) -> None:
        self._requests, self._failed = requests, failed
        self._reader = ResponseReader()
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._send(None)

    def _send(self, body: bytes | None) -> None:
        try:
            request = next(self._requests) if body is None else self._requests.send(body)
        except StopIteration:
            self._transport.close()
            self.done.set_result(None)
        else:
            self._transport.write(request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        response = self._reader.feed(data)
        if response is None:
            return
        succeeded, body = response
        if not succeeded:
            self._failed(body)
            self._transport.close()
            self.done.set_result(None)
        else:
            self._send(body)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self._failed(b"connection lost")
            self.done.set_result(None)


def build_request(url: str, step: Step, cookie: str | None) -> tuple[bytes, bytes]:
    """Return the request's bytes before and after the subject."""
    parts = urlsplit(url)
    lines = [
        f"{'POST' if step.body else 'GET'} {parts.path}{step.path} HTTP/1.1",
        f"host: {parts.netloc}",
        f"content-length: {len(step.body.encode())}",
    ]
    if step.body:
        lines.append("content-type: application/json")
    if step.key is not None:
        lines.append(f"x-api-key: {step.key}")
    elif step.authorization is not None:
        lines.append(f"authorization: {step.authorization}")
    elif cookie is not None:
        lines.append(f"cookie: {cookie}")
    head, _, rest = "\r\n".join(lines).partition("{}")
    return head.encode(), f"{rest}\r\n\r\n{step.body}".encode()


class _Recorder:
    def __init__(self, plan: Plan) -> None:
        self.operations: list[float] = []
        self.steps: list[list[float]] = [[] for _ in plan.steps]
        self.marks: dict[str, float] = {}
        self.failed: list[bytes] = []


def _operations(
    plan: Plan, cookie: str | None, subjects: Iterator[str | None], until: float, recorder: _Recorder
) -> Generator[bytes, bytes]:
    steps = [(step, *build_request(plan.url, step, cookie), recorder.steps[n]) for n, step in enumerate(plan.steps)]
    began = time.perf_counter()
    while began < until:
        try:
            subject = next(subjects)
        except StopIteration:
            return
        began_at, sent = time.time(), began
        for step, head, rest, times in steps:
            body = yield head + rest if subject is None else head + subject.encode() + rest
            received = time.perf_counter()
            times.append(received - sent)
            sent = received
            if step.subject_from is not None or step.mark_from is not None:
                response: dict[str, Any] = orjson.loads(body)
                if step.subject_from is not None:
                    subject = str(response[step.subject_from])
                if step.mark_from is not None:
                    recorder.marks[response[step.mark_from]] = began_at
        recorder.operations.append(sent - began)
        began = time.perf_counter()


async def generate_load(plan: Plan) -> Result:
    recorder, parts = _Recorder(plan), urlsplit(plan.url)
    subjects: Iterator[str | None] = iter(plan.subjects) if plan.subjects is not None else cycle([None])
    if plan.repeat_subjects:
        subjects = cycle(subjects)
    cookies = cycle(plan.cookies or [None])
    loop = asyncio.get_running_loop()
    began = time.perf_counter()
    connections = list[Connection]()
    for _ in range(plan.connections):
        requests = _operations(plan, next(cookies), subjects, began + plan.seconds, recorder)
        connection = Connection(requests, recorder.failed.append)
        await loop.create_connection(lambda made=connection: made, parts.hostname, parts.port)
        connections.append(connection)
    await asyncio.gather(*(connection.done for connection in connections))
    seconds = time.perf_counter() - began
    p50, p99 = percentiles(recorder.operations)
    steps = [percentiles(times) for times in recorder.steps]
    return Result(
        done=len(recorder.operations),
        seconds=seconds,
        p50=p50,
        p99=p99,
        step_p50=[each[0] for each in steps],
        step_p99=[each[1] for each in steps],
        processor_seconds=processor_seconds(),
        failed=len(recorder.failed),
        example=recorder.failed[0][:MAX_EXAMPLE].decode("latin-1") if recorder.failed else None,
        marks=recorder.marks,
    )


def processor_seconds() -> float:
    """Return the processor time that this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    values: dict[str, Any] = json.load(sys.stdin)
    steps = [Step(**step) for step in values.pop("steps")]
    plan = Plan(steps=steps, **values)
    print(json.dumps(asdict(uvloop.run(generate_load(plan)))))


if __name__ == "__main__":
    main()
