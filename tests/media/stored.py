"""A service, and where the files of its media lie."""

from dataclasses import dataclass
from pathlib import Path

import obstore
from obstore.store import S3Store
from support.api import Workspace
from support.in_process import Service


@dataclass
class Stored:
    service: Service
    folder: Path
    workspace: Workspace

    def objects(self) -> set[str]:
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("med_*") if path.is_file()}

    def lose(self, key: str) -> None:
        """The object goes, and nobody tells the service."""
        env = self.service.env
        if "AWS_ENDPOINT" not in env:
            (self.folder / key).unlink()
            return
        keys = {"access_key_id": env["AWS_ACCESS_KEY_ID"], "secret_access_key": env["AWS_SECRET_ACCESS_KEY"]}
        where = {"endpoint": env["AWS_ENDPOINT"], "region": env["AWS_REGION"]}
        bucket = S3Store("bucket", prefix="some/prefix", client_options={"allow_http": True}, **keys, **where)
        obstore.delete(bucket, key)

    def incoming(self) -> list[Path]:
        """Files that are being worked on."""
        room = self.service.data_dir / "incoming"
        return [path for path in room.rglob("*") if path.name != ".lock" and path.is_file()]
