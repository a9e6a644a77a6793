"""How many requests and deliveries a second the cluster does with one, two, three API processes, and what each costs.

One stage for all: nginx is told between how many processes to share the work, in turns, so that whatever else the
machine does hits each number alike. Load generator, receiver and database are on the same machine, and use their share.
"""

import asyncio
import json
import statistics
import subprocess
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg

from bench.deliveries import send_command, start_receiver
from bench.load import Plan, Step, run_load
from chaos.cluster import Cluster, start_cluster
from chaos.processes import SupervisedProcess

CONNECTIONS = 32
MEASURE_SECONDS = 5.0
WARM_UP_SECONDS = 1.0
DELIVERY_SECONDS = 300.0

FORM = {
    "name": "Draft",
    "titleField": "headline",
    "fields": [
        {"id": "headline", "type": "text", "label": "Headline", "required": True},
        {"id": "body", "type": "longText", "label": "Body"},
        {"id": "score", "type": "number", "label": "Score", "min": 0, "max": 10},
    ],
}


async def measure(folder: Path, rounds: int) -> str:
    """A table with the median, lowest, and highest rate of the rounds."""
    found: dict[int, dict[str, list[float]]] = {}
    memory: dict[str, list[float]] = {}
    costs: dict[str, list[dict[str, float]]] = {}
    with start_receiver() as (hook, process):
        async with start_cluster(folder, DATABASE_POOL_SIZE="20") as cluster:
            form_id = await asyncio.to_thread(_set_up, cluster, hook)
            _record_memory(memory, cluster, "idle")
            for number in [n for _ in range(rounds) for n in (1, 2, 3)]:
                cluster.nginx.balance(cluster.ports[:number])
                cluster.nginx.reload()
                await asyncio.sleep(1.0)
                rates = found.setdefault(number, {"requests": [], "approved": [], "deliveries": []})
                await _load(cluster, form_id, WARM_UP_SECONDS, approve=False)
                async with _record_memory_during(memory, cluster):
                    before = _read_costs(cluster)
                    done, rate = await _load(cluster, form_id, MEASURE_SECONDS, approve=False)
                    rates["requests"].append(rate)
                    _add(costs.setdefault("a request", []), before, _read_costs(cluster), done)
                    began = int(await asyncio.to_thread(send_command, process, "count"))
                    before, since = _read_costs(cluster), time.monotonic()
                    done, rate = await _load(cluster, form_id, MEASURE_SECONDS, approve=True)
                    await _wait_for_deliveries(process, began + done)
                    rates["approved"].append(rate)
                    rates["deliveries"].append(done / (time.monotonic() - since))
                    _add(costs.setdefault("a request, approved and delivered", []), before, _read_costs(cluster), done)
            await asyncio.to_thread(_wait_until_all_succeeded, cluster)
    return _table(found, costs, memory)


def _set_up(cluster: Cluster, hook: str) -> str:
    with httpx.Client(
        base_url=f"{cluster.url}/api/v1", headers={"x-api-key": cluster.workspace["manageKey"]}, timeout=60
    ) as client:
        agent = client.post("/agents", json={"name": "Agent", "webhookUrl": hook}).raise_for_status().json()
        form = client.post("/forms", json={**FORM, "agentId": agent["agentId"]}).raise_for_status().json()
    return form["formId"]


async def _load(cluster: Cluster, form_id: str, seconds: float, *, approve: bool) -> tuple[int, float]:
    """The number of accepted requests, and the rate per second."""
    data = {"headline": "Autumn news from the garden", "body": "", "score": 7}
    request: dict[str, Any] = {"formId": form_id, "data": data, "autoApprove": approve}
    data["body"] = "x" * (700 - len(json.dumps(request)))
    step = Step("/api/v1/requestReview", json.dumps(request), cluster.workspace["apiKey"])
    result = await asyncio.to_thread(run_load, Plan(cluster.url, [step], CONNECTIONS, seconds))
    return result.done, result.rate


