"""A log's readers miss nothing, repeat nothing, and keep the order, in whatever order transactions commit."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.inbox.audit_log_tail import entries_after, open_live_reader
from signoff.platform.db import Database, DatabaseUnavailable, Executor
from signoff.platform.event_log import EventLog
from signoff.platform.log_reader import StoredReader, read_position
from signoff.platform.sql import Sql

ACCOUNT = "acc_log"
INSERT = """
    insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id)
    values ($1, 'system', 'system', 'system', 'agent.changed', $2) returning entry_id
"""
WRITERS = 3
ORDERS = sorted(set(permutations([writer for writer in range(WRITERS) for _ in ("write", "end")])))
"""Every order in which each writer first writes an entry and then ends its transaction."""


def open_log() -> EventLog:
    return EventLog("audit_log", "audit_log_entry_id_seq")


@dataclass(frozen=True)
class Entry:
    entry_id: int


READ: Final = Sql(
    "select entry_id from audit_log where entry_id > :after and entry_id <= :until order by entry_id limit :most", Entry
)


class Follower:
    """A reader that stores only a number."""

    def __init__(self, db: Database, position: int) -> None:
        self.db = db
        self.log = open_log()
        self.reader = StoredReader("notifications", db, self.fetch, self.handle, position)
        self.read_ids: list[int] = []

    async def fetch(self, db: Executor, after: int, until: int, most: int) -> list[Entry]:
        return await READ.fetch(db, after=after, until=until, most=most)

    async def handle(self, _: Executor, entries: Sequence[Entry]) -> None:
        self.read_ids += [entry.entry_id for entry in entries]

    async def read(self) -> None:
        await self.reader.read(await self.log.find_end(self.db))


@asynccontextmanager
async def connections(db: Database, count: int) -> AsyncGenerator[list[Any]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(db.own_connection()) for _ in range(count)]


async def wait_until_settled(db: Database, log: EventLog, number: int) -> None:
    async with asyncio.timeout(30):
        while (await log.wait_until_settled(db)).settled < number:
            pass


@pytest.mark.parametrize("is_late", [False, True], ids=["transaction ID at the entry", "transaction ID before"])
async def test_commits_in_every_order(empty_db: Database, is_late: bool) -> None:
    """Each order with some transactions that roll back. Transaction IDs are in another order than the entries, too."""
    outcomes = list(product(["commit", "rollback"], repeat=WRITERS))
    await empty_db.execute("create table numbered (n int)")
    async with connections(empty_db, WRITERS) as writers:
        for number, order in enumerate(ORDERS):
            outcome = outcomes[number % len(outcomes)]
            follower = Follower(empty_db, await read_position(empty_db, "notifications"))
            tail = open_live_reader(open_log(), ACCOUNT)
            await tail.begin(empty_db)
            seen, wrote, committed, ended = list[int](), dict[int, int](), list[int](), set[int]()
            for connection in reversed(writers):
                await connection.execute("begin")
                if is_late:
                    await connection.execute("insert into numbered values (1)")
            for writer in order:
                if writer not in wrote:
                    wrote[writer] = await writers[writer].fetchval(INSERT, ACCOUNT, "agt_1")
                else:
                    await writers[writer].execute(outcome[writer])
                    ended.add(writer)
                    if outcome[writer] == "commit":
                        committed.append(wrote[writer])
                await follower.read()
                new = await tail.read(empty_db)
                assert new is not None
                seen += [entry.entry_id for entry in new]
                # A browser sees a change at once, whatever else is being written.
                assert seen == committed
                # One that reconnects with this position gets everything that isn't committed yet.
                assert all(entry > tail.position for writer, entry in wrote.items() if writer not in ended)
            await follower.read()
            assert follower.read_ids == sorted(committed), (order, outcome)
            assert tail.position == await read_position(empty_db, "notifications") == max(wrote.values())


async def test_position_for_reconnecting(empty_db: Database) -> None:
    """It stays below an entry that isn't committed, and what follows is sent again."""
    log = open_log()
    tail = open_live_reader(log, ACCOUNT)
    await tail.begin(empty_db)
    async with connections(empty_db, 1) as [late]:
        transaction = late.transaction()
        await transaction.start()
        first = await late.fetchval(INSERT, ACCOUNT, "agt_late")
        second = await empty_db.fetchval(INSERT, ACCOUNT, "agt_early")
        assert [entry.entry_id for entry in await tail.read(empty_db) or ()] == [second]
        assert tail.position < first
        known = tail.position
        await transaction.commit()
    missed = await entries_after(empty_db, log, ACCOUNT, known)
    assert [entry.object_id for entry in missed or ()] == ["agt_late", "agt_early"]
    assert await entries_after(empty_db, log, ACCOUNT, second) == []
    assert await entries_after(empty_db, log, ACCOUNT, second + 1) is None, "there is no such entry"


