from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi import Response as HttpResponse

from signoff.accounts.assignee_lookup import not_a_member
from signoff.accounts.context import Caller
from signoff.accounts.dependencies import (
    CanDecide,
    CanRead,
    CanReadReview,
    CanRequest,
    LinkHolder,
    MemberCanDecide,
    SignedInUser,
)
from signoff.accounts.errors import FairUseExceeded, ReviewLinkReassigned
from signoff.accounts.external_links import LINK_REASSIGNED
from signoff.accounts.fast_route import FastRoute
from signoff.agents.schemas import AgentFilter
from signoff.forms.errors import unknown_field
from signoff.forms.fields.error_messages import EMPTY, NUMBER, must_be
from signoff.forms.schemas import FormFilter
from signoff.platform import examples
from signoff.platform.errors import ErrorDetail, InvalidRequest, NotFound
from signoff.platform.http.documentation import document_errors, document_response, invalid
from signoff.platform.http.json_routes import JsonRoute, allow_query, json_response
from signoff.platform.idempotency import IDEMPOTENCY_KEY, find_stored_response, key_reused, read_idempotency
from signoff.platform.messages import msg
from signoff.platform.schemas import Limit, Page, Wait
from signoff.reviews import batches, drafts, presence, presentation, queries, review_list
from signoff.reviews.assignments import assign_review
from signoff.reviews.batches import Batch, BatchId
from signoff.reviews.deadlines import extend_deadline
from signoff.reviews.decisions import submit_response
from signoff.reviews.deletion import delete_review
from signoff.reviews.errors import (
    AlreadyResponded,
    AlreadyTaken,
    ContentReplaced,
    NoRetryPending,
    NotAssigned,
    NothingToDecide,
    NoTimeLimit,
    NotTaken,
    RetryNotAllowed,
    RetryPending,
)
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
    resolve_filters,
)
from signoff.reviews.link_renewals import renew_link
from signoff.reviews.media_retry import retry_media
from signoff.reviews.queries import wait_for_change
from signoff.reviews.requests import create_review
from signoff.reviews.retries import request_retry, update_review
from signoff.reviews.retry_reminders import remind_agent, withdraw_retry
from signoff.reviews.schemas import (
    Assignment,
    Deleted,
    DeleteRequest,
    DraftAnswer,
    DraftBody,
    Extension,
    History,
    LinkRenewed,
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
from signoff.reviews.self_assignment import hand_back_review, take_review
from signoff.sessions.schemas import SessionFilter

fast_router = APIRouter(route_class=FastRoute, tags=["Reviews"])
router = APIRouter(route_class=JsonRoute, tags=["Reviews"])

# A version never changes, and neither does a review's pinned version.
IMMUTABLE = {"Cache-Control": "private, max-age=31536000, immutable"}
Filter = Annotated[str | None, Query(max_length=128)]


async def _review(caller: Caller, review_id: str) -> HttpResponse:
    return json_response(await queries.get_review(caller.db, caller.settings, caller.actor, review_id))


# Examples of errors that several routes have.
RESPONDED = AlreadyResponded(examples.EDITOR, examples.EDITOR_ID, examples.RESPONDED, "approved")
REPLACED = ContentReplaced(1, 2)
TAKEN = AlreadyTaken(examples.EDITOR_ID, examples.EDITOR_NAME, examples.EDITOR, examples.REQUESTED)
INVALID_REVIEW_REQUEST = InvalidRequest(
    [
        ErrorDetail("data.score", "wrong_type", must_be(NUMBER, "seven")),
        ErrorDetail("assignTo[0]", "unknown_member", not_a_member("nobody@example.com")),
    ]
)


@fast_router.post(
    "/requestReview",
    operation_id="requestReview",
    summary="Request a review",
    responses=document_response(
        ReviewRequested,
        NotFound(msg("review type"), examples.FORM_ID),
        INVALID_REVIEW_REQUEST,
        key_reused(),
        RESPONDED,
        FairUseExceeded("reviewRequests", 20_000, 20_000, examples.MONTH_ENDS),
    ),
    openapi_extra={"parameters": [IDEMPOTENCY_KEY]},
)
@allow_query("")
async def post_review_request(request: Request, caller: CanRequest, body: ReviewRequest) -> HttpResponse:
    """Creates a review and assigns it. The result is sent to your webhook. With `updateForReviewId`, replaces the
    content of a pending review instead.
    """
    idempotency = await read_idempotency(request, caller.scope)
    # Before any other check: what was valid for the original request needn't be valid now.
    first = idempotency and await find_stored_response(caller.db, caller.account_id, idempotency)
    if first is not None:
        return json_response(with_links(caller, first))
    size = len(await request.body())
    if body.update_for_review_id is not None:
        return json_response(await update_review(caller, body.update_for_review_id, body, size, idempotency))
    return json_response(await create_review(caller, body, size, idempotency))


@fast_router.get(
    "/reviews",
    operation_id="listReviews",
    summary="List reviews",
    responses=document_response(Page[ReviewRow]),
    openapi_extra={"parameters": [META]},
)
@allow_query("meta.")
async def list_reviews(
    request: Request,
    caller: CanRead,
    state: Annotated[State | None, Query(description="Only reviews in this state.")] = None,
    response: Annotated[Response | None, Query(description="Only reviews with this response.")] = None,
    agent_id: AgentFilter = None,
    form_id: FormFilter = None,
    session_id: SessionFilter = None,
    run_id: Annotated[
        Filter, Query(alias="runId", description="Only reviews in this run.", examples=[examples.RUN_ID])
    ] = None,
    batch_id: Annotated[
        Filter, Query(alias="batchId", description="Only reviews in this batch.", examples=[examples.BATCH_ID])
    ] = None,
    retry_requested: Annotated[
        bool | None,
        Query(alias="retryRequested", description="Only reviews with (or without) pending change requests."),
    ] = None,
    assigned_to: Annotated[
        Filter, Query(alias="assignedTo", description=ASSIGNED_TO, examples=[examples.EDITOR_ID])
    ] = None,
    q: Annotated[str | None, Query(max_length=500, description=WORDS, examples=["autumn news"])] = None,
    order: Annotated[Order, Query(description="Sort by age.")] = "newest",
    cursor: ReviewCursor = None,
    limit: Limit = 50,
) -> HttpResponse:
    """Returns reviews without their content. With search text or rare filter combinations, a page can have fewer items
    than `limit` and still have a `nextCursor`.
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
    selection = await resolve_filters(caller.db, caller.actor, filters)
    page = await review_list.list_reviews(caller.db, caller.account_id, selection, cursor or None, limit)
    return json_response({"items": page.items, "nextCursor": page.next_cursor})


@router.get("/batches/{batchId}", operation_id="getBatch", summary="Get a batch", response_model_exclude_none=True)
async def get_batch(caller: CanRead, batch_id: BatchId, cursor: ReviewCursor = None, limit: Limit = 50) -> Batch:
    """Returns a batch: its reviews, and how many of them are pending, approved, rejected, or submitted."""
    return await batches.get_batch(caller, batch_id, cursor or None, limit)


@fast_router.get(
    "/reviews/{reviewId}", operation_id="getReview", summary="Get a review", responses=document_response(Review)
)
@allow_query("")
async def get_review(caller: CanReadReview, review_id: ReviewId, wait: Wait = 0) -> HttpResponse:
    """Returns a review. With `wait`, the request is held until the review is decided, changed, or deleted."""
    return json_response(await wait_for_change(caller, review_id, wait))


@router.delete("/reviews/{reviewId}", operation_id="deleteReview", summary="Delete a review")
async def delete_one_review(caller: CanRequest, review_id: ReviewId) -> Deleted:
    """Deletes a review and everything that belongs to it. Sends `review.deleted` to webhooks that receive this
    event.
    """
    await delete_review(caller, review_id)
    return Deleted(review_id=review_id)


@router.delete(
    "/deleteReview",
    operation_id="deleteReviewByBody",
    summary="Delete a review (ID in body)",
    responses=document_errors(NotFound(msg("review"), examples.REVIEW_ID)),
)
@allow_query("")
async def delete_named_review(caller: CanRequest, body: DeleteRequest) -> Deleted:
    """Same as `DELETE /reviews/{reviewId}`, for clients that send the ID in the body."""
    await delete_review(caller, body.review_id)
    return Deleted(review_id=body.review_id)


@fast_router.post(
    "/reviews/{reviewId}/response",
    operation_id="submitResponse",
    summary="Approve or reject a review",
    responses=document_response(
        Review, RESPONDED, REPLACED, NotAssigned(), key_reused(), invalid("data.draft.headline", "required", EMPTY)
    ),
    openapi_extra={"parameters": [IDEMPOTENCY_KEY]},
)
async def post_response(
    request: Request, caller: CanDecide, review_id: ReviewId, submission: Submission
) -> HttpResponse:
    """Approves or rejects a review. The first decision counts."""
    idempotency = await read_idempotency(request, caller.actor.id)
    return json_response(await submit_response(caller, review_id, submission, idempotency))


@router.post(
    "/reviews/{reviewId}/retry",
    operation_id="requestRetry",
    summary="Request changes",
    responses=document_response(
        Review,
        RESPONDED,
        REPLACED,
        NotAssigned(),
        RetryNotAllowed(),
        RetryPending(),
        invalid("fieldIds[0]", "unknown_field", unknown_field("heading")),
    ),
)
async def post_retry(caller: CanDecide, review_id: ReviewId, request: RetryRequest) -> HttpResponse:
    """Asks the agent for a new revision. The review stays pending until the agent sends it."""
    await request_retry(caller, review_id, request)
    return await _review(caller, review_id)


@router.delete(
    "/reviews/{reviewId}/retry",
    operation_id="withdrawRetry",
    summary="Withdraw a change request",
    responses=document_response(Review, RESPONDED, NotAssigned(), NoRetryPending()),
)
async def delete_retry(caller: CanDecide, review_id: ReviewId) -> HttpResponse:
    """Withdraws the change request. The review continues with its current content. No webhook is sent."""
    await withdraw_retry(caller, review_id)
    return await _review(caller, review_id)


@router.post(
    "/reviews/{reviewId}/retry/remind",
    operation_id="remindAgent",
    summary="Remind the agent",
    responses=document_response(Review, RESPONDED, NotAssigned(), NoRetryPending()),
)
async def post_retry_reminder(caller: CanDecide, review_id: ReviewId) -> HttpResponse:
    """Sends the change request to the agent again, with `retry.reminder` set."""
    await remind_agent(caller, review_id)
    return await _review(caller, review_id)


@router.post(
    "/reviews/{reviewId}/extend",
    operation_id="extendReview",
    summary="Extend a deadline",
    responses=document_response(Review, RESPONDED, NotAssigned(), NoTimeLimit()),
)
async def post_extension(caller: MemberCanDecide, review_id: ReviewId, extension: Extension) -> HttpResponse:
    """Postpones a review's next deadline step, and all steps after it, by the given time."""
    await extend_deadline(caller, review_id, extension)
    return await _review(caller, review_id)


@router.put(
    "/reviews/{reviewId}/assignees",
    operation_id="assignReview",
    summary="Reassign a review",
    responses=document_response(
        ReassignedReview,
        RESPONDED,
        NotAssigned(),
        invalid("users[0]", "unknown_member", not_a_member("nobody@example.com")),
    ),
)
async def put_assignees(caller: MemberCanDecide, review_id: ReviewId, assignment: Assignment) -> HttpResponse:
    """Replaces the reviewers: members, groups, and external reviewers. Only current reviewers and admins can do this,
    or any reviewer if the review is unassigned. External reviewers who stay keep their links; other links stop
    working. Any claim on the review is released.
    """
    links = await assign_review(caller, review_id, assignment)
    review = await queries.get_review(caller.db, caller.settings, caller.actor, review_id)
    return json_response({**review, **({"extReviewerLinks": links} if links else {})})


@router.post(
    "/reviews/{reviewId}/media/retry",
    operation_id="retryReviewMedia",
    summary="Retry copying media",
    responses=document_response(Review),
)
async def post_media_retry(caller: MemberCanDecide, review_id: ReviewId, retry: MediaRetry) -> HttpResponse:
    """Retries copying any of the review's media that couldn't be copied. Files that were copied or are being copied
    aren't affected.
    """
    await retry_media(caller, review_id, retry.url)
    return await _review(caller, review_id)


@router.post(
    "/reviews/{reviewId}/take",
    operation_id="takeReview",
    summary="Claim a review",
    responses=document_response(Review, RESPONDED, NotAssigned(), TAKEN),
)
async def post_take(caller: MemberCanDecide, review_id: ReviewId) -> HttpResponse:
    """Claims a review so that other members no longer need to decide it. External reviewers can still decide."""
    await take_review(caller, review_id)
    return await _review(caller, review_id)


@router.post(
    "/reviews/{reviewId}/handBack",
    operation_id="handBackReview",
    summary="Release a review",
    responses=document_response(Review, RESPONDED, TAKEN, NotTaken()),
)
async def post_hand_back(caller: MemberCanDecide, review_id: ReviewId) -> HttpResponse:
    """Releases a review that you claimed, and assigns it to its previous reviewers again."""
    await hand_back_review(caller, review_id)
    return await _review(caller, review_id)


@router.post(
    "/reviews/{reviewId}/link/renew",
    operation_id="renewReviewLink",
    summary="Renew a review link",
    status_code=202,
    responses=document_errors(NothingToDecide(), ReviewLinkReassigned(LINK_REASSIGNED)),
)
async def post_link_renewal(caller: LinkHolder, review_id: ReviewId) -> LinkRenewed:
    """Emails an external reviewer a new review link. Send their link's token in `x-review-token`, even if the link has
    expired. The new link goes to the same email address as the old one. You can request one every 5 minutes.
    """
    await renew_link(caller, review_id)
    return LinkRenewed()


@router.get(
    "/reviews/{reviewId}/revisions",
    operation_id="listReviewRevisions",
    summary="List revisions",
    response_model_exclude_none=True,
)
async def list_revisions(caller: CanReadReview, review_id: ReviewId) -> Revisions:
    """Returns every revision the agent sent, oldest first."""
    return await queries.list_revisions(caller.db, caller.settings, caller.actor, review_id)


@router.get(
    "/reviews/{reviewId}/history",
    operation_id="listReviewHistory",
    summary="List a review's history",
    response_model_exclude_none=True,
)
async def list_history(caller: CanRead, review_id: ReviewId) -> History:
    """Returns who did what to this review, oldest first."""
    return await queries.list_history(caller.db, caller.actor, review_id)


@router.get(
    "/reviews/{reviewId}/form",
    operation_id="getReviewForm",
    summary="Get a review's review type",
    responses=document_response(PinnedForm),
)
async def get_review_form(caller: CanReadReview, review_id: ReviewId) -> HttpResponse:
    """Returns the version of the review type that this review was created with."""
    return json_response(await presentation.get_review_form(caller, review_id), headers=IMMUTABLE)


@router.get(
    "/reviews/{reviewId}/suggestion",
    operation_id="getReviewSuggestion",
    summary="Get a review's initial values",
    responses=document_response(Suggested),
)
async def get_suggestion(caller: CanReadReview, review_id: ReviewId) -> HttpResponse:
    """Returns the values a reviewer starts with: the current content, parsed with its review type."""
    return json_response(await presentation.get_review_suggestion(caller, review_id))


@router.get(
    "/reviews/{reviewId}/draft",
    operation_id="getDraft",
    summary="Get your draft",
    responses=document_response(DraftAnswer),
)
async def get_draft(caller: CanDecide, review_id: ReviewId) -> HttpResponse:
    """Returns your draft of this review."""
    return json_response(await drafts.get_draft(caller, review_id))


@router.put(
    "/reviews/{reviewId}/draft",
    operation_id="saveDraft",
    summary="Save your draft",
    responses=document_response(DraftAnswer, RESPONDED),
)
async def put_draft(caller: CanDecide, review_id: ReviewId, draft: DraftBody) -> HttpResponse:
    """Saves your edits as a draft until the review is decided. Only you can see it, and the last save wins."""
    return json_response(await drafts.save_draft(caller, review_id, draft))


@router.delete("/reviews/{reviewId}/draft", operation_id="deleteDraft", summary="Delete your draft", status_code=204)
async def delete_draft(caller: CanDecide, review_id: ReviewId) -> None:
    """Deletes your draft."""
    await drafts.delete_draft(caller, review_id)


@router.put("/reviews/{reviewId}/presence", operation_id="enterReview", summary="Show that you're viewing a review")
async def put_presence(caller: SignedInUser, review_id: ReviewId) -> Presence:
    """Shows others that you have this review open, and returns everyone who does. Repeat every 15 seconds."""
    return await presence.mark_present(caller, review_id)


@router.delete(
    "/reviews/{reviewId}/presence",
    operation_id="leaveReview",
    summary="Stop showing that you're viewing a review",
    status_code=204,
)
async def delete_presence(caller: SignedInUser, review_id: ReviewId) -> None:
    """Shows others that you closed this review."""
    await presence.mark_absent(caller, review_id)
