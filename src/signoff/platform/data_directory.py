"""The data directory of an installation: one process locks it, and others find that process and its database."""

import fcntl
import json
import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import psycopg

from signoff.platform.embedded_postgres import EmbeddedPostgres
from signoff.platform.errors import CommandError
from signoff.platform.settings import Settings

SERVE = "serve"
_POLL_INTERVAL = 0.1
_OTHERS_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class DataDirectoryOwner:
    """The process that uses the data directory, with the database URL once others may use it too."""

    command: str
    pid: int
    url: str
    dsn: str | None = None
    local_url: str = ""
    """URL of the service on this machine."""


class DataDirectoryLock:
    """Exclusive use of a data directory: a lock on its file `run.json`, which names the holder.

    The lock ends with its process, so what a killed process left in the file is ignored.
    """

    def __init__(self, path: Path, descriptor: int, holder: DataDirectoryOwner) -> None:
        """Take over the locked `descriptor`. Raises `CommandError` if the file can't be written."""
        self._path = path
        self._descriptor = descriptor
        self._holder = holder
        try:
            self._write(holder)
        except CommandError:
            os.close(descriptor)
            raise

    def share(self, dsn: str) -> None:
        """Let other commands use the database while the lock is held."""
        self._write(replace(self._holder, dsn=dsn))

    def release(self) -> None:
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)

    def _write(self, holder: DataDirectoryOwner) -> None:
        """Replace the file with a new one that is locked as well: if the disk is full, the old one stays intact."""
        new = self._path.with_suffix(".json.new")
        descriptor = -1
        try:
            descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.write(descriptor, json.dumps(asdict(holder)).encode())
            _change_owner(descriptor, self._path.parent)
            new.replace(self._path)
        except OSError as error:
            if descriptor >= 0:
                os.close(descriptor)
                new.unlink(missing_ok=True)
            raise CommandError(f"Can't write to data directory {self._path.parent}: {error.strerror}.") from error
        os.close(self._descriptor)
        self._descriptor = descriptor


@contextmanager
def lock_data_directory(settings: Settings) -> Generator[DataDirectoryLock]:
    """Lock the data directory for the service. Waits for a short command, but fails if another service holds it."""
    hold = _wait_for_lock(settings, SERVE, unless=lambda holder: holder.command == SERVE)
    if isinstance(hold, DataDirectoryOwner):
        raise CommandError(
            f"Signoff is already running with data directory {settings.data_dir.absolute()} "
            f"(PID {hold.pid}, {hold.url})."
        )
    try:
        yield hold
    finally:
        hold.release()


@contextmanager
def open_database(settings: Settings, command: str) -> Generator[str]:
    """Provide the database for a short command: an external one, the running service's, or the embedded one,
    started for it.
    """
    if settings.database_url is not None:
        ensure_database_ready(settings.database_url)
        yield settings.database_url
        return
    hold = _wait_for_lock(settings, command, unless=lambda holder: holder.dsn is not None)
    if isinstance(hold, DataDirectoryOwner):
        assert hold.dsn is not None
        yield hold.dsn
        return
    try:
        with EmbeddedPostgres(settings.data_dir) as dsn:
            yield dsn
    finally:
        hold.release()


def ensure_database_ready(dsn: str, *, migrated: bool = False) -> None:
    """Ensure that the database responds, and that it has its tables if required."""
    try:
        with psycopg.connect(dsn, connect_timeout=10) as connection:
            row = connection.execute("select to_regclass('accounts')").fetchone()
    except psycopg.Error as error:
        raise CommandError(f"Can't use the database: {str(error).partition(chr(10))[0]}") from error
    if migrated and row == (None,):
        raise CommandError("The database is empty. Run `signoff migrate` first.")


def find_data_directory_owner(data_dir: Path) -> DataDirectoryOwner | None:
    """Return the process that is using the data directory."""
    path = _run_file(data_dir)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        if _lock(descriptor, fcntl.LOCK_SH):
            # The lock of a file that was just replaced means nothing.
            return None if _is_current(path, descriptor) else find_data_directory_owner(data_dir)
        return DataDirectoryOwner(**json.loads(os.pread(descriptor, 65_536, 0)))
    except (TypeError, ValueError):
        return None  # It's being written right now.
    finally:
        os.close(descriptor)


def _wait_for_lock(
    settings: Settings, command: str, *, unless: Callable[[DataDirectoryOwner], bool]
) -> DataDirectoryLock | DataDirectoryOwner:
    """Wait for the lock, unless its holder keeps it permanently or shares the database."""
    deadline = time.monotonic() + _OTHERS_TIMEOUT
    while (descriptor := _try_lock(settings.data_dir)) is None:
        holder = find_data_directory_owner(settings.data_dir)
        if holder is not None and unless(holder):
            return holder
        if time.monotonic() > deadline:
            busy = f"`signoff {holder.command}` (PID {holder.pid})" if holder else "another process"
            raise CommandError(
                f"Data directory {settings.data_dir.absolute()} is locked by {busy}. Stop it, or try again later."
            )
        time.sleep(_POLL_INTERVAL)
    return DataDirectoryLock(
        _run_file(settings.data_dir),
        descriptor,
        DataDirectoryOwner(command, os.getpid(), settings.url, local_url=settings.local_url),
    )


def _try_lock(data_dir: Path) -> int | None:
    path = _run_file(data_dir)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise CommandError(
            f"Can't use data directory {path.parent}: {error.strerror}. "
            "Set SIGNOFF_DATA_DIR to a directory this user can write to."
        ) from error
    if not _lock(descriptor, fcntl.LOCK_EX) or not _is_current(path, descriptor):
        os.close(descriptor)
        return None
    return descriptor


def _change_owner(descriptor: int, folder: Path) -> None:
    """Give the file to the folder's owner, so that a start with sudo doesn't lock them out of the next one."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


def _is_current(path: Path, descriptor: int) -> bool:
    """Whether the open file is still the one with this name."""
    try:
        return os.path.samestat(path.stat(follow_symlinks=False), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _run_file(data_dir: Path) -> Path:
    return data_dir.absolute() / "run.json"
