"""Answers that are sent while they are made, for what may be too large to hold."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping

from fastapi import Request, Response
from fastapi.responses import StreamingResponse


async def stream_response(
    request: Request, pieces: AsyncGenerator[bytes], media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """An answer of these pieces. None is made before the one before it was taken; when the client goes, making ends.

    The first piece is made before anything is sent: what goes wrong until then is a problem document like any other.
    What goes wrong later breaks the connection off, so that nobody takes half an answer for a whole one.
    """
    first = await anext(pieces, b"")
    if request.scope.get("head"):
        await pieces.aclose()
        return Response(None, 200, headers, media_type)
    return StreamingResponse(_in_turn(first, pieces), 200, headers, media_type)


async def _in_turn(first: bytes, others: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    try:
        yield first
        async for piece in others:
            yield piece
    finally:
        await others.aclose()
