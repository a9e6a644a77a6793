"""Retries: a reviewer requests changes, the agent replaces the content, and the review continues as a new revision."""

from typing import Any

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.usage.fair_use import enforce_fair_use
from signoff.accounts.usage.meter import record_usage
from signoff.forms.errors import unknown_field
from signoff.forms.versions import FormVersion, get_form_version
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.idempotency import Idempotency, claim_key
from signoff.platform.sql import Sql
from signoff.reviews.deadlines import pause_deadline, restart_deadline
from signoff.reviews.errors import RetryNotAllowed, RetryPending
from signoff.reviews.events import emit_retry_requested
from signoff.reviews.external_access import with_links, without_links
from signoff.reviews.locks import lock_review, read_review
from signoff.reviews.permissions import ensure_can_act, ensure_current_revision, ensure_may_update, ensure_pending
from signoff.reviews.request_validation import ValidatedRequest, replace_media, validate_request
from signoff.reviews.requests import review_response
from signoff.reviews.retry_reminders import plan_reminder
from signoff.reviews.review_media import IngestedMedia, MediaDeleted, attach_media, ingest_media
from signoff.reviews.schemas import RetryRequest, ReviewRequest
from signoff.reviews.search_words import search_words
from signoff.reviews.updated_reviewers import apply_reviewers, plan_reviewers


async def request_retry(caller: Caller, review_id: str, request: RetryRequest) -> None:
    """Request changes. The review stays pending and waits for the agent."""
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, caller.actor, review_id)
        ensure_pending(review)
        ensure_current_revision(review, request.revision)
        await ensure_can_act(tx, caller.actor, review)
        form = await get_form_version(tx, review["form_id"], review["form_version"])
        if not form.allow_retry:
            raise RetryNotAllowed()
        if review["retry_requested"]:
            raise RetryPending()
        _check_fields(form, request)
        retry: dict[str, Any] = {
            "at": iso(now()),
            "by": caller.actor.name,
            "instructions": request.instructions,
            "fieldIds": request.field_ids or [],
        }
        await _mark_retry_requested(tx, review, retry)
        await writer.record_audit(
            tx, caller.actor, "review.retry_requested", review_id, {"instructions": request.instructions}
        )
        await emit_retry_requested(tx, caller.settings, form, review, retry)
        await plan_reminder(tx, caller.settings, review)
        await pause_deadline(tx, form.time_limits, review)


def _check_fields(form: FormVersion, request: RetryRequest) -> None:
    errors = [
        ErrorDetail(f"fieldIds[{index}]", "unknown_field", unknown_field(field_id))
        for index, field_id in enumerate(request.field_ids or ())
        if field_id not in form.definition.by_id
    ]
    if errors:
        raise InvalidRequest(errors)


async def _mark_retry_requested(tx: Executor, review: Row, retry: dict[str, Any]) -> None:
    await tx.execute(
        """
        with marked as (
            update reviews set retry_requested = true, updated_at = now() where account_id = $1 and review_id = $2
        )
        update review_revisions set retry = $4 where account_id = $1 and review_id = $2 and revision = $3
        """,
        review["account_id"],
        review["review_id"],
        review["revision"],
        retry,
    )


async def update_review(
    caller: Caller, review_id: str, body: ReviewRequest, size: int, idempotency: Idempotency | None
) -> dict[str, Any]:
    """Replace the content, as the agent's response to a retry or as its own correction: a new revision of a pending
    review.
    """
    await enforce_fair_use(caller, requests=1, bytes=size)
    while True:
        media = await _ingest_new_media(caller, review_id, body)
        try:
            return await _replace(caller, review_id, body, size, idempotency, media)
        except MediaDeleted:
            continue


