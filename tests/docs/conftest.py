import pytest
from support.service import RunningService


@pytest.fixture(scope="session")
def service(real_service: RunningService) -> RunningService:
    """The examples run in processes of their own."""
    return real_service
