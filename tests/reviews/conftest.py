"""Users of every role, external reviewers, and a second account, for the tests of reviews."""

from collections.abc import AsyncGenerator

import asyncpg
import httpx
import pytest
from support.api import Workspace
from support.in_process import Service
from support.second_account import open_second_account


@pytest.fixture(scope="session")
async def other_workspace(service: Service) -> Workspace:
    return await open_second_account(service)


@pytest.fixture(scope="session")
async def people(workspace: Workspace) -> dict[str, tuple[dict[str, str], httpx.AsyncClient]]:
    """One user of each role, and their client. Tests share them and never change them."""
    roles = ("admin", "editor", "reviewer", "viewer")
    return {role: await workspace.make_person(role) for role in roles}


@pytest.fixture
async def db(service: Service) -> AsyncGenerator[asyncpg.Connection]:
    """For states that no call can create, such as an expired link."""
    connection = await asyncpg.connect(service.dsn())
    yield connection
    await connection.close()
