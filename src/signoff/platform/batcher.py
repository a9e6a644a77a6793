"""Many small database calls as few large ones, without a timer.

While one batch is under way, whatever else comes in gathers for the next: alone, a call goes out at once;
under load, the batches grow by themselves.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Batcher(Generic[Item, Result]):
    def __init__(self, run: Callable[[Sequence[Item]], Awaitable[Sequence[Result]]], largest: int = 500) -> None:
        """`run` answers with one result for each item, in order."""
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
        await asyncio.sleep(0)  # lets callers that are ready in this very moment come along
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
            # One item that cannot be processed must not take the others down with it.
            for single in batch:
                await self._run_one([single])
            return
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)


def _fail(future: asyncio.Future[Result], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
