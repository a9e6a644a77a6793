"""Lock a review before changing it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from signoff.accounts.actors import Actor
from signoff.platform.db import Database, Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Rows, Sql

Lock = Literal["for update of r", "for no key update of r", "for key share of r"]
"""For deleting the review, for changing it, and for keeping it from being deleted."""

_SELECT: Final = """
    select r.*, r.xmin::text as row_version, v.data, v.config, v.meta, v.webhook_url, v.title as given_title,
           a.webhook_url as agent_webhook_url,
           v.webhook_events, a.webhook_events as agent_webhook_events, acc.audit_webhook_url,
           exists (select from media_copies c where (c.account_id, c.review_id) = (r.account_id, r.review_id))
               as has_copies
    from reviews r
    join review_revisions v using (account_id, review_id, revision)
    join agents a on a.agent_id = r.agent_id
    join accounts acc on acc.account_id = r.account_id
    where (r.account_id, r.review_id) = ({account_id}, {review_id})
    {lock}
"""
_LOCK: Final[dict[Lock, Sql[Row]]] = {
    lock: Sql(_SELECT, account_id=":account_id", review_id=":review_id", lock=lock) for lock in get_args(Lock)
}


@dataclass(frozen=True, slots=True)
class _Place:
    account_id: str
    review_id: str


# `offset 0` makes the planner look up each review by its ID.
_READ: Final = Sql(
    "select found.* from {places} p cross join lateral ({select}) as found",
    places=Rows("places", _Place),
    select=Sql(_SELECT, account_id="p.account_id", review_id="p.review_id", lock="offset 0"),
)


async def lock_review(tx: Executor, actor: Actor, review_id: str, lock: Lock = "for no key update of r") -> Row:
    """Return the review with its current content, locked until `tx` ends. Another account's review isn't found."""
    place = _find_place(actor, review_id)
    # If the content is replaced while we wait for the lock, the first query finds that the old content's row is gone.
    # The second, which holds the lock, finds the new one.
    given = {"account_id": place.account_id, "review_id": place.review_id}
    row = await _LOCK[lock].fetch_one(tx, **given) or await _LOCK[lock].fetch_one(tx, **given)
    if row is None:
        raise NotFound(msg("review"), review_id)
    return row


async def read_review(db: Database, actor: Actor, review_id: str) -> Row:
    """Read without a lock, together with others who read now. The review may have changed by the time it's locked."""
    row = await db.batched(_read_reviews, _find_place(actor, review_id))
    if row is None:
        raise NotFound(msg("review"), review_id)
    return row


async def _read_reviews(db: Executor, places: Sequence[_Place]) -> list[Row | None]:
    found = {(row["account_id"], row["review_id"]): row for row in await _READ.fetch(db, places=list(set(places)))}
    return [found.get((place.account_id, place.review_id)) for place in places]


def _find_place(actor: Actor, review_id: str) -> _Place:
    if actor.review_id is not None and actor.review_id != review_id:
        raise NotFound(msg("review"), review_id)
    return _Place(actor.account_id, review_id)
