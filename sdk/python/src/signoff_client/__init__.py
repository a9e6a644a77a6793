"""Signoff client for Python: request reviews, wait for decisions, verify webhooks.

client = Client("https://signoff.example.com", api_key="…")
review = client.request_review("frm_…", {"headline": "Fall is here"})
result = review.wait(timeout=3600)
if result.approved:
    publish(result.values["headline"])
"""

from typing import TYPE_CHECKING

from signoff_client.clients import AsyncClient, AsyncReview, Client, Review
from signoff_client.deprecation import warn_renamed
from signoff_client.errors import (
    ApiError,
    Conflict,
    ConnectionFailed,
    Forbidden,
    Gone,
    InvalidRequest,
    InvalidSignature,
    MessageConflict,
    NotFound,
    RateLimited,
    ReviewRejected,
    SchemaMismatch,
    ServerError,
    SignoffError,
    Unauthorized,
    WaitTimeout,
)
from signoff_client.events import (
    BatchCompleted,
    Event,
    HumanMessage,
    RetryRequested,
    ReviewCompleted,
    ReviewDeleted,
    ReviewEvent,
    TriggerSubmitted,
)
from signoff_client.memory import PastResponse
from signoff_client.messages import Message
from signoff_client.results import Result, Retry
from signoff_client.reviews import Batch, ReviewOptions
from signoff_client.uploads import StoredFile
from signoff_client.version import __version__
from signoff_client.webhooks import verify

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncReview",
    "Batch",
    "BatchCompleted",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "Event",
    "Forbidden",
    "Gone",
    "HumanMessage",
    "InvalidRequest",
    "InvalidSignature",
    "Message",
    "MessageConflict",
    "NotFound",
    "PastResponse",
    "RateLimited",
    "Result",
    "Retry",
    "RetryRequested",
    "Review",
    "ReviewCompleted",
    "ReviewDeleted",
    "ReviewEvent",
    "ReviewOptions",
    "ReviewRejected",
    "SchemaMismatch",
    "ServerError",
    "SignoffError",
    "StoredFile",
    "TriggerSubmitted",
    "Unauthorized",
    "WaitTimeout",
    "__version__",
    "verify",
]

_RENAMED: dict[str, type[SignoffError]] = {
    "DoesNotFit": SchemaMismatch,
    "Invalid": InvalidRequest,
    "OtherText": MessageConflict,
    "Rejected": ReviewRejected,
}

# A type checker that saw this function would accept every name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> type[SignoffError]:
        if name not in _RENAMED:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        warn_renamed(name, _RENAMED[name].__name__)
        return _RENAMED[name]
