"""When a person's next mail about single reviews is due: soon after a quiet time, rarely during a busy one."""

from dataclasses import dataclass
from datetime import datetime, timedelta

MAX_PAUSE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class MailPace:
    collect: timedelta
    """How long news is collected before it's sent."""
    pause: timedelta
    """The pause after a mail. It grows by the same amount with each further mail while news continues."""


@dataclass(frozen=True, slots=True)
class NextMailTime:
    at: datetime
    streak: int
    """The number of mails sent in a row before this one."""


def next_mail(pace: MailPace, mailed_at: datetime | None, streak: int, now: datetime) -> NextMailTime:
    """Return when to send news that arrives at `now` for a person with nothing collected yet."""
    soon = now + pace.collect
    if mailed_at is None:
        return NextMailTime(soon, 0)
    rested = mailed_at + min(streak * pace.pause, MAX_PAUSE)
    if now >= rested:
        return NextMailTime(soon, 0)
    return NextMailTime(max(soon, rested), streak)
