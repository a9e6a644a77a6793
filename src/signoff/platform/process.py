"""What every process does: load fast, and stop on a signal."""

import asyncio
import ctypes
import gc
import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_MAX_ARENAS: Final = -8  # M_ARENA_MAX


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


def share_memory_between_threads() -> None:
    """Limit the C library's memory arenas to two: it keeps freed memory per arena, for every large file that a thread
    has read or written. Other C libraries have no such setting.
    """
    if (set_option := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        set_option(_MAX_ARENAS, 2)


def on_shutdown(do: Callable[[], None], grace: float) -> None:
    """Call `do` when this server process is told to stop, before the server waits for requests in progress. After
    `grace` seconds, exit even if there still are some.

    The server's own handlers, which are on the event loop, aren't replaced: Python calls both.
    """
    loop = asyncio.get_running_loop()
    hurry = threading.Timer(max(grace, 1.0), os._exit, (0,))
    hurry.daemon = True

    def stop(number: int, frame: FrameType | None) -> None:
        if not hurry.is_alive():
            hurry.start()
            loop.call_soon_threadsafe(do)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def exit_on_sigterm() -> None:
    """Exit immediately on SIGTERM until `on_shutdown` is called: during the start there is nothing to finish."""
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))
