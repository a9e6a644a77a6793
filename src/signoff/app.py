"""The ASGI application: every domain's routes under `/api/v1`, with health checks and metrics next to them."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute
from starlette.types import Lifespan

from signoff.accounts.api_keys.cache import ApiKeyCache
from signoff.accounts.context import AppContext, get_context
from signoff.accounts.routes import routers as accounts
from signoff.accounts.usage.fair_use_cache import FairUseCache
from signoff.agents.routes import router as agents
from signoff.demo.routes import router as demo
from signoff.forms.client_routes import router as form_helpers
from signoff.forms.editor.routes import router as form_editing
from signoff.forms.routes import router as forms
from signoff.health import router as health
from signoff.inbox.account_feed import Feeds
from signoff.inbox.routes import router as inbox
from signoff.insights.routes import router as insights
from signoff.mcp_server.endpoint import McpEndpoint
from signoff.media.routes import UPLOAD_PATH
from signoff.media.routes import files as media_files
from signoff.media.routes import router as media
from signoff.media.store import MediaStore
from signoff.media.uploads import max_upload_bytes
from signoff.media.urls import load_media_secret
from signoff.memory.export.routes import router as exports
from signoff.memory.routes import router as memory
from signoff.notifications.chat_apps.routes import INTERACTIVITY_PATH, interactivity
from signoff.notifications.chat_apps.routes import router as chat_apps
from signoff.notifications.mail.routes import router as mails
from signoff.notifications.mail.routes import unsubscribing_router as unsubscribing
from signoff.notifications.review_mails.routes import router as review_mails
from signoff.openapi import describe
from signoff.outgoing_messages.routes import router as outgoing_messages
from signoff.pages.routes import reference
from signoff.pages.routes import router as pages
from signoff.pages.web_app import web_app_router
from signoff.platform.client_limits import ClientLimits
from signoff.platform.db import Database
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.heartbeat import send_heartbeats
from signoff.platform.http.error_handlers import install_error_handlers
from signoff.platform.http.middleware import RequestMiddleware
from signoff.platform.logs import configure_logs
from signoff.platform.machine_buckets import open_machine_buckets
from signoff.platform.process import exit_on_sigterm, freeze_gc, on_shutdown, share_memory_between_threads
from signoff.platform.pubsub import PubSub
from signoff.platform.rate_limits import RateLimiter, SharedBuckets
from signoff.platform.request_body import MAX_VALUES, PUBLIC_FORM, BodyLimit
from signoff.platform.settings import Settings, load_settings
from signoff.platform.storage import open_storage, set_private_umask
from signoff.reviews.routes import fast_router as requests
from signoff.reviews.routes import router as reviews
from signoff.sessions.routes import router as sessions
from signoff.triggers.routes import PUBLIC_PATH
from signoff.triggers.routes import public as public_forms
from signoff.triggers.routes import router as triggers
from signoff.webhooks.event_log import follow_events
from signoff.webhooks.routes import events
from signoff.webhooks.routes import router as webhooks
from signoff.webhooks.routes import tests as webhook_tests

if TYPE_CHECKING:
    from signoff.accounts.oidc.provider import IdentityProvider

API = "/api/v1"
MAX_OUTGOING = 20
"""Calls that an API process makes itself, such as test events. Further ones wait, within their time limit."""


def _routes() -> list[BaseRoute]:
    """Build the routes that don't depend on settings. That's slow, so all apps of a process share them."""
    shared = APIRouter()
    # They're matched in this order, so the busiest come first.
    for router in (
        requests,
        reviews,
        inbox,
        sessions,
        memory,
        exports,
        events,
        webhooks,
        outgoing_messages,
        media,
        triggers,
        public_forms,
        form_editing,  # before the route that matches any word as a review type's ID
        forms,
        form_helpers,
        agents,
        webhook_tests,
        insights,
        mails,
        unsubscribing,
        chat_apps,
        interactivity,
        review_mails,
        demo,
        *accounts,
        reference,
    ):
        shared.include_router(router, prefix=API)
    for router in (media_files, pages, health):
        shared.include_router(router)
    return shared.routes


ROUTES = _routes()


def create_app(settings: Settings, dsn: str, clients: ClientLimits | None = None) -> FastAPI:
    """Build an application without side effects on the process, so that one process can have several."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        db = await Database.connect(dsn, size=settings.database_pool_size, application="signoff api")
        pubsub = PubSub(db)
        rates = RateLimiter(_shared_buckets(settings), open_machine_buckets())
        full = await load_media_secret(db, settings)
        store = MediaStore(db, open_storage(settings), settings)
        oidc = _identity_provider(settings)
        outgoing = GuardedClient(settings.outgoing_networks, limit=MAX_OUTGOING)
        app.state.context = AppContext(
            full,
            db,
            pubsub,
            follow_events(),
            ApiKeyCache(db),
            rates,
            FairUseCache(db),
            oidc,
            outgoing,
            {MediaStore: store, Feeds: Feeds(db, pubsub)},
        )
        following = [
            asyncio.create_task(pubsub.listen()),
            asyncio.create_task(app.state.context.keys.follow(pubsub)),
        ]
        try:
            async with mcp.running():
                yield
        finally:
            for task in following:
                task.cancel()
            await rates.close()
            await store.close()
            await outgoing.close()
            if oidc is not None:
                await oidc.close()
            await db.close()

    app = FastAPI(
        title="Signoff",
        lifespan=lifespan,
        # Ours are in `signoff.pages`.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        # `/agents/` isn't `/agents`: a redirect would drop some clients' credentials.
        redirect_slashes=False,
        routes=ROUTES,
    )
    mcp = McpEndpoint(app, settings)
    install_error_handlers(app)
    app.include_router(web_app_router(settings))
    mcp.mount()
    app.add_middleware(
        RequestMiddleware,
        settings=settings,
        clients=clients or ClientLimits(settings),
        public_limits={API + PUBLIC_PATH: PUBLIC_FORM, API + INTERACTIVITY_PATH: PUBLIC_FORM},
        known_limits={API + UPLOAD_PATH: BodyLimit(max_upload_bytes(settings), MAX_VALUES)},
    )
    describe(app, settings)
    return app


