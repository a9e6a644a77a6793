"""Why an outbound request got no answer.

The messages are shown to the people who set the URL. They name neither the URL, which may hold a secret,
nor the address behind a host name, which would map the internal network for a stranger.
"""

from typing import ClassVar


class OutboundError(Exception):
    """An outbound request that got no answer; `code` is stable and may be stored."""

    code: ClassVar[str]


class InvalidUrlError(OutboundError, ValueError):
    """Also a `ValueError`, so that a pydantic validator may call `check_url` as it is."""

    code = "invalid_url"


class InvalidHeaderError(OutboundError, ValueError):
    code = "invalid_header"


class BlockedAddressError(OutboundError):
    """The host is, or resolves to, an address outside the networks this client may reach."""

    code = "blocked_address"

    def __init__(self, message: str, *, address: str | None = None) -> None:
        super().__init__(message)
        self.address = address
        """For the operator's log, not for the person who set the URL."""


class DnsFailedError(OutboundError):
    code = "dns_failed"


class RefusedConnectionError(OutboundError):
    code = "connection_refused"


class FailedConnectionError(OutboundError):
    """The connection could not be made, or broke before the answer's status arrived."""

    code = "connection_failed"


class OutboundTimeoutError(OutboundError):
    code = "timeout"


class TlsFailedError(OutboundError):
    code = "tls_failed"


class ProtocolError(OutboundError):
    """What came back is not HTTP, or breaks its limits."""

    code = "protocol_error"


class AnswerTooLargeError(OutboundError):
    """Only `stream` raises this; `request` cuts the answer instead."""

    code = "answer_too_large"
