"""End with the parent: a killed parent can't stop its children.

The decoder process imports this too, so it imports only what it needs.
"""

import os
import signal
import threading
import time

SUPERVISOR_PID_ENV = "SIGNOFF_SUPERVISOR"
"""Environment variable with which `signoff serve` tells its children whose exit to follow."""

_POLL_INTERVAL = 0.1


def exit_with_parent(parent: int, grace: float = 5.0) -> None:
    """Exit once the parent is gone for any reason."""
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
