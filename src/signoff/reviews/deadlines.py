"""When a review is due, by the deadlines in its version of the review type, and extending that.

Moving a step also moves those after it: each is counted from when the previous one was due.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.forms.deadlines import Action, DeadlinePolicy
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor, Row
from signoff.platform.jobs.queue import enqueue
from signoff.platform.sql import Sql
from signoff.platform.working_hours import add_working_time, working_time_between
from signoff.reviews.errors import DeadlinePaused, NoTimeLimit
from signoff.reviews.locks import lock_review
from signoff.reviews.permissions import ensure_can_act, ensure_pending
from signoff.reviews.schemas import Extension

DEADLINE_JOB: Final = "reviews.overdue"
LATE: Final = timedelta(minutes=1)
"""After a step that runs later than this, people still get the whole time until the next one."""


@dataclass(frozen=True, slots=True)
class Deadline:
    at: datetime
    step: int
    action: Action


def first_deadline(limits: DeadlinePolicy | None, start: datetime) -> Deadline | None:
    """Return the first deadline of content that arrived at `start`."""
    if limits is None:
        return None
    first = limits.steps[0]
    return Deadline(add_working_time(start, first.after, limits.hours), 0, first.action)


def next_deadline(limits: DeadlinePolicy, step: int, was_due: datetime, done: datetime) -> Deadline | None:
    """Return what follows a step that was due at a time and done then or later; None after the last one."""
    if step + 1 >= len(limits.steps):
        return None
    following = limits.steps[step + 1]
    start = done if done - was_due > LATE else was_due
    return Deadline(
        add_working_time(start, following.after - limits.steps[step].after, limits.hours), step + 1, following.action
    )


SCHEDULE_DEADLINE = Sql(
    """
    with due as (
        update reviews set due_at = :due_at, due_step = :due_step, due_action = :due_action, due_left = null
        where account_id = :account_id and review_id = :review_id
    )
    {enqueue}
    """,
    enqueue=enqueue(
        DEADLINE_JOB,
        "select :account_id || '/' || :review_id, :due_at::timestamptz where :due_at::timestamptz is not null",
    ),
)


async def schedule_deadline(tx: Executor, review: Row, due: Deadline | None) -> None:
    """Write when the review is due, and enqueue the job for it. Earlier jobs then find that they're obsolete."""
    await SCHEDULE_DEADLINE.execute(
        tx,
        account_id=review["account_id"],
        review_id=review["review_id"],
        due_at=due and due.at,
        due_step=due and due.step,
        due_action=due and due.action,
    )


async def restart_deadline(tx: Executor, limits: DeadlinePolicy | None, review: Row) -> None:
    """Restart the deadlines: the review has new content, about which nobody has been reminded yet."""
    if limits is None:
        return
    await tx.execute(
        "update reviews set reminded_at = null where account_id = $1 and review_id = $2",
        review["account_id"],
        review["review_id"],
    )
    await schedule_deadline(tx, review, first_deadline(limits, now()))


async def pause_deadline(tx: Executor, limits: DeadlinePolicy | None, review: Row) -> None:
    """Pause the deadline while the review waits for its agent, and save the remaining time. If someone moved the
    deadline outside of the business hours, that is the time on the clock, not zero.
    """
    if limits is None or review["due_at"] is None:
        return
    at = now()
    left = working_time_between(at, review["due_at"], limits.hours)
    await tx.execute(
        "update reviews set due_at = null, due_left = $3 where account_id = $1 and review_id = $2",
        review["account_id"],
        review["review_id"],
        left or max(review["due_at"] - at, timedelta()),
    )


async def resume_deadline(tx: Executor, limits: DeadlinePolicy | None, review: Row) -> None:
    """Resume the deadline with the remaining time: the review waits for people again, with the same content."""
    if limits is None or review["due_left"] is None:
        return
    at = add_working_time(now(), review["due_left"], limits.hours)
    await schedule_deadline(tx, review, Deadline(at, review["due_step"], review["due_action"]))


async def extend_deadline(caller: Caller, review_id: str, extension: Extension) -> None:
    """Move the next deadline step, and with it those after it. An overdue step is extended from now."""
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, caller.actor, review_id)
        ensure_pending(review)
        await ensure_can_act(tx, caller.actor, review)
        if review["due_left"] is not None:
            raise DeadlinePaused
        was_due = review["due_at"]
        if was_due is None:
            raise NoTimeLimit
        due_at = max(was_due, now()) + timedelta(minutes=extension.minutes)
        await schedule_deadline(tx, review, Deadline(due_at, review["due_step"], review["due_action"]))
        await tx.execute(
            "update reviews set updated_at = now() where account_id = $1 and review_id = $2",
            caller.account_id,
            review_id,
        )
        details = {
            "minutes": extension.minutes,
            "from": iso(was_due),
            "to": iso(due_at),
            "action": review["due_action"],
            **({"note": extension.note} if extension.note else {}),
        }
        await writer.record_audit(tx, caller.actor, "review.extended", review_id, details)
