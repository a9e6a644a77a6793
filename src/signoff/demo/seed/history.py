"""Services in the past: a database that is one transaction, in which it's whatever time the demo's history is at.

In this transaction, a schema before `pg_catalog` in the search path has the functions that tell the time. Only defaults
of columns still use the real ones: they're all the time at which the transaction began, and `settle` replaces it.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final, TypeVar

from signoff.platform.batcher import Item, Result
from signoff.platform.clock import set_clock
from signoff.platform.db import Database, Row, Transaction

T = TypeVar("T")

_INSTALL: Final = """
    create schema demo_clock;
    create function demo_clock.now() returns timestamptz stable language sql
        as $$ select current_setting('demo_clock.time')::timestamptz $$;
    create function demo_clock.clock_timestamp() returns timestamptz stable language sql
        as $$ select current_setting('demo_clock.time')::timestamptz $$;
    do $do$ begin execute (
        select format('create function demo_clock.settle() returns void language plpgsql as $$ begin %s end $$',
                      string_agg(statement, ' '))
        from (
            select format('update %I set %s where transaction_timestamp() in (%s);', table_name,
                string_agg(format('%1$I = case when %1$I = transaction_timestamp() then now() else %1$I end',
                                  column_name), ', '),
                string_agg(quote_ident(column_name), ', ')) as statement
            from information_schema.tables join information_schema.columns using (table_schema, table_name)
            where table_schema = current_schema() and table_type = 'BASE TABLE'
              and data_type = 'timestamp with time zone'
            group by table_name
        ) as tables
    ); end $do$;
    select set_config('search_path', 'demo_clock, pg_catalog, ' || current_schema(), true);
"""


class History(Database):
    """The database for services that write the past."""

    def __init__(self, db: Database, tx: Transaction) -> None:
        super().__init__(db.dsn, db.pool)
        self._tx = tx

    @classmethod
    @asynccontextmanager
    async def open(cls, db: Database, tx: Transaction) -> AsyncGenerator["History"]:
        await tx.execute(_INSTALL)
        yield cls(db, tx)
        await tx.execute("drop schema demo_clock cascade")

    async def do(self, at: datetime, action: Callable[[], Awaitable[T]]) -> T:
        """Do something at a time."""
        with set_clock(at):
            await self._tx.execute("select set_config('demo_clock.time', $1, true)", at.isoformat())
            result = await action()
            await self._tx.execute("select demo_clock.settle()")
        return result

    async def fetch(self, query: str, *args: Any) -> list[Row]:
        return await self._tx.fetch(query, *args)

    async def fetchrow(self, query: str, *args: Any) -> Row | None:
        return await self._tx.fetchrow(query, *args)

    async def fetchval(self, query: str, *args: Any) -> Any:
        return await self._tx.fetchval(query, *args)

    async def execute(self, query: str, *args: Any) -> str:
        return await self._tx.execute(query, *args)

    def after_commit(self, callback: Callable[[], None]) -> None:
        self._tx.after_commit(callback)

    def notify(self, channel: str, payload: str = "") -> None:
        self._tx.notify(channel, payload)

    async def batched(
        self, run: Callable[[Database, Sequence[Item]], Awaitable[Sequence[Result]]], item: Item
    ) -> Result:
        return (await run(self, [item]))[0]

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction]:
        """An error ends everything: the history is written completely or not at all."""
        yield self._tx
