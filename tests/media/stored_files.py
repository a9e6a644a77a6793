"""A service, and the location of its media files."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import obstore
from obstore.store import S3Store
from s3_server import S3Server
from support.api import Workspace, sign_in_workspace
from support.in_process import Service
from support.service_process import RunningService


@dataclass
class Stored:
    service: Service | RunningService
    folder: Path
    workspace: Workspace
    bucket: S3Server | None = None

    def objects(self) -> set[str]:
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("med_*") if path.is_file()}

    def lose(self, key: str) -> None:
        """Deletes the object without the service's knowledge."""
        if self.bucket is None:
            (self.folder / key).unlink()
            return
        env = self.bucket.env
        keys = {"access_key_id": env["AWS_ACCESS_KEY_ID"], "secret_access_key": env["AWS_SECRET_ACCESS_KEY"]}
        where = {"endpoint": env["AWS_ENDPOINT"], "region": env["AWS_REGION"]}
        bucket = S3Store("bucket", prefix="some/prefix", client_options={"allow_http": True}, **keys, **where)
        obstore.delete(bucket, key)

    def incoming(self) -> list[Path]:
        """Files in progress."""
        room = self.service.data_dir / "incoming"
        return [path for path in room.rglob("*") if path.name != ".lock" and path.is_file()]


@asynccontextmanager
async def open_stored(service: Service, bucket: S3Server | None = None) -> AsyncIterator[Stored]:
    workspace = await sign_in_workspace(service)
    folder = service.data_dir / "media" if bucket is None else bucket.folder / "some/prefix"
    yield Stored(service, folder, workspace, bucket)
    await close(workspace)


async def close(workspace: Workspace) -> None:
    await workspace.close()
