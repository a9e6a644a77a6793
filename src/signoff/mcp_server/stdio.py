"""`signoff mcp`: the same tools over standard input and output, for programs that start their servers themselves."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx

from signoff.mcp_server.api_client import PATH, Api, ApiCallFailed
from signoff.platform.errors import CommandError
from signoff.platform.settings import is_secure_url


def serve_stdio(url: str | None, key: str | None) -> None:
    """Serve until the end of standard input."""
    if not url:
        raise CommandError(
            "Signoff URL required. Set SIGNOFF_URL, for example https://signoff.example.com, or pass --url."
        )
    if not key:
        raise CommandError("API key required. Set SIGNOFF_API_KEY or pass --api-key.")
    if not key.isascii() or not key.isprintable():
        raise CommandError("The API key isn't valid. Check SIGNOFF_API_KEY or --api-key.")
    anyio.run(_serve, _api_address(url), key)


def _api_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise CommandError(
            "The Signoff URL must be an http or https URL without a query string, for example https://signoff.example.com."
        )
    if not is_secure_url(url):
        _warn(f"{parts.scheme}://{parts.hostname} isn't encrypted: your API key is sent in plain text")
    return f"{url.rstrip('/').removesuffix(PATH)}{PATH}/"


async def _serve(address: str, key: str) -> None:
    from mcp.server.stdio import stdio_server

    from signoff.mcp_server.server import build_server

    async with httpx.AsyncClient(base_url=address, headers={"x-api-key": key}) as client:
        api = Api(client)
        await _check_key(api)

        @asynccontextmanager
        async def connect(_: Any) -> AsyncGenerator[Api]:
            yield api

        server = build_server(connect)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


async def _check_key(api: Api) -> None:
    """Report an invalid key immediately. An unreachable service may come back, so each call reports it."""
    try:
        await api.get("authCheck")
    except ApiCallFailed as refusal:
        if refusal.problem.get("status") == httpx.codes.UNAUTHORIZED:
            raise CommandError(refusal.message) from None
        _warn(refusal.message)


def _warn(message: str) -> None:
    """Standard output belongs to the protocol, so warnings go to standard error."""
    sys.stderr.write(f"signoff: {message}\n")
