"""Database access: one pool per process, JSON columns as Python values, transactions with `async with`.

SQL is written by hand in each domain's `queries.py` and `actions.py`. A single statement that performs a whole action
is its own transaction and costs one round trip; several statements go through `Database.transaction`.

What may only happen after the commit, such as waking the workers, is registered where the change is written, with
`after_commit` or `notify`. The functions that write needn't know whether they run in a transaction: after a single
statement, it happens at once.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Protocol, TypeVar, cast

import asyncpg
import orjson

from signoff.platform.batcher import Batcher, Item, Result
from signoff.platform.logs import Throttle, get_logger
from signoff.platform.pg_notify import Notification, NotifyBatcher

log = get_logger("database")

T = TypeVar("T")
notify_failures = Throttle(
    get_logger("pg_notify"), "could not notify; listeners will poll instead", level=logging.WARNING
)

Row = asyncpg.Record


class DatabaseUnavailable(ConnectionError):
    """The database can't be reached, or the connection was lost during a query.

    It's a `ConnectionError`, so code that retries on connection errors retries on this one too. It's a class of its
    own, so that file errors are never mistaken for it.
    """


class DatabaseExhausted(DatabaseUnavailable):
    """The database responds, but has run out of disk space, memory, or connections."""


class TransactionAborted(RuntimeError):
    """A statement failed and its error was caught inside the transaction, so PostgreSQL rolled back instead of
    committing. Use a savepoint around a statement that may fail.
    """


# The second is what the driver raises when we use a connection that the server has just begun to close.
_DRIVER_ERRORS = (asyncpg.InterfaceError, asyncpg.InternalClientError)
# Error class 53 (disk full, out of memory, too many connections), and failed reads and writes.
_EXHAUSTED = (asyncpg.InsufficientResourcesError, asyncpg.PostgresIOError)
_CONNECTION_ERRORS = (asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError, *_EXHAUSTED)
_LOST = (*_DRIVER_ERRORS, *_CONNECTION_ERRORS)

DATABASE_ERRORS = (OSError, asyncpg.PostgresError, *_DRIVER_ERRORS)
"""Any error a query can raise, for loops that retry."""

IDLE_TRANSACTION_TIMEOUT = "5min"

CONNECT_TIMEOUT = 15.0
"""Seconds to wait for a restarting database when a process starts."""


def _to_unavailable(error: Exception) -> DatabaseUnavailable:
    return DatabaseExhausted(str(error)) if isinstance(error, _EXHAUSTED) else DatabaseUnavailable(str(error))


class Executor(Protocol):
    """What queries run on: the pool, or a connection inside a transaction."""

    async def fetch(self, query: str, *args: Any) -> list[Row]: ...
    async def fetchrow(self, query: str, *args: Any) -> Row | None: ...
    async def fetchval(self, query: str, *args: Any) -> Any: ...
    async def execute(self, query: str, *args: Any) -> str: ...

    def after_commit(self, callback: Callable[[], None]) -> None:
        """Call `callback` once after the commit, and never after a rollback. Register it after the statement that it
        follows from. An error is logged and doesn't keep the other callbacks from running.
        """
        ...

    def notify(self, channel: str, payload: str = "") -> None:
        """Send a `NOTIFY` after the commit, batched with others (`pg_notify.py`)."""
        ...

    def shared(self, kind: type[T]) -> T:
        """Return the object of this class that all users of the `Database` share, such as a cache. It's created on
        first use.
        """
        ...


class Transaction:
    """The connection inside `Database.transaction`."""

    def __init__(self, connection: Any, database: "Database") -> None:
        self._connection = connection
        self._database = database
        self._callbacks: list[Callable[[], None]] = []

    async def fetch(self, query: str, *args: Any) -> list[Row]:
        return await self._connection.fetch(query, *args)

    async def fetchrow(self, query: str, *args: Any) -> Row | None:
        return await self._connection.fetchrow(query, *args)

    async def fetchval(self, query: str, *args: Any) -> Any:
        return await self._connection.fetchval(query, *args)

    async def execute(self, query: str, *args: Any) -> str:
        return await self._connection.execute(query, *args)

    def after_commit(self, callback: Callable[[], None]) -> None:
        self._callbacks.append(callback)

    def notify(self, channel: str, payload: str = "") -> None:
        self.after_commit(partial(self._database.notify, channel, payload))

    def shared(self, kind: type[T]) -> T:
        return self._database.shared(kind)

    @asynccontextmanager
    async def savepoint(self) -> AsyncGenerator[None]:
        """On an exception, roll back to here, also what was registered for after the commit."""
        registered = len(self._callbacks)
        await self._connection.execute("savepoint here")
        try:
            yield
        except BaseException:
            del self._callbacks[registered:]
            with suppress(OSError, *_LOST):
                await self._connection.execute("rollback to savepoint here; release savepoint here")
            raise
        await self._connection.execute("release savepoint here")

    async def commit(self) -> None:
        # PostgreSQL answers with ROLLBACK, not with an error, if a statement has failed.
        if await self._connection.execute("commit") != "COMMIT":
            raise TransactionAborted("a statement failed in this transaction, so nothing was committed")
        for callback in self._callbacks:
            _run_callback(callback)


def _run_callback(callback: Callable[[], None]) -> None:
    try:
        callback()
    except Exception:
        log.exception("post-commit callback failed")


class _Connection(asyncpg.Connection):  # type: ignore[misc]
    """A connection that skips the reset when it returns to the pool.

    asyncpg sends `RESET ALL; UNLISTEN *; …` on every release, which costs a round trip. Nothing here changes session
    state outside a transaction, and listeners have connections of their own.
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


