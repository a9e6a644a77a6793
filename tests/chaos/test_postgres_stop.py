"""Stopping the run's PostgreSQL works in any state, so that a run never hangs."""

import signal
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from chaos.postgres import Postgres


@pytest.fixture
async def postgres() -> AsyncIterator[Postgres]:
    # Not pytest's own folder, which only root can enter.
    with tempfile.TemporaryDirectory(prefix="signoff-chaos-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder) / "postgres")
        await server.make()
        yield server
        await server.stop(signal.SIGKILL)


async def test_unresponsive_server_is_killed(postgres: Postgres) -> None:
    processes = postgres.processes()
    processes[0].suspend()
    await postgres.stop(patience=0.2)
    assert not any(process.is_running() for process in processes)


async def test_responsive_server_is_stopped(postgres: Postgres) -> None:
    await postgres.stop()
    assert "database system is shut down" in postgres.log.read_text()
    await postgres.start()
