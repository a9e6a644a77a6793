"""Background jobs of reviews."""

from collections.abc import Iterator
from typing import Any, cast

from signoff.platform.db import Database, Executor
from signoff.platform.idempotency import KEY_LIFETIME
from signoff.platform.sql import Sql

INDEX_REVIEW_JOB = "reviews.index"
MAX_DOCUMENT_LENGTH = 100_000


async def index_review(db: Executor, subject: str) -> None:
    """Index the review's title and texts for search. `subject` is `<account>/<review>`."""
    account_id, _, review_id = subject.partition("/")
    row = await db.fetchrow(
        """
        select r.title, v.data from reviews r join review_revisions v using (account_id, review_id, revision)
        where r.account_id = $1 and r.review_id = $2
        """,
        account_id,
        review_id,
    )
    if row is None:
        return  # deleted in the meantime
    words = " ".join(text for text in (row["title"] or "", *_texts(row["data"])))[:MAX_DOCUMENT_LENGTH]
    await db.execute(
        """
        insert into review_search (account_id, review_id, document)
        select account_id, review_id, to_tsvector('simple', $3) from reviews
        where account_id = $1 and review_id = $2 for key share
        on conflict (account_id, review_id) do update set document = excluded.document
        """,
        account_id,
        review_id,
        words,
    )


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in the data, except for URLs and encoded files, which nobody would search for."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            if not item.startswith(("http://", "https://", "data:")) and (len(item) < 2000 or " " in item[:2000]):
                yield item
        elif isinstance(item, dict):
            stack += reversed(list(cast(dict[str, Any], item).values()))
        elif isinstance(item, list):
            stack += reversed(cast(list[Any], item))


DELETE_KEYS = Sql("delete from idempotency_keys where created_at < now() - {lifetime}", lifetime=KEY_LIFETIME)


async def delete_expired_rows(db: Database) -> None:
    await DELETE_KEYS.execute(db)
    # Ended links are kept for a month after their expiry, so that whoever opens one learns why it ended.
    await db.execute(
        "delete from external_reviewers where ended is not null and expires_at < now() - interval '30 days'"
    )
