"""New links for external reviewers whose links have expired, sent to the address of the old one and nowhere else."""

from datetime import timedelta
from typing import Final

from signoff.accounts.actors import Actor, system_actor
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import ReviewLinkReassigned
from signoff.accounts.external_links import LINK_REASSIGNED
from signoff.platform.db import Executor
from signoff.reviews.errors import NothingToDecide
from signoff.reviews.external_access import add_links, find_external_reviewers, new_links
from signoff.reviews.external_reviewer_mails import enqueue_review_mails
from signoff.reviews.locks import lock_review

RENEWED: Final = "review.link_renewed"
PAUSE: Final = timedelta(minutes=5)
"""An expired link can be in anybody's hands: it sends its reviewer no more than one email in this time."""


async def renew_link(caller: Caller, review_id: str) -> None:
    """The link is never in the response, which is the same when one was sent a moment ago."""
    actor = caller.actor
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, actor, review_id)
        if review["state"] == "responded":
            raise NothingToDecide
        if actor.name not in await find_external_reviewers(tx, review):
            raise ReviewLinkReassigned(LINK_REASSIGNED)
        if await _renewed_recently(tx, actor, review_id):
            return
        links = new_links(caller.settings, [actor.name])
        await add_links(tx, review, links)
        await enqueue_review_mails(tx, caller.settings, system_actor(caller.account_id), review, links)
        await writer.record_audit(tx, actor, RENEWED, review_id)


async def _renewed_recently(tx: Executor, actor: Actor, review_id: str) -> bool:
    return await tx.fetchval(
        """
        select exists (
            select from audit_log
            where account_id = $1 and object_id = $2 and action = $3 and actor_id = $4 and at > now() - $5::interval
        )
        """,
        actor.account_id,
        review_id,
        RENEWED,
        actor.id,
        PAUSE,
    )
