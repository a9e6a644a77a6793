"""Background jobs of reviews."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, cast

from signoff.platform.db import Database, Executor
from signoff.platform.idempotency import KEY_LIFETIME
from signoff.platform.sql import Rows, Sql

INDEX_REVIEW_JOB = "reviews.index"
MAX_DOCUMENT_LENGTH = 100_000
MAX_INDEXED_AT_ONCE = 20
"""Their content is in memory together, and no one can decide or delete one of them while the others are indexed."""


@dataclass(frozen=True, slots=True)
class _Subject:
    account_id: str
    review_id: str


@dataclass(frozen=True, slots=True)
class _Document:
    account_id: str
    review_id: str
    words: str


# `offset 0` makes the planner look up each review by its ID: with a join, it may scan a table that has grown a lot.
_READ: Final = Sql(
    """
    select s.account_id, s.review_id, found.title, found.data
    from {subjects} s cross join lateral (
        select r.title, v.data from reviews r join review_revisions v using (account_id, review_id, revision)
        where r.account_id = s.account_id and r.review_id = s.review_id offset 0
    ) as found
    """,
    subjects=Rows("subjects", _Subject),
)

# Locked in order, so that two batches with the same reviews can't block each other.
_WRITE: Final = Sql(
    """
    insert into review_search (account_id, review_id, document)
    select found.account_id, found.review_id, to_tsvector('simple', d.words)
    from {documents} d cross join lateral (
        select account_id, review_id from reviews
        where account_id = d.account_id and review_id = d.review_id for key share offset 0
    ) as found
    on conflict (account_id, review_id) do update set document = excluded.document
    """,
    documents=Rows("documents", _Document),
)


async def index_reviews(db: Executor, subjects: Sequence[str]) -> list[None]:
    """Index the titles and texts of reviews for search. Each subject is `<account>/<review>`. Reviews that were
    deleted in the meantime are skipped.
    """
    reviews = [_Subject(*subject.split("/", 1)) for subject in sorted(set(subjects))]
    for start in range(0, len(reviews), MAX_INDEXED_AT_ONCE):
        documents = [
            _Document(row["account_id"], row["review_id"], _words(row["title"], row["data"]))
            for row in await _READ.fetch(db, subjects=reviews[start : start + MAX_INDEXED_AT_ONCE])
        ]
        documents.sort(key=attrgetter("account_id", "review_id"))
        await _WRITE.execute(db, documents=documents)
    return [None] * len(subjects)


def _words(title: str | None, data: Any) -> str:
    return " ".join(text for text in (title or "", *_texts(data)))[:MAX_DOCUMENT_LENGTH]


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
