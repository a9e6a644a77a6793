"""Processes that are asked to stop while they wait for a database that does not answer."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from support.service import free_port

from signoff.platform.settings import load_settings
from signoff.worker import run_worker

# Granian takes SIGTERM before the application starts, and goes on.
STARTING_API = """
import asyncio, os, signal, sys
from signoff.main import served

async def start():
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: None)
    os.environ["SIGNOFF_DATABASE_URL"] = sys.argv[1]
    app = served()
    async with app.router.lifespan_context(app):
        raise SystemExit("started without a database")

asyncio.run(start())
"""


@dataclass
class Restarting:
    """A database that closes every connection, as one does that is just being restarted."""

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


async def test_api_stops_at_once() -> None:
    async with restarting_database() as database:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", STARTING_API, database.dsn)
        await database.asked.wait()
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0


async def test_worker_stops_at_once() -> None:
    stop = asyncio.Event()
    async with restarting_database() as database:
        running = asyncio.create_task(run_worker(load_settings(), database.dsn, stop, lambda: None))
        await database.asked.wait()
        stop.set()
        await running
