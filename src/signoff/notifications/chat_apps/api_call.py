"""Call a chat app through the guarded client: a response of limited size within a time limit, or an error."""

from collections.abc import Mapping
from typing import Final

from multidict import CIMultiDictProxy

from signoff.notifications.chat_apps.adapter import ChatAppRateLimited, ChatAppUnreachable, PostOutcomeUnknown
from signoff.platform.guarded_http import (
    BlockedAddressError,
    ConnectionRefusedByPeer,
    DnsFailedError,
    GuardedClient,
    HttpResponse,
    InvalidHeaderError,
    InvalidUrlError,
    OutboundError,
    TlsFailedError,
)

MAX_RESPONSE_BYTES: Final = 2 * 1024 * 1024
MIN_BACKOFF, MAX_BACKOFF = 1.0, 3600.0
_NEVER_SENT = (
    BlockedAddressError,
    DnsFailedError,
    InvalidHeaderError,
    InvalidUrlError,
    ConnectionRefusedByPeer,
    TlsFailedError,
)


async def call(
    client: GuardedClient,
    url: str,
    body: bytes | None,
    headers: Mapping[str, str],
    time_limit: float,
    method: str = "POST",
) -> HttpResponse:
    """Raises `ChatAppUnreachable`, `PostOutcomeUnknown`, or `ChatAppRateLimited` for an answer 429."""
    try:
        answer = await client.request(
            method, url, body=body, headers=headers, timeout=time_limit, max_answer_bytes=MAX_RESPONSE_BYTES
        )
    except _NEVER_SENT as error:
        raise ChatAppUnreachable(error.message, error.code) from error
    except OutboundError as error:
        raise PostOutcomeUnknown(error.message, error.code) from error
    if answer.status == 429:
        raise ChatAppRateLimited(parse_retry_delay(answer.headers))
    return answer


def parse_retry_delay(headers: CIMultiDictProxy[str]) -> float:
    """Return the seconds of `Retry-After`; ten if it's missing or invalid."""
    retry_after = headers.get("retry-after", "").strip()
    seconds = float(retry_after) if retry_after.isascii() and retry_after.isdigit() and len(retry_after) < 9 else 10.0
    return min(max(seconds, MIN_BACKOFF), MAX_BACKOFF)
