"""Combine many small database calls into a few large ones, without a timer.

While one batch runs, new items collect for the next one. A single call is sent immediately, and batches grow on their
own under load.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Batcher(Generic[Item, Result]):
    def __init__(self, run: Callable[[Sequence[Item]], Awaitable[Sequence[Result]]], largest: int = 500) -> None:
        """`run` must return one result for each item, in the same order."""
        self._run = run
        self._largest = largest
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._runner: asyncio.Task[None] | None = None

    async def __call__(self, item: Item) -> Result:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._waiting.append((item, future))
        if self._runner is None or self._runner.done():
            self._runner = loop.create_task(self._run_batches())
        return await future

    async def _run_batches(self) -> None:
        await asyncio.sleep(0)  # let callers that are ready now join this batch
        while self._waiting:
            batch, self._waiting = self._waiting[: self._largest], self._waiting[self._largest :]
            await self._run_one(batch)

    async def _run_one(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        try:
            results = await self._run([item for item, _ in batch])
        except Exception as error:  # noqa: BLE001 - whoever waits for it gets it
            if len(batch) == 1:
                _fail(batch[0][1], error)
                return
            # One item that can't be processed must not fail the others.
            for single in batch:
                await self._run_one([single])
            return
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)


def _fail(future: asyncio.Future[Result], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
