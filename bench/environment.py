"""The environment of a benchmark: its own database with a workspace, and processes that start and stop."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg

from bench.baseline_app import CREATE_TABLE
from signoff.platform.embedded_postgres import EmbeddedPostgres
from signoff.platform.parent_process import SUPERVISOR_PID_ENV

EMAIL, PASSWORD = "bench@example.com", "a password for the bench"

FORM: dict[str, Any] = {
    "name": "Bench",
    "titleField": "headline",
    "fields": [
        {"id": "headline", "type": "text", "label": "Headline", "path": "draft.headline", "required": True},
        {"id": "body", "type": "longText", "label": "Body"},
        {"id": "score", "type": "number", "label": "Score", "min": 0, "max": 10},
        {
            "id": "channel",
            "type": "dropdown",
            "label": "Channel",
            "options": [{"id": "blog", "label": "Blog"}, {"id": "mail", "label": "Mail"}],
        },
        {"id": "tags", "type": "checkboxes", "label": "Tags", "options": [{"id": "a", "label": "A"}]},
        {"id": "photos", "type": "list", "label": "Photos", "item": [{"id": "photo", "type": "image"}]},
    ],
    "rules": [
        {
            "target": "channel",
            "effect": "show",
            "when": {"all": [{"field": "score.value", "operation": "greaterThanOrEqual", "value": 5}]},
        }
    ],
}


@dataclass
class Environment:
    dsn: str
    env: dict[str, str]
    agent_id: str
    form_id: str
    account_id: str
    api_key: str
    manage_key: str
    port: int = 18080

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def body(self) -> bytes:
        """700 bytes, as an agent would send them."""
        data = {
            "draft": {"headline": "Autumn news from the garden"},
            "body": "",
            "score": 7,
            "channel": "blog",
            "tags": ["a"],
            "photos": [],
        }
        request = {"formId": self.form_id, "data": data, "meta": {"ticket": "A-17"}}
        data["body"] = "x" * (700 - len(json.dumps(request)))
        return json.dumps(request).encode()

    def execute(self, sql: str, *values: Any) -> None:
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            connection.execute(sql, values or None)  # type: ignore[arg-type]

    def value(self, sql: str) -> Any:
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            row = connection.execute(sql).fetchone()  # type: ignore[arg-type]
            return row[0] if row else None

    def create_review_type(self, webhook_url: str | None = None) -> None:
        """Create an agent and its review type through the API, which must be running."""
        manage = {"x-api-key": self.manage_key}
        with httpx.Client(base_url=f"{self.url}/api/v1", headers=manage, timeout=60) as client:
            agent = client.post("/agents", json={"name": "Bench", "webhookUrl": webhook_url}).raise_for_status().json()
            self.agent_id = agent["agentId"]
            form = client.post("/forms", json={**FORM, "agentId": self.agent_id}).raise_for_status().json()
            self.form_id = form["formId"]

    @contextmanager
    def server(self, target: str) -> Iterator[subprocess.Popen[bytes]]:
        """`api`: the service's own API process. `bare`: the baseline, on the same server with the same options."""
        command = (
            [sys.executable, "-m", "signoff", "api"]
            if target == "api"
            else [sys.executable, "-m", "bench.serve_baseline"]
        )
        path = "/healthz" if target == "api" else "/openapi.json"
        with run_process(command, self.env) as running:
            wait_for(self.url + path)
            yield running

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        with run_process([sys.executable, "-m", "signoff", "worker"], self.env) as running:
            yield running


@contextmanager
def run_process(command: list[str], env: dict[str, str], log: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    # Like under `signoff serve`: if the benchmark is killed, its processes end too and free the port.
    env = env | {SUPERVISOR_PID_ENV: str(os.getpid())}
    with (log or Path(os.devnull)).open("wb") as output:
        running = subprocess.Popen(command, env=env, stdout=output, stderr=output)
    try:
        yield running
    finally:
        running.terminate()
        running.wait(60)


def wait_for(url: str, log: Path | None = None, timeout: float = 120) -> None:
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        try:
            if httpx.get(url).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise TimeoutError(f"{url} isn't ready: {log.read_text()[-2000:] if log else ''}")


def initialize(env: dict[str, str]) -> dict[str, str]:
    """Create the workspace. Returns what `signoff init` prints."""
    init = [sys.executable, "-m", "signoff", "init", "--email", EMAIL, "--password", PASSWORD, "--json"]
    return json.loads(subprocess.run(init, env=env, check=True, capture_output=True).stdout)


@contextmanager
def start_environment(folder: Path) -> Iterator[Environment]:
    with EmbeddedPostgres(folder) as dsn:
        env = os.environ | {
            "SIGNOFF_DATABASE_URL": dsn,
            "SIGNOFF_DATA_DIR": str(folder),
            "SIGNOFF_PORT": "18080",
            "SIGNOFF_LOG_FORMAT": "json",
        }
        made = initialize(env)
        environment = Environment(dsn, env, "", "", made["accountId"], made["apiKey"], made["manageKey"])
        environment.execute(CREATE_TABLE)
        with environment.server("api"):
            environment.create_review_type()
        yield environment
