import pytest
from support.api import Workspace
from support.service import RunningService


@pytest.fixture(scope="session")
def service(real_service: RunningService) -> RunningService:
    """The protocol's own client brings its connections, and one way to it is a process."""
    return real_service


@pytest.fixture(scope="session")
def workspace(real_workspace: Workspace) -> Workspace:
    return real_workspace
