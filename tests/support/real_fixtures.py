"""Fixtures for folders whose tests need a listening service, or commands that find it: import them in a conftest."""

import pytest
from support.api import Workspace
from support.service_process import RunningService

__all__ = ["service", "workspace"]


@pytest.fixture(scope="session")
def service(real_service: RunningService) -> RunningService:
    """A `signoff serve` instead of the service in this process."""
    return real_service


@pytest.fixture(scope="session")
def workspace(real_workspace: Workspace) -> Workspace:
    return real_workspace
