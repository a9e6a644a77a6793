"""Calls both clients in the same way."""

import asyncio
from itertools import islice
from typing import Any

from signoff_client import AsyncClient, Client


class Sdk:
    """`await sdk(sdk.client.request_review, …)` with either client; the blocking one runs in a thread."""

    def __init__(self, client: Client | AsyncClient) -> None:
        self.client: Any = client

    @property
    def is_async(self) -> bool:
        return isinstance(self.client, AsyncClient)

    async def __call__(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        if self.is_async:
            return await method(*args, **kwargs)
        return await asyncio.to_thread(method, *args, **kwargs)

    async def ask(self, form: dict[str, Any], values: Any, **options: Any) -> Any:
        return await self(self.client.request_review, form["formId"], values, **options)

    async def items(self, pages: Any, most: int = 1000) -> list[Any]:
        """The first items of a paginated list."""
        if self.is_async:
            results: list[Any] = []
            async for item in pages:
                results.append(item)
                if len(results) == most:
                    break
            return results
        return await asyncio.to_thread(lambda: list(islice(pages, most)))
