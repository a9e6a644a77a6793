"""The one HTTP client for requests to addresses that other people chose."""

from signoff.platform.guarded_http.addresses import Network
from signoff.platform.guarded_http.client import Answer, AnswerStream, GuardedClient
from signoff.platform.guarded_http.errors import (
    AnswerTooLargeError,
    BlockedAddressError,
    DnsFailedError,
    FailedConnectionError,
    InvalidHeaderError,
    InvalidUrlError,
    OutboundError,
    OutboundTimeoutError,
    ProtocolError,
    RefusedConnectionError,
    TlsFailedError,
)
from signoff.platform.guarded_http.urls import check_url

__all__ = [
    "Answer",
    "AnswerStream",
    "AnswerTooLargeError",
    "BlockedAddressError",
    "DnsFailedError",
    "FailedConnectionError",
    "GuardedClient",
    "InvalidHeaderError",
    "InvalidUrlError",
    "Network",
    "OutboundError",
    "OutboundTimeoutError",
    "ProtocolError",
    "RefusedConnectionError",
    "TlsFailedError",
    "check_url",
]
