"""Presence: a page reports every few seconds that it has a review open; shortly after it stops, its person is gone."""

from typing import Final

from signoff.accounts.context import Caller
from signoff.platform.clock import iso
from signoff.platform.db import Executor
from signoff.platform.pubsub import account_topic, publish
from signoff.platform.sql import Sql
from signoff.reviews.locks import lock_review
from signoff.reviews.schemas import Presence, PresentPerson

PRESENCE_TIMEOUT: Final = "interval '30 seconds'"
"""Pages report every 15 seconds."""


DELETE_GONE = Sql(
    """
    delete from review_presence where (account_id, review_id, user_id) in (
        select account_id, review_id, user_id from review_presence
        where account_id = :account_id and seen_at < now() - {gone_after} for update skip locked)
    """,
    gone_after=PRESENCE_TIMEOUT,
)


async def mark_present(caller: Caller, review_id: str) -> Presence:
    """Report that the caller has the review open. Returns everyone who has."""
    async with caller.db.transaction() as tx:
        # Locked, so that a concurrent deletion of the review leaves no presence behind.
        await lock_review(tx, caller.actor, review_id, lock="for key share of r")
        await DELETE_GONE.execute(tx, account_id=caller.account_id)
        is_new = await tx.fetchval(
            """
            insert into review_presence as p (account_id, review_id, user_id) values ($1, $2, $3)
            on conflict (account_id, review_id, user_id) do update set seen_at = now()
            returning p.since = p.seen_at
            """,
            caller.account_id,
            review_id,
            caller.actor.id,
        )
        if is_new:
            publish(tx, account_topic(caller.account_id))
    return Presence(people=await _people(caller.db, caller.account_id, review_id))


async def mark_absent(caller: Caller, review_id: str) -> None:
    """Report that the caller has closed the review. Succeeds if they weren't there or the review is gone."""
    left = await caller.db.fetchval(
        "delete from review_presence where account_id = $1 and review_id = $2 and user_id = $3 returning true",
        caller.account_id,
        review_id,
        caller.actor.id,
    )
    if left:
        publish(caller.db, account_topic(caller.account_id))


SELECT_PEOPLE = Sql(
    """
    select user_id, u.name, u.email, p.since from review_presence p join users u using (account_id, user_id)
    where p.account_id = :account_id and p.review_id = :review_id and p.seen_at > now() - {gone_after}
    order by p.since, user_id
    """,
    gone_after=PRESENCE_TIMEOUT,
)


async def _people(db: Executor, account_id: str, review_id: str) -> list[PresentPerson]:
    rows = await SELECT_PEOPLE.fetch(db, account_id=account_id, review_id=review_id)
    return [
        PresentPerson(user_id=row["user_id"], name=row["name"], email=row["email"], since=iso(row["since"]))
        for row in rows
    ]


SELECT_PRESENT = Sql(
    """
    select p.review_id, user_id, u.name from review_presence p join users u using (account_id, user_id)
    where p.account_id = :account_id and p.seen_at > now() - {gone_after} and u.disabled_at is null
    order by p.review_id, p.since, user_id
    """,
    gone_after=PRESENCE_TIMEOUT,
)


async def list_present(db: Executor, account_id: str) -> dict[str, list[dict[str, str]]]:
    """Return presence in the whole account, by review."""
    rows = await SELECT_PRESENT.fetch(db, account_id=account_id)
    present: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        present.setdefault(row["review_id"], []).append({"userId": row["user_id"], "name": row["name"]})
    return present
