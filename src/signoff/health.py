"""Liveness, readiness, and metrics."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from signoff.accounts.context import AppContext, get_context
from signoff.platform.db import DatabaseUnavailable, Row
from signoff.platform.http.json_routes import json_response
from signoff.platform.logs import get_logger
from signoff.platform.metrics import render_metrics
from signoff.platform.rate_limits import BucketsUnreachable, SharedBuckets
from signoff.platform.storage import open_storage, probe_storage
from signoff.platform.worker_heartbeats import is_any_worker_alive

log = get_logger("health")

router = APIRouter(include_in_schema=False)

READINESS_TIMEOUT = 5.0

# Jobs and messages that are due. If this number grows, the workers can't keep up, or none are running.
QUEUE_FIGURES = """
    select name, count(*) as waiting, extract(epoch from now() - min(due_at))::float8 as oldest
    from (
        select name, due_at from jobs where claimed_at is null
        union all
        select channel, due_at from outgoing_messages where state = 'queued'
    ) as work
    where due_at <= now() group by name
"""


@router.get("/healthz")
async def alive() -> dict[str, str]:
    return {"status": "ok"}


@router.get("/readyz")
async def ready(request: Request) -> Response:
    """Respond with 200 if everything that requests need is reachable, otherwise with 503 and what isn't.

    Workers and, if configured, Redis are reported too, but don't affect the status: requests work without them.
    """
    context = get_context(request.app)
    names = ("database", "queue", "storage")
    checks = (_database(context), _queue(context), _storage(context))
    outcomes = await asyncio.gather(
        *(asyncio.wait_for(check, READINESS_TIMEOUT) for check in checks), return_exceptions=True
    )
    report: dict[str, Any] = {}
    for name, outcome in zip(names, outcomes, strict=True):
        if isinstance(outcome, BaseException):
            log.error("not ready", part=name, error=repr(outcome))
        report[name] = "unreachable" if isinstance(outcome, BaseException) else "ok"
    ok = all(state == "ok" for state in report.values())
    report["worker"] = await _worker(context) if report["database"] == "ok" else "unknown"
    if context.rates.shared is not None:
        report["redis"] = await _redis(context.rates.shared)  # requests work without it
    if not ok:
        return json_response({"status": "unavailable", **report, "requestId": request.scope["request_id"]}, 503)
    return json_response({"status": "ok", **report}, 200)


async def _database(context: AppContext) -> None:
    await context.db.fetchval("select 1 from accounts limit 1")


async def _queue(context: AppContext) -> None:
    await context.db.fetchval("select 1 from jobs limit 1")


async def _storage(context: AppContext) -> None:
    await probe_storage(open_storage(context.settings))


async def _worker(context: AppContext) -> str:
    try:
        async with asyncio.timeout(READINESS_TIMEOUT):
            alive = await is_any_worker_alive(context.db, context.settings.worker_lost_after)
    except (DatabaseUnavailable, TimeoutError) as error:
        log.error("worker heartbeats unavailable", error=repr(error))
        return "unknown"
    return "ok" if alive else "no heartbeat"


async def _redis(shared: SharedBuckets) -> str:
    try:
        await shared.reach()
    except BucketsUnreachable as error:
        log.warning("Redis unreachable", error=str(error))
        return "unreachable"
    return "ok"


class _QueueMetrics(Collector):
    """The queue's figures, as they were read for this response."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    def collect(self) -> Iterable[GaugeMetricFamily]:
        waiting = GaugeMetricFamily("signoff_jobs_waiting", "Jobs due but not yet started.", labels=["job"])
        oldest = GaugeMetricFamily("signoff_oldest_job_seconds", "Age of the oldest due job.", labels=["job"])
        for row in self._rows:
            waiting.add_metric([row["name"]], row["waiting"])
            oldest.add_metric([row["name"]], row["oldest"])
        return waiting, oldest


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Return the metrics of the API, and the queue's, which are the same in every process.

    Without the database, the queue's are missing; the API's own matter all the more then.
    """
    try:
        async with asyncio.timeout(READINESS_TIMEOUT):
            rows = await get_context(request.app).db.fetch(QUEUE_FIGURES)
    except (DatabaseUnavailable, TimeoutError) as error:
        log.error("queue metrics unavailable", error=repr(error))
        rows = []
    queue = CollectorRegistry()
    queue.register(_QueueMetrics(rows))
    return Response(render_metrics(queue), media_type=CONTENT_TYPE_LATEST)
