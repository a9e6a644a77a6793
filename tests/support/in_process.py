"""The service in the test's own process: its API, called without a socket, and its worker, on separate databases.

It costs a hundredth of a `signoff serve`, and a test can replace any part. Tests of processes, signals, sockets or
browsers need the real one: `support/service_process.py`.

The imports are local: they take seconds, and the process that distributes the tests never starts a service.
"""

import asyncio
import itertools
import json
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from support.declared_responses import strict_document
from support.prepared_data_dir import FOUNDED, prepared
from support.service_process import IN_PROCESS, NO_SLACK

from chaos.processes import free_port
from signoff.platform.settings import Settings, load_settings

if TYPE_CHECKING:
    from fastapi import FastAPI

STARTS_WITHIN = 60.0
_numbers = itertools.count(1)


class Databases:
    """Databases on one PostgreSQL, copied from those of a prepared one, because migrating one takes far longer."""

    def __init__(self, dsn: str) -> None:
        self._server = dsn.replace(f"/{FOUNDED}?", "/postgres?")

    def new(self, template: str) -> str:
        """Create a database and return its DSN. No one may be connected to the template."""
        name = f"test_{next(_numbers)}"
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(f"create database {name} template {template} strategy file_copy")
        return self._server.replace("/postgres?", f"/{name}?")


@dataclass
class Service:
    settings: Settings
    app: "FastAPI"
    database: str
    workspace: dict[str, str]
    log: Path
    """Of this process, so of all services in it."""
    worker: "InProcessWorker"

    @property
    def url(self) -> str:
        return self.settings.url

    @property
    def api(self) -> str:
        return f"{self.url}/api/v1"

    @property
    def data_dir(self) -> Path:
        return self.settings.data_dir

    def dsn(self) -> str:
        """For tests that have to read the database."""
        return self.database

    @property
    def env(self) -> dict[str, str]:
        """For a command that works on the same data directory."""
        values = self.settings.model_dump(mode="json", exclude_unset=True)
        own = {f"SIGNOFF_{name.upper()}": _in_environment(value) for name, value in values.items() if value is not None}
        clean = {name: value for name, value in os.environ.items() if not name.startswith("SIGNOFF_")}
        return {**clean, **own, "SIGNOFF_DATABASE_URL": self.database}


def _in_environment(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)


@dataclass
class InProcessWorker:
    settings: Settings
    database: str
    _task: asyncio.Task[None] | None = None
    _stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def start(self) -> None:
        from signoff.processes.worker import run_worker

        assert self._task is None
        self._stop = asyncio.Event()
        ready = asyncio.Event()
        self._task = asyncio.create_task(run_worker(self.settings, self.database, self._stop, ready.set))
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait({waiting, self._task}, timeout=STARTS_WITHIN, return_when=asyncio.FIRST_COMPLETED)
        if not ready.is_set():
            waiting.cancel()
            await self._task
            raise AssertionError("the worker has not started")

    async def stop(self) -> None:
        """As an operator would."""
        if self._task is not None:
            self._stop.set()
            await self._task
            self._task = None


StartService = Callable[..., AbstractAsyncContextManager[Service]]
"""Takes settings, `worker=False` for an API alone, `beside=service` for another one on the same data, and `database=`
an address for one on other data."""


@asynccontextmanager
async def service_in_process(
    databases: Databases,
    data_dir: Path,
    log: Path,
    *,
    worker: bool = True,
    beside: Service | None = None,
    database: str | None = None,
    **settings: Any,
) -> AsyncGenerator[Service]:
    """Set up, started and ready. `beside`: as another process of that service, or with its port, the one that replaces
    it. `database`: on this one."""
    from signoff.app import create_app

    port = free_port()
    if beside is not None:
        data_dir, database = beside.data_dir, beside.database
    loaded = load_settings(
        **{
            "data_dir": data_dir,
            "port": port,
            "slack_api_url": NO_SLACK,
            "demo": False,
            "log_format": "json",
            "database_pool_size": 10,
            "shutdown_grace": 2,
            **settings,
        }
    )
    dsn = database or databases.new(FOUNDED)
    strict_document()  # building it blocks, so it's built before anything waits
    app = create_app(loaded, dsn)
    service = Service(loaded, app, dsn, {**prepared().workspace, "url": loaded.url}, log, InProcessWorker(loaded, dsn))
    async with AsyncExitStack() as running:
        await running.enter_async_context(app.router.lifespan_context(app))
        running.callback(app.state.context.pubsub.stop)
        IN_PROCESS[loaded.url] = app
        running.callback(IN_PROCESS.pop, loaded.url, None)
        running.push_async_callback(service.worker.stop)
        if worker:
            await service.worker.start()
        yield service
