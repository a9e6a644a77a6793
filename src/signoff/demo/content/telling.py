"""The words in which the office's month is told. Whoever fills the workspace makes rows of them.

In the data of a case, `picture("mug-1")` stands for the address of a picture, `day(12)` for the date so many days after
the request, and `moment(2)` for nine o'clock of such a day.
"""

from dataclasses import dataclass, field
from typing import Any, Final, Literal

Data = dict[str, Any]
OWNER: Final = "owner"
"""In place of a colleague's name: whoever the workspace belongs to."""
STUDIO: Final = "group:Studio"
PICTURE: Final = "picture:"
DAY: Final = "day:"
MOMENT: Final = "moment:"


def picture(name: str) -> str:
    return PICTURE + name


def day(after: int) -> str:
    return f"{DAY}{after}"


def moment(after: int) -> str:
    return f"{MOMENT}{after}"


@dataclass(frozen=True, slots=True)
class Again:
    """A reviewer asked for other content. `better` is what the agent sent then; None: it has not answered yet."""

    instructions: str
    better: Data | None = None
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A review: what the agent asked, and what became of it."""

    form: str
    data: Data
    ends: Literal["approved", "rejected", "submitted"] | None = "approved"
    """None: it waits."""
    by: str | Literal["time-out", "auto-approve"] | None = None
    """A colleague, or the service. None: whoever of them comes along."""
    edits: Data = field(default_factory=dict[str, Any])
    """What the reviewer changed or chose, as it is submitted."""
    reason: str | None = None
    again: Again | None = None
    asked: tuple[str, ...] = ()
    """Who was asked by name: colleagues, the owner, the group."""
    handed_on_by: str | None = None
    """A colleague who was asked first and gave it to those above."""
    note: str | None = None
    """What that colleague said."""
    taken: bool = False
    """The one who decided had taken it before; of one that waits, the first of `asked` has."""
    run: str | None = None
    after: tuple[str, ...] = ()
    """Titles of the steps of its run that came before it."""
    hours_ago: float | None = None
    """When it was asked; None: in its turn, somewhere in the month."""


@dataclass(frozen=True, slots=True)
class Said:
    by: str
    """A colleague, the owner, or `agent`."""
    text: str
    attached: str | None = None
    """The name of a picture."""
    review: Case | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    name: str
    agent: str
    hours_ago: float
    said: tuple[Said, ...]
    with_owner: bool = False
    """The owner takes part, and has not read the end of it."""


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
