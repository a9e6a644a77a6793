"""Retries that the agent doesn't respond to: withdrawn or repeated, by people or after some time."""

from datetime import datetime, timedelta
from typing import Any, Final

from signoff.accounts.actors import Actor, system_actor
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.forms.versions import get_form_version
from signoff.platform.clock import iso, now
from signoff.platform.db import Database, Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.jobs.queue import enqueue
from signoff.platform.messages import msg
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.reviews.deadlines import resume_deadline
from signoff.reviews.errors import NoRetryPending, RemindedJustNow
from signoff.reviews.events import emit_retry_requested
from signoff.reviews.locks import lock_review
from signoff.reviews.permissions import ensure_can_act, ensure_pending

REMIND_AGENT_JOB: Final = "reviews.remind_agent"
MAX_REMINDERS: Final = 3
"""Automatic reminders."""
MIN_REMINDER_INTERVAL: Final = timedelta(minutes=1)
"""People may send any number of reminders, but not right after the last one."""


def reminder_after(settings: Settings, reminded: int, at: datetime) -> datetime | None:
    """Return when to remind the agent again after `reminded` reminders: the interval doubles each time."""
    if settings.retry_reminder_after == 0 or reminded >= MAX_REMINDERS:
        return None
    return at + timedelta(seconds=settings.retry_reminder_after * 2**reminded)


PLAN_REMINDER = Sql(
    """
    with planned as (
        update review_revisions set retry_remind_at = :remind_at, retry_reminded = :reminded
        where account_id = :account_id and review_id = :review_id and revision = :revision
    )
    {enqueue}
    """,
    enqueue=enqueue(
        REMIND_AGENT_JOB,
        "select :account_id || '/' || :review_id, :remind_at::timestamptz where :remind_at::timestamptz is not null",
    ),
)


async def plan_reminder(tx: Executor, settings: Settings, review: Row, reminded: int = 0) -> None:
    """Schedule the next reminder of a retry that was requested or repeated in `tx`."""
    at = reminder_after(settings, reminded, now())
    await PLAN_REMINDER.execute(
        tx,
        account_id=review["account_id"],
        review_id=review["review_id"],
        revision=review["revision"],
        remind_at=at,
        reminded=reminded,
    )


async def remind_agent(caller: Caller, review_id: str) -> None:
    """Send the event again because a person asked for it. The next automatic one follows no sooner than after this
    one.
    """
    async with caller.db.transaction() as tx:
        review = await _lock_waiting(tx, caller, review_id)
        retry = await _read_retry_request(tx, review)
        _ensure_not_too_soon(retry["retry"])
        await _remind(tx, caller.settings, caller.actor, review, retry["retry"])
        await plan_reminder(tx, caller.settings, review, retry["reminded"])


def _ensure_not_too_soon(retry: dict[str, Any]) -> None:
    last = retry.get("remindedAt")
    if last is not None and now() - datetime.fromisoformat(last) < MIN_REMINDER_INTERVAL:
        raise RemindedJustNow(
            msg("The agent was reminded less than a minute ago. Wait a moment before you remind it again.")
        )


async def withdraw_retry(caller: Caller, review_id: str) -> None:
    """Withdraw the retry: the review waits for people again, with its current content. No event tells the agent:
    content that it sends still replaces the current one, as always while a review is pending.
    """
    async with caller.db.transaction() as tx:
        review = await _lock_waiting(tx, caller, review_id)
        await tx.execute(
            """
            with taken_back as (
                update reviews set retry_requested = false, updated_at = now()
                where account_id = $1 and review_id = $2
            )
            update review_revisions set retry = null, retry_remind_at = null
            where account_id = $1 and review_id = $2 and revision = $3
            """,
            caller.account_id,
            review_id,
            review["revision"],
        )
        form = await get_form_version(tx, review["form_id"], review["form_version"])
        await resume_deadline(tx, form.time_limits, review)
        await writer.record_audit(tx, caller.actor, "review.retry_withdrawn", review_id)


async def _lock_waiting(tx: Executor, caller: Caller, review_id: str) -> Row:
    review = await lock_review(tx, caller.actor, review_id)
    ensure_pending(review)
    await ensure_can_act(tx, caller.actor, review)
    if not review["retry_requested"]:
        raise NoRetryPending()
    return review


async def _read_retry_request(tx: Executor, review: Row) -> Row:
    row = await tx.fetchrow(
        """
        select retry, retry_remind_at, coalesce(retry_reminded, 0) as reminded from review_revisions
        where account_id = $1 and review_id = $2 and revision = $3
        """,
        review["account_id"],
        review["review_id"],
        review["revision"],
    )
    assert row is not None
    return row


async def _remind(tx: Executor, settings: Settings, actor: Actor, review: Row, retry: dict[str, Any]) -> None:
    form = await get_form_version(tx, review["form_id"], review["form_version"])
    number = retry.get("reminders", 0) + 1
    retry = {**retry, "reminders": number, "remindedAt": iso(now())}
    await tx.execute(
        """
        with told as (update reviews set updated_at = now() where account_id = $1 and review_id = $2)
        update review_revisions set retry = $4 where account_id = $1 and review_id = $2 and revision = $3
        """,
        review["account_id"],
        review["review_id"],
        review["revision"],
        retry,
    )
    await emit_retry_requested(tx, settings, form, review, retry, reminder=number)
    await writer.record_audit(tx, actor, "review.retry_reminded", review["review_id"], {"reminder": number})


class RetryReminders:
    def __init__(self, db: Database, settings: Settings) -> None:
        self._db = db
        self._settings = settings

    async def remind(self, subject: str) -> None:
        """Run the job. `subject` is `<account>/<review>`. It may run twice, or for a retry that is already over."""
        account_id, _, review_id = subject.partition("/")
        async with self._db.transaction() as tx:
            await self._remind(tx, account_id, review_id)

    async def _remind(self, tx: Executor, account_id: str, review_id: str) -> None:
        try:
            review = await lock_review(tx, system_actor(account_id), review_id)
        except NotFound:
            return  # deleted in the meantime
        if review["state"] != "pending" or not review["retry_requested"]:
            return
        retry = await _read_retry_request(tx, review)
        at = await tx.fetchval("select now()")
        if retry["retry_remind_at"] is None or retry["retry_remind_at"] > at:
            return
        await _remind(tx, self._settings, system_actor(account_id), review, retry["retry"])
        await plan_reminder(tx, self._settings, review, retry["reminded"] + 1)
