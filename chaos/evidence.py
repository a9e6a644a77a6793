"""What is known after a run: what clients did and were told, what the receiver saw, what the service says of itself."""

from dataclasses import dataclass, field
from typing import Any, Literal

DecisionOutcome = Literal["accepted", "conflict", "unknown"]
"""Of a decision: taken; somebody else's was taken; its sender never learned which."""

# Errors after which nobody can say whether the receiver got the call; each begins with one of these.
LOST = "The worker stopped during this attempt"
MAY_HAVE_ARRIVED = (LOST, "Signoff was shut down during this attempt", "timeout", "connection_failed", "protocol_error")


@dataclass
class RequestedReview:
    """A review request, sent until it was answered, always with the same key."""

    key: str
    nonce: str
    data: dict[str, Any] = field(default_factory=dict)
    pictures: list[str] = field(default_factory=list)
    auto_approved: bool = False
    uses_tool: bool = False
    """Its review type has a tool webhook."""
    attempts_made: int = 0
    review_ids: set[str] = field(default_factory=set)
    """Every answer that was a success."""


@dataclass
class UpdatedReview:
    """New content for a review; sent like a request."""

    key: str
    nonce: str
    review_id: str
    data: dict[str, Any] = field(default_factory=dict)
    accepted: bool = False


@dataclass
class RetryRequest:
    """Somebody requested changes."""

    review_id: str
    user_id: str
    instructions: str


@dataclass
class Decision:
    """One person's decision on a review."""

    review_id: str
    user_id: str
    response: str
    edits: dict[str, Any] = field(default_factory=dict)
    """The values that the person changed."""
    outcome: DecisionOutcome = "unknown"
    is_concurrent: bool = False
    """Somebody else decided at the same moment."""


@dataclass
class SentMessage:
    """A chat message, sent like a request. `place` is its place among what its writer wrote in the session."""

    session_id: str
    key: str
    nonce: str
    place: int
    message_ids: set[str] = field(default_factory=set)


@dataclass
class Call:
    """What arrived at the receiver, in the order of arrival."""

    delivery_id: str
    event_id: str
    event: str
    digest: str
    genuine: bool
    status: int | None
    """What was answered; None if the connection was dropped without an answer."""
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
    """The address of the copy by the address that was sent."""
    nonces: list[str] = field(default_factory=list)
    """Of every revision, where there are several."""


@dataclass
class Attempt:
    ok: bool
    status: int | None = None
    error: str | None = None

    @property
    def may_have_arrived(self) -> bool:
        return self.status is None and (self.error or "").startswith(MAY_HAVE_ARRIVED)

    @property
    def is_known_success(self) -> bool:
        """False for an attempt that was taken for lost: it keeps that error when its answer is recorded later."""
        return self.ok and not (self.error or "").startswith(LOST)


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
    """By whom it is told: `asked` to `statuses` by clients, `calls` by the receiver, the rest by the service."""

    requests: list[RequestedReview] = field(default_factory=list)
    updates: list[UpdatedReview] = field(default_factory=list)
    retries: list[RetryRequest] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    sent_messages: list[SentMessage] = field(default_factory=list)
    status_counts: dict[str, int] = field(default_factory=dict)
    """How often clients saw which answer, by method, path and status; `lost` where none came."""
    unexpected_responses: list[str] = field(default_factory=list)
    """Calls that were never answered, or refused though there was no reason."""
    rated: dict[str, int] = field(default_factory=dict)
    """Calls of an account on a plan with a rate, by answer; `allowed` is the most that may have succeeded."""

    live: dict[str, str | None] = field(default_factory=dict)
    """What a live stream said last of each review: its state."""
    live_resets: int = 0

    calls: list[Call] = field(default_factory=list)

    reviews: list[Review] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    audit: list[tuple[str, str]] = field(default_factory=list)
    """Action and object of every entry."""
    unreadable: dict[str, str] = field(default_factory=dict)
    """Copies of media that could not be read, and why."""
    requests_metered: int = 0
    unfinished: list[str] = field(default_factory=list)
    """What was still under way when the time was over: jobs, deliveries, copies."""
    leftovers: list[str] = field(default_factory=list)
    """Connections, transactions and locks that nobody should have any more."""

    errors: list[str] = field(default_factory=list)
    """What the service's logs tell of errors that it did not foresee."""


def group_by(items: list[Any], name: str) -> dict[Any, list[Any]]:
    """The items by one of their members."""
    found: dict[Any, list[Any]] = {}
    for item in items:
        found.setdefault(getattr(item, name), []).append(item)
    return found


def tool_response(review_id: str) -> Any:
    """What the tool answers, always the same for a review: JSON of every shape, told apart by the review's ID."""
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
