"""Requests to Signoff. They're retried while the server is down or busy."""

import asyncio
import json
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import aiohttp

MIN_BACKOFF, MAX_BACKOFF = 0.5, 15.0


class ApiKeyRejected(Exception):
    """The API key was rejected."""


class RequestRejected(Exception):
    """The server rejected the request."""


class ApiClient:
    def __init__(self, session: aiohttp.ClientSession, url: str, api_key: str) -> None:
        self._session = session
        self._api = f"{url}/api/v1"
        self._headers = {"x-api-key": api_key, "content-type": "application/json"}

    async def get(self, path: str, **query: str | int) -> Any:
        return await self._call("GET", path, params=query)

    async def post(self, path: str, body: dict[str, Any], *, once: str | None = None) -> Any:
        """`once` is sent as the `Idempotency-Key`, so retries create nothing twice."""
        headers = {"Idempotency-Key": once} if once else {}
        return await self._call("POST", path, data=json.dumps(body), headers=headers)

    async def put(self, path: str, body: dict[str, Any]) -> None:
        await self._call("PUT", path, data=json.dumps(body))

    async def _call(self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any) -> Any:
        for pause in _pauses():
            try:
                async with self._session.request(
                    method, self._api + path, headers=self._headers | (headers or {}), **more
                ) as answer:
                    if answer.status < HTTPStatus.BAD_REQUEST:
                        return await answer.json() if answer.status != HTTPStatus.NO_CONTENT else None
                    if answer.status == HTTPStatus.UNAUTHORIZED:
                        raise ApiKeyRejected
                    if (
                        answer.status < HTTPStatus.INTERNAL_SERVER_ERROR
                        and answer.status != HTTPStatus.TOO_MANY_REQUESTS
                    ):
                        problem = await answer.json(content_type=None)
                        raise RequestRejected(f"{answer.status} {problem['code']}. {problem['detail']}")
            except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, TimeoutError):
                pass  # The server may be restarting.
            await asyncio.sleep(pause)
        raise AssertionError("there is always another pause")


def _pauses() -> Iterator[float]:
    pause = MIN_BACKOFF
    while True:
        yield pause
        pause = min(pause * 2, MAX_BACKOFF)