async def _ingest_new_media(caller: Caller, review_id: str, body: ReviewRequest) -> IngestedMedia | None:
    """Process the new content's media before the review is locked, because that can take seconds."""
    review = await read_review(caller.db, caller.actor, review_id)
    ensure_may_update(caller.actor, review)
    form = await get_form_version(caller.db, review["form_id"], review["form_version"])
    if not form.definition.copied:
        return None
    draft = await validate_request(caller, body, form, review)
    ensure_pending(review)
    return await ingest_media(caller, form.definition, draft.data, draft.suggestion.configs)


async def _replace(
    caller: Caller,
    review_id: str,
    body: ReviewRequest,
    size: int,
    idempotency: Idempotency | None,
    media: IngestedMedia | None,
) -> dict[str, Any]:
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, caller.actor, review_id)
        ensure_may_update(caller.actor, review)
        form = await get_form_version(tx, review["form_id"], review["form_version"])
        draft = await validate_request(caller, body, form, review, tx)
        if media is not None:
            draft = replace_media(draft, media)
        reviewers = await plan_reviewers(tx, caller, review, draft.reviewers, idempotency)
        answer = review_response(caller, draft, review_id, review["session_id"], reviewers.links_for(caller, review))
        if reviewers.keeps_current:
            answer["reviewersKept"] = True
        if idempotency is not None:
            stored = without_links(answer, idempotency)
            first = await claim_key(tx, caller.account_id, idempotency, stored)
            if first is not None:
                return with_links(caller, first)
        ensure_pending(review)
        await _add_revision(tx, caller, review, draft)
        await restart_deadline(tx, form.time_limits, review)
        if media is not None:
            await attach_media(tx, caller.account_id, review_id, media)
        await record_usage(tx, caller.account_id, requests=1, bytes=size)
        await apply_reviewers(tx, caller, review, draft, reviewers)
    return answer


ADD_REVISION = Sql(
    """
    with changed as (
        update reviews set
            revision = :revision, title = :title, retry_requested = false, run_id = coalesce(:run_id, run_id),
            prev_steps = coalesce(:prev_steps, prev_steps), external_language = :external_language, updated_at = now()
        where account_id = :account_id and review_id = :review_id
    ), revision as (
        insert into review_revisions (account_id, review_id, revision, data, config, meta, webhook_url, title,
                                      webhook_events)
        values (:account_id, :review_id, :revision, :data, :config, :meta, :webhook_url, :given_title, :webhook_events)
    ), old_meta as (
        delete from review_meta m where m.account_id = :account_id and m.review_id = :review_id
          and not exists (select from meta_terms(:meta::json) as t (term) where t.term = m.term)
    ), new_meta as (
        insert into review_meta (account_id, term, review_id)
        select :account_id, t.term, :review_id from meta_terms(:meta::json) as t (term) where :meta::json is not null
        on conflict do nothing
    ), session as (
        update sessions set active_at = now() where account_id = :account_id and session_id = :session_id
    ), run as (
        insert into runs as r (account_id, run_id, name)
        select :account_id, :run_id::text, :run_name where :run_id::text is not null
        on conflict (account_id, run_id) do update set name = coalesce(excluded.name, r.name)
    )
    update review_search set document = to_tsvector('simple', :words)
    where account_id = :account_id and review_id = :review_id
    """
)


async def _add_revision(tx: Executor, caller: Caller, review: Row, draft: ValidatedRequest) -> None:
    actor = caller.actor
    revision = review["revision"] + 1
    await ADD_REVISION.execute(
        tx,
        account_id=review["account_id"],
        review_id=review["review_id"],
        revision=revision,
        title=draft.title,
        run_id=draft.run_id,
        prev_steps=draft.prev_steps,
        data=draft.data,
        words=search_words(draft.title, draft.data),
        config=draft.config,
        meta=draft.meta,
        webhook_url=draft.webhook_url,
        given_title=draft.given_title,
        run_name=draft.run_name,
        session_id=review["session_id"],
        webhook_events=draft.webhook_events if draft.webhook_url is not None else None,
        external_language=draft.external_language,
    )
    await writer.record_audit(tx, actor, "review.updated", review["review_id"], {"revision": revision})
