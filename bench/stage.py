"""The stage for a run: a database of its own, a workspace in it, and processes that come and go."""

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

from bench.bare import CREATE
from signoff.platform.embedded_postgres import EmbeddedPostgres
from signoff.platform.process import SUPERVISOR_PID_ENV

EMAIL, PASSWORD = "bench@example.com", "a password for the bench"
DEVNULL = subprocess.DEVNULL

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
class Stage:
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

    @contextmanager
    def server(self, target: str) -> Iterator[subprocess.Popen[bytes]]:
        """`api`: the service's own API process. `bare`: its measure, on the same server with the same options."""
        command = (
            [sys.executable, "-m", "signoff", "api"] if target == "api" else [sys.executable, "-m", "bench.serve_bare"]
        )
        path = "/healthz" if target == "api" else "/openapi.json"
        with process(command, self.env) as running:
            wait_for(self.url + path)
            yield running

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        with process([sys.executable, "-m", "signoff", "worker"], self.env) as running:
            yield running


@contextmanager
def process(command: list[str], env: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    # As under `signoff serve`: should the bench be killed, its processes end with it and leave the port free.
    env = env | {SUPERVISOR_PID_ENV: str(os.getpid())}
    running = subprocess.Popen(command, env=env, stdout=DEVNULL, stderr=DEVNULL)
    try:
        yield running
    finally:
        running.terminate()
        running.wait(60)


def wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if httpx.get(url).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise TimeoutError(url)


@contextmanager
def stage(folder: Path) -> Iterator[Stage]:
    with EmbeddedPostgres(folder) as dsn:
        env = os.environ | {
            "SIGNOFF_DATABASE_URL": dsn,
            "SIGNOFF_DATA_DIR": str(folder),
            "SIGNOFF_PORT": "18080",
            "SIGNOFF_LOG_FORMAT": "json",
        }
        init = [sys.executable, "-m", "signoff", "init", "--email", EMAIL, "--password", PASSWORD, "--json"]
        made = json.loads(subprocess.run(init, env=env, check=True, capture_output=True).stdout)
        set_up = Stage(dsn, env, "", "", made["accountId"], made["apiKey"], made["manageKey"])
        set_up.execute(CREATE)
        with set_up.server("api"):
            manage = {"x-api-key": made["manageKey"]}
            api = f"{set_up.url}/api/v1"
            agent = httpx.post(f"{api}/agents", headers=manage, json={"name": "Bench"}).raise_for_status().json()
            set_up.agent_id = agent["agentId"]
            form = httpx.post(f"{api}/forms", headers=manage, json={**FORM, "agentId": set_up.agent_id})
            set_up.form_id = form.raise_for_status().json()["formId"]
        yield set_up
