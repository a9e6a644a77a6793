"""The database: one pool a process, JSON as Python values, transactions by `async with`.

SQL is written by hand in each domain's `queries.py` and `actions.py`. A statement that does a whole action at once is
a transaction by itself and costs one round trip; several statements go through `Database.transaction`.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Protocol, cast

import asyncpg
import orjson

from signoff.platform.batcher import Batcher, Item, Result

Row = asyncpg.Record


class DatabaseUnavailable(ConnectionError):
    """The database cannot be reached, or went away while we used it.

    A `ConnectionError`, so that whoever waits out trouble with connections waits this out too; a class of its own, so
    that trouble with files is never taken for it.
    """


class DatabaseExhausted(DatabaseUnavailable):
    """The database answers, but has no disk space, memory or connection left for us."""


# The second is what the driver says of a connection that the server has begun to close, when we use it just then.
_DRIVER_TROUBLE = (asyncpg.InterfaceError, asyncpg.InternalClientError)
# Class 53 of the error codes (disk full, out of memory, too many connections), and failed reads and writes.
_EXHAUSTED = (asyncpg.InsufficientResourcesError, asyncpg.PostgresIOError)
_AWAY = (asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError, *_EXHAUSTED)
_LOST = (*_DRIVER_TROUBLE, *_AWAY)

DATABASE_ERRORS = (OSError, asyncpg.PostgresError, *_DRIVER_TROUBLE)
"""Whatever can come of a query, for loops that wait it out and try again."""

CONNECT_TIMEOUT = 15.0
"""Seconds that a database which is just being restarted gets to come back, when a process starts."""


def _lost(error: Exception) -> DatabaseUnavailable:
    return DatabaseExhausted(str(error)) if isinstance(error, _EXHAUSTED) else DatabaseUnavailable(str(error))


class Executor(Protocol):
    """What a query needs: the pool, or a connection inside a transaction."""

    async def fetch(self, query: str, *args: Any) -> list[Row]: ...
    async def fetchrow(self, query: str, *args: Any) -> Row | None: ...
    async def fetchval(self, query: str, *args: Any) -> Any: ...
    async def execute(self, query: str, *args: Any) -> str: ...


class _Connection(asyncpg.Connection):  # type: ignore[misc]
    """A connection that needs no cleaning when it goes back to the pool.

    asyncpg sends `RESET ALL; UNLISTEN *; …` at every release, a whole round trip. Nothing here changes
    session state outside a transaction, and listeners keep connections of their own.
    """

    def get_reset_query(self) -> str:
        return ""


async def _prepare(connection: Any) -> None:
    await connection.set_type_codec(
        "json", schema="pg_catalog", format="binary", encoder=orjson.dumps, decoder=orjson.loads
    )
    # Binary jsonb is a version byte (1) followed by the JSON text.
    await connection.set_type_codec(
        "jsonb",
        schema="pg_catalog",
        format="binary",
        encoder=lambda value: b"\x01" + orjson.dumps(value),  # pyright: ignore
        decoder=lambda data: orjson.loads(data[1:]),  # pyright: ignore
    )


def json_texts(values: Iterable[Any]) -> list[str | None]:
    """A column of JSON values for a batch: bind it as `text[]` and cast each row, `value::json`. None is SQL's null.

    Never bind a batch as `json[]` or `jsonb[]`: the driver takes a value that is a list for another dimension of the
    array, and `unnest` then hands its elements to other rows.
    """
    return [None if value is None else orjson.dumps(value).decode() for value in values]


class Database:
    def __init__(self, dsn: str, pool: Any) -> None:
        self.dsn = dsn
        self.pool = pool
        self._batchers: dict[Any, Batcher[Any, Any]] = {}

    @classmethod
    async def connect(cls, dsn: str, *, size: int = 20, application: str = "signoff") -> "Database":
        until = time.monotonic() + CONNECT_TIMEOUT
        while True:
            try:
                return cls(dsn, await cls._open_pool(dsn, size, application))
            except (OSError, *_AWAY) as error:
                if time.monotonic() > until:
                    raise _lost(error) from error
                await asyncio.sleep(0.2)

    @staticmethod
    async def _open_pool(dsn: str, size: int, application: str) -> Any:
        return await asyncpg.create_pool(
            dsn,
            min_size=1,
            max_size=size,
            init=_prepare,
            connection_class=_Connection,
            # In UTC wherever the database stands: moments in JSON are written by its time zone.
            server_settings={"application_name": application, "jit": "off", "timezone": "UTC"},
            max_inactive_connection_lifetime=300,
            statement_cache_size=500,
        )

    async def close(self) -> None:
        await self.pool.close()

    async def fetch(self, query: str, *args: Any) -> list[Row]:
        return await self._run(lambda connection: connection.fetch(query, *args))

    async def fetchrow(self, query: str, *args: Any) -> Row | None:
        return await self._run(lambda connection: connection.fetchrow(query, *args))

    async def fetchval(self, query: str, *args: Any) -> Any:
        return await self._run(lambda connection: connection.fetchval(query, *args))

    async def execute(self, query: str, *args: Any) -> str:
        return await self._run(lambda connection: connection.execute(query, *args))

    async def _run(self, query: Callable[[Any], Awaitable[Any]]) -> Any:
        try:
            async with self.pool.acquire() as connection:
                return await query(connection)
        except asyncpg.QueryCanceledError:
            raise  # a time limit of its own, which whoever set it knows about
        except (OSError, *_LOST) as error:
            raise _lost(error) from error

    async def batched(
        self, run: Callable[["Database", Sequence[Item]], Awaitable[Sequence[Result]]], item: Item
    ) -> Result:
        """What `run` answers for `item`, in one call with whatever else is there to run at the same moment."""
        batcher = self._batchers.get(run)
        if batcher is None:
            batcher = self._batchers[run] = Batcher(partial(run, self))
        return await batcher(item)

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Executor]:
        """Returning commits, raising rolls back."""
        connected = False
        try:
            async with self.pool.acquire() as connection:
                connected = True
                try:
                    async with connection.transaction():
                        yield connection
                except OSError as error:
                    if not connection.is_closed():
                        raise  # about something else that was done in between
                    raise _lost(error) from error
        except asyncpg.QueryCanceledError:
            raise
        except _LOST as error:
            raise _lost(error) from error
        except OSError as error:
            if connected:
                raise
            raise _lost(error) from error

    @asynccontextmanager
    async def own_connection(self) -> AsyncGenerator[Any]:
        """A connection outside the pool, for what holds one for long: listeners and session locks."""
        connection = cast(Any, await asyncpg.connect(self.dsn, connection_class=_Connection))
        try:
            await _prepare(connection)
            yield connection
        finally:
            await connection.close()
