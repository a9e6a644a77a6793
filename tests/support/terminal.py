"""A terminal with its own data directory: runs `signoff` as a person would, and sees only what they would see."""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import psutil
from support.forked_commands import run_forked
from support.prepared_data_dir import SIGNOFF
from support.service_process import free_port, is_ready, service_env

PATIENCE = 120.0

Found = TypeVar("Found")


def wait_until(look: Callable[[], Found]) -> Found:
    """The first truthy result of `look`."""
    deadline = time.monotonic() + PATIENCE
    while not (seen := look()):
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)
    return seen


def assert_one_line(text: str, *parts: str) -> None:
    assert text.count("\n") == 1, text
    assert all(part in text for part in parts), text


class Serving:
    """A `signoff serve`, as the foreground job of a terminal."""

    def __init__(self, env: dict[str, str], folder: Path, *arguments: str) -> None:
        self.url = f"http://127.0.0.1:{env['SIGNOFF_PORT']}"
        self.api = f"{self.url}/api/v1"
        self._data_dir = folder / env["SIGNOFF_DATA_DIR"]
        self._output = folder / f"output-{time.monotonic_ns()}"
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(
                [*SIGNOFF, "serve", *arguments],
                env=env,
                cwd=folder,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        return self._output.read_text()

    def wait_for(self, text: str) -> str:
        """The first line of the output that has this text."""

        def look() -> list[str]:
            results = [line for line in self.output.splitlines() if text in line]
            assert results or self.process.poll() is None, self.output
            return results

        return wait_until(look)[0]

    def dsn(self) -> str:
        """The embedded database, for the few tests that read it directly."""
        return json.loads((self._data_dir / "run.json").read_text())["dsn"]

    def is_ready(self) -> bool:
        return is_ready(self.url)

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def child(self, word: str) -> psutil.Process:
        """Our child process with this word in its command line."""
        children = psutil.Process(self.process.pid).children()
        return next(_still_running(children, lambda child: word in child.cmdline()))

    def find_child(self, word: str) -> psutil.Process | None:
        try:
            return self.child(word)
        except (StopIteration, psutil.NoSuchProcess):
            return None

    def postmaster(self) -> psutil.Process:
        """PostgreSQL's first process, the parent of the others."""
        servers = list(_still_running(self.family(), lambda process: process.name() == "postgres"))
        return next(_still_running(servers, lambda process: process.parent() not in servers))

    def press_ctrl_c(self) -> int:
        """A terminal signals the whole process group. Returns the exit code."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(PATIENCE)


def _still_running(
    processes: Iterable[psutil.Process], matches: Callable[[psutil.Process], bool]
) -> Iterator[psutil.Process]:
    """Processes that match. Those that ended since they were listed are left out."""
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            if matches(process):
                yield process


class Terminal:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data_dir = folder / "data"
        self.port = free_port()
        self._serving = list[Serving]()

    def run(self, *arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
        """Runs to its end, in a process that starts quickly."""
        return run_forked(arguments, self._env(settings), self.folder, PATIENCE)

    def run_anew(
        self, *arguments: str, typed: str | None = None, **settings: object
    ) -> subprocess.CompletedProcess[str]:
        """The same with the command that people type. `typed` is sent to standard input."""
        command = [*SIGNOFF, *arguments]
        env = self._env(settings)
        return subprocess.run(
            command, env=env, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE, input=typed
        )

    def serve(self, *arguments: str, **settings: object) -> Serving:
        serving = Serving(self._env(settings), self.folder, *arguments)
        self._serving.append(serving)
        return serving

    def _env(self, settings: dict[str, object]) -> dict[str, str]:
        return service_env(**{"data_dir": self.data_dir, "port": self.port, **settings})

    def close(self) -> None:
        for serving in self._serving:
            if serving.process.poll() is None:
                serving.process.kill()
                serving.process.wait()
