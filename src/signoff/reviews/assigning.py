"""Who is asked to decide a review: replaced as a whole, with what was before in the history."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from signoff.accounts import audit
from signoff.accounts.access import Caller
from signoff.accounts.actors import Actor
from signoff.accounts.members import find_groups, find_members
from signoff.platform.clock import now
from signoff.platform.db import Executor, Row
from signoff.platform.errors import Invalid
from signoff.platform.faults import Fault
from signoff.platform.ids import new_token, token_hash
from signoff.platform.live import changes_topic
from signoff.platform.settings import Settings
from signoff.reviews.external_mails import mail_links_of, withdraw_mails
from signoff.reviews.links import external_link
from signoff.reviews.locking import lock_review
from signoff.reviews.schemas import Assignment
from signoff.reviews.who_may_act import refuse_decided, refuse_unassigned


@dataclass(frozen=True, slots=True)
class NewLinks:
    """A fresh token for each address, and until when they work."""

    tokens: Mapping[str, str]
    until: datetime


def new_links(settings: Settings, emails: Sequence[str]) -> NewLinks:
    until = now() + timedelta(days=settings.external_link_days)
    return NewLinks({email: new_token("ext") for email in emails}, until)


async def assign(caller: Caller, review_id: str, wanted: Assignment) -> list[dict[str, str]]:
    """Answers the links of external reviewers who are new. They are nowhere but here and in the mails to them."""
    async with caller.db.transaction() as tx:
        review = await lock_review(tx, caller.actor, review_id)
        refuse_decided(review)
        await refuse_unassigned(tx, caller.actor, review)
        faults: list[Fault] = []
        assignees = await find_members(tx, caller.account_id, wanted.users, "users", faults)
        assignees += await find_groups(tx, caller.account_id, wanted.groups, "groups", faults)
        if faults:
            raise Invalid(faults)
        before = await who_is_asked(tx, review)
        working = await _working_links(tx, review)
        links = new_links(caller.settings, [email for email in dict.fromkeys(wanted.external) if email not in working])
        await replace_asked(tx, review, assignees, keeping=working.intersection(wanted.external), links=links)
        after = await who_is_asked(tx, review)
        if before != after or links.tokens or review["taken_by"] is not None or wanted.note is not None:
            details = {"from": before, "to": after, **({} if wanted.note is None else {"note": wanted.note})}
            await audit.record(tx, caller.actor, "review.assigned", review_id, details)
        await mail_links_of(tx, caller.settings, caller.actor, review, links.tokens, links.until)
    if links.tokens:
        caller.service.wake()
    caller.service.live.tell(changes_topic(caller.account_id), review_id)
    return [
        {"email": email, "link": external_link(caller.settings, review_id, token)}
        for email, token in links.tokens.items()
    ]


async def reassign(
    tx: Executor,
    actor: Actor,
    review: Row,
    assignees: Sequence[str],
    links: NewLinks | None = None,
    action: str = "review.assigned",
    **details: Any,
) -> None:
    """For those who are asked by the service or the agent: the others are no longer, and their links end.

    `review` is locked, and `assignees` are IDs of users and groups that exist. The history gets an entry `action`.
    """
    before = await who_is_asked(tx, review)
    await replace_asked(tx, review, assignees, links=links)
    after = await who_is_asked(tx, review)
    if before != after or details or action != "review.assigned":
        entry = {"from": before, "to": after, **details}
        await audit.record(tx, actor, action, review["review_id"], entry)


async def replace_asked(
    tx: Executor,
    review: Row,
    assignees: Sequence[str],
    *,
    keeping: Collection[str] = (),
    links: NewLinks | None = None,
) -> None:
    """Nobody has taken the review any more. The links of `keeping` stay; all others of before end with this."""
    place = (review["account_id"], review["review_id"])
    await tx.execute("delete from review_assignees_before where account_id = $1 and review_id = $2", *place)
    await set_assignees(tx, review, assignees)
    await tx.execute(
        """
        update external_reviewers set
            ended = case when expires_at > now() then 'reassigned' else 'expired' end, ended_at = now()
        where account_id = $1 and review_id = $2 and ended is null and email <> all($3::text[])
        """,
        *place,
        list(keeping),
    )
    await withdraw_mails(tx, *place, keeping)
    if links is not None and links.tokens:
        await tx.execute(
            """
            insert into external_reviewers (account_id, review_id, email, token_hash, expires_at)
            select $1, $2, e.email, e.token_hash, $5 from unnest($3::text[], $4::bytea[]) as e (email, token_hash)
            """,
            *place,
            list(links.tokens),
            [token_hash(token) for token in links.tokens.values()],
            links.until,
        )
    await tx.execute(
        """
        update reviews set assigned = $3, taken_by = null, taken_at = null, updated_at = now()
        where account_id = $1 and review_id = $2
        """,
        *place,
        bool(assignees or keeping or (links is not None and links.tokens)),
    )


async def set_assignees(tx: Executor, review: Row, assignees: Sequence[str]) -> None:
    """The members and groups alone. Beside each stands the review's phase, by which lists find them."""
    place = (review["account_id"], review["review_id"])
    await tx.execute("delete from review_assignees where account_id = $1 and review_id = $2", *place)
    await tx.execute(
        """
        insert into review_assignees (account_id, review_id, assignee_id, phase)
        select r.account_id, r.review_id, a.assignee_id, r.phase
        from reviews r cross join unnest($3::text[]) as a (assignee_id)
        where r.account_id = $1 and r.review_id = $2
        """,
        *place,
        list(assignees),
    )


async def who_is_asked(tx: Executor, review: Row) -> dict[str, list[str]]:
    """As the history tells it."""
    row = await tx.fetchrow(
        """
        select array(select u.email from review_assignees a join users u on u.user_id = a.assignee_id
                     where a.account_id = $1 and a.review_id = $2 order by u.email) as users,
               array(select g.group_id from review_assignees a join groups g on g.group_id = a.assignee_id
                     where a.account_id = $1 and a.review_id = $2 order by g.group_id) as groups,
               array(select e.email from external_reviewers e
                     where e.account_id = $1 and e.review_id = $2 and e.ended is null order by e.email) as external
        """,
        review["account_id"],
        review["review_id"],
    )
    assert row is not None
    return {"users": row["users"], "groups": row["groups"], "external": row["external"]}


async def _working_links(tx: Executor, review: Row) -> set[str]:
    """The addresses whose links can be used. Who is asked again after theirs expired gets a new one."""
    rows = await tx.fetch(
        """
        select email from external_reviewers
        where account_id = $1 and review_id = $2 and ended is null and expires_at > now()
        """,
        review["account_id"],
        review["review_id"],
    )
    return {row["email"] for row in rows}
