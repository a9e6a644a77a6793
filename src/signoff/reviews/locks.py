"""Lock a review before changing it."""

from typing import Final, Literal, get_args

from signoff.accounts.actors import Actor
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

Lock = Literal["for update of r", "for no key update of r", "for key share of r", ""]
"""The first is for deleting the review. The second is for changing it: what only has to keep the review from being
deleted, such as its indexing for search, doesn't wait for it."""

SELECT: Final = """
    select r.*, r.xmin::text as row_version, v.data, v.config, v.meta, v.webhook_url, v.title as given_title,
           a.webhook_url as agent_webhook_url,
           v.webhook_events, a.webhook_events as agent_webhook_events, acc.audit_webhook_url,
           exists (select from media_copies c where (c.account_id, c.review_id) = (r.account_id, r.review_id))
               as has_copies
    from reviews r
    join review_revisions v using (account_id, review_id, revision)
    join agents a on a.agent_id = r.agent_id
    join accounts acc on acc.account_id = r.account_id
    where r.account_id = :account_id and r.review_id = :review_id
    {lock}
"""
LOCK: Final[dict[Lock, Sql[Row]]] = {lock: Sql(SELECT, lock=lock) for lock in get_args(Lock)}


async def lock_review(tx: Executor, actor: Actor, review_id: str, lock: Lock = "for no key update of r") -> Row:
    """Return the review with its current content, locked until `tx` ends. Another account's review isn't found."""
    if actor.review_id is not None and actor.review_id != review_id:
        raise NotFound(msg("review"), review_id)
    # If the content is replaced while we wait for the lock, the first query finds that the old content's row is gone.
    # The second, which holds the lock, finds the new one.
    place = {"account_id": actor.account_id, "review_id": review_id}
    row = await LOCK[lock].fetch_one(tx, **place) or await LOCK[lock].fetch_one(tx, **place)
    if row is None:
        raise NotFound(msg("review"), review_id)
    return row


async def read_review(db: Executor, actor: Actor, review_id: str) -> Row:
    """Read without a lock, before something that takes long. The review may have changed by the time it's locked."""
    return await lock_review(db, actor, review_id, lock="")
