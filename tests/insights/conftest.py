from collections.abc import AsyncIterator

import pytest
from support.in_process import Service

from signoff.platform.db import Database


@pytest.fixture
async def db(service: Service) -> AsyncIterator[Database]:
    """Past data can't be created over HTTP."""
    database = await Database.connect(service.dsn(), size=1)
    yield database
    await database.close()
