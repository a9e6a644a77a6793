"""Run PostgreSQL for a parent process, and stop it when the parent exits for any reason.

This is a script of its own that uses only the standard library, because it must outlive the parent. It ignores signals;
it notices that the parent exited by the end of standard input, or by a new parent process if a fork of the old one
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
        preexec_fn=_exit_with_parent(),
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


def _exit_with_parent() -> Callable[[], None] | None:
    """Have the kernel stop PostgreSQL even if this process is killed, on systems that support it.

    The kernel clears this setting when a process changes its user, and sends the signal when the thread that created
    the child exits. So it's set last, right before PostgreSQL takes over, and by the main thread, which waits for the
    child.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, _FAST_SHUTDOWN)


if __name__ == "__main__":
    sys.exit(main())
