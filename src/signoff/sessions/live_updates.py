"""Short-lived and incremental changes: published to browsers, but not written to the audit log."""

from dataclasses import dataclass
from typing import Literal

from signoff.accounts.context import Caller
from signoff.platform.db import Executor
from signoff.platform.pubsub import account_topic, publish_subject

Action = Literal["session.message", "session.piece", "session.working", "session.typing", "session.read"]
SUBJECT_PREFIX = "session."


@dataclass(frozen=True, slots=True)
class SessionUpdate:
    """A published change: the session, what happened, and who did it."""

    action: str
    session_id: str
    actor_id: str


def publish_update(db: Executor, caller: Caller, session_id: str, action: Action) -> None:
    """Publish a change, after the commit if `db` is a transaction."""
    # Neither kind of ID contains a slash.
    publish_subject(db, account_topic(caller.account_id), f"{action}/{session_id}/{caller.actor.id}")


def parse_update(subject: str) -> SessionUpdate | None:
    """Parse a pub/sub subject; None means it's about something else."""
    parts = subject.split("/")
    return SessionUpdate(*parts) if subject.startswith(SUBJECT_PREFIX) and len(parts) == 3 else None
