"""Liveness, readiness, and metrics."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from signoff.accounts.context import AppContext, get_context
from signoff.platform.db import DatabaseUnavailable
from signoff.platform.http.json_routes import json_response
from signoff.platform.logs import get_logger
from signoff.platform.metrics import JOBS_WAITING, OLDEST_JOB
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


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Return this process's own metrics, and the queue's, which are the same in every process.

    Without the database, the queue's are missing; the process's own matter all the more then.
    """
    JOBS_WAITING.clear()
    OLDEST_JOB.clear()
    try:
        async with asyncio.timeout(READINESS_TIMEOUT):
            rows = await get_context(request.app).db.fetch(QUEUE_FIGURES)
    except (DatabaseUnavailable, TimeoutError) as error:
        log.error("queue metrics unavailable", error=repr(error))
        rows = []
    for row in rows:
        JOBS_WAITING.labels(row["name"]).set(row["waiting"])
        OLDEST_JOB.labels(row["name"]).set(row["oldest"])
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
