"""Processes that are told to stop while they wait for a database that doesn't respond."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from support.forked_commands import start_forked
from support.service_process import free_port

from signoff.app import create_served_app
from signoff.platform.settings import load_settings
from signoff.processes.worker import run_worker


def start_api(dsn: str) -> None:
    async def start() -> None:
        # Granian receives SIGTERM before the application starts, and continues.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: None)
        os.environ["SIGNOFF_DATABASE_URL"] = dsn
        app = create_served_app()
        async with app.router.lifespan_context(app):
            raise SystemExit("started without a database")

    asyncio.run(start())


@dataclass
class Restarting:
    """A database that closes every connection, like one that is restarting."""

    dsn: str
    asked: asyncio.Event


@asynccontextmanager
async def restarting_database() -> AsyncGenerator[Restarting]:
    database = Restarting(f"postgresql://x@127.0.0.1:{(port := free_port())}/x", asyncio.Event())

    async def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        database.asked.set()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", port):
        yield database


@pytest.mark.usefixtures("forked")
async def test_api_stops_at_once() -> None:
    async with restarting_database() as database:
        process = start_forked(start_api, database.dsn)
        await database.asked.wait()
        process.terminate()
        await asyncio.to_thread(process.join)
        assert process.exitcode == 0


async def test_worker_stops_at_once() -> None:
    stop = asyncio.Event()
    async with restarting_database() as database:
        running = asyncio.create_task(run_worker(load_settings(), database.dsn, stop, lambda: None))
        await database.asked.wait()
        stop.set()
        await running
