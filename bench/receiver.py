"""A cheap webhook receiver: counts POSTs, and records when each delivery arrived.

Run as a separate process: prints its port, then answers every line on standard input with a line of JSON:
`count`, or `arrivals` (and forgets them).
"""

import asyncio
import json
import sys
import time

import uvloop

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


class ReceiverProtocol(asyncio.Protocol):
    count = 0
    arrivals: dict[str, float] = {}  # noqa: RUF012

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while True:
            head, results, body = self.buffer.partition(b"\r\n\r\n")
            if not results:
                return
            lowered = head.lower()
            at = lowered.index(b"content-length:") + 15
            length = int(lowered[at : at + 12].split(b"\r\n")[0])
            if len(body) < length:
                return
            ReceiverProtocol.count += 1
            at = lowered.find(b"webhook-id:")
            if at >= 0:
                ReceiverProtocol.arrivals[head[at + 11 :].split(b"\r\n")[0].strip().decode()] = time.time()
            self.buffer = body[length:]
            self.transport.write(OK)  # type: ignore[attr-defined]


async def main() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(ReceiverProtocol, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    commands = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while line := await commands.readline():
        if line.strip() == b"arrivals":
            print(json.dumps(ReceiverProtocol.arrivals), flush=True)
            ReceiverProtocol.arrivals.clear()
        else:
            print(ReceiverProtocol.count, flush=True)


if __name__ == "__main__":
    uvloop.run(main())
