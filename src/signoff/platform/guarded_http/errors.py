"""Errors for outbound requests that got no response.

The messages are shown to the people who set the URL. They contain neither the URL, which may hold a secret, nor the
address behind a host name, which would reveal the internal network.
"""

from typing import ClassVar

from signoff.platform.messages import Message


class OutboundError(Exception):
    """An outbound request got no response. `code` is stable and can be stored."""

    code: ClassVar[str]

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class InvalidUrlError(OutboundError, ValueError):
    """Also a `ValueError`, so that a pydantic validator can call `check_url` directly."""

    code = "invalid_url"


class InvalidHeaderError(OutboundError, ValueError):
    code = "invalid_header"


class BlockedAddressError(OutboundError):
    """The host is, or resolves to, an address outside the networks that this client may reach."""

    code = "blocked_address"

    def __init__(self, message: Message, *, address: str | None = None) -> None:
        super().__init__(message)
        self.address = address
        """For the operator's log only: not shown to the person who set the URL."""


class DnsFailedError(OutboundError):
    code = "dns_failed"


class ConnectionRefusedByPeer(OutboundError):
    code = "connection_refused"


class ConnectionFailedError(OutboundError):
    """The connection couldn't be made, or broke before the response's status arrived."""

    code = "connection_failed"


class OutboundTimeoutError(OutboundError):
    code = "timeout"


class TlsFailedError(OutboundError):
    code = "tls_failed"


class ProtocolError(OutboundError):
    """The response isn't HTTP, or exceeds its limits."""

    code = "protocol_error"


class ResponseTooLargeError(OutboundError):
    """Only `stream` raises this; `request` truncates the response instead."""

    code = "answer_too_large"
