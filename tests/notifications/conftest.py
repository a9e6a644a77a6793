from collections.abc import AsyncIterator, Iterator

import pytest
from support.mail_server import mail_server
from support.service import running_service
from telling_support import Office, open_office

COLLECT = 3600
"""Long enough that the worker plans, and the test says when the mails are due."""


@pytest.fixture(scope="session")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple]:
    """A service and the mail server that it sends to."""
    with (
        mail_server() as server,
        running_service(
            tmp_path_factory.mktemp("telling"), **server.settings, mail_collect_seconds=COLLECT, sign_in_failures=1000
        ) as service,
    ):
        yield service, server


@pytest.fixture(scope="session")
async def office(telling: tuple) -> AsyncIterator[Office]:
    """For what is assigned to single people."""
    async with open_office(*telling) as made:
        yield made


@pytest.fixture
async def own_office(telling: tuple) -> AsyncIterator[Office]:
    """An account of its own, for what asks everybody in it or changes it."""
    async with open_office(*telling) as made:
        yield made
