"""The service with a folder and with a bucket: storage tests run with both."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from s3_server import S3Server
from stored_files import Stored, close, open_stored
from support.api import Workspace, sign_in_workspace
from support.in_process import Service, StartService
from support.service_process import RunningService


@pytest.fixture(scope="session")
async def bucket_service(
    start_service: StartService, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Service, S3Server]]:
    bucket = await asyncio.to_thread(S3Server, tmp_path_factory.mktemp("s3"))
    starting = start_service(storage_url="s3://bucket/some/prefix")
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in bucket.env.items():
                patch.setenv(name, value)
            service = await starting.__aenter__()
        try:
            yield service, bucket
        finally:
            await starting.__aexit__(None, None, None)
    finally:
        await asyncio.to_thread(bucket.stop)


@pytest.fixture(scope="session", params=["disk", "bucket"])
def storage(request: pytest.FixtureRequest) -> tuple[Service, S3Server | None]:
    if request.param == "bucket":
        return request.getfixturevalue("bucket_service")
    return request.getfixturevalue("service"), None


@pytest.fixture(scope="session")
async def stored(storage: tuple[Service, S3Server | None]) -> AsyncIterator[Stored]:
    """With a folder and with a bucket."""
    async with open_stored(*storage) as storage_setup:
        yield storage_setup


@pytest.fixture(scope="session")
async def stored_on_disk(service: Service) -> AsyncIterator[Stored]:
    async with open_stored(service) as storage_setup:
        yield storage_setup


@pytest.fixture(scope="session")
async def real_workspace(real_service: RunningService) -> AsyncIterator[Workspace]:
    """For tests of sockets, and of a process that does nothing else."""
    workspace = await sign_in_workspace(real_service)
    yield workspace
    await close(workspace)
