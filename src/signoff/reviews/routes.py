from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Response as HttpResponse

from signoff.accounts.access import Caller, Decider, MemberDecider, Reader, Requester, ReviewReader
from signoff.accounts.fast_route import DirectRoute
from signoff.accounts.identity import Person
from signoff.platform.http import JsonRoute, allow_query, json_response
from signoff.platform.idempotency import IDEMPOTENCY_KEY, first_answer, read_idempotency
from signoff.platform.schemas import Limit, Page, Wait, written_page
from signoff.reviews import batches, drafts, presence, presentation, queries, review_list
from signoff.reviews.assignments import assign
from signoff.reviews.batches import Batch, BatchId
from signoff.reviews.decisions import submit_response
from signoff.reviews.deletion import delete_review
from signoff.reviews.extending import extend
from signoff.reviews.external_access import with_links
from signoff.reviews.filters import (
    ASSIGNED_TO,
    META,
    WORDS,
    Order,
    Response,
    ReviewFilters,
    State,
    read_meta,
    select,
)
from signoff.reviews.media_retry import retry_media
from signoff.reviews.requests import request_review
from signoff.reviews.retries import replace_content, request_retry
from signoff.reviews.retry_reminders import remind_agent, withdraw_retry
from signoff.reviews.schemas import (
    Assignment,
    Deleted,
    DeleteRequest,
    DraftAnswer,
    DraftBody,
    Extension,
    History,
    MediaRetry,
    PinnedForm,
    Presence,
    ReassignedReview,
    RetryRequest,
    Review,
    ReviewCursor,
    ReviewId,
    ReviewRequest,
    ReviewRequested,
    ReviewRow,
    Revisions,
    Submission,
    Suggested,
)
from signoff.reviews.self_assignment import hand_back, take
from signoff.reviews.waiting import wait_for_change

direct = APIRouter(route_class=DirectRoute, tags=["Reviews"])
router = APIRouter(route_class=JsonRoute, tags=["Reviews"])

# A version never changes, and neither does the one that a review has.
FOR_GOOD = {"Cache-Control": "private, max-age=31536000, immutable"}
Filter = Annotated[str | None, Query(max_length=128)]


def _documented(model: Any, *errors: int) -> dict[int | str, dict[str, Any]]:
    """For routes that write their answer themselves: what OpenAPI shall say about it."""
    return {200: {"model": model, "description": "OK"}, **{error: {} for error in errors}}


async def _review(caller: Caller, review_id: str) -> HttpResponse:
    return json_response(await queries.get_review(caller.db, caller.settings, caller.actor, review_id))


@direct.post(
    "/requestReview",
    responses=_documented(ReviewRequested, 404, 409),
    openapi_extra={"parameters": [IDEMPOTENCY_KEY]},
)
async def post_review_request(request: Request, caller: Requester, body: ReviewRequest) -> HttpResponse:
    """Ask people for a review; its result goes to the webhook.

    With `updateForReviewId` it replaces the content of a pending review instead.
    """
    idempotency = await read_idempotency(request, caller.scope)
    # Before anything else is looked at: what was valid then need not be so now.
    first = idempotency and await first_answer(caller.db, caller.account_id, idempotency)
    if first is not None:
        return json_response(with_links(caller, first))
    size = len(await request.body())
    if body.update_for_review_id is not None:
        return json_response(await replace_content(caller, body.update_for_review_id, body, size, idempotency))
    return json_response(await request_review(caller, body, size, idempotency))


