"""Serve media: whole or a range, in chunks, with headers that let browsers display it and nothing else."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from email.utils import format_datetime
from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from signoff.accounts.context import AppContext
from signoff.media.content_types import EXTENSIONS
from signoff.media.errors import MediaAddressExpired, RangeNotSatisfiable
from signoff.media.store import MediaStore
from signoff.media.urls import MEDIA_PATH, MediaRef, parse_media_url, remaining_seconds
from signoff.platform.db import Row
from signoff.platform.errors import NotFound
from signoff.platform.logs import get_logger
from signoff.platform.messages import msg
from signoff.platform.settings import Settings
from signoff.platform.storage import ObjectNotFound

log = get_logger("media")

PIECE, SLICE = 1024 * 1024, 128 * 1024
YEAR_SECONDS = 365 * 24 * 3600
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    length: int


async def media_response(context: AppContext, request: Request) -> Response:
    settings: Settings = context.settings
    place = parse_media_url(settings, request.scope["path"])
    if place is None:
        raise NotFound(msg("file"), request.scope["path"].removeprefix(f"{MEDIA_PATH}/")[:200])
    remembered_for = _seconds_to_remember(settings, place, request)
    row = await context.db.fetchrow(
        "select sha256, content_type, size, created_at from media where account_id = $1 and media_id = $2",
        place.account_id,
        place.media_id,
    )
    if row is None or row["content_type"] not in EXTENSIONS:
        raise NotFound(msg("file"), place.key)
    headers = _headers(settings, place, row, remembered_for)
    if _is_known(request.headers.get("if-none-match"), headers["etag"]):
        return Response(None, HTTPStatus.NOT_MODIFIED, headers)
    span, status = _requested_span(request, row["size"], headers), HTTPStatus.OK
    if span is None:
        span = Span(0, row["size"])
    else:
        status = HTTPStatus.PARTIAL_CONTENT
        headers["content-range"] = f"bytes {span.start}-{span.start + span.length - 1}/{row['size']}"
    headers["content-length"] = str(span.length)
    body = await _body(context.get(MediaStore), place, span) if not request.scope.get("head") else _empty_body()
    return StreamingResponse(body, status, headers, media_type=row["content_type"])


def _seconds_to_remember(settings: Settings, place: MediaRef, request: Request) -> int:
    """Refuse a URL without a valid signature before looking anything up, so that nobody learns what exists."""
    if settings.media_addresses == "open":
        return YEAR_SECONDS
    left = remaining_seconds(settings, place, request.url.query)
    if left is None:
        raise MediaAddressExpired(
            msg("This file link has expired or is incomplete. Reload the review to get a new one.")
        )
    return left


def _headers(settings: Settings, place: MediaRef, row: Row, remembered_for: int) -> dict[str, str]:
    """Return the headers. The content of a URL never changes. Shared caches are only allowed with a configured CDN:
    their copies outlive a deleted review.
    """
    shared = settings.cdn_url is not None and settings.media_addresses == "open"
    return {
        "etag": f'"{row["sha256"].hex()[:32]}"',
        "last-modified": format_datetime(row["created_at"], usegmt=True),
        "cache-control": f"{'public' if shared else 'private'}, max-age={remembered_for}, immutable",
        "accept-ranges": "bytes",
        "content-disposition": f'inline; filename="{place.media_id}.{EXTENSIONS[row["content_type"]]}"',
        "content-security-policy": "default-src 'none'; sandbox",
        "cross-origin-resource-policy": "cross-origin",
    }


def _is_known(if_none_match: str | None, etag: str) -> bool:
    if if_none_match is None:
        return False
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return "*" in tags or etag in tags


def _requested_span(request: Request, size: int, headers: dict[str, str]) -> Span | None:
    """Return the requested range. None means everything, also for several ranges or a range of another version."""
    condition = request.headers.get("if-range")
    if condition is not None and condition not in {headers["etag"], headers["last-modified"]}:
        return None
    match = _RANGE.fullmatch(request.headers.get("range", "").replace(" ", ""))
    if match is None or not (match[1] or match[2]):
        return None
    first = int(match[1]) if match[1] else max(0, size - int(match[2]))
    last = min(int(match[2]), size - 1) if match[1] and match[2] else size - 1
    if match[1] and match[2] and int(match[2]) < int(match[1]):
        return None  # not a range at all
    if first >= size or last < first:
        raise RangeNotSatisfiable(size)
    return Span(first, last - first + 1)


async def _body(store: MediaStore, place: MediaRef, span: Span) -> AsyncIterator[bytes]:
    """Stream the body. The first chunk is read before the response starts, so that a missing object can be reported."""
    try:
        first = await store.storage.read(place.key, span.start, min(PIECE, span.length))
    except ObjectNotFound:
        log.error("object missing from storage", key=place.key)
        raise NotFound(msg("file"), place.key) from None
    return _pieces(store, place, span, first)


async def _pieces(store: MediaStore, place: MediaRef, span: Span, piece: bytes) -> AsyncIterator[bytes]:
    """Split into small slices: some of them wait in memory for a slow client."""
    sent = 0
    while True:
        for at in range(0, len(piece), SLICE):
            yield piece[at : at + SLICE]
        sent += len(piece)
        if sent >= span.length:
            return
        piece = await store.storage.read(place.key, span.start + sent, min(PIECE, span.length - sent))


async def _empty_body() -> AsyncIterator[bytes]:
    yield b""
