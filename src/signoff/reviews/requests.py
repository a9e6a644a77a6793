"""Request a review: the most frequent action."""

from typing import Any

from signoff.accounts.context import Caller
from signoff.accounts.usage.fair_use import enforce_fair_use
from signoff.forms.versions import current_version, invalidate_current_version
from signoff.platform.clock import now
from signoff.platform.errors import InvalidRequest
from signoff.platform.idempotency import Idempotency, find_stored_response
from signoff.platform.ids import new_id
from signoff.platform.metrics import REVIEWS_REQUESTED
from signoff.platform.tokens import token_hash
from signoff.reviews.deadlines import first_deadline
from signoff.reviews.decisions import auto_approve_review
from signoff.reviews.external_access import NewExternalLinks, requested_links, with_links, without_links
from signoff.reviews.external_reviewer_mails import enqueue_external_mails
from signoff.reviews.inserts import ExternalRow, NewReview, RequestRow, insert_reviews
from signoff.reviews.request_validation import ValidatedRequest, replace_media, unknown_agent_errors, validate_request
from signoff.reviews.review_media import MediaDeleted, attach_media, ingest_media
from signoff.reviews.schemas import ReviewRequest
from signoff.reviews.urls import named_links


async def create_review(
    caller: Caller, body: ReviewRequest, size: int, idempotency: Idempotency | None
) -> dict[str, Any]:
    """Return the response, new or repeated. If the review type changed while the request was validated, it's
    validated again.
    """
    await enforce_fair_use(caller, requests=1, bytes=size)
    while True:
        form = await current_version(caller.db, caller.account_id, body.form_id)
        draft = await validate_request(caller, body, form)
        if form.definition.copied:
            draft = replace_media(
                draft, await ingest_media(caller, form.definition, draft.data, draft.suggestion.configs)
            )
        review_id, session_id = new_id("rev"), body.session_id or new_id("ses")
        links = requested_links(caller, draft.reviewers.external or (), idempotency)
        shown = links.to_json(caller.settings, review_id) if links.tokens else None
        answer = review_response(caller, draft, review_id, session_id, shown)
        review = _new_review(caller, draft, review_id, session_id, size, idempotency, answer, links)
        if await _write(caller, draft, review, links):
            REVIEWS_REQUESTED.inc()
            return answer
        if idempotency is not None:
            first = await find_stored_response(caller.db, caller.account_id, idempotency)
            if first is not None:
                return with_links(caller, first)
        invalidate_current_version(caller.db, caller.account_id, body.form_id)
        if errors := await unknown_agent_errors(caller.db, caller.account_id, draft.agent_id):
            raise InvalidRequest(errors)


def review_response(
    caller: Caller, draft: ValidatedRequest, review_id: str, session_id: str, links: list[dict[str, str]] | None
) -> dict[str, Any]:
    """Build the response. `links` are those of external reviewers; None if there are none."""
    settings = caller.settings
    answer: dict[str, Any] = {
        "reviewId": review_id,
        "sessionId": session_id,
        **named_links(settings, review_id),
    }
    if links is not None:
        answer["extReviewerLinks"] = links
    if draft.tell_run_id:
        answer["workflowRunId"] = draft.run_id
    return answer


def _new_review(
    caller: Caller,
    draft: ValidatedRequest,
    review_id: str,
    session_id: str,
    size: int,
    idempotency: Idempotency | None,
    answer: dict[str, Any],
    links: NewExternalLinks,
) -> NewReview:
    due = None if draft.auto_approve else first_deadline(draft.form.time_limits, now())
    row = RequestRow(
        account_id=caller.account_id,
        review_id=review_id,
        agent_id=draft.agent_id,
        form_id=draft.form.form_id,
        form_version=draft.form.version,
        form_name=draft.form.name,
        session_id=session_id,
        run_id=draft.run_id,
        run_name=draft.run_name,
        prev_steps=draft.prev_steps,
        title=draft.title,
        given_title=draft.given_title,
        data=draft.data,
        config=draft.config,
        meta=draft.meta,
        webhook_url=draft.webhook_url,
        webhook_events=draft.webhook_events,
        key=idempotency.key if idempotency else None,
        body_hash=idempotency.body_hash if idempotency else None,
        answer=without_links(answer, idempotency) if idempotency else None,
        actor=caller.actor.columns,
        reviewers_set_by=draft.reviewers.set_by,
        assigned=bool(draft.reviewers.assignees or links.tokens),
        size=size,
        external_language=draft.external_language,
        batch_id=draft.batch_id,
        batch_size=draft.batch_size,
        due_at=due and due.at,
        due_action=due and due.action,
    )
    externals = [ExternalRow(review_id, email, token_hash(token), links.until) for email, token in links.tokens.items()]
    return NewReview(row, draft.reviewers.assignees, externals)


async def _write(caller: Caller, draft: ValidatedRequest, review: NewReview, links: NewExternalLinks) -> bool:
    """In one batch with other requests, unless there's more to write for this one."""
    has_more = draft.auto_approve or review.row.key is not None or review.externals or not draft.media.is_empty
    if not has_more:
        return await caller.db.batched(insert_reviews, review)
    try:
        async with caller.db.transaction() as tx:
            [written] = await insert_reviews(tx, [review])
            if not written:
                return False
            await attach_media(tx, caller.account_id, review.review_id, draft.media)
            if draft.auto_approve:
                await auto_approve_review(tx, caller, draft, review.review_id)
            elif review.externals:
                await enqueue_external_mails(
                    tx,
                    caller.settings,
                    caller.actor,
                    review_id=review.review_id,
                    agent_id=draft.agent_id,
                    title=draft.title,
                    form=draft.form,
                    suggestion=draft.suggestion,
                    links=links,
                    language=draft.external_language,
                )
    except MediaDeleted:
        return False
    return True
