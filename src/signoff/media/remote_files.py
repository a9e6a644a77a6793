"""Download a URL from a request to a file, within limits."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

from signoff.platform.guarded_http import (
    BlockedAddressError,
    GuardedClient,
    HttpResponseStream,
    InvalidHeaderError,
    InvalidUrlError,
    OutboundError,
    OutboundTimeoutError,
    ResponseTooLargeError,
)
from signoff.platform.messages import ByteSize, msg
from signoff.platform.storage import storage_unavailable

MAX_REDIRECTS: Final = 5
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
MISSING_STATUSES: Final = frozenset({404, 410})
PERMANENT_ERRORS: Final = (InvalidUrlError, InvalidHeaderError, BlockedAddressError, ResponseTooLargeError)
WRITE_BYTES: Final = 1024 * 1024
ACCEPT: Final = {"Accept": "image/*, video/*, */*;q=0.1"}


class DownloadFailed(Exception):
    """The download failed. The text is for the people who see the review."""

    def __init__(self, message: str, *, lasting: bool = False) -> None:
        super().__init__(message)
        self.lasting = lasting
        """Whether a retry would end the same way."""


async def download_file(client: GuardedClient, url: str, to: Path, *, max_bytes: int, seconds: float) -> None:
    """Download `url` to the file `to`, or raise `DownloadFailed`.

    Redirects are followed here, so that each URL is checked like the first. `seconds` is the limit for all of them
    together.
    """
    until = time.monotonic() + seconds
    try:
        for _ in range(MAX_REDIRECTS + 1):
            left = until - time.monotonic()
            if left <= 0:
                raise OutboundTimeoutError(msg("Timed out waiting for the host."))
            async with client.stream("GET", url, headers=ACCEPT, timeout=left, max_answer_bytes=max_bytes) as answer:
                target = _redirected_to(answer, url)
                if target is None:
                    _refuse(answer, max_bytes)
                    await _write(answer.chunks(), to)
                    return
            url = target
    except OutboundError as error:
        raise DownloadFailed(_describe_error(error, max_bytes), lasting=isinstance(error, PERMANENT_ERRORS)) from error
    raise DownloadFailed(f"The URL redirects more than {MAX_REDIRECTS} times.")


def _redirected_to(answer: HttpResponseStream, url: str) -> str | None:
    if answer.status not in REDIRECTS:
        return None
    location = answer.headers.get("location")
    if location is None:
        raise DownloadFailed(f"The URL returned {answer.status} without a redirect target.")
    try:
        return urljoin(url, location)
    except ValueError as error:  # such as `http://[`
        raise DownloadFailed("The URL redirects to an invalid URL.", lasting=True) from error


def _refuse(answer: HttpResponseStream, max_bytes: int) -> None:
    if answer.status != 200:
        status_line = f"{answer.status} {answer.reason}".strip()[:100]
        raise DownloadFailed(f"The URL returned {status_line}.", lasting=answer.status in MISSING_STATUSES)
    declared = answer.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared[:18]) > max_bytes:
        raise ResponseTooLargeError(msg("The response is larger than {limit}.", limit=ByteSize(max_bytes)))


async def _write(chunks: AsyncIterator[bytes], to: Path) -> None:
    """Write in large chunks and in threads, so that a slow disk doesn't block anything else."""
    try:
        with to.open("wb") as file:
            buffer = bytearray()
            async for chunk in chunks:
                buffer += chunk
                if len(buffer) >= WRITE_BYTES:
                    await asyncio.to_thread(file.write, buffer)
                    buffer = bytearray()
            await asyncio.to_thread(file.write, buffer)
    except OSError as error:
        raise storage_unavailable(error) from error


def _describe_error(error: OutboundError, max_bytes: int) -> str:
    if isinstance(error, ResponseTooLargeError):
        return f"The file is larger than {max_bytes / 1024 / 1024:.4g} MiB."
    return error.message
