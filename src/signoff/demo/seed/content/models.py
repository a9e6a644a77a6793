"""The types that describe the demo's past. `demo.seed` creates database rows from them.

In the data of a case, `picture("mug-1")` stands for an image's URL, `day(12)` for the date 12 days after the request,
and `moment(2)` for 9 a.m. two days after it.
"""

from dataclasses import dataclass, field
from typing import Any, Final, Literal

Data = dict[str, Any]
OWNER: Final = "owner"
"""The workspace's owner, in place of a colleague's name."""
STUDIO: Final = "group:Studio"
PICTURE: Final = "picture:"
DAY: Final = "day:"
MOMENT: Final = "moment:"


def picture(name: str) -> str:
    return PICTURE + name


def day(after: int) -> str:
    return f"{DAY}{after}"


def time_after(after: int) -> str:
    return f"{MOMENT}{after}"


@dataclass(frozen=True, slots=True)
class SeedRetry:
    """A change request. `better` is the agent's new revision, or None if it hasn't sent one yet."""

    instructions: str
    better: Data | None = None
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeedReview:
    """A review: the request and its outcome."""

    form: str
    data: Data
    ends: Literal["approved", "rejected", "submitted"] | None = "approved"
    """None: it's pending."""
    by: str | Literal["time-out", "auto-approve"] | None = None
    """A colleague or the server. None: any colleague."""
    edits: Data = field(default_factory=dict[str, Any])
    """The reviewer's edits and choices."""
    reason: str | None = None
    again: SeedRetry | None = None
    assignees: tuple[str, ...] = ()
    """The assignees: colleagues, the owner, the group."""
    handed_on_by: str | None = None
    """The colleague who was assigned first and reassigned it."""
    note: str | None = None
    """That colleague's note."""
    is_taken: bool = False
    """Whether the reviewer claimed it first. For a pending review, the first of `assignees` has claimed it."""
    run: str | None = None
    after: tuple[str, ...] = ()
    """Titles of the previous steps in its run."""
    hours_ago: float | None = None
    """When it was requested. None: sometime in the month, in order."""


@dataclass(frozen=True, slots=True)
class SeedMessage:
    by: str
    """A colleague, the owner, or `agent`."""
    text: str
    attached: str | None = None
    """The name of an image."""
    review: SeedReview | None = None


@dataclass(frozen=True, slots=True)
class SeedChat:
    name: str
    agent: str
    hours_ago: float
    messages: tuple[SeedMessage, ...]
    with_owner: bool = False
    """Whether the owner takes part. If so, the last messages are unread."""


@dataclass(frozen=True, slots=True)
class Agent:
    name: str
    description: str
    chat: Literal["off", "on", "replyOnly"] = "off"


@dataclass(frozen=True, slots=True)
class Colleague:
    name: str
    email: str
    role: Literal["admin", "editor", "reviewer"]
