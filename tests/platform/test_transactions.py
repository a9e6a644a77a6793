"""What follows a commit: exactly once after it, never after a rollback, whatever goes wrong in between."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress

import asyncpg
import pytest
import structlog

from signoff.platform import db as db_module
from signoff.platform.db import Database, DatabaseUnavailable, TransactionAborted
from signoff.platform.sql import Sql


class Stop(Exception):
    pass


class Calls(list[str]):
    def note(self, name: str) -> None:
        self.append(name)


@pytest.fixture
def calls() -> Calls:
    return Calls()


@pytest.fixture
async def db(empty_db: Database) -> Database:
    await empty_db.execute("create table notes (name text primary key)")
    return empty_db


async def names(db: Database) -> list[str]:
    return [row["name"] for row in await db.fetch("select name from notes order by name")]


class TestAfterCommit:
    async def test_commit(self, db: Database, calls: Calls) -> None:
        async with db.transaction() as tx:
            await tx.execute("insert into notes values ('a')")
            tx.after_commit(lambda: calls.note("first"))
            tx.after_commit(lambda: calls.note("second"))
            assert calls == []
        assert calls == ["first", "second"]
        assert await names(db) == ["a"]

    async def test_rollback(self, db: Database, calls: Calls) -> None:
        with suppress(Stop):
            async with db.transaction() as tx:
                await tx.execute("insert into notes values ('a')")
                tx.after_commit(lambda: calls.note("never"))
                raise Stop
        assert (calls, await names(db)) == ([], [])

    async def test_canceled(self, db: Database, calls: Calls) -> None:
        started = asyncio.Event()

        async def work() -> None:
            async with db.transaction() as tx:
                await tx.execute("insert into notes values ('a')")
                tx.after_commit(lambda: calls.note("never"))
                started.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(work())
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (calls, await names(db)) == ([], [])

    async def test_callback_that_fails(self, db: Database, calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail() -> None:
            raise ValueError("broken")

        with structlog.testing.capture_logs() as lines:
            monkeypatch.setattr(db_module, "log", structlog.get_logger())
            async with db.transaction() as tx:
                tx.after_commit(fail)
                tx.after_commit(lambda: calls.note("still runs"))
            db.after_commit(fail)
        assert calls == ["still runs"]
        assert [line["log_level"] for line in lines] == ["error", "error"]
        assert all(line["exc_info"] for line in lines)

    async def test_connection_killed_at_commit(self, db: Database, calls: Calls) -> None:
        """It isn't known whether the commit happened. Here it didn't."""

        async def work() -> None:
            async with db.transaction() as tx:
                await tx.execute("insert into notes values ('a')")
                tx.after_commit(lambda: calls.note("never"))
                pid = await tx.fetchval("select pg_backend_pid()")
                await db.execute("select pg_terminate_backend($1)", pid)

        with pytest.raises(DatabaseUnavailable):
            await work()
        assert (calls, await names(db)) == ([], [])

    async def test_commit_that_the_database_rejects(self, db: Database, calls: Calls) -> None:
        await db.execute("alter table notes add unique (name) deferrable initially deferred")
        await db.execute("alter table notes drop constraint notes_pkey")

        async def work() -> None:
            async with db.transaction() as tx:
                await tx.execute("insert into notes values ('a'), ('a')")
                tx.after_commit(lambda: calls.note("never"))

        with pytest.raises(asyncpg.UniqueViolationError):
            await work()
        assert (calls, await names(db)) == ([], [])

    async def test_swallowed_error(self, db: Database, calls: Calls) -> None:
        """PostgreSQL would answer the commit with a rollback and no error."""
        await db.execute("insert into notes values ('a')")

        async def work() -> None:
            async with db.transaction() as tx:
                tx.after_commit(lambda: calls.note("never"))
                with suppress(asyncpg.UniqueViolationError):
                    await tx.execute("insert into notes values ('a')")

        with pytest.raises(TransactionAborted):
            await work()
        assert calls == []

    async def test_single_statement(self, db: Database, calls: Calls) -> None:
        await db.execute("insert into notes values ('a')")
        db.after_commit(lambda: calls.note("at once"))
        assert calls == ["at once"]


class TestSavepoints:
    async def test_kept(self, db: Database, calls: Calls) -> None:
        async with db.transaction() as tx:
            tx.after_commit(lambda: calls.note("outer"))
            async with tx.savepoint():
                await tx.execute("insert into notes values ('a')")
                tx.after_commit(lambda: calls.note("inner"))
            assert calls == []
        assert (calls, await names(db)) == (["outer", "inner"], ["a"])

    async def test_dropped_with_the_savepoint(self, db: Database, calls: Calls) -> None:
        await db.execute("insert into notes values ('taken')")
        async with db.transaction() as tx:
            tx.after_commit(lambda: calls.note("before"))
            with suppress(asyncpg.UniqueViolationError):
                async with tx.savepoint():
                    tx.after_commit(lambda: calls.note("never"))
                    async with tx.savepoint():
                        await tx.execute("insert into notes values ('inner')")
                        tx.after_commit(lambda: calls.note("never either"))
                    await tx.execute("insert into notes values ('taken')")
            await tx.execute("insert into notes values ('after')")
            tx.after_commit(lambda: calls.note("after"))
        assert (calls, await names(db)) == (["before", "after"], ["after", "taken"])

    async def test_dropped_with_the_inner_savepoint_only(self, db: Database, calls: Calls) -> None:
        async with db.transaction() as tx, tx.savepoint():
            tx.after_commit(lambda: calls.note("outer"))
            with suppress(Stop):
                async with tx.savepoint():
                    tx.after_commit(lambda: calls.note("never"))
                    raise Stop
        assert calls == ["outer"]

    async def test_dropped_with_the_transaction(self, db: Database, calls: Calls) -> None:
        with suppress(Stop):
            async with db.transaction() as tx:
                async with tx.savepoint():
                    tx.after_commit(lambda: calls.note("never"))
                raise Stop
        assert calls == []


class Listener:
    """The payloads of a channel, in the order in which they were committed."""

    def __init__(self) -> None:
        self.payloads: list[str] = []
        self._heard = asyncio.Event()

    def hear(self, *args: object) -> None:
        self.payloads.append(str(args[-1]))
        self._heard.set()

    async def wait_for(self, payload: str) -> None:
        async with asyncio.timeout(30):
            while payload not in self.payloads:
                self._heard.clear()
                await self._heard.wait()


@pytest.fixture
async def listener(db: Database) -> AsyncGenerator[Listener]:
    listener = Listener()
    async with db.own_connection() as connection:
        await connection.add_listener("notes", listener.hear)
        yield listener


INSERT_NOTE = Sql("insert into notes values (:name)").then(lambda db, given: db.notify("notes", given["name"]))
INSERT_AND_COUNT = Sql("with new as ({insert}) select count(*) from notes", insert=INSERT_NOTE)


class TestNotify:
    async def test_after_the_commit_only(self, db: Database, listener: Listener) -> None:
        with suppress(Stop):
            async with db.transaction() as tx:
                tx.notify("notes", "rolled back")
                raise Stop
        async with db.transaction() as tx:
            tx.notify("notes", "committed")
            db.notify("notes", "from outside")
            await listener.wait_for("from outside")
            assert "committed" not in listener.payloads
        await listener.wait_for("committed")
        assert listener.payloads == ["from outside", "committed"]

    async def test_duplicates_are_sent_once(self, db: Database, listener: Listener) -> None:
        async with db.transaction() as tx:
            for _ in range(3):
                tx.notify("notes", "same")
        db.notify("notes", "last")
        await listener.wait_for("last")
        assert listener.payloads == ["same", "last"]

    async def test_declared_by_a_statement(self, db: Database, listener: Listener) -> None:
        """Also by a part of one, in a transaction or not, and not if the statement fails."""
        await INSERT_NOTE.execute(db, name="a")
        await listener.wait_for("a")
        async with db.transaction() as tx:
            await INSERT_AND_COUNT.fetch_value(tx, name="b")
        await listener.wait_for("b")
        for run in (INSERT_NOTE.fetch, INSERT_NOTE.fetch_one, INSERT_AND_COUNT.execute):
            with pytest.raises(asyncpg.UniqueViolationError):
                await run(db, name="a")
        for number, run in enumerate((INSERT_NOTE.fetch, INSERT_NOTE.fetch_one, INSERT_AND_COUNT.execute)):
            await run(db, name=str(number))
            await listener.wait_for(str(number))
        assert listener.payloads == ["a", "b", "0", "1", "2"]


class TestShared:
    async def test_with_transactions_but_not_with_other_databases(self, db: Database) -> None:
        kept = db.shared(Calls)
        assert db.shared(Calls) is kept
        async with db.transaction() as tx:
            assert tx.shared(Calls) is kept
        assert Database(db.dsn, db.pool).shared(Calls) is not kept
