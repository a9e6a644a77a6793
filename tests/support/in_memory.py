"""A temporary in-memory folder for databases. Copying a database there takes a twentieth of the time."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

MEMORY = Path("/dev/shm")  # noqa: S108 - names in it are random
SIZE = 4 * 1024**3
"""Enough for all processes of a run. With less, as in most containers, the folder is on disk."""
PREFIX = "signoff-tests-"


@contextmanager
def memory_folder() -> Iterator[Path]:
    enough = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > SIZE
    if enough:
        _remove_leftovers()
    with TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", dir=MEMORY if enough else None) as folder:
        Path(folder).chmod(0o755)  # if root runs the tests, PostgreSQL runs as another user and needs access
        yield Path(folder)


def _remove_leftovers() -> None:
    """Delete the folders of killed runs."""
    for folder in MEMORY.glob(f"{PREFIX}*"):
        process = folder.name.removeprefix(PREFIX).partition("-")[0]
        if not Path("/proc", process).exists():
            shutil.rmtree(folder, ignore_errors=True)  # another user's, or already deleted
