from collections.abc import AsyncIterator

import pytest
from support.in_process import Service

from signoff.platform.db import Database


@pytest.fixture
async def db(service: Service) -> AsyncIterator[Database]:
    """A past cannot be had over HTTP."""
    made = await Database.connect(service.dsn(), size=1)
    yield made
    await made.close()
