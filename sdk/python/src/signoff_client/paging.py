"""Lists that are longer than one answer, read as they are needed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from signoff_client.flow import Flow

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    items: list[T]
    cursor: str
    """Where the next page begins."""
    last: bool


class Reading(Generic[T]):
    """How far a list was read."""

    cursor: str
    """Give it as `after` to go on here. It moves on with the last item of a page; store it when you are done with an
    item, and after a crash some items may come again, but none is left out."""

    def __init__(self, page: Callable[[str], Flow[Page[T]]], cursor: str) -> None:
        self.cursor = cursor
        self._page = page
        self._ended = False

    def _items(self, page: Page[T]) -> Iterator[T]:
        yield from page.items[:-1]
        self.cursor, self._ended = page.cursor, page.last
        yield from page.items[-1:]


class Pages(Reading[T]):
    """Iterates over the items of all pages."""

    def __init__(self, page: Callable[[str], Flow[Page[T]]], cursor: str, run: Callable[[Flow[Any]], Any]) -> None:
        super().__init__(page, cursor)
        self._run = run

    def __iter__(self) -> Iterator[T]:
        self._ended = False
        while not self._ended:
            yield from self._items(self._run(self._page(self.cursor)))


class AsyncPages(Reading[T]):
    """Iterates over the items of all pages."""

    def __init__(
        self, page: Callable[[str], Flow[Page[T]]], cursor: str, run: Callable[[Flow[Any]], Awaitable[Any]]
    ) -> None:
        super().__init__(page, cursor)
        self._run = run

    async def __aiter__(self) -> AsyncIterator[T]:
        self._ended = False
        while not self._ended:
            for item in self._items(await self._run(self._page(self.cursor))):
                yield item
