import hashlib
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from signoff.accounts.access import Caller, Decider, Reader, Requester, ReviewReader
from signoff.accounts.direct import DirectRoute
from signoff.platform.errors import BadQuery
from signoff.platform.http import JsonRoute, json_response
from signoff.platform.schemas import Limit, Page, Wait, page_response
from signoff.reviews import queries
from signoff.reviews.deciding import submit_response
from signoff.reviews.deleting import delete_review
from signoff.reviews.idempotency import Idempotency, first_answer
from signoff.reviews.requesting import request_review
from signoff.reviews.retrying import replace_content, request_retry
from signoff.reviews.schemas import (
    Deleted,
    DeleteRequest,
    History,
    RetryRequest,
    Review,
    ReviewCursor,
    ReviewId,
    ReviewRequest,
    ReviewRequested,
    ReviewRow,
    Revisions,
    State,
    Submission,
)
from signoff.reviews.waiting import get_when_responded

direct = APIRouter(route_class=DirectRoute, tags=["Reviews"])
router = APIRouter(route_class=JsonRoute, tags=["Reviews"])

# Read by hand, as this route is run directly.
IDEMPOTENCY_KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Same key and body within 24 hours: the first answer again, nothing created.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}
Filter = Annotated[str | None, Query(max_length=128)]


def _documented(model: Any, *errors: int) -> dict[int | str, dict[str, Any]]:
    """For routes that write their answer themselves: what OpenAPI shall say about it."""
    return {200: {"model": model, "description": "OK"}, **{error: {} for error in errors}}


async def _review(caller: Caller, review_id: str) -> Response:
    return json_response(await queries.get_review(caller.db, caller.settings, caller.actor, review_id))


async def _idempotency(request: Request) -> Idempotency | None:
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not 1 <= len(key) <= 255:
        raise BadQuery("Idempotency-Key: must have 1 to 255 characters.")
    return Idempotency(key, hashlib.sha256(await request.body()).digest())


@direct.post(
    "/requestReview",
    responses=_documented(ReviewRequested, 404, 409),
    openapi_extra={"parameters": [IDEMPOTENCY_KEY]},
)
async def post_review_request(request: Request, caller: Requester, body: ReviewRequest) -> Response:
    """Ask people for a review; its result goes to the webhook.

    With `updateForReviewId` it replaces the content of a pending review instead.
    """
    idempotency = await _idempotency(request)
    # Before anything else is looked at: what was valid then need not be so now.
    first = idempotency and await first_answer(caller.db, caller.account_id, idempotency)
    if first is not None:
        return json_response(first)
    size = len(await request.body())
    if body.update_for_review_id is not None:
        return json_response(await replace_content(caller, body.update_for_review_id, body, size, idempotency))
    return json_response(await request_review(caller, body, size, idempotency))


@router.get("/reviews", responses=_documented(Page[ReviewRow]))
async def list_reviews(
    caller: Reader,
    state: State | None = None,
    agent_id: Annotated[Filter, Query(alias="agentId")] = None,
    form_id: Annotated[Filter, Query(alias="formId")] = None,
    session_id: Annotated[Filter, Query(alias="sessionId")] = None,
    assigned_to: Annotated[
        Filter, Query(alias="assignedTo", description="A user's or group's ID, or `me`; a user's groups count.")
    ] = None,
    q: Annotated[str | None, Query(max_length=500, description="Words in titles and texts.")] = None,
    cursor: ReviewCursor = None,
    limit: Limit = 50,
) -> Response:
    """The account's reviews, newest first, without their payloads."""
    if assigned_to == "me" and caller.actor.kind != "user":
        raise BadQuery("assignedTo: `me` is for signed-in people.")
    rows = await queries.list_reviews(
        caller.db,
        caller.account_id,
        state=state,
        agent_id=agent_id,
        form_id=form_id,
        session_id=session_id,
        assigned_to=caller.actor.id if assigned_to == "me" else assigned_to,
        words=q or None,
        before=cursor or None,
        limit=limit + 1,
    )
    return page_response(rows, limit, lambda row: row.review_id)


@router.get("/reviews/{reviewId}", responses=_documented(Review))
async def get_review(caller: ReviewReader, review_id: ReviewId, wait: Wait = 0) -> Response:
    """One review, pending or completed; with `wait`, as soon as it is completed."""
    return json_response(await get_when_responded(caller, review_id, wait))


@router.delete("/reviews/{reviewId}")
async def delete_one_review(caller: Requester, review_id: ReviewId) -> Deleted:
    """Remove a review and all that belongs to it. No webhook is called."""
    await delete_review(caller, review_id)
    return Deleted(review_id=review_id)


@router.delete("/deleteReview", responses={404: {}})
async def delete_named_review(caller: Requester, body: DeleteRequest) -> Deleted:
    """The same as `DELETE /reviews/{reviewId}`, for client libraries."""
    await delete_review(caller, body.review_id)
    return Deleted(review_id=body.review_id)


@router.post("/reviews/{reviewId}/response", responses=_documented(Review, 409))
async def post_response(caller: Decider, review_id: ReviewId, submission: Submission) -> Response:
    """Approve or reject. Only people decide; the first who does wins."""
    await submit_response(caller, review_id, submission)
    return await _review(caller, review_id)


@router.post("/reviews/{reviewId}/retry", responses=_documented(Review, 409))
async def post_retry(caller: Decider, review_id: ReviewId, request: RetryRequest) -> Response:
    """Ask the agent for other content. The review stays pending and waits."""
    await request_retry(caller, review_id, request)
    return await _review(caller, review_id)


@router.get("/reviews/{reviewId}/revisions", response_model_exclude_none=True)
async def list_revisions(caller: ReviewReader, review_id: ReviewId) -> Revisions:
    """What the agent sent, each time, oldest first."""
    return await queries.list_revisions(caller.db, caller.settings, caller.actor, review_id)


@router.get("/reviews/{reviewId}/history", response_model_exclude_none=True)
async def list_history(caller: Reader, review_id: ReviewId) -> History:
    """Who did what to the review, oldest first."""
    return await queries.list_history(caller.db, caller.actor, review_id)
