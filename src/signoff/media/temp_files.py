"""Where files lie while they are worked on: a folder of each process, of which nothing is left for long after it."""

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
    """Files in it are gone when their `with` ends. What a killed process left is removed by the next that starts."""

    def __init__(self, settings: Settings) -> None:
        self._home = _home(settings)
        self._folder: Path | None = None
        self._lock: int | None = None
        if (self._home / NAME).is_dir():
            with _alone(self._home / NAME):
                _sweep(self._home / NAME)

    @contextmanager
    def file(self) -> Generator[Path]:
        """An empty file that only we can read."""
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
        """Made at the first use, and locked as long as we live: the lock goes with the process, however it ends."""
        if self._folder is None:
            room = self._home / NAME
            room.mkdir(parents=True, exist_ok=True, mode=0o700)
            with _alone(room):
                self._folder = Path(tempfile.mkdtemp(dir=room))
                self._lock = _lock(self._folder / _LOCK)
        return self._folder


def _home(settings: Settings) -> Path:
    """The data directory, which is on a disk of some size; a process that has none uses the system's own place."""
    folder = settings.data_dir.absolute()
    if folder.is_dir() and os.access(folder, os.W_OK):
        return folder
    return Path(tempfile.gettempdir()) / f"signoff-{os.getuid()}"


def _lock(path: Path) -> int | None:
    """The lock on it, or None when another process holds it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


@contextmanager
def _alone(room: Path) -> Generator[None]:
    """Folders are made and swept by one process at a time: a new one must not be swept before it is locked."""
    handle = os.open(room / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _sweep(room: Path) -> None:
    for folder in room.iterdir():
        if folder.is_dir() and (lock := _lock(folder / _LOCK)) is not None:
            log.info("removing files of a killed process", folder=folder.name)
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)
