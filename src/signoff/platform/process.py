"""The processes of one installation: one holds the data directory, others find it, none outlives its parent."""

import asyncio
import fcntl
import gc
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import psycopg

from signoff.platform.embedded_postgres import EmbeddedPostgres
from signoff.platform.settings import Settings

SERVE = "serve"
SUPERVISOR_PID_ENV = "SIGNOFF_SUPERVISOR"
"""Environment variable by which `signoff serve` tells its children whom to end with."""

_LOOK_EVERY = 0.1
_OTHERS_FINISH_WITHIN = 60.0


class CommandError(Exception):
    """A command cannot do what it was asked to. Its text is one line for the person at the terminal."""


@contextmanager
def loading() -> Generator[None]:
    """For the imports of a process: the garbage collector finds nothing in them and takes a seventh of their time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def freeze_gc() -> None:
    """Call when all is loaded: what is there now stays, so the garbage collector need not look at it ever again.

    It would otherwise spend a sixth of a busy worker's time walking modules, routes and models.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def on_shutdown(do: Callable[[], None]) -> None:
    """Call `do` when this server process is told to stop, before the server waits for the requests under way.

    The server takes SIGINT and SIGTERM alike: we take the second for ourselves, and pass it on as the first.
    """

    def stop() -> None:
        do()
        os.kill(os.getpid(), signal.SIGINT)

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)


def exit_on_sigterm() -> None:
    """Until `on_shutdown`, SIGTERM ends this process at once: while it starts there is nothing to finish."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, os._exit, 0)


def exit_with_parent(parent: int, grace: float = 5.0) -> None:
    """End this process once its parent is gone, however that went: a killed parent can no longer stop anyone."""
    threading.Thread(target=_follow, args=(parent, grace), name="exit-with-parent", daemon=True).start()


def exit_with_supervisor() -> None:
    if (pid := os.environ.get(SUPERVISOR_PID_ENV)) is not None:
        exit_with_parent(int(pid))


def _follow(parent: int, grace: float) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_EVERY)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(grace)
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class DataDirectoryOwner:
    """Who works on the data directory; with the address of the database once others may use it too."""

    command: str
    pid: int
    url: str
    dsn: str | None = None
    local_url: str = ""
    """Where the service is reached from this machine."""


class DataDirectoryLock:
    """The right to work on a data directory: a lock on its file `run.json`, which says who has it.

    The lock ends with its process, so what a killed one left in the file counts for nothing.
    """

    def __init__(self, path: Path, descriptor: int, holder: DataDirectoryOwner) -> None:
        """Takes over the locked `descriptor`. Raises `CommandError` if the file cannot be written."""
        self._path = path
        self._descriptor = descriptor
        self._holder = holder
        try:
            self._write(holder)
        except CommandError:
            os.close(descriptor)
            raise

    def share(self, dsn: str) -> None:
        """Let other commands work on the database in the meantime."""
        self._write(replace(self._holder, dsn=dsn))

    def release(self) -> None:
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)

    def _write(self, holder: DataDirectoryOwner) -> None:
        """A new file, locked as well, takes the place of the old one: on a full disk the old one stays as it was."""
        new = self._path.with_suffix(".json.new")
        descriptor = -1
        try:
            descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.write(descriptor, json.dumps(asdict(holder)).encode())
            _give_to_owner(descriptor, self._path.parent)
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
    """Hold the data directory for the service itself. Only one may; a short command is waited for."""
    hold = _take(settings, SERVE, unless=lambda holder: holder.command == SERVE)
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
    """The database for a short command: an external one, the running service's, or the embedded one, started for it."""
    if settings.database_url is not None:
        ensure_database_ready(settings.database_url)
        yield settings.database_url
        return
    hold = _take(settings, command, unless=lambda holder: holder.dsn is not None)
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
    """Ensure that the database responds, and has its tables if it should."""
    try:
        with psycopg.connect(dsn, connect_timeout=10) as connection:
            found = connection.execute("select to_regclass('accounts')").fetchone()
    except psycopg.Error as error:
        raise CommandError(f"Can't use the database: {str(error).partition(chr(10))[0]}") from error
    if migrated and found == (None,):
        raise CommandError("The database is empty. Run `signoff migrate` first.")


def find_data_directory_owner(data_dir: Path) -> DataDirectoryOwner | None:
    """The process that is using the data directory."""
    path = _run_file(data_dir)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        if _lock(descriptor, fcntl.LOCK_SH):
            # The lock of a file that was just replaced says nothing.
            return None if _is_current(path, descriptor) else find_data_directory_owner(data_dir)
        return DataDirectoryOwner(**json.loads(os.pread(descriptor, 65_536, 0)))
    except (TypeError, ValueError):
        return None  # It is just being written.
    finally:
        os.close(descriptor)


def _take(
    settings: Settings, command: str, *, unless: Callable[[DataDirectoryOwner], bool]
) -> DataDirectoryLock | DataDirectoryOwner:
    """Wait for the hold, unless its holder keeps it for good or lets others in."""
    deadline = time.monotonic() + _OTHERS_FINISH_WITHIN
    while (descriptor := _try_lock(settings.data_dir)) is None:
        holder = find_data_directory_owner(settings.data_dir)
        if holder is not None and unless(holder):
            return holder
        if time.monotonic() > deadline:
            busy = f"`signoff {holder.command}` (PID {holder.pid})" if holder else "another process"
            raise CommandError(
                f"Data directory {settings.data_dir.absolute()} is locked by {busy}. Stop it, or try again later."
            )
        time.sleep(_LOOK_EVERY)
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


def _give_to_owner(descriptor: int, folder: Path) -> None:
    """A start with sudo must not lock the owner of the folder out of the next one."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


def _is_current(path: Path, descriptor: int) -> bool:
    """Whether the open file is still the one of this name."""
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
