"""The records of a run: what clients sent and got, what the receiver got, and what the service reports."""

from dataclasses import dataclass, field
from typing import Any, Literal

DecisionOutcome = Literal["accepted", "conflict", "unknown"]
"""Of a decision: accepted; rejected because someone else decided first; or the response was lost."""

# After errors that start with one of these, the receiver may or may not have got the call.
LOST = "The worker stopped during this attempt"
INTERRUPTED = "Signoff was shut down during this attempt"
MAY_HAVE_ARRIVED = (LOST, INTERRUPTED, "timeout", "connection_failed", "protocol_error")


@dataclass
class RequestedReview:
    """A review request, sent with the same idempotency key until it gets a response."""

    key: str
    nonce: str
    data: dict[str, Any] = field(default_factory=dict)
    pictures: list[str] = field(default_factory=list)
    auto_approved: bool = False
    uses_tool: bool = False
    """Its review type has a tool webhook."""
    attempts_made: int = 0
    review_ids: set[str] = field(default_factory=set)
    """The review of every successful response."""


@dataclass
class UpdatedReview:
    """New content for a review, sent like a request."""

    key: str
    nonce: str
    review_id: str
    data: dict[str, Any] = field(default_factory=dict)
    accepted: bool = False


@dataclass
class RetryRequest:
    """A reviewer requested changes."""

    review_id: str
    user_id: str
    instructions: str


@dataclass
class Decision:
    """A reviewer's decision on a review."""

    review_id: str
    user_id: str
    response: str
    edits: dict[str, Any] = field(default_factory=dict)
    """The values that the reviewer changed."""
    outcome: DecisionOutcome = "unknown"
    is_concurrent: bool = False
    """Another reviewer decided at the same time."""


@dataclass
class SentMessage:
    """A chat message, sent like a request. `place` is its position among its author's messages in the session."""

    session_id: str
    key: str
    nonce: str
    place: int
    message_ids: set[str] = field(default_factory=set)


@dataclass
class Call:
    """A call that the receiver got, in the order of arrival."""

    delivery_id: str
    event_id: str
    event: str
    digest: str
    genuine: bool
    status: int | None
    """The status of the response; None if the connection was dropped without one."""
    session_id: str | None = None
    target: str = "agent"
    body: dict[str, Any] = field(default_factory=dict)

    @property
    def is_accepted(self) -> bool:
        return self.genuine and self.status is not None and 200 <= self.status < 300


@dataclass
class Review:
    review_id: str
    nonce: str | None
    state: str
    revision: int
    response: str | None = None
    user_id: str | None = None
    delivery_id: str | None = None
    copies: dict[str, str] = field(default_factory=dict)
    """URLs of the copies by the URLs that were sent."""
    nonces: list[str] = field(default_factory=list)
    """Of every revision, if there are several."""


@dataclass
class Attempt:
    ok: bool
    status: int | None = None
    error: str | None = None
    is_late: bool = False

    @property
    def may_have_arrived(self) -> bool:
        return self.status is None and (self.error or "").startswith(MAY_HAVE_ARRIVED)

    @property
    def is_known_success(self) -> bool:
        """False for an attempt that was assumed lost, and whose response was recorded later."""
        return self.ok and not self.is_late

    @property
    def counts(self) -> bool:
        """False for an attempt that a worker interrupted because it was stopped."""
        return not (self.error or "").startswith(INTERRUPTED)

    @property
    def is_repeated_at_once(self) -> bool:
        """Whether it was assumed lost, or interrupted."""
        return self.is_late or (self.error or "").startswith((LOST, INTERRUPTED))


@dataclass
class Delivery:
    delivery_id: str
    event: str
    status: str
    attempt_count: int
    attempts: list[Attempt]
    review_id: str | None = None
    session_id: str | None = None
    line_number: int | None = None
    target: str = "agent"


@dataclass
class Event:
    event_id: str
    event: str
    review_id: str | None
    delivery_id: str | None
    session_id: str | None = None
    body: dict[str, Any] = field(default_factory=dict)


@dataclass
class Message:
    session_id: str
    message_id: str
    number: int
    nonce: str


@dataclass
class Evidence:
    """Clients record `requests` to `status_counts`, the receiver records `calls`, and the service reports the rest."""

    requests: list[RequestedReview] = field(default_factory=list)
    updates: list[UpdatedReview] = field(default_factory=list)
    retries: list[RetryRequest] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    sent_messages: list[SentMessage] = field(default_factory=list)
    status_counts: dict[str, int] = field(default_factory=dict)
    """Number of responses by method, path, and status; `lost` for none."""
    unexpected_responses: list[str] = field(default_factory=list)
    """Calls that got no response, or were rejected without a reason."""
    rated: dict[str, int] = field(default_factory=dict)
    """Calls of a rate-limited account by status; `allowed` is the maximum that may succeed."""

    live: dict[str, str | None] = field(default_factory=dict)
    """The last state of each review in the live stream."""
    live_resets: int = 0

    calls: list[Call] = field(default_factory=list)

    reviews: list[Review] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    audit: list[tuple[str, str]] = field(default_factory=list)
    """Action and object of every audit log entry."""
    unreadable: dict[str, str] = field(default_factory=dict)
    """Copies of media that can't be read, and why."""
    requests_metered: int = 0
    unfinished: list[str] = field(default_factory=list)
    """Jobs, deliveries, and copies that weren't done in time."""
    leftovers: list[str] = field(default_factory=list)
    """Connections, transactions, and locks that should be gone."""

    errors: list[str] = field(default_factory=list)
    """Unexpected errors in the logs of the service."""


def group_by(items: list[Any], name: str) -> dict[Any, list[Any]]:
    """Group the items by one of their attributes."""
    found: dict[Any, list[Any]] = {}
    for item in items:
        found.setdefault(getattr(item, name), []).append(item)
    return found


def tool_response(review_id: str) -> Any:
    """The tool's response, which depends only on the review's ID: JSON of every shape."""
    shapes: list[Any] = [
        [review_id, 2],
        [[review_id], 2],
        {"done": review_id},
        review_id,
        [],
        None,
        [[], [review_id, []]],
    ]
    return shapes[sum(review_id.encode()) % len(shapes)]
