"""Another API on the same database, as in a cluster, in this process like the first."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from support.in_process import Service
from support.service_process import IN_PROCESS

from chaos.processes import free_port
from signoff.app import create_app
from signoff.platform.settings import load_settings


@asynccontextmanager
async def second_api(service: Service, **settings: Any) -> AsyncGenerator[str]:
    """Its URL. It has the first one's settings except for these, and shares only the database with it."""
    values = service.settings.model_dump(exclude_unset=True)
    loaded = load_settings(**values | {"port": free_port()} | settings)
    app = create_app(loaded, service.dsn())
    async with app.router.lifespan_context(app):
        IN_PROCESS[loaded.local_url] = app
        try:
            yield loaded.local_url
        finally:
            del IN_PROCESS[loaded.local_url]
            app.state.context.pubsub.stop()
