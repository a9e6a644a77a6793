"""Helpers for tests of media in reviews: a review type with media, a file server, waiting for copies."""

import asyncio
import base64
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import httpx
from aiohttp import web
from support.api import Workspace, unique
from support.in_process import Service
from support.receiver import Call, Receiver
from support.service_process import new_client

FIELDS: list[dict[str, Any]] = [
    {"id": "photo", "type": "image", "path": "draft.photo"},
    {"id": "clip", "type": "video"},
    {"id": "photos", "type": "list", "item": [{"id": "photo", "type": "image"}]},
    {"id": "pairs", "type": "list", "item": [{"id": "photo", "type": "image"}, {"id": "note", "type": "text"}]},
    {"id": "rows", "type": "table", "columns": [{"id": "cell", "type": "image"}, {"id": "text", "type": "text"}]},
    {"id": "sound", "type": "audio"},
    {"id": "note", "type": "text"},
]


async def media_form(workspace: Workspace, **members: Any) -> dict[str, Any]:
    plain = {"name": "Pictures", "titleField": None, "layout": None, "rules": [], "fields": FIELDS}
    return await workspace.make_form(**{**plain, **members})


def b64(content: bytes) -> str:
    return base64.b64encode(content).decode()


BASE64 = {
    "fields": {
        "photo": {"isBase64": True},
        "photos": {"listItemConfig": {"photo": {"isBase64": True}}},
        "pairs": {"listItemConfig": {"photo": {"isBase64": True}}},
        "rows": {"listItemConfig": {"cell": {"isBase64": True}}},
    }
}


def serve(receiver: Receiver, content: bytes, content_type: str = "image/png") -> str:
    """The URL of a file."""

    async def answer(_: Call) -> web.StreamResponse:
        return web.Response(body=content, content_type=content_type)

    return receiver.answer("/" + unique("file"), answer)


def serve_by(receiver: Receiver, answer: Callable[[Call], Awaitable[web.StreamResponse]]) -> str:
    return receiver.answer("/" + unique("file"), answer)


def fetches(receiver: Receiver, url: str) -> int:
    return len(receiver.at(httpx.URL(url).path))


async def wait_until(look: Callable[[], Awaitable[Any]], within: float = 60.0) -> Any:
    """Returns the first truthy result of `look`."""
    async with asyncio.timeout(within):
        while True:
            result = await look()
            if result:
                return result
            await asyncio.sleep(0.03)


async def wait_for_copies(workspace: Workspace, review_id: str, *urls: str) -> dict[str, Any]:
    """The review, once these URLs are copied."""

    async def look() -> dict[str, Any] | None:
        review = await workspace.review(review_id)
        media_notices = review.get("mediaNotices", [])
        assert all(notice["state"] == "retrying" for notice in media_notices), media_notices
        return review if set(urls) <= set(review.get("fileCache", {})) else None

    return await wait_until(look)


async def wait_for_notices(workspace: Workspace, review_id: str, count: int = 1) -> dict[str, str]:
    """Why URLs couldn't be copied, by URL, once this many have failed permanently."""

    async def look() -> dict[str, str] | None:
        media_notices = (await workspace.review(review_id)).get("mediaNotices", [])
        notices = [notice for notice in media_notices if notice["state"] == "failed"]
        return {notice["url"]: notice["message"] for notice in notices} if len(notices) >= count else None

    return await wait_until(look)


async def fetch_stored(address: str) -> bytes:
    async with new_client("") as client:
        response = await client.get(address)
    assert response.status_code == 200, f"{response.status_code} at {address}"
    return response.content


async def status_of(address: str) -> int:
    async with new_client("") as client:
        return (await client.get(address)).status_code


async def wait_until_gone(address: str) -> None:
    async def look() -> bool:
        return await status_of(address) == 404

    await wait_until(look)


async def is_kept(service: Service, content: bytes) -> bool:
    """Whether the content is in the storage, for any account: no API call says this."""
    connection = await asyncpg.connect(service.dsn())
    try:
        digest = hashlib.sha256(content).digest()
        return await connection.fetchval("select exists (select from media where sha256 = $1)", digest)
    finally:
        await connection.close()


def media_id(address: str) -> str:
    return httpx.URL(address).path.rsplit("/", 1)[1]
