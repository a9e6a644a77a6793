"""A second account, and users of the first, for the tests of the inbox."""

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
    return {role: await workspace.make_person(role) for role in ("admin", "editor", "reviewer", "viewer")}