@router.get("/reviews", responses=_documented(Page[ReviewRow]), openapi_extra={"parameters": [META]})
@allow_query("meta.")
async def list_reviews(
    request: Request,
    caller: Reader,
    state: State | None = None,
    response: Annotated[Response | None, Query(description="Only reviews with this response.")] = None,
    agent_id: Annotated[Filter, Query(alias="agentId")] = None,
    form_id: Annotated[Filter, Query(alias="formId")] = None,
    session_id: Annotated[Filter, Query(alias="sessionId")] = None,
    run_id: Annotated[Filter, Query(alias="runId", description="Only reviews of this run.")] = None,
    batch_id: Annotated[Filter, Query(alias="batchId", description="Only reviews of this batch.")] = None,
    retry_requested: Annotated[
        bool | None, Query(alias="retryRequested", description="Whether it waits for other content.")
    ] = None,
    assigned_to: Annotated[Filter, Query(alias="assignedTo", description=ASSIGNED_TO)] = None,
    q: Annotated[str | None, Query(max_length=500, description=WORDS)] = None,
    order: Annotated[Order, Query(description="By age.")] = "newest",
    cursor: ReviewCursor = None,
    limit: Limit = 50,
) -> HttpResponse:
    """The account's reviews without their payloads.

    A page with rare combinations of filters, or words, may be short and still have a `nextCursor`: it is over after
    so many reviews were looked at.
    """
    filters = ReviewFilters.model_construct(
        state=state,
        response=response,
        agent_id=agent_id,
        form_id=form_id,
        session_id=session_id,
        run_id=run_id,
        batch_id=batch_id,
        meta=read_meta(request.query_params.multi_items()),
        retry_requested=retry_requested,
        assigned_to=assigned_to,
        q=q,
        order=order,
    )
    selection = await select(caller.db, caller.actor, filters)
    found = await review_list.list_reviews(caller.db, caller.account_id, selection, cursor or None, limit)
    return written_page(found)


@router.get("/batches/{batchId}", response_model_exclude_none=True)
async def get_batch(caller: Reader, batch_id: BatchId, cursor: ReviewCursor = None, limit: Limit = 50) -> Batch:
    """A batch: how many of its reviews are decided, and how, and the reviews themselves."""
    return await batches.get_batch(caller, batch_id, cursor or None, limit)


@router.get("/reviews/{reviewId}", responses=_documented(Review))
@allow_query("")
async def get_review(caller: ReviewReader, review_id: ReviewId, wait: Wait = 0) -> HttpResponse:
    """One review, pending or completed; with `wait`, as soon as it's completed, changed or deleted."""
    return json_response(await wait_for_change(caller, review_id, wait))


@router.delete("/reviews/{reviewId}")
async def delete_one_review(caller: Requester, review_id: ReviewId) -> Deleted:
    """Remove a review and all that belongs to it. No webhook is called."""
    await delete_review(caller, review_id)
    return Deleted(review_id=review_id)


@router.delete("/deleteReview", responses={404: {}})
@allow_query("")
async def delete_named_review(caller: Requester, body: DeleteRequest) -> Deleted:
    """The same as `DELETE /reviews/{reviewId}`, for client libraries."""
    await delete_review(caller, body.review_id)
    return Deleted(review_id=body.review_id)


@router.post("/reviews/{reviewId}/response", responses=_documented(Review, 409))
async def post_response(caller: Decider, review_id: ReviewId, submission: Submission) -> HttpResponse:
    """Approve or reject. Only people decide; the first who does wins."""
    await submit_response(caller, review_id, submission)
    return await _review(caller, review_id)


@router.post("/reviews/{reviewId}/retry", responses=_documented(Review, 409))
async def post_retry(caller: Decider, review_id: ReviewId, request: RetryRequest) -> HttpResponse:
    """Ask the agent for other content. The review stays pending and waits."""
    await request_retry(caller, review_id, request)
    return await _review(caller, review_id)


@router.delete("/reviews/{reviewId}/retry", responses=_documented(Review, 409))
async def delete_retry(caller: Decider, review_id: ReviewId) -> HttpResponse:
    """Take back the retry that was asked for: the review goes on with its present content. No webhook is called."""
    await withdraw_retry(caller, review_id)
    return await _review(caller, review_id)


@router.post("/reviews/{reviewId}/retry/remind", responses=_documented(Review, 409))
async def post_retry_reminder(caller: Decider, review_id: ReviewId) -> HttpResponse:
    """Ask the agent again for the content that it was asked for: the event comes once more, with `retry.reminder`."""
    await remind_agent(caller, review_id)
    return await _review(caller, review_id)


@router.post("/reviews/{reviewId}/extend", responses=_documented(Review, 409))
async def post_extension(caller: MemberDecider, review_id: ReviewId, extension: Extension) -> HttpResponse:
    """Give a review more time: what would happen to it by itself happens so much later."""
    await extend(caller, review_id, extension)
    return await _review(caller, review_id)


