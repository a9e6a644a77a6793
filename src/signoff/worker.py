"""The worker process: every domain's jobs on one queue."""

import asyncio

from prometheus_client import start_http_server

from signoff.accounts.housekeeping import purge_expired
from signoff.platform.db import Database
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.process import settle_in
from signoff.platform.queue import Wake
from signoff.platform.settings import Settings
from signoff.platform.worker import Worker
from signoff.reviews import jobs as reviews
from signoff.webhooks.actions import DELIVER
from signoff.webhooks.delivering import Deliveries


async def run_worker(settings: Settings, dsn: str, stop: asyncio.Event) -> None:
    """Until `stop`; then what is under way is finished or handed back."""
    db = await Database.connect(dsn, size=settings.database_pool_size, application="signoff worker")
    async with GuardedClient(settings.outgoing_networks, limit=settings.webhook_concurrency) as client:
        deliveries = Deliveries(db, client, settings, Wake(db))
        worker = Worker(
            db,
            jobs={
                DELIVER: deliveries.deliver,
                reviews.INDEX: lambda subject, _: reviews.index(db, subject),
            },
            tidying=[lambda: purge_expired(db), lambda: reviews.purge(db)],
            places=settings.webhook_concurrency,
        )
        beside = [
            asyncio.create_task(deliveries.keep_claims()),
            asyncio.create_task(_stop_deliveries(deliveries, stop, settings.shutdown_grace)),
        ]
        if settings.worker_metrics_port is not None:
            start_http_server(settings.worker_metrics_port, settings.host)
        settle_in()
        try:
            await worker.run(stop)
        finally:
            for task in beside:
                task.cancel()
            await db.close()


async def _stop_deliveries(deliveries: Deliveries, stop: asyncio.Event, grace: float) -> None:
    await stop.wait()
    await deliveries.stop(grace)
