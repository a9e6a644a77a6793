"""When a person's next mail about single reviews goes: soon after something quiet, rarely while it stays busy."""

from dataclasses import dataclass
from datetime import datetime, timedelta

MAX_PAUSE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class MailPace:
    collect: timedelta
    """How long news is collected before it is told."""
    pause: timedelta
    """After a mail the next one waits so long; after the second twice, and so on, while news goes on."""


@dataclass(frozen=True, slots=True)
class NextMailTime:
    at: datetime
    streak: int
    """How many mails have gone out without a break before this one."""


def next_mail(pace: MailPace, mailed_at: datetime | None, streak: int, moment: datetime) -> NextMailTime:
    """For news that comes at `moment` to somebody for whom nothing is collected yet."""
    soon = moment + pace.collect
    if mailed_at is None:
        return NextMailTime(soon, 0)
    rested = mailed_at + min(streak * pace.pause, MAX_PAUSE)
    if moment >= rested:
        return NextMailTime(soon, 0)
    return NextMailTime(max(soon, rested), streak)
