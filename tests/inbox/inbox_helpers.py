"""A client of the live stream, and other helpers for the inbox tests."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from support.service_process import new_client


@dataclass
class LiveEvent:
    event: str
    id: str
    data: Any


@dataclass
class LiveStream:
    """All events of one live stream, in order."""

    response: httpx.Response
    events: list[LiveEvent] = field(default_factory=list)
    has_ended: bool = False
    """The service ended it."""
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def read(self) -> None:
        try:
            kind, data, position = "", "", ""
            async for line in self.response.aiter_lines():
                name, _, value = line.partition(": ")
                if name == "event":
                    kind = value
                elif name == "data":
                    data = value
                elif name == "id":
                    position = value
                elif not line and kind:
                    async with self._changed:
                        self.events.append(LiveEvent(kind, position, json.loads(data)))
                        self._changed.notify_all()
                    kind = ""
            self.has_ended = True
        except httpx.TransportError:
            self.has_ended = True
        finally:
            async with self._changed:
                self._changed.notify_all()

    async def until(self, done: Callable[[], Any], within: float = 60.0) -> Any:
        async with asyncio.timeout(within), self._changed:
            await self._changed.wait_for(lambda: done() or self.has_ended)
        result = done()
        assert result, f"the stream ended before it came; it had told {self.events}"
        return result

    async def wait_until_ended(self, within: float = 60.0) -> None:
        async with asyncio.timeout(within), self._changed:
            await self._changed.wait_for(lambda: self.has_ended)

    async def review(self, review_id: str, action: str | None = None) -> LiveEvent:
        def find() -> LiveEvent | None:
            for event in self.of("review"):
                if event.data["reviewId"] == review_id and action in (None, event.data["action"]):
                    return event
            return None

        return await self.until(find)

    async def change(self, action: str, object_id: str) -> LiveEvent:
        wanted = {"action": action, "objectId": object_id}
        return await self.until(lambda: next((told for told in self.of("change") if told.data == wanted), None))

    async def present(self, review_id: str, people: set[str]) -> None:
        def they_are() -> bool:
            events = self.of("presence")
            return (
                bool(events)
                and {viewer["userId"] for viewer in events[-1].data["reviews"].get(review_id, [])} == people
            )

        await self.until(they_are)

    def of(self, event: str) -> list[LiveEvent]:
        return [live_event for live_event in self.events if live_event.event == event]


@asynccontextmanager
async def open_live_stream(
    client: httpx.AsyncClient, after: str | None = None, query: str | None = None
) -> AsyncIterator[LiveStream]:
    """Open a live stream and wait for its first event; close it at the end."""
    headers = {} if after is None else {"Last-Event-ID": after}
    params = {} if query is None else {"after": query}
    async with client.stream("GET", "/live", headers=headers, params=params) as response:
        assert response.status_code == 200, await response.aread()
        browser = LiveStream(response)
        reading = asyncio.create_task(browser.read())
        try:
            await browser.until(lambda: browser.of("hello"))
            yield browser
        finally:
            reading.cancel()


def sign_in_again(client: httpx.AsyncClient) -> httpx.AsyncClient:
    """The same user in another browser window."""
    again = new_client(str(client.base_url))
    again.cookies = client.cookies
    return again
