"""A browser that follows `/live`, and what the tests of the inbox share."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from support.service_process import new_client


@dataclass
class Told:
    event: str
    id: str
    data: Any


@dataclass
class Browser:
    """Everything that came down one stream, in order."""

    response: httpx.Response
    told: list[Told] = field(default_factory=list)
    over: bool = False
    """The service ended it."""
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

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
                    async with self._news:
                        self.told.append(Told(kind, position, json.loads(data)))
                        self._news.notify_all()
                    kind = ""
            self.over = True
        except httpx.TransportError:
            self.over = True
        finally:
            async with self._news:
                self._news.notify_all()

    async def until(self, done: Callable[[], Any], within: float = 60.0) -> Any:
        async with asyncio.timeout(within), self._news:
            await self._news.wait_for(lambda: done() or self.over)
        found = done()
        assert found, f"the stream ended before it came; it had told {self.told}"
        return found

    async def ended(self, within: float = 60.0) -> None:
        async with asyncio.timeout(within), self._news:
            await self._news.wait_for(lambda: self.over)

    async def review(self, review_id: str, action: str | None = None) -> Told:
        def find() -> Told | None:
            for told in self.of("review"):
                if told.data["reviewId"] == review_id and action in (None, told.data["action"]):
                    return told
            return None

        return await self.until(find)

    async def change(self, action: str, object_id: str) -> Told:
        wanted = {"action": action, "objectId": object_id}
        return await self.until(lambda: next((told for told in self.of("change") if told.data == wanted), None))

    async def present(self, review_id: str, people: set[str]) -> None:
        def they_are() -> bool:
            told = self.of("presence")
            return bool(told) and {each["userId"] for each in told[-1].data["reviews"].get(review_id, [])} == people

        await self.until(they_are)

    def of(self, event: str) -> list[Told]:
        return [told for told in self.told if told.event == event]


@asynccontextmanager
async def browsing(
    client: httpx.AsyncClient, after: str | None = None, query: str | None = None
) -> AsyncIterator[Browser]:
    """Open the stream, greeted; closed at the end."""
    headers = {} if after is None else {"Last-Event-ID": after}
    params = {} if query is None else {"after": query}
    async with client.stream("GET", "/live", headers=headers, params=params) as response:
        assert response.status_code == 200, await response.aread()
        browser = Browser(response)
        reading = asyncio.create_task(browser.read())
        try:
            await browser.until(lambda: browser.of("hello"))
            yield browser
        finally:
            reading.cancel()


def signed_in_again(client: httpx.AsyncClient) -> httpx.AsyncClient:
    """The same person in another browser window."""
    again = new_client(str(client.base_url))
    again.cookies = client.cookies
    return again
