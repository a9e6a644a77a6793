"""A folder in memory for the databases of this process: to copy one there takes a twentieth of the time."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

MEMORY = Path("/dev/shm")  # noqa: S108 - the files get names that nobody can know
ROOM = 4 * 1024**3
"""What all processes of a run may take together. Where there is less, as in most containers, a disk has to do."""
PREFIX = "signoff-tests-"


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    enough = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    if enough:
        _remove_left_over()
    with TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", dir=MEMORY if enough else None) as folder:
        Path(folder).chmod(0o755)  # when root runs the tests, PostgreSQL is another user and has to get in
        yield Path(folder)


def _remove_left_over() -> None:
    """Of runs that were killed."""
    for folder in MEMORY.glob(f"{PREFIX}*"):
        process = folder.name.removeprefix(PREFIX).partition("-")[0]
        if not Path("/proc", process).exists():
            shutil.rmtree(folder, ignore_errors=True)  # somebody else's can't be removed, or just was
