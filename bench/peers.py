"""What a team might run instead: Label Studio from PyPI, as `label-studio start` runs it, in its own environment.

Its tasks and annotations are the counterparts of reviews and decisions. It sends no webhooks here, and it stores its
data in SQLite, which is its default.
"""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import psutil

from bench.costs import sum_processor_seconds
from bench.environment import EMAIL, PASSWORD, run_process, wait_for
from bench.load import Plan, Step, run_load
from chaos.processes import free_port

VERSION: Final = "1.23.2"
ENVIRONMENT: Final = Path(".venv/label-studio")
TOKEN: Final = secrets.token_hex(20)
AUTHORIZATION: Final = f"Token {TOKEN}"
CONNECTIONS: Final = 16
WARM_UP_SECONDS: Final = 2.0
START_TIMEOUT: Final = 600.0
LABELS: Final = """
    <View><Text name="body" value="$body"/><Choices name="response" toName="body">
    <Choice value="approved"/><Choice value="rejected"/></Choices></View>
"""
ANNOTATION: Final = {
    "result": [{"from_name": "response", "to_name": "body", "type": "choices", "value": {"choices": ["approved"]}}]
}
TITLES: Final = {"create": "create", "decide": "decide", "list": "list 50"}
"""The operations that both have, by the names of our rows."""


def measure(body: bytes, seconds: float, folder: Path) -> dict[str, dict[str, float]]:
    """Return the values of each row. `body` is our request, whose data becomes the task's."""
    with (
        _start_label_studio(folder) as (url, process),
        httpx.Client(base_url=url, headers={"authorization": AUTHORIZATION}, timeout=60) as client,
    ):
        project = client.post("/api/projects/", json={"title": "Bench", "label_config": LABELS}).raise_for_status()
        project_id = project.json()["id"]
        task = json.dumps({"project": project_id, "data": json.loads(body)["data"]})
        create = Step("/api/tasks/", task, authorization=AUTHORIZATION)
        annotate = Step("/api/tasks/{}/annotations/", json.dumps(ANNOTATION), authorization=AUTHORIZATION)
        listing = Step(f"/api/tasks/?project={project_id}&page=1&page_size=50", authorization=AUTHORIZATION)
        rows = {"create": _measure_row(process, Plan(url, [create], CONNECTIONS, seconds))}
        found = client.get("/api/tasks/", params={"project": project_id, "page_size": 1_000_000, "fields": "task_only"})
        pending = [str(each["id"]) for each in found.raise_for_status().json()["tasks"]]
        rows["list"] = _measure_row(process, Plan(url, [listing], CONNECTIONS, seconds))
        rows["decide"] = _measure_row(process, Plan(url, [annotate], CONNECTIONS, seconds, subjects=pending))
    return rows


def _measure_row(process: psutil.Process, plan: Plan) -> dict[str, float]:
    if plan.subjects is None:
        run_load(Plan(plan.url, plan.steps, plan.connections, min(WARM_UP_SECONDS, plan.seconds)))
    before = sum_processor_seconds(process)
    result = run_load(plan)
    used = sum_processor_seconds(process) - before
    return {
        "rate": result.rate,
        "p50": 1000 * result.p50,
        "p99": 1000 * result.p99,
        "processorMs": 1000 * used / result.done,
    }


@contextmanager
def _start_label_studio(folder: Path) -> Iterator[tuple[str, psutil.Process]]:
    program = ENVIRONMENT / "bin" / "label-studio"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([ENVIRONMENT / "bin" / "pip", "install", "-q", f"label-studio=={VERSION}"], check=True)
    port, log = free_port(), folder / "label-studio.log"
    env = os.environ | {
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder / "label-studio"),
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "COLLECT_ANALYTICS": "false",
        "LATEST_VERSION_CHECK": "false",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
    }
    account = ["--username", EMAIL, "--password", PASSWORD, "--user-token", TOKEN]
    command = [str(program), "start", "--no-browser", "--internal-host", "127.0.0.1", "--port", str(port), *account]
    with run_process(command, env, log) as process:
        url = f"http://127.0.0.1:{port}"
        wait_for(f"{url}/health/", log, START_TIMEOUT)
        yield url, psutil.Process(process.pid)


def format_table(own: Mapping[str, Mapping[str, Any]], peer: Mapping[str, Mapping[str, float]]) -> str:
    """Return our rows beside Label Studio's as Markdown."""
    lines = [
        f"| Operation | Signoff | p50 | p99 | Label Studio {VERSION} | p50 | p99 | **Ratio** |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, title in TITLES.items():
        ratio = own[name]["rate"] / peer[name]["rate"]
        lines.append(f"| {title} | {_format_row(own[name])} | {_format_row(peer[name])} | **{ratio:,.1f}** |")
    return "\n".join(lines)


def _format_row(row: Mapping[str, Any]) -> str:
    return f"{row['rate']:,.0f}/s | {row['p50']:,.0f} ms | {row['p99']:,.0f} ms"
