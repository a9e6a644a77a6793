"""A second account and users for trigger forms; for public forms, a service that trusts the visitors' addresses."""

from collections.abc import AsyncGenerator, AsyncIterator

import asyncpg
import httpx
import pytest
from support.api import Workspace, sign_in_workspace
from support.in_process import Service, StartService
from support.second_account import open_second_account


@pytest.fixture(scope="session")
async def other_workspace(service: Service) -> Workspace:
    return await open_second_account(service)


@pytest.fixture(scope="session")
async def people(workspace: Workspace) -> dict[str, tuple[dict[str, str], httpx.AsyncClient]]:
    """One user of each role, and their client. Tests share them and never change them."""
    return {role: await workspace.make_person(role) for role in ("admin", "editor", "reviewer", "viewer")}


@pytest.fixture(scope="session")
async def public_service(start_service: StartService) -> AsyncIterator[Service]:
    """Visitors come through a proxy, so that each test has its own addresses; and the proof of work is easy."""
    async with start_service(trusted_proxies="127.0.0.0/8", public_form_bits=8, public_form_rate=5) as running:
        yield running


@pytest.fixture(scope="session")
async def public_workspace(public_service: Service) -> AsyncIterator[Workspace]:
    workspace = await sign_in_workspace(public_service)
    yield workspace
    await workspace.close()


@pytest.fixture
async def public_db(public_service: Service) -> AsyncGenerator[asyncpg.Connection]:
    """For states that no call can create, such as an hour that has passed."""
    connection = await asyncpg.connect(public_service.dsn())
    yield connection
    await connection.close()
