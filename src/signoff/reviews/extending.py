"""Extend a review's deadline."""

from datetime import timedelta

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.platform.clock import iso, now
from signoff.platform.messages import msg
from signoff.reviews.deadlines import Deadline, schedule_deadline
from signoff.reviews.errors import NoTimeLimit
from signoff.reviews.locks import lock_review
from signoff.reviews.permissions import ensure_can_act, ensure_pending
from signoff.reviews.schemas import Extension


async def extend_deadline(caller: Caller, review_id: str, extension: Extension) -> None:
    """Move the next deadline step, and with it those after it. An overdue step is extended from now."""
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, caller.actor, review_id)
        ensure_pending(review)
        await ensure_can_act(tx, caller.actor, review)
        if review["due_left"] is not None:
            raise NoTimeLimit(
                msg(
                    "The deadline is paused while the agent works on the requested changes. You can extend it "
                    "afterward."
                )
            )
        was_due = review["due_at"]
        if was_due is None:
            raise NoTimeLimit(msg("This review has no upcoming deadline to extend."))
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
    caller.context.pubsub.publish(caller.account_id, review_id)