class Database:
    def __init__(self, dsn: str, pool: Any) -> None:
        self.dsn = dsn
        self.pool = pool
        self._batchers: dict[Any, Batcher[Any, Any]] = {}
        self._notifier = NotifyBatcher(self._send_notifications)
        self._shared: dict[type, Any] = {}

    @classmethod
    async def connect(cls, dsn: str, *, size: int = 20, application: str = "signoff") -> "Database":
        until = time.monotonic() + CONNECT_TIMEOUT
        while True:
            try:
                return cls(dsn, await cls._open_pool(dsn, size, application))
            except (OSError, *_CONNECTION_ERRORS) as error:
                if time.monotonic() > until:
                    raise _to_unavailable(error) from error
                await asyncio.sleep(0.2)

    @staticmethod
    async def _open_pool(dsn: str, size: int, application: str) -> Any:
        return await asyncpg.create_pool(
            dsn,
            min_size=1,
            max_size=size,
            init=_prepare,
            connection_class=_Connection,
            # Use UTC whatever the database's time zone is: it decides how timestamps inside JSON are written.
            server_settings={
                "application_name": application,
                "jit": "off",
                "timezone": "UTC",
                # A process that is frozen or cut off in a transaction would hold its locks forever.
                "idle_in_transaction_session_timeout": IDLE_TRANSACTION_TIMEOUT,
            },
            max_inactive_connection_lifetime=300,
            statement_cache_size=500,
        )

    async def close(self) -> None:
        await self._notifier.flush()
        await self.pool.close()

    async def fetch(self, query: str, *args: Any) -> list[Row]:
        return await self._run(lambda connection: connection.fetch(query, *args))

    async def fetchrow(self, query: str, *args: Any) -> Row | None:
        return await self._run(lambda connection: connection.fetchrow(query, *args))

    async def fetchval(self, query: str, *args: Any) -> Any:
        return await self._run(lambda connection: connection.fetchval(query, *args))

    async def execute(self, query: str, *args: Any) -> str:
        return await self._run(lambda connection: connection.execute(query, *args))

    def after_commit(self, callback: Callable[[], None]) -> None:
        """Call `callback` now: a single statement has been committed."""
        _run_callback(callback)

    def notify(self, channel: str, payload: str = "") -> None:
        self._notifier.notify(channel, payload)

    def shared(self, kind: type[T]) -> T:
        if kind not in self._shared:
            self._shared[kind] = kind()
        return self._shared[kind]

    async def _send_notifications(self, notifications: Sequence[Notification]) -> None:
        try:
            await self.execute(
                "select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as n (channel, payload)",
                [channel for channel, _ in notifications],
                [payload for _, payload in notifications],
            )
        except DATABASE_ERRORS as error:
            notify_failures(error=str(error))

    async def _run(self, query: Callable[[Any], Awaitable[Any]]) -> Any:
        try:
            async with self.pool.acquire() as connection:
                return await query(connection)
        except asyncpg.QueryCanceledError:
            raise  # the caller's own time limit, for the caller to handle
        except (OSError, *_LOST) as error:
            raise _to_unavailable(error) from error

    async def batched(
        self, run: Callable[["Database", Sequence[Item]], Awaitable[Sequence[Result]]], item: Item
    ) -> Result:
        """Return the result of `run` for `item`, batched with other items that are ready at the same time."""
        batcher = self._batchers.get(run)
        if batcher is None:
            batcher = self._batchers[run] = Batcher(partial(run, self))
        return await batcher(item)

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction]:
        """Commit on return, roll back on an exception.

        If the connection is lost or the caller is canceled during the commit, nobody knows whether it happened, and
        nothing that was registered for after it does. Whoever waits for that also polls.
        """
        connected = False
        try:
            async with self.pool.acquire() as connection:
                connected = True
                try:
                    await connection.execute("begin")
                    transaction = Transaction(connection, self)
                    try:
                        yield transaction
                    except BaseException:
                        with suppress(OSError, *_LOST):  # then the database rolls back
                            await connection.execute("rollback")
                        raise
                    await transaction.commit()
                except OSError as error:
                    if not connection.is_closed():
                        raise  # unrelated: raised by other work done on the connection
                    raise _to_unavailable(error) from error
        except asyncpg.QueryCanceledError:
            raise
        except _LOST as error:
            raise _to_unavailable(error) from error
        except OSError as error:
            if connected:
                raise
            raise _to_unavailable(error) from error

    @asynccontextmanager
    async def own_connection(self) -> AsyncGenerator[Any]:
        """Open a connection outside the pool, for long-running uses such as listeners and session locks."""
        connection = cast(Any, await asyncpg.connect(self.dsn, connection_class=_Connection))
        try:
            await _prepare(connection)
            yield connection
        finally:
            await connection.close()
