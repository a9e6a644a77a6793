"""Who may act on a review, and when it's too late."""

from collections.abc import Sequence

from signoff.accounts.actors import Actor, Permission
from signoff.accounts.errors import ReviewLinkReassigned
from signoff.accounts.out_of_office.queries import OutOfOfficeMember, members_covered_by_actor
from signoff.platform.db import Executor, Row
from signoff.platform.messages import msg
from signoff.reviews.errors import AlreadyResponded, ContentReplaced, NotAssigned, NotRequester


def ensure_pending(review: Row) -> None:
    if review["state"] == "responded":
        raise AlreadyResponded(
            review["responding_user"], review["responding_user_id"], review["responded_at"], review["response"]
        )


def ensure_current_revision(review: Row, revision: int | None) -> None:
    if revision is not None and revision != review["revision"]:
        raise ContentReplaced(revision, review["revision"])


def ensure_may_update(actor: Actor, review: Row) -> None:
    """Check a key's update: it may only update reviews requested with it, or with a key that it replaced. People
    are checked by their role.
    """
    if actor.kind == "key" and actor.requester_id != review["requested_by"]:
        raise NotRequester(
            msg(
                "Only the API key that requested this review can update it. When you rotate keys, create the new key "
                "with `replaces` so it can update the old key's reviews."
            )
        )


def may_replace_reviewers(actor: Actor, review: Row) -> bool:
    """Whether an update by a key may change the reviewers: not after a person or the review type chose them, and
    not while someone has taken the review.
    """
    return actor.kind != "key" or (review["reviewers_set_by"] == "request" and review["taken_by"] is None)


async def ensure_can_act(tx: Executor, actor: Actor, review: Row) -> None:
    if await is_reviewer(tx, actor, review):
        return
    if actor.kind == "external":
        # The link was valid when the request came in, and ended while it waited for the review's lock.
        raise ReviewLinkReassigned(msg("This review was reassigned to someone else."))
    raise NotAssigned()


async def can_decide(db: Executor, actor: Actor, review: Row, covered: Sequence[OutOfOfficeMember]) -> bool:
    """Whether this person may decide the review while it's pending, by their role and by who is assigned."""
    return actor.can(Permission.DECIDE) and await is_reviewer(db, actor, review, covered)


async def is_reviewer(
    db: Executor, actor: Actor, review: Row, covered: Sequence[OutOfOfficeMember] | None = None
) -> bool:
    """Whether the person is asked. Assignees, their delegates, and admins may act; if nobody is assigned, any reviewer
    may. `covered` are the members they cover for, which are read if needed.

    An external reviewer may act as long as their link works.
    """
    if actor.kind == "external":
        return await db.fetchval(
            """
            select exists (
                select from external_reviewers
                where account_id = $1 and review_id = $2 and email = $3 and ended is null and expires_at > now())
            """,
            review["account_id"],
            review["review_id"],
            actor.name,
        )
    if actor.is_admin or not review["assigned"]:
        return True
    if covered is None:
        if await _has_assignee(db, review, [actor.id]):
            return True
        covered = await members_covered_by_actor(db, actor)
        if not covered:
            return False
    return await _has_assignee(db, review, [actor.id, *(each.user_id for each in covered)])


async def _has_assignee(db: Executor, review: Row, user_ids: Sequence[str]) -> bool:
    """Whether one of these members is assigned, directly or through a group."""
    return await db.fetchval(
        """
        select exists (
            select from review_assignees a
            where a.account_id = $1 and a.review_id = $2
              and (a.assignee_id = any($3::text[])
                   or a.assignee_id in (select group_id from group_members where user_id = any($3::text[]))))
        """,
        review["account_id"],
        review["review_id"],
        user_ids,
    )
