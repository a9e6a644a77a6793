"""A database without disk space, memory or connections is a 503, and one log line for any number of requests."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import httpx
import pytest
import structlog
from fastapi import FastAPI

from signoff.platform.client_limits import ClientLimits
from signoff.platform.db import Database, DatabaseExhausted
from signoff.platform.http import error_handlers, middleware
from signoff.platform.http.error_handlers import install_error_handlers
from signoff.platform.http.middleware import RequestMiddleware
from signoff.platform.logs import Throttle
from signoff.platform.settings import load_settings

EXHAUSTED = [
    asyncpg.DiskFullError,
    asyncpg.OutOfMemoryError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresIOError,
]


class ExhaustedPool:
    def __init__(self, error: Exception) -> None:
        self._error = error

    @asynccontextmanager
    async def acquire(self) -> AsyncGenerator[Any]:
        yield self

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[None]:
        yield

    def is_closed(self) -> bool:
        return False

    async def execute(self, _: str) -> None:
        raise self._error


@pytest.mark.parametrize("kind", EXHAUSTED)
async def test_every_kind_of_query(kind: type[Exception]) -> None:
    db = Database("", ExhaustedPool(kind("could not extend file")))
    with pytest.raises(DatabaseExhausted):
        await db.execute("insert")
    with pytest.raises(DatabaseExhausted):
        async with db.transaction() as tx:
            await tx.execute("insert")


async def test_many_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    db = Database("", ExhaustedPool(asyncpg.DiskFullError("could not extend file")))
    app = FastAPI()
    install_error_handlers(app)

    @app.get("/reviews")
    async def reviews() -> None:  # pyright: ignore[reportUnusedFunction]
        await db.execute("insert")

    async def below_the_routes(*_: Any) -> None:
        await db.execute("insert")

    with structlog.testing.capture_logs() as lines:
        monkeypatch.setattr(middleware, "log", structlog.get_logger())
        monkeypatch.setattr(error_handlers, "database_exhausted", Throttle(structlog.get_logger(), "exhausted"))
        for inner in (app, below_the_routes):
            transport = httpx.ASGITransport(RequestMiddleware(inner, load_settings(), ClientLimits(load_settings())))
            async with httpx.AsyncClient(transport=transport, base_url="http://signoff.test") as client:
                for _ in range(20):
                    answer = await client.get("/reviews")
                    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
                    problem = answer.json()
                    assert (problem["code"], problem["requestId"]) == ("unavailable", answer.headers["x-request-id"])
                    assert "extend" not in answer.text
    assert {line["event"] for line in lines} == {"exhausted"}
    assert len(lines) <= 3


def test_throttled_log_reports_skipped_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("signoff.platform.logs.time.monotonic", lambda: now)
    with structlog.testing.capture_logs() as lines:
        say = Throttle(structlog.get_logger(), "lost")
        assert [say(error=number) for number in range(4)] == [True, False, False, False]
        now += 1.0
        assert say(error=4)
        now += 1.0
        assert say(error=5)
    assert [(line["error"], line.get("left_out")) for line in lines] == [(0, None), (4, 3), (5, None)]
