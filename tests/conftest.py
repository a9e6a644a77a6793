"""One real service for each test process; each test makes agents and review types of its own in it."""

from collections.abc import AsyncIterator, Iterator

import pytest
from support.api import Workspace, open_workspace
from support.receiver import Receiver
from support.service import RunningService, running_service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """Deliveries are retried within moments here, and sign-ins are not throttled by the tests' own number."""
    with running_service(
        tmp_path_factory.mktemp("service"),
        webhook_retry_schedule="0.1,0.1,0.1,0.1,0.1,0.1",
        webhook_timeout=2,
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
