"""Streamed responses, for content that may be too large to hold in memory."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping

from fastapi import Request, Response
from fastapi.responses import StreamingResponse


async def stream_response(
    request: Request, pieces: AsyncGenerator[bytes], media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Stream a response from these chunks. Each one is produced after the previous one was sent; production stops when
    the client disconnects.

    The first chunk is produced before anything is sent, so an error up to then becomes a normal error response. A later
    error breaks the connection, so that nobody mistakes half a response for a whole one.
    """
    first = await anext(pieces, b"")
    if request.scope.get("head"):
        await pieces.aclose()
        return Response(None, 200, headers, media_type)
    return StreamingResponse(_chain(first, pieces), 200, headers, media_type)


async def _chain(first: bytes, others: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    try:
        yield first
        async for piece in others:
            yield piece
    finally:
        await others.aclose()
