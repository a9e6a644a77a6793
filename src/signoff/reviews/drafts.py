"""Drafts: a reviewer's unsent work, visible only to them and saved until the review is decided or deleted."""

from typing import Any

import orjson

from signoff.accounts.context import Caller
from signoff.platform.clock import iso
from signoff.platform.errors import ErrorDetail, InvalidRequest, PayloadTooLarge
from signoff.platform.json_values import MAX_DATA_DEPTH, exceeds_depth, too_deep
from signoff.platform.messages import msg
from signoff.reviews.locks import lock_review
from signoff.reviews.permissions import ensure_pending
from signoff.reviews.queries import EXISTS, find_review
from signoff.reviews.schemas import DraftBody

MAX_BYTES = 1024 * 1024


async def get_draft(caller: Caller, review_id: str) -> dict[str, Any]:
    await find_review(caller.db, caller.actor, review_id, EXISTS)
    row = await caller.db.fetchrow(
        """
        select data, reason, instructions, revision, saved_at from review_drafts
        where account_id = $1 and review_id = $2 and author_id = $3
        """,
        caller.account_id,
        review_id,
        caller.actor.id,
    )
    if row is None:
        return {"draft": None}
    draft = {
        "data": row["data"],
        "reason": row["reason"],
        "instructions": row["instructions"],
        "revision": row["revision"],
        "savedAt": iso(row["saved_at"]),
    }
    return {"draft": {name: value for name, value in draft.items() if value is not None}}


async def save_draft(caller: Caller, review_id: str, body: DraftBody) -> dict[str, Any]:
    """Save a draft. The review's row is written again, so that a concurrent decision can't leave a draft behind: one
    that has already read the row starts again.
    """
    if exceeds_depth(body.data, MAX_DATA_DEPTH):
        raise InvalidRequest([ErrorDetail("data", "too_deep", too_deep(MAX_DATA_DEPTH))])
    if len(orjson.dumps(body.data)) > MAX_BYTES:
        raise PayloadTooLarge(msg("The draft is too large. The limit is 1 MiB."), maxBytes=MAX_BYTES)
    async with caller.db.transaction() as tx:
        ensure_pending(await lock_review(tx, caller.actor, review_id))
        await tx.execute(
            """
            with touched as (
                update reviews set state = state where account_id = $1 and review_id = $2
            )
            insert into review_drafts (account_id, review_id, author_id, data, reason, instructions, revision)
            values ($1, $2, $3, $4, $5, $6, $7)
            on conflict (account_id, review_id, author_id) do update set
                data = excluded.data, reason = excluded.reason, instructions = excluded.instructions,
                revision = excluded.revision, saved_at = excluded.saved_at
            """,
            caller.account_id,
            review_id,
            caller.actor.id,
            body.data,
            body.reason,
            body.instructions,
            body.revision,
        )
    return await get_draft(caller, review_id)


async def delete_draft(caller: Caller, review_id: str) -> None:
    """Delete a draft, if there is one."""
    await find_review(caller.db, caller.actor, review_id, EXISTS)
    await caller.db.execute(
        "delete from review_drafts where account_id = $1 and review_id = $2 and author_id = $3",
        caller.account_id,
        review_id,
        caller.actor.id,
    )
