"""One real service for each test process; each test makes agents and review types of its own in it.

And databases of one's own, for the few that need no service.
"""

import itertools
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from support.api import Workspace, open_workspace
from support.receiver import Receiver
from support.service import RunningService, running_service

from signoff.platform.db import Database
from signoff.platform.embedded import EmbeddedPostgres
from signoff.platform.migrate import migrate

numbers = itertools.count(1)

# What is started in the background of a script ignores Ctrl-C, and whatever it starts does; what we start must not.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A property is about what comes out, not about how busy the machine is. What is drawn is the same at every run: a test
# that fails does so for everybody. `--hypothesis-profile=search` draws anew.
whatever = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("search", **whatever)
settings.register_profile("steady", **whatever, derandomize=True)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """Deliveries are retried within moments here, and sign-ins are not throttled by the tests' own number."""
    with running_service(
        tmp_path_factory.mktemp("service"),
        webhook_retry_schedule="0.1,0.1,0.1,0.1,0.1,0.1",
        webhook_timeout=8,
        sign_in_failures=1000,
    ) as running:
        yield running


@pytest.fixture(scope="session")
async def workspace(service: RunningService) -> AsyncIterator[Workspace]:
    made = await open_workspace(service)
    yield made
    for client in (made.agent, made.manager, made.owner, made.public):
        await client.aclose()


@pytest.fixture(scope="session")
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver()
    runner = await made.start()
    yield made
    await runner.cleanup()


@pytest.fixture(scope="session")
def postgres() -> Generator[str]:
    with TemporaryDirectory(prefix="signoff-") as folder:
        Path(folder).chmod(0o755)  # when root runs the tests, PostgreSQL is another user and has to get in
        with EmbeddedPostgres(Path(folder)) as dsn:
            yield dsn


@pytest.fixture(scope="session")
async def empty_databases(postgres: str) -> Callable[[], Awaitable[str]]:
    """Makes databases that have the schema and nothing else."""
    await migrate(postgres)

    async def make() -> str:
        name = f"empty_{next(numbers)}"
        # Not from inside the database that is copied: a template must not be in use.
        server = await Database.connect(postgres.replace("/signoff?", "/postgres?"), size=1)
        try:
            await server.execute(f"create database {name} template signoff")
        finally:
            await server.close()
        return postgres.replace("/signoff?", f"/{name}?")

    return make


@pytest.fixture
async def empty_db(empty_databases: Callable[[], Awaitable[str]]) -> AsyncGenerator[Database]:
    db = await Database.connect(await empty_databases(), size=8)
    yield db
    await db.close()
