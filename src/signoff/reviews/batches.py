"""Batches: reviews that their caller grouped, and one event when all of them are decided."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from fastapi import Path
from pydantic import Field

from signoff.accounts.context import Caller
from signoff.platform import examples
from signoff.platform.clock import iso_or_none
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.schemas import ResponseModel, example
from signoff.platform.settings import Settings
from signoff.reviews import review_list
from signoff.reviews.examples import ROW
from signoff.reviews.filters import ReviewFilters, resolve_filters
from signoff.reviews.schemas import ReviewRow
from signoff.webhooks.events import Destination, WebhookEvent, emit_event

BATCH_COMPLETED: Final = "batch.completed"
MAX_IN_EVENT: Final = 1000
"""The maximum number of reviews in the event; `GET /batches/{batchId}` has all of them."""

BatchId = Annotated[
    str,
    Path(alias="batchId", max_length=128, description="Batch ID, chosen by the caller.", examples=[examples.BATCH_ID]),
]


class BatchCounts(ResponseModel):
    total: int
    pending: int
    approved: int
    rejected: int
    submitted: int = Field(description="Submitted trigger forms.")


class Batch(ResponseModel):
    model_config = example(
        {
            "batchId": "newsletter-2026-46",
            "state": "pending",
            "size": 1,
            "counts": {"total": 1, "pending": 1, "approved": 0, "rejected": 0, "submitted": 0},
            "reviews": [ROW],
        }
    )

    batch_id: str
    state: Literal["pending", "completed"]
    size: int | None = Field(None, description="How many reviews the batch will have, if a request set `batchSize`.")
    counts: BatchCounts
    completed_at: str | None = Field(
        None, description="When the last pending review was decided or deleted. Omitted while the batch isn't complete."
    )
    reviews: list[ReviewRow] = Field(description="Oldest first, without payloads.")
    next_cursor: str | None = None


async def get_batch(caller: Caller, batch_id: str, cursor: str | None, limit: int) -> Batch:
    batch = await caller.db.fetchrow(
        "select size, completed_at from batches where account_id = $1 and batch_id = $2", caller.account_id, batch_id
    )
    if batch is None:
        raise NotFound(msg("batch"), batch_id)
    filters = ReviewFilters.model_construct(batch_id=batch_id, order="oldest")
    selection = await resolve_filters(caller.db, caller.actor, filters)
    page = await review_list.list_reviews(caller.db, caller.account_id, selection, cursor, limit)
    return Batch(
        batch_id=batch_id,
        state="pending" if batch["completed_at"] is None else "completed",
        size=batch["size"],
        counts=BatchCounts(**await _count(caller.db, caller.account_id, batch_id)),
        completed_at=iso_or_none(batch["completed_at"]),
        reviews=[ReviewRow.model_validate(row) for row in page.items],
        next_cursor=page.next_cursor,
    )


async def close_batch(tx: Executor, settings: Settings, review: Row, destinations: Sequence[Destination]) -> None:
    """Complete a batch if `tx` has decided or deleted its last open review.

    The batch's row is locked until the commit, and open reviews are only counted while holding the lock: of several
    concurrent decisions, the last one sees all the others.
    """
    place = (review["account_id"], review["batch_id"])
    batch = await tx.fetchrow(
        "select size, added, completed_at from batches where account_id = $1 and batch_id = $2 for update", *place
    )
    if batch is None or batch["completed_at"] is not None or batch["added"] < (batch["size"] or 0):
        return
    pending = await tx.fetchval(
        "select exists (select from reviews where account_id = $1 and batch_id = $2 and state = 'pending')", *place
    )
    if pending:
        return
    counts = await _count(tx, *place)
    if not counts["total"]:
        # Nothing was decided, so there is nothing left to report.
        await tx.execute("delete from batches where account_id = $1 and batch_id = $2", *place)
        return
    completion = await tx.fetchval(
        """
        update batches set completed_at = now(), completions = completions + 1
        where account_id = $1 and batch_id = $2 returning completions
        """,
        *place,
    )
    members = {
        "batchId": review["batch_id"],
        "completion": completion,
        "counts": counts,
        "reviews": await _read_decided(tx, *place),
    }
    event = WebhookEvent(BATCH_COMPLETED, review["account_id"], review["agent_id"], review["session_id"], members)
    await emit_event(tx, event, destinations, settings.max_attempts)


async def _count(db: Executor, account_id: str, batch_id: str) -> dict[str, int]:
    row = await db.fetchrow(
        """
        select count(*) as total, count(*) filter (where state = 'pending') as pending,
               count(*) filter (where phase = 'approved') as approved,
               count(*) filter (where phase = 'rejected') as rejected,
               count(*) filter (where phase = 'submitted') as submitted
        from reviews where account_id = $1 and batch_id = $2
        """,
        account_id,
        batch_id,
    )
    assert row is not None
    return dict(row)


async def _read_decided(tx: Executor, account_id: str, batch_id: str) -> list[dict[str, Any]]:
    rows = await tx.fetch(
        """
        select review_id, response, responded_at from reviews where account_id = $1 and batch_id = $2
        order by review_id limit $3
        """,
        account_id,
        batch_id,
        MAX_IN_EVENT,
    )
    return [
        {
            "reviewId": row["review_id"],
            **({} if row["response"] is None else {"response": row["response"]}),
            "respondedAt": iso_or_none(row["responded_at"]),
        }
        for row in rows
    ]
