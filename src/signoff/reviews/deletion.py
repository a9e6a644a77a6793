"""Delete a review with everything that belongs to it. What remains says that it was deleted, but nothing about its
content.
"""

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.forms.versions import get_form_version
from signoff.platform.clock import now
from signoff.reviews.batches import BATCH_COMPLETED, close_batch
from signoff.reviews.events import agent_and_audit_destinations, deleted_event
from signoff.reviews.external_reviewer_mails import cancel_external_mails
from signoff.reviews.locks import lock_review
from signoff.reviews.review_media import detach_media
from signoff.webhooks.deliveries import delete_review_deliveries
from signoff.webhooks.events import emit_event


async def delete_review(caller: Caller, review_id: str) -> None:
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, caller.actor, review_id)
        form = await get_form_version(tx, review["form_id"], review["form_version"])
        await delete_review_deliveries(tx, caller.account_id, review_id)
        await cancel_external_mails(tx, caller.account_id, review_id)
        await detach_media(tx, caller.account_id, review_id)
        await tx.execute(
            """
            with revisions as (delete from review_revisions where account_id = $1 and review_id = $2),
                 results   as (delete from review_results where account_id = $1 and review_id = $2),
                 assignees as (delete from review_assignees where account_id = $1 and review_id = $2),
                 before    as (delete from review_assignees_before where account_id = $1 and review_id = $2),
                 working   as (
                     update external_reviewers set review_id = null, email = null, ended = 'deleted', ended_at = now()
                     where account_id = $1 and review_id = $2 and ended is null),
                 ended     as (
                     update external_reviewers set review_id = null, email = null, ended = 'deleted', ended_at = now()
                     where account_id = $1 and review_id = $2 and ended is not null),
                 meta      as (delete from review_meta where account_id = $1 and review_id = $2),
                 search    as (delete from review_search where account_id = $1 and review_id = $2),
                 drafts    as (delete from review_drafts where account_id = $1 and review_id = $2),
                 presence  as (delete from review_presence where account_id = $1 and review_id = $2),
                 facets    as (
                     delete from response_facets f
                     using reviews r
                     join review_results x using (account_id, review_id)
                     cross join lateral response_facets_of(
                         r.account_id, r.form_id, r.response, x.response_values::jsonb) as of_it (facet)
                     where r.account_id = $1 and r.review_id = $2
                       and f.facet = of_it.facet and f.responded_at = r.responded_at and f.review_id = r.review_id)
            delete from reviews where account_id = $1 and review_id = $2
            """,
            caller.account_id,
            review_id,
        )
        event = deleted_event(review, caller.actor, now())
        await emit_event(
            tx, event, agent_and_audit_destinations(event.event, form, review), caller.settings.max_attempts
        )
        if review["batch_id"] is not None:
            goes_to = agent_and_audit_destinations(BATCH_COMPLETED, form, review)
            await close_batch(tx, caller.settings, review, goes_to)
        await writer.record_audit(tx, caller.actor, "review.deleted", review_id, {"title": review["title"]})
