"""The one HTTP client for requests to URLs that users enter."""

from signoff.platform.guarded_http.addresses import Network
from signoff.platform.guarded_http.client import GuardedClient, HttpResponse, HttpResponseStream
from signoff.platform.guarded_http.errors import (
    BlockedAddressError,
    ConnectionFailedError,
    ConnectionRefusedByPeer,
    DnsFailedError,
    InvalidHeaderError,
    InvalidUrlError,
    OutboundError,
    OutboundTimeoutError,
    ProtocolError,
    ResponseTooLargeError,
    TlsFailedError,
)
from signoff.platform.guarded_http.urls import check_url

__all__ = [
    "BlockedAddressError",
    "ConnectionFailedError",
    "ConnectionRefusedByPeer",
    "DnsFailedError",
    "GuardedClient",
    "HttpResponse",
    "HttpResponseStream",
    "InvalidHeaderError",
    "InvalidUrlError",
    "Network",
    "OutboundError",
    "OutboundTimeoutError",
    "ProtocolError",
    "ResponseTooLargeError",
    "TlsFailedError",
    "check_url",
]