async def test_only_writers_of_the_log_are_waited_for(empty_db: Database) -> None:
    log = open_log()
    async with connections(empty_db, 1) as [other], other.transaction():
        await other.execute("insert into accounts (account_id, name, audit_webhook_secret) values ('acc', 'A', 's')")
        await other.fetch("select from audit_log for share")
        number = await empty_db.fetchval(INSERT, ACCOUNT, "agt_1")
        end = await log.find_end(empty_db)
        assert end.settled == end.highest == number


async def test_killed_writer(empty_db: Database) -> None:
    log = open_log()
    async with connections(empty_db, 1) as [lost]:
        await lost.execute("begin")
        await lost.fetchval(INSERT, ACCOUNT, "agt_lost")
        number = await empty_db.fetchval(INSERT, ACCOUNT, "agt_1")
        assert (await log.find_end(empty_db)).settled < number
        await empty_db.execute("select pg_terminate_backend($1)", lost.get_server_pid())
        await wait_until_settled(empty_db, log, number)


async def test_waits_until_what_is_committed_is_settled(empty_db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    log = open_log()
    async with connections(empty_db, 1) as [late]:
        await late.execute("begin")
        first = await late.fetchval(INSERT, ACCOUNT, "agt_late")
        second = await empty_db.fetchval(INSERT, ACCOUNT, "agt_early")
        waiting = asyncio.create_task(log.wait_until_settled(empty_db))
        await log.find_end(empty_db)
        assert not waiting.done()
        await late.execute("commit")
        assert (await waiting).settled == second
        await late.execute("begin")
        third = await late.fetchval(INSERT, ACCOUNT, "agt_stalled")
        monkeypatch.setattr("signoff.platform.event_log.SETTLE_SECONDS", 0.05)
        end = await log.wait_until_settled(empty_db)
        assert (end.settled, end.highest) == (second, third)
        await late.execute("rollback")
    assert first < second < third


async def test_empty_log(empty_db: Database) -> None:
    end = await open_log().wait_until_settled(empty_db)
    assert (end.settled, end.highest) == (0, 0)


async def test_stalled_transactions_are_ended(empty_db: Database) -> None:
    """A frozen process would stop all readers forever."""

    async def stall() -> None:
        async with empty_db.transaction() as tx:
            await tx.execute("set local idle_in_transaction_session_timeout = '50ms'")
            number = await tx.fetchval(INSERT, ACCOUNT, "agt_1")
            await wait_until_settled(empty_db, open_log(), number)

    with pytest.raises(DatabaseUnavailable):
        await stall()
    assert await empty_db.fetchval("show idle_in_transaction_session_timeout") == "5min"


class Transactions:
    """Transactions as a log's readers see them. Numbers are taken by holders of the lock only."""

    def __init__(self) -> None:
        self.last = 0
        self.numbers: dict[str, list[int]] = {}
        """Of those that have the lock."""
        self._names: Iterator[str] = (f"1/{number}" for number in range(1, 1_000_000))

    def act(self, data: st.DataObject) -> None:
        action = data.draw(st.sampled_from(["begin", "write", "write", "end"]))
        if action == "begin":
            self.numbers[next(self._names)] = []
        elif self.numbers:
            name = data.draw(st.sampled_from(sorted(self.numbers)))
            if action == "end":
                del self.numbers[name]
            else:
                self.last += 1
                self.numbers[name].append(self.last)


@given(st.data())
def test_nothing_appears_where_the_log_is_settled(data: st.DataObject) -> None:
    """Whatever happens before, between, and after the two halves of a reading."""
    log, transactions, settled = open_log(), Transactions(), 0
    for _ in range(data.draw(st.integers(1, 20))):
        for _ in range(data.draw(st.integers(0, 4))):
            transactions.act(data)
        taken = transactions.last
        for _ in range(data.draw(st.integers(0, 3))):
            transactions.act(data)
        holders = sorted(transactions.numbers)
        for _ in range(data.draw(st.integers(0, 3))):
            transactions.act(data)
        before, settled = settled, log.note(taken, holders).settled
        assert before <= settled <= taken
        assert all(number > settled for numbers in transactions.numbers.values() for number in numbers)
    transactions.numbers.clear()
    assert log.note(transactions.last, []).settled == transactions.last
