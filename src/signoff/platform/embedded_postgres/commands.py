"""Run PostgreSQL's programs as the right OS user, log their output, and leave none of them behind."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

from signoff.platform.embedded_postgres import watchdog
from signoff.platform.embedded_postgres.binaries import program_environment, reachable_programs
from signoff.platform.embedded_postgres.errors import StartFailed
from signoff.platform.embedded_postgres.os_users import OsUser, tool_account

PORT = 5432
SUPERUSER = "postgres"

_READY_TIMEOUT = 300.0  # A start after a crash first replays the log since the last checkpoint.
_LOG_LIMIT = 10_000_000
_FULL_DISK = 16 * 1024 * 1024  # The size of the WAL segments that PostgreSQL allocates in advance.
_SOCKET_PATH_LIMIT = 103  # macOS; Linux allows four bytes more.
_OWN_DESCRIPTORS = Path("/proc/self/fd")


class Runner:
    """Runs programs in the folder `home` during one start."""

    def __init__(self, home: Path, account: OsUser, lock: int, stack: ExitStack) -> None:
        """Pass the descriptor `lock` to every program, so what it locks stays locked until the last program exits."""
        self._home = home
        self._account = account
        self._lock = lock
        self._log = home / "log"
        if self._log.exists() and self._log.stat().st_size > _LOG_LIMIT:
            self._log.replace(home / "log.1")
        self._output = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        stack.callback(os.close, self._output)
        self._log_start = os.fstat(self._output).st_size
        account.own(home)

    def reach(self, programs: Path) -> Path:
        return reachable_programs(programs, self._account)

    def run(self, program: Path, *arguments: str | Path) -> None:
        """Run a program until it exits. A `Path` among the arguments is a folder; the program starts in the first
        one.
        """
        account = tool_account(self._account)
        folders = [argument for argument in arguments if isinstance(argument, Path)]
        for folder in folders:
            account.own(folder)
        with _change_owner(program, *arguments) as (command, descriptors):
            try:
                done = subprocess.run(  # noqa: S603
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=self._output,
                    stderr=self._output,
                    pass_fds=(self._lock, *descriptors),
                    start_new_session=True,
                    cwd=folders[0],
                    env=program_environment(),
                    **account.identity,
                )
            except OSError as error:
                raise StartFailed(f"{program.name} can't be run: {error}") from error
        if done.returncode != 0:
            raise self._failure(f"{program.name} failed")
        for folder in folders:
            self._account.own(folder)

    @contextmanager
    def serve(self, programs: Path, cluster: Path, host: str | None = None) -> Generator[str]:
        """Run a server on the cluster and yield its socket folder, in a form that clients can use.

        This is `host` again if possible, because clients that outlived the last server still use that name.
        """
        _forget_dead_server(cluster)
        host, link = self._make_socket_folder(host)
        # Relative to the cluster, which is the server's working directory, because socket paths must be short.
        settings = {
            "listen_addresses": "",
            "port": PORT,
            "unix_socket_directories": "../socket",
            "unix_socket_permissions": "0700",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with _change_owner(programs / "postgres", "-D", cluster, *options) as (command, folders):
            descriptors = [self._lock, *folders]
            task = {
                "parent": os.getpid(),
                "command": command,
                "descriptors": descriptors,
                "identity": self._account.identity,
                "link": link,
            }
            # A new session keeps the terminal's Ctrl-C away from a database that is still needed.
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-S", watchdog.__file__, json.dumps(task)],
                stdin=subprocess.PIPE,
                stdout=self._output,
                stderr=self._output,
                pass_fds=descriptors,
                start_new_session=True,
                cwd="/",
                env=program_environment(),
            )
        with process:  # On exit, closes its standard input and waits for it.
            self._wait_until_ready(process, host)
            yield host

    def _make_socket_folder(self, host: str | None) -> tuple[str, str | None]:
        """Create the socket folder. Return the name clients use for it, and the symlink to remove afterwards, if
        one was needed.
        """
        folder = self._home / "socket"
        if folder.exists():
            shutil.rmtree(folder)  # A killed server's lock on the socket can keep the next one from starting.
        folder.mkdir(mode=0o700)
        self._account.own(folder)
        longest = os.fsencode(folder / f".s.PGSQL.{PORT}")
        if len(longest) <= _SOCKET_PATH_LIMIT and b"," not in longest:  # libpq reads a comma as a list of hosts.
            return str(folder), None
        link = _link_again(host, folder) or _new_link(folder)
        return link, link

    def _wait_until_ready(self, process: subprocess.Popen[bytes], host: str) -> None:
        deadline = time.monotonic() + _READY_TIMEOUT
        while True:
            try:
                connect(host, "postgres").close()
            except psycopg.OperationalError:
                if process.poll() is not None:
                    raise self._failure("PostgreSQL did not start") from None
                if time.monotonic() > deadline:
                    raise self._failure(f"PostgreSQL wasn't ready after {_READY_TIMEOUT:.0f} s") from None
                time.sleep(0.02)
            else:
                return

    def _failure(self, what: str) -> StartFailed:
        with self._log.open("rb") as log:
            log.seek(self._log_start)
            lines = log.read().decode(errors="replace").splitlines()[-15:]
        full = " The disk is full." if shutil.disk_usage(self._home).free < _FULL_DISK else ""
        return StartFailed("\n  ".join([f"{what}.{full} Last lines of {self._log}:", *lines]))


def _new_link(folder: Path) -> str:
    link = Path(tempfile.mkdtemp(prefix="signoff-"), "socket")
    link.symlink_to(folder)
    return str(link)


def _link_again(host: str | None, folder: Path) -> str | None:
    """Reuse the symlink of an earlier server, unless something else has taken its place."""
    if host is None:
        return None
    link = Path(host)
    try:
        link.parent.mkdir(mode=0o700, exist_ok=True)
        if link.parent.lstat().st_uid != os.geteuid():
            return None
        link.unlink(missing_ok=True)
        link.symlink_to(folder)
    except OSError:
        return None
    return str(link)


def connect(host: str, database: str) -> psycopg.Connection:
    """Open a superuser connection for setup. The service itself uses an ordinary role."""
    return psycopg.connect(host=host, port=PORT, user=SUPERUSER, dbname=database, autocommit=True)


@contextmanager
def _change_owner(program: Path, *arguments: str | Path) -> Generator[tuple[list[str], list[int]]]:
    """Yield a command line that names folders by open descriptors, together with those descriptors.

    This works for an account without access to the parent folders, for example below /root, and nobody has to loosen
    their permissions. On systems without such names, the paths are left as they are.
    """
    command, descriptors = [str(program)], list[int]()
    with ExitStack() as stack:
        for argument in arguments:
            if isinstance(argument, Path) and _OWN_DESCRIPTORS.exists():
                descriptors.append(os.open(argument, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW))
                stack.callback(os.close, descriptors[-1])
                argument = _OWN_DESCRIPTORS / str(descriptors[-1])
            command.append(str(argument))
        yield command, descriptors


def _forget_dead_server(cluster: Path) -> None:
    """Remove the pid file of a killed server, once it's certain that no server is using the cluster.

    PostgreSQL would mistake any running process with that pid for its predecessor. After a container restart, pids
    start over, so there usually is one. A running server has the cluster as its working directory.
    """
    note = cluster / "postmaster.pid"
    if not note.exists() or not _OWN_DESCRIPTORS.exists():
        return
    pid = note.read_text().partition("\n")[0]
    try:
        alive = pid.isdecimal() and Path("/proc", pid, "cwd").samefile(cluster)
    except FileNotFoundError:
        alive = False
    except PermissionError:
        return
    if not alive:
        note.unlink()
