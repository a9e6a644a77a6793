"""Working directory for files in progress: one folder per process, cleaned up after it exits."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from signoff.platform.logs import get_logger
from signoff.platform.settings import Settings
from signoff.platform.storage import storage_unavailable

log = get_logger("media")

NAME = "incoming"
_LOCK = ".lock"


class TempFiles:
    """Files in it are deleted at the end of their `with` block. The next process that starts removes what a killed
    one left.
    """

    def __init__(self, settings: Settings) -> None:
        self._home = _home(settings)
        self._folder: Path | None = None
        self._lock: int | None = None
        if (self._home / NAME).is_dir():
            with _exclusive(self._home / NAME):
                _remove_leftovers(self._home / NAME)

    @contextmanager
    def file(self) -> Generator[Path]:
        """Create an empty file that only this user can read."""
        try:
            handle, name = tempfile.mkstemp(dir=self._own_folder())
            os.close(handle)
        except OSError as error:
            raise storage_unavailable(error) from error
        path = Path(name)
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)

    def close(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
        self._folder = self._lock = None

    def _own_folder(self) -> Path:
        """Create the folder on first use and lock it: the lock ends with the process, however it ends."""
        if self._folder is None:
            room = self._home / NAME
            room.mkdir(parents=True, exist_ok=True, mode=0o700)
            with _exclusive(room):
                self._folder = Path(tempfile.mkdtemp(dir=room))
                self._lock = _lock(self._folder / _LOCK)
        return self._folder


def _home(settings: Settings) -> Path:
    """Return the data directory, which is on a large disk, or the system's temporary directory for a process
    without one.
    """
    folder = settings.data_dir.absolute()
    if folder.is_dir() and os.access(folder, os.W_OK):
        return folder
    return Path(tempfile.gettempdir()) / f"signoff-{os.getuid()}"


def _lock(path: Path) -> int | None:
    """Return the lock on it, or None if another process holds it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


@contextmanager
def _exclusive(room: Path) -> Generator[None]:
    """Let only one process at a time create and clean up folders: a new one must not be cleaned up before it's
    locked.
    """
    handle = os.open(room / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _remove_leftovers(room: Path) -> None:
    for folder in room.iterdir():
        if folder.is_dir() and (lock := _lock(folder / _LOCK)) is not None:
            log.info("removing files of a killed process", folder=folder.name)
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)
