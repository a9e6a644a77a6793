"""A cheap load generator: sends the same request over a few open connections.

Run as a separate process: `python -m bench.load URL CONNECTIONS SECONDS < request-body`, with headers in the
environment variable `HEADERS` (JSON); without a body it is a GET. Prints `{"done", "seconds", "failed", "p50", "p99"}`.
"""

import asyncio
import json
import os
import statistics
import sys
import time
from urllib.parse import urlsplit

import uvloop


class Connection(asyncio.Protocol):
    """Sends a request, reads the whole response, and sends the next."""

    def __init__(self, request: bytes, until: float, times: list[float], failed: list[bytes]) -> None:
        self.request, self.until, self.times, self.failed = request, until, times, failed
        self.done = asyncio.get_running_loop().create_future()
        self.buffer = b""
        self.began = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.send()

    def send(self) -> None:
        self.began = time.perf_counter()
        if self.began >= self.until:
            self.transport.close()
            self.done.set_result(None)
        else:
            self.transport.write(self.request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, results, body = self.buffer.partition(b"\r\n\r\n")
        if not results:
            return
        lowered = head.lower()
        at = lowered.index(b"content-length:") + 15
        if len(body) < int(lowered[at : at + 12].split(b"\r\n")[0]):
            return
        if not head.startswith(b"HTTP/1.1 2"):
            self.failed.append(self.buffer[:300])
        self.times.append(time.perf_counter() - self.began)
        self.buffer = b""
        self.send()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.failed.append(b"connection lost")
            self.done.set_result(None)


async def load(url: str, connections: int, seconds: float, headers: dict[str, str], body: bytes) -> dict[str, object]:
    parts = urlsplit(url)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    lines = [f"{'POST' if body else 'GET'} {target} HTTP/1.1", f"host: {parts.netloc}", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    request = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
    times: list[float] = []
    failed: list[bytes] = []
    began = time.perf_counter()
    loop = asyncio.get_running_loop()
    protocols: list[Connection] = []
    for _ in range(connections):
        made = Connection(request, began + seconds, times, failed)
        await loop.create_connection(lambda made=made: made, parts.hostname, parts.port)
        protocols.append(made)
    await asyncio.gather(*(protocol.done for protocol in protocols))
    spent = time.perf_counter() - began
    ranks = statistics.quantiles(times, n=100) if len(times) > 1 else [0.0] * 99
    return {
        "done": len(times),
        "seconds": spent,
        "failed": len(failed),
        "example": failed[0].decode("latin-1") if failed else None,
        "p50": ranks[49],
        "p99": ranks[98],
    }


if __name__ == "__main__":
    url, connections, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    outcome = uvloop.run(load(url, connections, seconds, json.loads(os.environ["HEADERS"]), sys.stdin.buffer.read()))
    print(json.dumps(outcome))
