"""Signoff client for Python: request reviews, wait for decisions, verify webhooks.

client = Client("https://signoff.example.com", api_key="…")
review = client.request_review("frm_…", {"headline": "Fall is here"})
result = review.wait(timeout=3600)
if result.approved:
    publish(result.values["headline"])
"""

from signoff_client.clients import AsyncClient, AsyncReview, Client, Review
from signoff_client.errors import (
    ApiError,
    Conflict,
    ConnectionFailed,
    DoesNotFit,
    Forbidden,
    Gone,
    Invalid,
    InvalidSignature,
    NotFound,
    OtherText,
    RateLimited,
    Rejected,
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
from signoff_client.files import StoredFile
from signoff_client.memory import PastResponse
from signoff_client.messages import Message
from signoff_client.results import Result, Retry
from signoff_client.reviews import Batch, ReviewOptions
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
    "DoesNotFit",
    "Event",
    "Forbidden",
    "Gone",
    "HumanMessage",
    "Invalid",
    "InvalidSignature",
    "Message",
    "NotFound",
    "OtherText",
    "PastResponse",
    "RateLimited",
    "Rejected",
    "Result",
    "Retry",
    "RetryRequested",
    "Review",
    "ReviewCompleted",
    "ReviewDeleted",
    "ReviewEvent",
    "ReviewOptions",
    "ServerError",
    "SignoffError",
    "StoredFile",
    "TriggerSubmitted",
    "Unauthorized",
    "WaitTimeout",
    "__version__",
    "verify",
]
