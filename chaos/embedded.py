"""What most people run: `signoff serve`, with the database that it brings along, on a small disk of its own."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psutil

from chaos.cluster import SETTINGS, SIGNOFF, clean_environment, initialize
from chaos.processes import SupervisedProcess, free_port, wait_until

DISK = "600m"


class Disk:
    """A file system in memory, so that it can be full. Only root can mount one; elsewhere the disk never fills."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        folder.parent.chmod(0o711)  # as root, the database has a user of its own, who must be able to get here
        self.folder = folder
        command = ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=711", "signoff-chaos", str(folder)]
        can_mount = sys.platform == "linux" and os.geteuid() == 0
        self.is_small = can_mount and subprocess.run(command, capture_output=True, check=False).returncode == 0
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        with self._ballast.open("wb", buffering=0) as file, suppress(OSError):
            for size in (2**20, 2**12):
                with suppress(OSError):
                    while True:
                        file.write(b"x" * size)

    def empty(self) -> None:
        self._ballast.unlink(missing_ok=True)

    def unmount(self) -> None:
        if self.is_small:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


class EmbeddedPostgres:
    """The database of a running `serve`, which starts it again by itself."""

    def __init__(self, serve: SupervisedProcess, data_dir: Path) -> None:
        self._serve, self._data_dir = serve, data_dir

    @property
    def dsn(self) -> str:
        return json.loads((self._data_dir / "run.json").read_text())["dsn"]

    def main(self) -> psutil.Process | None:
        """None while it is being started."""
        with suppress(psutil.NoSuchProcess):
            for process in psutil.Process(self._serve.pid).children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    if process.name() == "postgres" and process.parent().name() != "postgres":  # type: ignore[union-attr]
                        return process
        return None

    def backends(self) -> list[psutil.Process]:
        found: list[psutil.Process] = []
        with suppress(psutil.NoSuchProcess):
            for process in main.children() if (main := self.main()) else []:
                with suppress(psutil.NoSuchProcess):
                    if "signoff" in " ".join(process.cmdline()):
                        found.append(process)
        return found


class EmbeddedService:
    def __init__(self, folder: Path, disk: Disk, serve: SupervisedProcess, url: str, workspace: dict[str, str]) -> None:
        self.folder, self.disk, self.url, self.workspace = folder, disk, url, workspace
        self.serve = serve
        self.postgres = EmbeddedPostgres(serve, disk.folder / "data")
        self.service = [serve]
        self.kills = 0

    @property
    def api_starts(self) -> int:
        """At most: whatever is killed may take the API along."""
        return 1 + self.kills

    def child(self, name: str) -> psutil.Process | None:
        """`api` or `worker`; None while it is being started."""
        with suppress(psutil.NoSuchProcess):
            for process in psutil.Process(self.serve.pid).children():
                with suppress(psutil.NoSuchProcess):
                    if name in process.cmdline():
                        return process
        return None

    def kill(self, process: psutil.Process | None, number: signal.Signals = signal.SIGKILL) -> None:
        self.kills += 1
        if process is not None:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    async def wait_until_running(self) -> None:
        await wait_until(self._is_ready, "signoff serve", self.serve.log)

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False


@asynccontextmanager
async def start_embedded_service(folder: Path) -> AsyncGenerator[EmbeddedService]:
    disk = Disk(folder / "disk")
    try:
        port = free_port()
        settings = {
            **SETTINGS,
            "DATA_DIR": str(disk.folder / "data"),
            "PORT": str(port),
            "DEMO": "0",
            "SLACK_API_URL": "http://127.0.0.1:9/api",
        }
        env = clean_environment(settings)
        workspace = await asyncio.to_thread(initialize, env)
        serve = SupervisedProcess("serve", [*SIGNOFF, "serve"], env, folder / "serve.log")
        stage = EmbeddedService(folder, disk, serve, f"http://127.0.0.1:{port}", workspace)
        serve.start(keep=False)
        try:
            await stage.wait_until_running()
            yield stage
        finally:
            await serve.stop(20.0)
    finally:
        disk.unmount()
