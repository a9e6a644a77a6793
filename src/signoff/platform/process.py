"""What every process does: load fast, stop on a signal, and end with its parent."""

import asyncio
import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

SUPERVISOR_PID_ENV = "SIGNOFF_SUPERVISOR"
"""Environment variable with which `signoff serve` tells its children whose exit to follow."""

_POLL_INTERVAL = 0.1


@contextmanager
def loading() -> Generator[None]:
    """Disable the garbage collector during imports, where it finds nothing and takes a seventh of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def freeze_gc() -> None:
    """Freeze the garbage collector after loading, so that it never scans modules, routes, and models again.

    Scanning them would take a sixth of a busy worker's time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def on_shutdown(do: Callable[[], None]) -> None:
    """Call `do` when this server process is told to stop, before the server waits for requests in progress.

    The server treats SIGINT and SIGTERM alike: we handle SIGTERM ourselves and pass it on as SIGINT.
    """

    def stop() -> None:
        do()
        os.kill(os.getpid(), signal.SIGINT)

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)


def exit_on_sigterm() -> None:
    """Exit immediately on SIGTERM until `on_shutdown` is called: during the start there is nothing to finish."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, os._exit, 0)


def exit_with_parent(parent: int, grace: float = 5.0) -> None:
    """Exit once the parent is gone for any reason: a killed parent can't stop its children."""
    threading.Thread(target=_follow, args=(parent, grace), name="exit-with-parent", daemon=True).start()


def exit_with_supervisor() -> None:
    if (pid := os.environ.get(SUPERVISOR_PID_ENV)) is not None:
        exit_with_parent(int(pid))


def _follow(parent: int, grace: float) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL_INTERVAL)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(grace)
    os.kill(os.getpid(), signal.SIGKILL)
