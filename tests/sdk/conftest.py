"""Both clients, against the real service, directly and through a failing proxy."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from flaky_proxy import FlakyProxy
from sdk_helpers import Sdk
from support.real_fixtures import service, workspace
from support.service_process import RunningService

from signoff_client import AsyncClient, Client

__all__ = ["service", "workspace"]


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> type[Client] | type[AsyncClient]:
    return Client if request.param == "sync" else AsyncClient


@pytest.fixture
async def sdk(kind: type[Client] | type[AsyncClient], service: RunningService) -> AsyncIterator[Sdk]:
    client_sdk = Sdk(kind(service.url, api_key=service.workspace["apiKey"]))
    yield client_sdk
    await client_sdk(client_sdk.client.close)


@pytest.fixture
async def proxy(service: RunningService) -> AsyncIterator[FlakyProxy]:
    flaky_proxy = FlakyProxy(service.url)
    await flaky_proxy.start()
    yield flaky_proxy
    await flaky_proxy.stop()


@pytest.fixture
async def flaky(
    kind: type[Client] | type[AsyncClient], service: RunningService, proxy: FlakyProxy
) -> AsyncIterator[Sdk]:
    """A client behind the proxy, with short delays."""
    client_sdk = Sdk(kind(proxy.url, api_key=service.workspace["apiKey"], timeout=10))
    client_sdk.client.retry_policy = replace(client_sdk.client.retry_policy, initial_delay=0.01)
    yield client_sdk
    await client_sdk(client_sdk.client.close)
