"""Iterators over paginated lists. Pages are loaded as needed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from signoff_client.api_requests import Flow

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    items: list[T]
    cursor: str
    """The start of the next page."""
    last: bool


class PageReader(Generic[T]):
    """An iterator's position in a list."""

    cursor: str
    """Position in the list. Pass it as `after` to resume.

    Save it after you've processed an item. After a crash, some items may repeat but none are skipped.
    """

    def __init__(self, page: Callable[[str], Flow[Page[T]]], cursor: str) -> None:
        self.cursor = cursor
        self._page = page
        self._ended = False

    def _items(self, page: Page[T]) -> Iterator[T]:
        yield from page.items[:-1]
        self.cursor, self._ended = page.cursor, page.last
        yield from page.items[-1:]


class Pages(PageReader[T]):
    """Iterates over all items, page by page."""

    def __init__(self, page: Callable[[str], Flow[Page[T]]], cursor: str, run: Callable[[Flow[Any]], Any]) -> None:
        super().__init__(page, cursor)
        self._run = run

    def __iter__(self) -> Iterator[T]:
        self._ended = False
        while not self._ended:
            yield from self._items(self._run(self._page(self.cursor)))


class AsyncPages(PageReader[T]):
    """Iterates over all items, page by page."""

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
