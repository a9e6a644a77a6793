"""The real thing: `signoff serve` on its own data directory, driven over HTTP only.

Most tests need less: `support/in_process.py`.
"""

import itertools
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from support.asgi import AppTransport
from support.failures import follow_log, forget_log, remember
from support.prepared_data_dir import SIGNOFF, START_WITHIN, prepared

from chaos.processes import free_port

if TYPE_CHECKING:
    from fastapi import FastAPI

NO_SLACK = "http://127.0.0.1:9/api"
"""Nobody listens there: no test calls the real one."""


@dataclass
class RunningService:
    url: str
    data_dir: Path
    env: dict[str, str]
    workspace: dict[str, str]
    """What `signoff init` printed."""
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def api(self) -> str:
        return f"{self.url}/api/v1"

    def dsn(self) -> str:
        """The embedded database, for the few tests that read it directly."""
        return json.loads((self.data_dir / "run.json").read_text())["dsn"]

    def child(self, name: str) -> int:
        """The process ID of the supervisor's child `api` or `worker`. If possible, the API's server renames itself."""
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and _parent_pid(folder) == self.process.pid:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                if name.encode() in words or (name == "api" and words[0].startswith(b"granian ")):
                    return int(folder.name)
        raise LookupError(name)


def _parent_pid(folder: Path) -> int | None:
    try:
        return int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return None


def service_env(data_dir: Path, port: int, **settings: Any) -> dict[str, str]:
    """Without the environment's settings, except for the one that tests another build of the web app. None: unset."""
    inherited = {"SIGNOFF_WEB_APP"}
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SIGNOFF_") or name in inherited}
    own = {
        "data_dir": data_dir,
        "port": port,
        "log_format": "json",
        "slack_api_url": NO_SLACK,
        "api_processes": 1,
        "worker_processes": 1,
        "demo": False,  # Only the demo's own tests want more than an empty workspace.
        **settings,
    }
    return clean | {f"SIGNOFF_{name.upper()}": str(value) for name, value in own.items() if value is not None}


@contextmanager
def running_service(folder: Path, **settings: Any) -> Iterator[RunningService]:
    """Set up, started and ready; stopped at the end as an operator would."""
    data_dir, port = folder / "data", free_port()
    env = service_env(data_dir, port, **settings)
    founded = prepared()
    founded.copy_to(data_dir)
    log = folder / "serve.log"
    with log.open("wb") as output:
        process = subprocess.Popen([*SIGNOFF, "serve"], env=env, stdout=output, stderr=output)
    service = RunningService(f"http://127.0.0.1:{port}", data_dir, env, founded.workspace, process, log)
    try:
        wait_ready(service)
        follow_log(log)
        yield service
    finally:
        forget_log(log)
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise


IN_PROCESS: "dict[str, FastAPI]" = {}
"""The services of this process, by their addresses."""
_client_ports = itertools.count(50_000)


def new_client(base_url: str, **headers: str) -> httpx.AsyncClient:
    """Without TLS: loading the certificate authorities takes longer than most tests, and nothing uses them."""
    mounts = {url: AppTransport(app, next(_client_ports)) for url, app in IN_PROCESS.items()}
    return httpx.AsyncClient(
        base_url=base_url,
        headers=headers,
        timeout=60,
        verify=False,  # noqa: S501
        mounts=mounts,
        event_hooks={"response": [remember]},
    )


def is_ready(url: str) -> bool:
    connection = HTTPConnection(httpx.URL(url).netloc.decode(), timeout=60)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def wait_ready(service: RunningService) -> None:
    deadline = time.monotonic() + START_WITHIN
    while time.monotonic() < deadline:
        if service.process.poll() is not None:
            break
        if is_ready(service.url):
            return
        time.sleep(0.05)
    raise AssertionError(f"the service did not start:\n{service.log.read_text()[-4000:]}")
