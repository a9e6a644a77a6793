"""What the API processes of one `signoff serve` share: a folder for their metrics and a table for rate limits."""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

METRICS_ENV = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable with the folder, as the library for metrics expects it."""
RATE_LIMITS_ENV = "SIGNOFF_RATE_LIMITS"
"""Environment variable with the path of the table."""

RATE_LIMITS_BYTES = 1024 * 1024


@contextmanager
def shared_folder() -> Generator[Mapping[str, str]]:
    """Create the folder and return the environment of the processes that share it.

    It's in memory if possible, and the table has its space from the start: writing to a mapped file on a full disk
    would kill the process.
    """
    memory = Path("/dev/shm")  # noqa: S108
    parent = memory if os.access(memory, os.W_OK | os.X_OK) else None
    with TemporaryDirectory(prefix="signoff-", dir=parent, ignore_cleanup_errors=True) as folder:
        rate_limits = Path(folder) / "rate-limits"
        rate_limits.write_bytes(bytes(RATE_LIMITS_BYTES))
        yield {METRICS_ENV: folder, RATE_LIMITS_ENV: str(rate_limits)}