async def _wait_for_deliveries(process: "subprocess.Popen[str]", count: int) -> None:
    deadline = time.monotonic() + DELIVERY_SECONDS
    while int(await asyncio.to_thread(send_command, process, "count")) < count:
        if time.monotonic() > deadline:
            raise TimeoutError(f"not {count} deliveries within {DELIVERY_SECONDS:.0f} s")
        await asyncio.sleep(0.02)


def _wait_until_all_succeeded(cluster: Cluster) -> None:
    deadline = time.monotonic() + DELIVERY_SECONDS
    with psycopg.connect(cluster.postgres.dsn, autocommit=True) as connection:
        while time.monotonic() < deadline:
            row = connection.execute("select count(*) from deliveries where status <> 'succeeded'").fetchone()
            if row == (0,):
                return
            time.sleep(0.1)
    raise TimeoutError(f"{row} deliveries did not succeed")


@asynccontextmanager
async def _record_memory_during(memory: dict[str, list[float]], cluster: Cluster) -> AsyncGenerator[None]:
    async def watch() -> None:
        while True:
            _record_memory(memory, cluster, "under load")
            await asyncio.sleep(0.5)

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()


def _record_memory(memory: dict[str, list[float]], cluster: Cluster, when: str) -> None:
    for name, group in (("an API", cluster.apis), ("a worker", cluster.workers)):
        memory.setdefault(f"{name}, {when}", []).extend(_megabytes(process) for process in group)


def _megabytes(service: SupervisedProcess) -> float:
    """Memory of the process and its children, with a proportional share of what they have in common."""
    total = 0
    for process in service.processes():
        with suppress(psutil.NoSuchProcess):
            total += process.memory_full_info().pss
    return total / 1_000_000


def _read_costs(cluster: Cluster) -> dict[str, float]:
    """CPU seconds by process so far, and bytes of the write-ahead log."""
    groups = {
        "API": [process for api in cluster.apis for process in api.processes()],
        "worker": [process for worker in cluster.workers for process in worker.processes()],
        "PostgreSQL": cluster.postgres.processes(),
    }
    with psycopg.connect(cluster.postgres.dsn) as connection:
        row = connection.execute("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')").fetchone()
    assert row is not None
    return {name: sum(map(_seconds, group)) for name, group in groups.items()} | {"WAL": float(row[0])}


def _seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return times.user + times.system


def _add(costs: list[dict[str, float]], before: dict[str, float], after: dict[str, float], done: int) -> None:
    costs.append({name: (after[name] - before[name]) / done for name in before})


def _table(
    found: dict[int, dict[str, list[float]]], costs: dict[str, list[dict[str, float]]], memory: dict[str, list[float]]
) -> str:
    lines = ["| API processes | requests/s | approved requests/s | their deliveries/s |", "|--:|--:|--:|--:|"]
    for number, rates in sorted(found.items()):
        lines.append(f"| {number} | " + " | ".join(_format_rates(rates[name]) for name in rates) + " |")
    lines += ["", "| what | API | worker | PostgreSQL | written ahead |", "|---|--:|--:|--:|--:|"]
    for name, each in costs.items():
        medians = {part: statistics.median(cost[part] for cost in each) for part in each[0]}
        shares = [f"{medians[part] * 1e6:,.0f} µs" for part in ("API", "worker", "PostgreSQL")]
        lines.append(f"| {name} | {' | '.join(shares)} | {medians['WAL'] / 1000:.1f} kB |")
    lines += ["", "| process | memory, most |", "|---|--:|"]
    lines += [f"| {name} | {max(held):.0f} MB |" for name, held in memory.items()]
    return "\n".join(lines)


def _format_rates(rates: list[float]) -> str:
    return f"{statistics.median(rates):,.0f} ({min(rates):,.0f} to {max(rates):,.0f})"
