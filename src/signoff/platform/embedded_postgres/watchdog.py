"""Runs PostgreSQL for a parent process, and stops it when that parent ends in whatever way.

A script of its own, with nothing but the standard library: it must outlive the parent. It takes no part in signals;
the end of the parent shows as the end of standard input, or as a new parent process where a fork of the old one
still holds the other end of the pipe.
"""

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1
_FAST_SHUTDOWN = signal.SIGINT
_IMMEDIATE_SHUTDOWN = signal.SIGQUIT
_PATIENCE = 30.0


def main() -> int:
    task = json.loads(sys.argv[1])
    try:
        return _run(task)
    except (OSError, subprocess.SubprocessError) as error:
        sys.exit(f"cannot run {task['command'][0]}: {error}")
    finally:
        if link := task["link"]:
            Path(link).unlink()
            Path(link).parent.rmdir()


def _run(task: dict[str, Any]) -> int:
    postgres = subprocess.Popen(  # noqa: S603
        task["command"],
        stdin=subprocess.DEVNULL,
        pass_fds=task["descriptors"],
        preexec_fn=_follow_into_death(),
        **task["identity"],
    )
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_stop_after, args=(task["parent"], postgres), daemon=True).start()
    return postgres.wait()


def _stop_after(parent: int, postgres: subprocess.Popen[bytes]) -> None:
    while os.getppid() == parent and not select.select([0], [], [], 1.0)[0]:
        pass
    postgres.send_signal(_FAST_SHUTDOWN)
    threading.Event().wait(_PATIENCE)
    postgres.send_signal(_IMMEDIATE_SHUTDOWN)


def _follow_into_death() -> Callable[[], None] | None:
    """Where the system can, have PostgreSQL stopped even when this process is killed.

    The kernel clears this wish when a process changes its user, and fulfils it when the thread that made the child
    ends: hence it is set last of all before PostgreSQL takes over, by the main thread, which waits for it.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, _FAST_SHUTDOWN)


if __name__ == "__main__":
    sys.exit(main())
