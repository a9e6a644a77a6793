import asyncio
from collections.abc import Callable
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response

from signoff.pages.api_reference import reference_page
from signoff.pages.html import ASSETS, DOCUMENT_POLICY, html_response
from signoff.platform.errors import NotFound
from signoff.platform.http.json_routes import JSON
from signoff.platform.messages import msg

router = APIRouter(include_in_schema=False)
reference = APIRouter(include_in_schema=False)


@router.get("/assets/{name}")
async def get_asset(name: str) -> Response:
    if (asset := ASSETS.get(name)) is None:
        raise NotFound(msg("file"), name)
    return Response(asset.content, 200, {"cache-control": "public, max-age=31536000, immutable"}, asset.media_type)


@reference.get("/openapi.json")
async def get_document(request: Request) -> Response:
    document = await _cached(request, "openapi_document", lambda: orjson.dumps(request.app.openapi()))
    return Response(document, media_type=JSON)


@reference.get("/docs")
async def get_reference(request: Request) -> Response:
    page = await _cached(request, "reference_page", lambda: reference_page(request.app.openapi(), root="../../"))
    return html_response(page, policy=DOCUMENT_POLICY, cache="no-cache")


async def _cached(request: Request, name: str, make: Callable[[], Any]) -> Any:
    """Cache for the life of the process. Rendering takes half a second, so it runs in a thread."""
    state = request.app.state
    if not hasattr(state, name):
        setattr(state, name, await asyncio.to_thread(make))
    return getattr(state, name)
