"""One service in each test process; each test creates its own agents and review types.

And separate databases for the few tests that need no service.
"""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvloop
from argon2.profiles import CHEAPEST
from hypothesis import HealthCheck, settings
from support.api import Workspace, workspace_of
from support.budget import pytest_configure
from support.examples import DEFAULT_EXAMPLES
from support.failures import follow_log, forget_log, pytest_runtest_makereport, pytest_runtest_setup
from support.forked_commands import RunForked, run_forked
from support.in_memory import memory_folder
from support.in_process import Databases, Service, StartService, service_in_process
from support.prepared_data_dir import EMPTY, START_WITHIN, prepared
from support.receiver import Receiver
from support.service_process import RunningService, running_service
from support.sync_client import sync_client
from support.workers import pytest_collection_finish, pytest_xdist_auto_num_workers

from signoff.accounts.passwords import Passwords, passwords
from signoff.platform.db import Database
from signoff.platform.embedded_postgres import EmbeddedPostgres
from signoff.platform.logs import configure_logs
from signoff.platform.settings import load_settings

# Hooks are imported above.
__all__ = [
    "pytest_collection_finish",
    "pytest_configure",
    "pytest_runtest_makereport",
    "pytest_runtest_setup",
    "pytest_xdist_auto_num_workers",
]

# Settings in the environment don't apply, except for the one that tests another build of the web app.
for name in [name for name in os.environ if name.startswith("SIGNOFF_") and name != "SIGNOFF_WEB_APP"]:
    del os.environ[name]

# The event loop of the API and the worker.
asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())

# A script's background processes ignore Ctrl-C, and so would the processes they start; ours must not.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A hash is slow on purpose, slower than most tests. `tests/accounts/test_passwords.py` checks the real cost.
vars(passwords).update(vars(Passwords(CHEAPEST)))

# A property is about results, not about how busy the machine is. Examples are the same in every run, so a failing test
# fails for everyone. `--hypothesis-profile=thorough` draws more, and `--hypothesis-profile=search` draws new ones.
whatever = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.differing_executors]}
settings.register_profile("search", **whatever, max_examples=DEFAULT_EXAMPLES)
settings.register_profile("thorough", **whatever, max_examples=DEFAULT_EXAMPLES, derandomize=True)
settings.register_profile("steady", **whatever, max_examples=DEFAULT_EXAMPLES // 4, derandomize=True)
settings.load_profile("steady")


FAST = {
    "webhook_retry_schedule": "0.02,0.02,0.02,0.02,0.02,0.02",
    "webhook_timeout": 8,
    "sign_in_failures": 1000,
}
"""Deliveries are retried within moments, and sign-ins are not throttled by the tests' own number."""


FOR_MANY = "max_connections = 500\nwal_level = minimal\nmax_wal_senders = 0\nmax_wal_size = 64MB\n"
"""PostgreSQL settings for many services and databases in memory."""


@pytest.fixture(scope="session")
def process_log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The log of the services in this process."""
    path = tmp_path_factory.mktemp("log") / "service.log"
    with path.open("w", buffering=1) as lines:
        configure_logs(load_settings(log_format="json"), lines)
        follow_log(path)
        yield path
        forget_log(path)


@pytest.fixture(scope="session")
def start_service(databases: Databases, process_log: Path, tmp_path_factory: pytest.TempPathFactory) -> StartService:
    """Starts a service with its own settings in this process."""

    def start(**settings: Any) -> AbstractAsyncContextManager[Service]:
        return service_in_process(databases, tmp_path_factory.mktemp("service"), process_log, **FAST | settings)

    return start


@pytest.fixture(scope="session")
async def service(start_service: StartService) -> AsyncIterator[Service]:
    """Shared by all tests of this process. Tests of processes, sockets and browsers use `real_service`."""
    async with start_service() as running:
        yield running


@pytest.fixture(scope="session")
async def new_sync_client() -> Callable[..., httpx.Client]:
    """Creates clients of services in this process, for tests that await nothing. Takes headers."""
    return partial(sync_client, loop=asyncio.get_running_loop())


@pytest.fixture(scope="session")
def forked() -> RunForked:
    """Runs commands in forked processes, which start quickly after the first."""
    run_forked(("--version",), {}, Path.cwd(), START_WITHIN)
    return run_forked


@pytest.fixture(scope="session")
def real_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A `signoff serve` with the same settings."""
    with running_service(tmp_path_factory.mktemp("service"), **FAST) as running:
        yield running


@pytest.fixture(scope="session")
async def workspace(service: Service) -> AsyncIterator[Workspace]:
    """Shared by the whole session: a conftest that replaces `service` has to replace this too."""
    async with workspace_of(service) as made:
        yield made


@pytest.fixture(scope="session")
async def real_workspace(real_service: RunningService) -> AsyncIterator[Workspace]:
    async with workspace_of(real_service) as made:
        yield made


@pytest.fixture(scope="session")
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver()
    runner = await made.start()
    yield made
    await runner.cleanup()


@pytest.fixture(scope="session")
def postgres() -> Generator[str]:
    """For the services and databases of this process, which would exceed its default limits."""
    with memory_folder() as folder:
        data_dir = folder / "data"
        prepared().copy_to(data_dir)
        for configuration in data_dir.glob("postgres/*/postgresql.conf"):
            with configuration.open("a") as more:
                more.write(FOR_MANY)
        with EmbeddedPostgres(data_dir) as dsn:
            yield dsn


@pytest.fixture(scope="session")
def databases(postgres: str) -> Databases:
    return Databases(postgres)


@pytest.fixture(scope="session")
def empty_databases(databases: Databases) -> Callable[[], Awaitable[str]]:
    """Creates databases that have only the schema."""

    async def make() -> str:
        return databases.new(EMPTY)

    return make


@pytest.fixture
async def empty_db(empty_databases: Callable[[], Awaitable[str]]) -> AsyncGenerator[Database]:
    db = await Database.connect(await empty_databases(), size=8)
    yield db
    await db.close()
