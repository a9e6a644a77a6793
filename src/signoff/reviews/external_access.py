"""Links for external reviewers: new reviewers get their first one, those who stay get another one.

Only hashes of tokens are stored, so a link that was sent can't be shown again. Instead, a reviewer who is notified of
new content gets an additional token; the earlier ones keep working, and all of them end together.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, cast

from signoff.accounts.context import Caller
from signoff.platform.clock import now
from signoff.platform.db import Executor, Row
from signoff.platform.idempotency import Idempotency
from signoff.platform.settings import Settings
from signoff.platform.tokens import new_token, token_hash
from signoff.reviews.urls import external_review_url


@dataclass(frozen=True, slots=True)
class NewExternalLinks:
    """A new token for each email, and their expiry."""

    tokens: Mapping[str, str]
    until: datetime

    def to_json(self, settings: Settings, review_id: str) -> list[dict[str, str]]:
        """Return the links in the format of `extReviewerLinks`."""
        return [
            {"email": email, "link": external_review_url(settings, review_id, token)}
            for email, token in self.tokens.items()
        ]


def new_links(settings: Settings, emails: Sequence[str]) -> NewExternalLinks:
    return NewExternalLinks({email: new_token("ext") for email in emails}, _link_expiry(settings))


def requested_links(caller: Caller, emails: Sequence[str], idempotency: Idempotency | None) -> NewExternalLinks:
    """Create the links for a response to a request. With an idempotency key, the same caller can get the same links
    again.
    """
    if idempotency is None:
        return new_links(caller.settings, emails)
    tokens = {email: _derived_token(caller, idempotency.salt, email) for email in emails}
    return NewExternalLinks(tokens, _link_expiry(caller.settings))


def _link_expiry(settings: Settings) -> datetime:
    return now() + timedelta(days=settings.external_link_days)


def _derived_token(caller: Caller, salt: bytes, email: str) -> str:
    """Derive a token. It's as hard to guess as the caller's own credentials, without which nobody can derive it."""
    digest = hmac.digest(caller.secret, salt + email.encode(), "sha256")
    return f"ext_{urlsafe_b64encode(digest).decode().rstrip('=')}"


LINKS: Final = "extReviewerLinks"


def without_links(answer: dict[str, Any], idempotency: Idempotency) -> dict[str, Any]:
    """Return a response to store for its idempotency key: the input from which the links are derived replaces the
    links.
    """
    if not answer.get(LINKS):
        return answer
    emails = [link["email"] for link in answer[LINKS]]
    return {**answer, LINKS: {"salt": idempotency.salt.hex(), "emails": emails}}


def with_links(caller: Caller, stored: dict[str, Any]) -> dict[str, Any]:
    """Return the stored response with its links, for the original caller."""
    links = stored.get(LINKS)
    if not isinstance(links, dict):
        return stored
    derived = cast(dict[str, Any], links)
    tokens = {email: _derived_token(caller, bytes.fromhex(derived["salt"]), email) for email in derived["emails"]}
    shown = NewExternalLinks(tokens, _link_expiry(caller.settings)).to_json(caller.settings, stored["reviewId"])
    return {**stored, LINKS: shown}


async def insert_external_reviewers(tx: Executor, review: Row, links: NewExternalLinks) -> None:
    """Insert reviewers who aren't assigned yet, or no longer are."""
    await tx.execute(
        """
        insert into external_reviewers (account_id, review_id, email, token_hash, expires_at)
        select $1, $2, e.email, e.token_hash, $5 from unnest($3::text[], $4::bytea[]) as e (email, token_hash)
        """,
        review["account_id"],
        review["review_id"],
        list(links.tokens),
        [token_hash(token) for token in links.tokens.values()],
        links.until,
    )


async def find_external_reviewers(tx: Executor, review: Row) -> list[str]:
    """Return the emails of the assigned external reviewers, whether or not their links have expired."""
    rows = await tx.fetch(
        """
        select email from external_reviewers where account_id = $1 and review_id = $2 and ended is null order by email
        """,
        review["account_id"],
        review["review_id"],
    )
    return [row["email"] for row in rows]


async def add_links(tx: Executor, review: Row, links: NewExternalLinks) -> None:
    """Add another link for reviewers who are already assigned. `review` must be locked.

    A reviewer whose earlier links have expired starts over, so that those stay invalid. For the others, all links are
    extended.
    """
    place = (review["account_id"], review["review_id"])
    expired = await tx.fetch(
        """
        update external_reviewers set ended = 'expired', ended_at = now()
        where account_id = $1 and review_id = $2 and ended is null and expires_at <= now() and email = any($3::text[])
        returning email
        """,
        *place,
        list(links.tokens),
    )
    anew = {row["email"] for row in expired}
    await insert_external_reviewers(
        tx,
        review,
        NewExternalLinks({email: token for email, token in links.tokens.items() if email in anew}, links.until),
    )
    further = {email: token for email, token in links.tokens.items() if email not in anew}
    await tx.execute(
        """
        with reviewer as (
            update external_reviewers e set expires_at = greatest(e.expires_at, $5)
            from unnest($3::text[], $4::bytea[]) as l (email, token_hash)
            where e.account_id = $1 and e.review_id = $2 and e.ended is null and e.email = l.email
            returning l.token_hash, e.token_hash as first_token_hash
        )
        insert into external_reviewer_links (token_hash, first_token_hash)
        select token_hash, first_token_hash from reviewer
        """,
        *place,
        list(further),
        [token_hash(token) for token in further.values()],
        links.until,
    )
