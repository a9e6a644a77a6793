"""Delete reviews with everything that belongs to them."""

from collections.abc import Sequence

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.forms.versions import get_form_version
from signoff.platform.clock import now
from signoff.platform.db import Executor
from signoff.platform.jobs.queue import delete_jobs
from signoff.platform.sql import Sql
from signoff.reviews.batches import BATCH_COMPLETED, close_batch
from signoff.reviews.events import agent_and_audit_destinations, deleted_event
from signoff.reviews.external_reviewer_mails import cancel_external_mails
from signoff.reviews.facets import FACETS, FacetRow, response_facets
from signoff.reviews.locks import lock_review
from signoff.reviews.review_media import detach_media
from signoff.webhooks.deliveries import delete_deliveries
from signoff.webhooks.events import emit_event


async def delete_review(caller: Caller, review_id: str) -> None:
    """Delete a review. What remains says that it was deleted, but nothing about its content."""
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, caller.actor, review_id, lock="for update of r")
        form = await get_form_version(tx, review["form_id"], review["form_version"])
        await _delete_rows(tx, caller.account_id, [review_id])
        event = deleted_event(review, caller.actor, now())
        await emit_event(
            tx, event, agent_and_audit_destinations(event.event, form, review), caller.settings.max_attempts
        )
        if review["batch_id"] is not None:
            goes_to = agent_and_audit_destinations(BATCH_COMPLETED, form, review)
            await close_batch(tx, caller.settings, review, goes_to)
        await writer.record_audit(tx, caller.actor, "review.deleted", review_id, {"title": review["title"]})


async def erase_reviews(tx: Executor, account_id: str, review_ids: Sequence[str]) -> None:
    """Delete reviews without a trace: nobody is told, and the audit log forgets them. So do runs and batches that
    have no other reviews. The reviews must be locked.
    """
    rows = await tx.fetch(
        "select run_id, batch_id from reviews where account_id = $1 and review_id = any($2)", account_id, review_ids
    )
    await _delete_rows(tx, account_id, review_ids)
    await tx.execute(
        """
        with batches as (
            delete from batches b where account_id = $1 and batch_id = any($3)
              and not exists (select from reviews r where (r.account_id, r.batch_id) = (b.account_id, b.batch_id))
        )
        delete from runs x where account_id = $1 and run_id = any($2)
          and not exists (select from reviews r where (r.account_id, r.run_id) = (x.account_id, x.run_id))
        """,
        account_id,
        [row["run_id"] for row in rows],
        [row["batch_id"] for row in rows],
    )
    await delete_jobs(tx, [f"{account_id}/{review_id}" for review_id in review_ids])
    await writer.erase_entries(tx, account_id, review_ids)


async def _delete_rows(tx: Executor, account_id: str, review_ids: Sequence[str]) -> None:
    await delete_deliveries(tx, account_id, "review_id", review_ids)
    for review_id in review_ids:
        await cancel_external_mails(tx, account_id, review_id)
    await detach_media(tx, account_id, review_ids)
    await _delete_facets(tx, account_id, review_ids)
    await tx.execute(
        """
        with revisions as (delete from review_revisions where account_id = $1 and review_id = any($2)),
             results   as (delete from review_results where account_id = $1 and review_id = any($2)),
             assignees as (delete from review_assignees where account_id = $1 and review_id = any($2)),
             before    as (delete from review_assignees_before where account_id = $1 and review_id = any($2)),
             working   as (
                 update external_reviewers set review_id = null, email = null, ended = 'deleted', ended_at = now()
                 where account_id = $1 and review_id = any($2) and ended is null),
             ended     as (
                 update external_reviewers set review_id = null, email = null, ended = 'deleted', ended_at = now()
                 where account_id = $1 and review_id = any($2) and ended is not null),
             meta      as (delete from review_meta where account_id = $1 and review_id = any($2)),
             search    as (delete from review_search where account_id = $1 and review_id = any($2)),
             drafts    as (delete from review_drafts where account_id = $1 and review_id = any($2)),
             presence  as (delete from review_presence where account_id = $1 and review_id = any($2))
        delete from reviews where account_id = $1 and review_id = any($2)
        """,
        account_id,
        review_ids,
    )


_DELETE_FACETS = Sql(
    """
    delete from response_facets f using {facets} as n
    where f.facet = n.facet and f.responded_at = n.responded_at and f.review_id = n.review_id
    """,
    facets=FACETS,
)


async def _delete_facets(tx: Executor, account_id: str, review_ids: Sequence[str]) -> None:
    rows = await tx.fetch(
        """
        select r.review_id, r.form_id, r.response, r.responded_at, x.response_values
        from reviews r join review_results x using (account_id, review_id)
        where r.account_id = $1 and r.review_id = any($2)
        """,
        account_id,
        review_ids,
    )
    facets = [
        FacetRow(facet, row["responded_at"], row["review_id"])
        for row in rows
        for facet in response_facets(account_id, row["form_id"], row["response"], row["response_values"])
    ]
    if facets:
        await _DELETE_FACETS.execute(tx, facets=facets)
