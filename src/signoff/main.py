"""The ASGI application: every domain's routes under `/api/v1`, health and metrics beside them."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from signoff.accounts.access import KeyRing, Service
from signoff.accounts.routes import routers as accounts
from signoff.agents.routes import router as agents
from signoff.forms.routes import router as forms
from signoff.health import router as health
from signoff.openapi import describe
from signoff.pages.routes import reference
from signoff.pages.routes import router as pages
from signoff.platform.db import Database
from signoff.platform.http import Exchange, install_error_handlers
from signoff.platform.logs import configure_logs
from signoff.platform.process import settle_in
from signoff.platform.queue import Wake
from signoff.platform.settings import Settings, load_settings
from signoff.reviews.routes import direct as requests
from signoff.reviews.routes import router as reviews
from signoff.webhooks.routes import router as webhooks

API = "/api/v1"


def create_app(settings: Settings, dsn: str) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        db = await Database.connect(dsn, size=settings.database_pool_size, application="signoff api")
        app.state.service = Service(settings, db, Wake(db), KeyRing(db))
        settle_in()
        try:
            yield
        finally:
            await db.close()

    app = FastAPI(
        title="Signoff",
        lifespan=lifespan,
        # Ours stand in `signoff.pages`.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        # `/agents/` is not `/agents`: a redirect would drop the credentials of some clients.
        redirect_slashes=False,
    )
    install_error_handlers(app)
    # Routes are tried in this order, so the busiest come first.
    for router in (requests, reviews, webhooks, forms, agents, *accounts):
        app.include_router(router, prefix=API)
    app.include_router(reference, prefix=API)
    app.include_router(pages)
    app.include_router(health)
    app.add_middleware(Exchange, settings=settings)
    describe(app, settings)
    return app


def served() -> Any:
    """What the server process imports: settings come from the environment that `signoff api` prepared."""
    settings = load_settings()
    configure_logs(settings)
    return create_app(settings, os.environ["SIGNOFF_DATABASE_URL"])
