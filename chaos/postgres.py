"""An outside PostgreSQL: over TCP with a password, as an operator would have it. It can be stopped hard and soft."""

import asyncio
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg

from chaos.processes import free_port, spawn, wait_until
from signoff.platform.embedded_postgres.binaries import installed_programs, program_environment, reachable_programs
from signoff.platform.embedded_postgres.os_users import server_os_user

PASSWORD = "pass/word of the run"
CONNECTIONS = 300
"""As in compose.yaml: three API processes and two workers would otherwise want more than there are."""

PATIENCE = 30.0
"""Seconds to wait for PostgreSQL to exit before sending a harder signal."""


class Postgres:
    """The programs are those of the embedded one; all is PostgreSQL's own default but the number of connections."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        folder.parent.chmod(0o711)  # as root, the database has a user of its own, who must be able to get here
        self.port = free_port()
        self.log = folder / "postgres.log"
        self.dsn = self.address("signoff", "signoff")
        self._cluster = folder / "cluster"
        self._folder = folder
        self._account = server_os_user(folder)
        installed = installed_programs()
        self._programs = reachable_programs(installed[max(installed)], self._account)
        self._process: subprocess.Popen[bytes] | None = None
        self.lock = asyncio.Lock()
        """Whoever stops it starts it again before anybody else stops it."""

    def address(self, user: str, database: str) -> str:
        return f"postgresql://{user}:{quote(PASSWORD, safe='')}@127.0.0.1:{self.port}/{database}"

    async def make(self) -> None:
        await asyncio.to_thread(self._initialise)
        await self.start()
        await asyncio.to_thread(self._make_database)

    def _initialise(self) -> None:
        secret = self._folder / "password"
        secret.write_text(PASSWORD)
        self.log.touch()
        self._account.own(self._folder)
        command = [self._programs / "initdb", "-D", self._cluster, "-U", "postgres", "--no-sync", "--no-instructions"]
        command += ["-A", "scram-sha-256", f"--pwfile={secret}", "-E", "UTF8", "--locale-provider=builtin"]
        command += ["--locale=C.UTF-8", "-c", "unix_socket_directories="]
        made = subprocess.run(
            command, cwd="/", env=program_environment(), capture_output=True, text=True, **self._account.identity
        )
        if made.returncode:
            raise RuntimeError(made.stderr)

    def _make_database(self) -> None:
        with psycopg.connect(self.address("postgres", "postgres"), autocommit=True) as connection:
            connection.execute(f"create role signoff login password '{PASSWORD}'")  # type: ignore[arg-type]
            connection.execute("create database signoff owner signoff")

    async def start(self) -> None:
        command = [self._programs / "postgres", "-D", self._cluster, "-c", f"port={self.port}"]
        command += ["-c", "listen_addresses=127.0.0.1", "-c", f"max_connections={CONNECTIONS}"]
        # SIGQUIT ends it at once, should the run be killed.
        self._process = spawn(
            command, self.log, death=signal.SIGQUIT, cwd="/", env=program_environment(), **self._account.identity
        )
        await wait_until(self._answers, "PostgreSQL", self.log)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.address("postgres", "postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def processes(self) -> list[psutil.Process]:
        assert self._process is not None
        main = psutil.Process(self._process.pid)
        return [main, *main.children()]

    def backends(self) -> list[psutil.Process]:
        """Those that serve a connection of the service."""
        _, *others = self.processes()
        found: list[psutil.Process] = []
        for each in others:
            with suppress(psutil.NoSuchProcess):
                if "signoff" in " ".join(each.cmdline()):
                    found.append(each)
        return found

    async def stop(self, number: signal.Signals = signal.SIGINT, patience: float = PATIENCE) -> None:
        """SIGINT: fast, connections are ended and everything is written. SIGQUIT: as after a crash.

        SIGKILL ends the main process alone. The others notice, and the next start has to wait for them.
        """
        if self._process is not None:
            _, *others = self.processes()
            # PostgreSQL 18 can hang if a fast shutdown is requested just as crash recovery begins.
            for harder in (number, signal.SIGQUIT, signal.SIGKILL):
                self._process.send_signal(harder)
                with suppress(subprocess.TimeoutExpired):
                    await asyncio.to_thread(self._process.wait, patience)
                    break
            await asyncio.to_thread(psutil.wait_procs, others, 30)
            self._process = None
