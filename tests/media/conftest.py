"""The service on a folder and on a bucket: what is tested of storage is tested on both."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from s3_server import S3Server
from stored import Stored
from support.api import open_workspace
from support.service import RunningService, running_service


@pytest.fixture(scope="session")
def bucket_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, Path]]:
    bucket = S3Server(tmp_path_factory.mktemp("s3"))
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in bucket.env.items():
                patch.setenv(name, value)
            running = running_service(tmp_path_factory.mktemp("bucket"), storage_url="s3://bucket/some/prefix")
            service = running.__enter__()
        try:
            yield service, bucket.folder / "some/prefix"
        finally:
            running.__exit__(None, None, None)
    finally:
        bucket.stop()


@pytest.fixture(scope="session", params=["disk", "bucket"])
def storing_service(request: pytest.FixtureRequest) -> tuple[RunningService, Path]:
    if request.param == "bucket":
        return request.getfixturevalue("bucket_service")
    service: RunningService = request.getfixturevalue("service")
    return service, service.data_dir / "media"


async def _open(service: RunningService, folder: Path) -> AsyncIterator[Stored]:
    workspace = await open_workspace(service)
    yield Stored(service, folder, workspace)
    for client in (workspace.agent, workspace.manager, workspace.owner, workspace.public):
        await client.aclose()


@pytest.fixture(scope="session")
async def stored(storing_service: tuple[RunningService, Path]) -> AsyncIterator[Stored]:
    """On a folder and on a bucket."""
    async for made in _open(*storing_service):
        yield made


@pytest.fixture(scope="session")
async def on_disk(service: RunningService) -> AsyncIterator[Stored]:
    async for made in _open(service, service.data_dir / "media"):
        yield made
