"""A log's readers handle each entry once, whatever fails, and read as soon as something is written."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, cast
from unittest.mock import Mock

import asyncpg
import pytest

from signoff.platform import log_reader, pubsub
from signoff.platform.db import Database, DatabaseUnavailable, Executor
from signoff.platform.event_log import LogEnd
from signoff.platform.log_reader import MAX_TRIES, StoredReader, follow, read_position
from signoff.platform.pubsub import PubSub

READER, END = "notifications", LogEnd(settled=10, highest=10)


@dataclass(frozen=True)
class Entry:
    entry_id: int


class Positions:
    """The position in memory: all that a reader needs from a database."""

    def __init__(self) -> None:
        self.position = 0

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator["Positions"]:
        before = self.position
        try:
            yield self
        except Exception:
            self.position = before
            raise

    async def fetchval(self, *_: Any) -> int:
        return self.position

    async def execute(self, _: str, position: int, reader: str) -> None:
        assert reader == READER
        self.position = position


async def fetch(_: Executor, after: int, until: int, most: int) -> list[Entry]:
    """From a log of ten entries."""
    return [Entry(number) for number in range(1, 11) if after < number <= until][:most]


@pytest.mark.parametrize(
    ("error", "left_out"),
    [(ValueError("no"), [4]), (asyncpg.UndefinedTableError("no"), [4]), (asyncpg.DiskFullError("full"), None)],
)
async def test_failing_entry_does_not_block_the_log(
    error: Exception, left_out: list[int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It's skipped in the end, so that the others are handled; but not after a temporary error."""
    # Its log lines are long and take longer to write than everything else here.
    monkeypatch.setattr(log_reader, "log", Mock())
    positions, batches = Positions(), list[list[int]]()

    async def handle(_: Executor, entries: Sequence[Entry]) -> None:
        if any(entry.entry_id == 4 for entry in entries):
            raise error
        batches.append([entry.entry_id for entry in entries])

    reader = StoredReader(READER, cast(Database, positions), fetch, handle, 0)
    if left_out is None:
        with pytest.raises(type(error)):
            await reader.read(END)
        assert (positions.position, batches) == (0, [])
        return
    pauses = [await reader.read(END) for _ in range(MAX_TRIES + 20)]
    assert pauses[0], "it isn't tried again at once"
    assert positions.position == 10
    assert [number for batch in batches for number in batch] == [
        number for number in range(1, 11) if number not in left_out
    ]
    assert batches == [[1], [2, 3], [5], [6, 7], [8, 9, 10]], "it goes on with few, and then with more"


async def test_says_when_to_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_reader, "BATCH", 4)
    batches = list[list[int]]()

    async def handle(_: Executor, entries: Sequence[Entry]) -> None:
        batches.append([entry.entry_id for entry in entries])

    reader = StoredReader(READER, cast(Database, Positions()), fetch, handle, 0)
    assert await reader.read(LogEnd(settled=0, highest=0)) is None
    assert await reader.read(LogEnd(settled=7, highest=10)) == 0
    pause = await reader.read(LogEnd(settled=7, highest=10))
    assert pause is not None
    assert 0 < pause < 1, "soon, because more has been written"
    assert await reader.read(END) is None
    assert batches == [[1, 2, 3, 4], [5, 6, 7], [8, 9, 10]]


async def test_position_moved_by_another_process(empty_db: Database) -> None:
    handled = list[int]()

    async def handle(_: Executor, entries: Sequence[Entry]) -> None:
        handled.extend(entry.entry_id for entry in entries)

    first, second = (StoredReader(READER, empty_db, fetch, handle, 0) for _ in range(2))
    await first.read(LogEnd(settled=6, highest=6))
    await second.read(END)
    assert handled == [1, 2, 3, 4, 5, 6], "it writes nothing"
    assert await read_position(empty_db, READER) == 6
    await second.read(END)
    assert handled == list(range(1, 11)), "and goes on from there"
    assert await read_position(empty_db, READER) == 10


class Follower:
    """Fails as often as wanted, and then reads."""

    def __init__(self, *errors: Exception) -> None:
        self.pubsub = PubSub(cast(Database, None))
        self.errors = list(errors)
        self.opened = 0
        self.reads = 0

    async def read(self) -> None:
        if self.errors:
            raise self.errors.pop(0)
        self.reads += 1

    def open(self) -> Any:
        self.opened += 1
        return nullcontext(self.read)

    async def run(self) -> None:
        with self.pubsub.subscribe("log") as subscription:
            await follow("test", subscription, self.open, interval=0.001, rest=0)


async def wait_until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0)


@asynccontextmanager
async def running(run: Callable[[], Coroutine[Any, Any, None]]) -> AsyncGenerator[asyncio.Task[None]]:
    task = asyncio.create_task(run())
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


class TestFollow:
    async def test_reads_again_after_errors_of_the_database(self) -> None:
        follower = Follower(DatabaseUnavailable("gone"), asyncpg.InterfaceError("closed"), ConnectionError("lost"))
        async with running(follower.run):
            await wait_until(lambda: follower.reads > 2)
        assert follower.opened == 4, "once, and after each error"

    async def test_other_errors_end_it(self) -> None:
        with pytest.raises(ValueError, match="unexpected"):
            await Follower(ValueError("unexpected")).run()

    async def test_ends_with_the_process(self) -> None:
        follower = Follower()
        async with running(follower.run) as task:
            await wait_until(lambda: follower.reads > 2)
            follower.pubsub.stop()
            async with asyncio.timeout(30):
                await task

    async def test_ends_with_the_process_after_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(log_reader, "MAX_BACKOFF", 3600)
        follower = Follower(*[DatabaseUnavailable("gone")] * 100)
        async with running(follower.run) as task:
            await wait_until(lambda: follower.opened > 2)
            follower.pubsub.stop()
            async with asyncio.timeout(30):
                await task

    async def test_wake_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Reads at once, also if the notification arrives during a read."""
        monkeypatch.setattr(pubsub, "MAX_POLL_INTERVAL", 3600.0)
        live, reads = PubSub(cast(Database, None)), 0
        with live.subscribe("log") as subscription:

            async def read() -> None:
                nonlocal reads
                reads += 1
                if reads == 1:
                    subscription.notify()

            async def run() -> None:
                await follow("test", subscription, lambda: nullcontext(read), interval=3600, rest=0)

            async with running(run):
                await wait_until(lambda: reads > 1)
                subscription.notify()
                await wait_until(lambda: reads > 2)
