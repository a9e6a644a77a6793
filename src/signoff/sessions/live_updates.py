"""What changes for moments only, or piece by piece: told to those who look, and not written into the audit log."""

from dataclasses import dataclass
from typing import Literal

from signoff.accounts.access import Caller
from signoff.platform.pubsub import account_topic

Action = Literal["session.message", "session.piece", "session.working", "session.typing", "session.read"]
MARK = "session."


@dataclass(frozen=True, slots=True)
class SessionUpdate:
    """What was told: to which session what happened, and by whom."""

    action: str
    session_id: str
    actor_id: str


def publish_update(caller: Caller, session_id: str, action: Action) -> None:
    """To be called after the commit."""
    # Neither kind of ID has a slash in it.
    caller.service.live.publish_subject(account_topic(caller.account_id), f"{action}/{session_id}/{caller.actor.id}")


def parse_update(subject: str) -> SessionUpdate | None:
    """What a subject of news says; None: it is about something else."""
    parts = subject.split("/")
    return SessionUpdate(*parts) if subject.startswith(MARK) and len(parts) == 3 else None