# What only some servers use is imported only there: each takes 5 to 9 MB.


def _shared_buckets(settings: Settings) -> SharedBuckets | None:
    if settings.redis_url is None:
        return None
    from signoff.platform.redis_buckets import RedisBuckets

    return RedisBuckets(settings.redis_url)


def _identity_provider(settings: Settings) -> "IdentityProvider | None":
    if settings.oidc_issuer is None:
        return None
    from signoff.accounts.oidc.provider import IdentityProvider

    return IdentityProvider(settings)


def create_served_app() -> Any:
    """Build the server process's app, with the settings from the environment that `signoff api` prepared."""
    settings = load_settings()
    configure_logs(settings)
    set_private_umask()
    share_memory_between_threads()
    clients = ClientLimits(settings)
    clients.watch_connections()
    app = create_app(settings, os.environ["SIGNOFF_DATABASE_URL"], clients)
    app.router.lifespan_context = _with_process_tasks(app.router.lifespan_context)
    return app


def _with_process_tasks(lifespan: Lifespan[FastAPI]) -> Lifespan[FastAPI]:
    """Run what a process needs in addition to the application: signals, heartbeats, garbage collection."""

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncGenerator[None]:
        exit_on_sigterm()
        async with lifespan(app):
            heartbeats = asyncio.create_task(send_heartbeats())
            context = get_context(app)
            on_shutdown(context.pubsub.stop, context.settings.shutdown_grace)
            freeze_gc()
            try:
                yield
            finally:
                heartbeats.cancel()

    return running
