"""The cluster: PostgreSQL, S3, Redis, nginx, API processes, and workers, all on loopback ports."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from chaos.nginx import Nginx
from chaos.postgres import Postgres
from chaos.processes import STARTS_WITHIN, StartFailed, SupervisedProcess, free_port, listens, wait_until
from chaos.s3 import S3
from chaos.valkey import Valkey
from signoff.platform.parent_process import SUPERVISOR_PID_ENV

EMAIL, PASSWORD = "owner@example.com", "a password for the run"
SIGNOFF = [sys.executable, "-P", "-m", "signoff"]

# Retry soon and often, so that a failure of seconds is over in seconds and no delivery fails for good.
SETTINGS = {
    "DATABASE_POOL_SIZE": "10",
    "WEBHOOK_RETRY_SCHEDULE": ",".join(["0.3", "0.6", "1", *["2"] * 57]),
    "WEBHOOK_TIMEOUT": "5",
    "MEDIA_RETRY_SCHEDULE": ",".join(["0.5", "1", *["2"] * 57]),
    "MEDIA_FETCH_TIMEOUT": "10",
    "EVENT_MEDIA_WAIT": "5",
    "RETRY_REMINDER_AFTER": "0",
    "SIGN_IN_FAILURES": "1000",
    "SHUTDOWN_GRACE": "10",
    "ALLOWED_NETWORKS": "127.0.0.0/8",
    "TRUSTED_PROXIES": "127.0.0.1/32",
    "LOG_FORMAT": "json",
}


@dataclass
class Cluster:
    folder: Path
    postgres: Postgres
    valkey: Valkey
    s3: S3
    nginx: Nginx
    apis: list[SupervisedProcess]
    ports: list[int]
    workers: list[SupervisedProcess]
    workspace: dict[str, str]
    """What `signoff init` printed."""
    env: dict[str, str]

    @property
    def url(self) -> str:
        """The URL of nginx."""
        return self.nginx.url

    @property
    def api_starts(self) -> int:
        return sum(api.starts for api in self.apis)

    @property
    def service(self) -> list[SupervisedProcess]:
        return [*self.apis, *self.workers]

    async def wait_until_running(self) -> None:
        for port, api in zip(self.ports, self.apis, strict=True):
            await wait_until(lambda port=port: listens(port), api.name, api.log)


@asynccontextmanager
async def start_cluster(
    folder: Path, *, apis: int = 3, workers: int = 2, source: Path | None = None, **settings: str
) -> AsyncGenerator[Cluster]:
    """Start a cluster, with `settings` overriding `SETTINGS`, and stop all of it at the end.

    `source`: a folder from which the service is imported instead of the one that is installed.
    """
    async with AsyncExitStack() as stack:
        postgres, valkey, s3, nginx = Postgres(folder / "postgres"), Valkey(folder), S3(folder), Nginx(folder)
        for server in (postgres, valkey, s3, nginx):
            stack.push_async_callback(server.stop)
        await asyncio.gather(postgres.make(), valkey.start(), s3.start())
        env = _environment(folder, postgres, valkey, s3, nginx, settings)
        if source is not None:
            env["PYTHONPATH"] = str(source)
        workspace = await asyncio.to_thread(initialize, env)
        ports = [free_port() for _ in range(apis)]
        kept_apis = [
            SupervisedProcess(
                f"api {number}", [*SIGNOFF, "api"], env | {"SIGNOFF_PORT": str(port)}, folder / f"api-{number}.log"
            )
            for number, port in enumerate(ports, 1)
        ]
        kept_workers = [
            SupervisedProcess(f"worker {number}", [*SIGNOFF, "worker"], env, folder / f"worker-{number}.log")
            for number in range(1, workers + 1)
        ]
        cluster = Cluster(folder, postgres, valkey, s3, nginx, kept_apis, ports, kept_workers, workspace, env)
        for process in cluster.service:
            stack.push_async_callback(process.stop, 2.0)
            process.start()
        nginx.balance(ports)
        await nginx.start()
        await cluster.wait_until_running()
        yield cluster


def _environment(
    folder: Path, postgres: Postgres, valkey: Valkey, s3: S3, nginx: Nginx, more: dict[str, str]
) -> dict[str, str]:
    settings = {
        **SETTINGS,
        "DATA_DIR": str(folder / "data"),
        "DATABASE_URL": postgres.dsn,
        "REDIS_URL": valkey.url,
        "STORAGE_URL": s3.url,
        "PUBLIC_URL": nginx.url,
        **more,
    }
    return clean_environment(settings) | s3.env | {SUPERVISOR_PID_ENV: str(os.getpid())}


def clean_environment(settings: dict[str, str]) -> dict[str, str]:
    """The environment without settings of the user and without their S3 credentials."""
    ours = ("SIGNOFF_", "AWS_", "PG")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    clean.pop("PYTHONDONTWRITEBYTECODE", None)
    return clean | {f"SIGNOFF_{name}": value for name, value in settings.items()}


def initialize(env: dict[str, str]) -> dict[str, str]:
    command = [*SIGNOFF, "init", "--email", EMAIL, "--password", PASSWORD, "--name", "Chaos", "--json"]
    began = time.monotonic()
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=STARTS_WITHIN)
    if done.returncode:
        raise StartFailed(f"signoff init failed after {time.monotonic() - began:.0f} s: {done.stderr}")
    return json.loads(done.stdout)
