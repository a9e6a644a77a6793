"""Real processes, mostly of `signoff`, that have imported everything before they start.

Most commands take a fraction of the time that the imports take.
"""

import multiprocessing
import os
import subprocess
from collections.abc import Callable
from functools import cache
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

IMPORTED = [
    "signoff.app",
    "signoff.backup.console",
    "signoff.backup.writer",
    "signoff.backup.restore",
    "signoff.backup.unfinished",
    "signoff.cli",
    "signoff.demo.removal",
    "signoff.demo.availability",
    "signoff.demo.removal",
    "signoff.demo.state",
    "signoff.doctor",
    "signoff.platform.migrate",
    "signoff.processes.supervisor",
    "signoff.processes.worker",
    "rich.console",
    "rich.table",
    "support.forked_commands",
    "pytest",
]


RunForked = Callable[[tuple[str, ...], dict[str, str], Path, float], subprocess.CompletedProcess[str]]


@cache
def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    return context


def run_forked(
    arguments: tuple[str, ...], env: dict[str, str], folder: Path, timeout: float
) -> subprocess.CompletedProcess[str]:
    """Runs to its end, with empty standard input."""
    with TemporaryDirectory(prefix="signoff-") as path:
        output, errors = Path(path) / "stdout", Path(path) / "stderr"
        process = start_forked(_run, arguments, env, folder, output, errors)
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(arguments, timeout, output.read_bytes(), errors.read_bytes())
        return subprocess.CompletedProcess(arguments, process.exitcode, output.read_text(), errors.read_text())


def start_forked(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    process = _context().Process(target=target, args=arguments)
    process.start()
    return process


def _run(arguments: tuple[str, ...], env: dict[str, str], folder: Path, output: Path, errors: Path) -> None:
    for number, path in ((1, output), (2, errors)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    from signoff.cli import app

    app(list(arguments), prog_name="signoff")