@router.put("/reviews/{reviewId}/assignees", responses=_documented(ReassignedReview, 409))
async def put_assignees(caller: MemberDecider, review_id: ReviewId, assignment: Assignment) -> HttpResponse:
    """Say who is asked from now on, instead of those who are: members, groups, people outside.

    For those who are asked and admins; for every reviewer as long as nobody is asked. External reviewers who stay keep
    their links; the links of the others end. Whoever had taken the review no longer has it.
    """
    links = await assign(caller, review_id, assignment)
    review = await queries.get_review(caller.db, caller.settings, caller.actor, review_id)
    return json_response({**review, **({"extReviewerLinks": links} if links else {})})


@router.post("/reviews/{reviewId}/media/retry", responses=_documented(Review))
async def post_media_retry(caller: MemberDecider, review_id: ReviewId, retry: MediaRetry) -> HttpResponse:
    """Copy media again that couldn't be copied, pending or decided. Files that are copied, or being copied, stay."""
    await retry_media(caller, review_id, retry.url)
    return await _review(caller, review_id)


@router.post("/reviews/{reviewId}/take", responses=_documented(Review, 409))
async def post_take(caller: MemberDecider, review_id: ReviewId) -> HttpResponse:
    """Take a review that one may decide: other members are no longer asked. External reviewers still are."""
    await take(caller, review_id)
    return await _review(caller, review_id)


@router.post("/reviews/{reviewId}/handBack", responses=_documented(Review, 409))
async def post_hand_back(caller: MemberDecider, review_id: ReviewId) -> HttpResponse:
    """Give back what one took: those are asked again who were before."""
    await hand_back(caller, review_id)
    return await _review(caller, review_id)


@router.get("/reviews/{reviewId}/revisions", response_model_exclude_none=True)
async def list_revisions(caller: ReviewReader, review_id: ReviewId) -> Revisions:
    """What the agent sent, each time, oldest first."""
    return await queries.list_revisions(caller.db, caller.settings, caller.actor, review_id)


@router.get("/reviews/{reviewId}/history", response_model_exclude_none=True)
async def list_history(caller: Reader, review_id: ReviewId) -> History:
    """Who did what to the review, oldest first."""
    return await queries.list_history(caller.db, caller.actor, review_id)


@router.get("/reviews/{reviewId}/form", responses=_documented(PinnedForm))
async def get_review_form(caller: ReviewReader, review_id: ReviewId) -> HttpResponse:
    """The review type in the version that the review was made with."""
    return json_response(await presentation.form_of(caller, review_id), headers=FOR_GOOD)


@router.get("/reviews/{reviewId}/suggestion", responses=_documented(Suggested))
async def get_suggestion(caller: ReviewReader, review_id: ReviewId) -> HttpResponse:
    """What the fields of a review start from: its present content, read with its review type."""
    return json_response(await presentation.suggestion_of(caller, review_id))


@router.get("/reviews/{reviewId}/draft", responses=_documented(DraftAnswer))
async def get_draft(caller: Decider, review_id: ReviewId) -> HttpResponse:
    """What oneself has typed and not sent yet."""
    return json_response(await drafts.read_draft_of(caller, review_id))


@router.put("/reviews/{reviewId}/draft", responses=_documented(DraftAnswer, 409))
async def put_draft(caller: Decider, review_id: ReviewId, draft: DraftBody) -> HttpResponse:
    """Keep what was typed, for oneself alone, until the review is decided. The last one saved counts."""
    return json_response(await drafts.save_draft(caller, review_id, draft))


@router.delete("/reviews/{reviewId}/draft", status_code=204)
async def delete_draft(caller: Decider, review_id: ReviewId) -> None:
    """Throw one's own draft away."""
    await drafts.forget_draft(caller, review_id)


@router.put("/reviews/{reviewId}/presence", responses=_documented(Presence))
async def put_presence(caller: Person, review_id: ReviewId) -> HttpResponse:
    """Say that one has the review open; to be said again every 15 seconds. Answers who has."""
    return json_response(await presence.enter(caller, review_id))


@router.delete("/reviews/{reviewId}/presence", status_code=204)
async def delete_presence(caller: Person, review_id: ReviewId) -> None:
    """Say that one has closed the review."""
    await presence.leave(caller, review_id)
