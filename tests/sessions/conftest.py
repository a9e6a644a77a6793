"""Users, a second account and a chat, for the tests of sessions."""

import httpx
import pytest
from session_helpers import Chat, make_chat
from support.api import Workspace
from support.in_process import Service
from support.receiver import Receiver
from support.second_account import open_second_account


@pytest.fixture(scope="session")
async def other_workspace(service: Service) -> Workspace:
    return await open_second_account(service)


@pytest.fixture(scope="session")
async def people(workspace: Workspace) -> dict[str, tuple[dict[str, str], httpx.AsyncClient]]:
    """One user of each role, and their client. Tests share them and never change them."""
    return {role: await workspace.make_person(role) for role in ("editor", "reviewer", "viewer")}


@pytest.fixture
async def chat(workspace: Workspace, receiver: Receiver) -> Chat:
    """A separate chat agent with its own webhook path."""
    return await make_chat(workspace, receiver)
