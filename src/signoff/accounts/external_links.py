"""External reviewers' links: which review a link opens, or why it no longer does.

A link ends when anyone decides its review, when the review is deleted or reassigned, and when it expires. Ended links
are kept for a while, so that whoever opens one learns why. Only reviewers who were still assigned learn who decided.
"""

from typing import Any, Final

from signoff.accounts.errors import (
    ReviewLinkAnswered,
    ReviewLinkDeleted,
    ReviewLinkExpired,
    ReviewLinkReassigned,
)
from signoff.platform.db import Executor, Row
from signoff.platform.errors import Unauthenticated
from signoff.platform.messages import msg
from signoff.platform.tokens import token_hash

_ID_PREFIX: Final = "ext:"
LINK_DELETED: Final = msg("This review was deleted. There's nothing left to decide.")
LINK_REASSIGNED: Final = msg("This review was reassigned to someone else.")
LINK_EXPIRED: Final = msg("This link has expired. Ask the person who sent it for a new one.")


async def find_external_link(db: Executor, token: str) -> Row:
    """Return the link with `account_id`, `review_id`, `email`, and the account's `plan`, or raise why it doesn't
    work.
    """
    link = await _read_link(db, token)
    _ensure_link_active(link)
    return link


async def find_renewable_link(db: Executor, token: str) -> Row:
    """The same for a link that may have expired: it no longer opens its review, but says whose it was."""
    link = await _read_link(db, token)
    if not _has_expired(link):
        _ensure_link_active(link)
    return link


async def _read_link(db: Executor, token: str) -> Row:
    row = await db.fetchrow(
        """
        select e.account_id, e.review_id, e.email, a.plan, e.ended, e.expires_at, e.expires_at <= now() as expired,
               r.state, r.response, r.responding_user, r.responding_user_id, r.responded_at, r.external_language
        from external_reviewers e
        join accounts a using (account_id)
        left join reviews r on r.account_id = e.account_id and r.review_id = e.review_id
        where e.token_hash = coalesce(
            (select l.first_token_hash from external_reviewer_links l where l.token_hash = $1), $1)
        """,
        token_hash(token),
    )
    if row is None:
        raise Unauthenticated(msg("This link isn't valid. Check that you opened the complete link from the email."))
    return row


def _ensure_link_active(link: Row) -> None:
    if link["ended"] == "deleted":
        raise ReviewLinkDeleted(LINK_DELETED)
    if link["ended"] == "reassigned":
        raise ReviewLinkReassigned(LINK_REASSIGNED, **_page_language(link))
    if _has_expired(link):
        raise ReviewLinkExpired(LINK_EXPIRED, **_page_language(link))
    if link["state"] == "responded":
        raise answered_link_error(link, external_reviewer_id(link["email"]))


def answered_link_error(review: Row, reader_id: str) -> ReviewLinkAnswered:
    """Build what an external reviewer may know about a decided review, and nothing more."""
    return ReviewLinkAnswered(
        review["responding_user"],
        review["responded_at"],
        review["response"],
        by_you=review["responding_user_id"] == reader_id,
        **_page_language(review),
    )


def _page_language(review: Row) -> dict[str, Any]:
    """Return the language that the request chose for its external reviewers, for the page that says why."""
    chosen = review["external_language"]
    return {} if chosen is None else {"language": chosen}


def _has_expired(link: Row) -> bool:
    if link["ended"] is not None:
        return link["ended"] == "expired"
    return link["expired"] and not _was_active_at_decision(link)


def _was_active_at_decision(link: Row) -> bool:
    """Whether the link still worked when the review was decided."""
    return link["state"] == "responded" and link["responded_at"] < link["expires_at"]


def external_reviewer_id(email: str) -> str:
    """Return the ID of an external reviewer in results and in the log."""
    return f"{_ID_PREFIX}{email}"


def is_external_id(identifier: str) -> bool:
    return identifier.startswith(_ID_PREFIX)
