"""A connection that the server is closing counts as a lost database, not as an internal error.

The chaos run found this: the driver has a separate class for that moment, clients got a 500, and workers died. A
database without free connections was a 500 too.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from signoff.platform import db
from signoff.platform.db import DATABASE_ERRORS, Database, DatabaseUnavailable

ERRORS = [
    asyncpg.InternalClientError("cannot switch to state 12; another operation (2) is in progress"),
    asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
    asyncpg.CannotConnectNowError("the database system is starting up"),
    asyncpg.AdminShutdownError("terminating connection due to administrator command"),
    asyncpg.TooManyConnectionsError("sorry, too many clients already"),
]


class ClosedConnection:
    """A pool whose connections the server is closing: every call fails as the driver fails then."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Any]:
        yield self

    async def fetch(self, *_: Any) -> Any:
        raise self._error

    fetchrow = fetchval = execute = fetch

    def is_closed(self) -> bool:
        return False


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
class TestLostDatabase:
    @pytest.mark.parametrize("method", ["fetch", "fetchrow", "fetchval", "execute"])
    async def test_query_raises_database_lost(self, error: Exception, method: str) -> None:
        with pytest.raises(DatabaseUnavailable):
            await getattr(Database("", ClosedConnection(error)), method)("select 1")

    async def test_transaction_raises_database_lost(self, error: Exception) -> None:
        with pytest.raises(DatabaseUnavailable):
            async with Database("", ClosedConnection(error)).transaction():
                pass

    def test_loops_wait_until_it_returns(self, error: Exception) -> None:
        assert isinstance(error, DATABASE_ERRORS)


def test_loops_wait_out_a_lost_database() -> None:
    assert issubclass(DatabaseUnavailable, DATABASE_ERRORS)


class TestStarting:
    """A process that starts while the database restarts waits for it for a while, then reports an error."""

    def fail_connects(self, times: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        tried: list[str] = []

        async def create_pool(dsn: str, **_: Any) -> str:
            tried.append(dsn)
            if len(tried) <= times:
                raise asyncpg.CannotConnectNowError("the database system is starting up")
            return "a pool"

        monkeypatch.setattr(asyncpg, "create_pool", create_pool)
        return tried

    async def test_waits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tried = self.fail_connects(2, monkeypatch)
        assert (await Database.connect("dsn")).pool == "a pool"
        assert tried == ["dsn"] * 3

    async def test_not_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fail_connects(10_000, monkeypatch)
        monkeypatch.setattr(db, "CONNECT_TIMEOUT", 0.0)
        with pytest.raises(DatabaseUnavailable):
            await Database.connect("dsn")
