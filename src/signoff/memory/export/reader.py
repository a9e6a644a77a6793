"""Read the reviews of an export, oldest decision first, a few at a time.

Each batch is a short query of its own, so that a slow client doesn't hold a transaction open. Batches are limited by
size, which the database knows without decompressing anything: it first reads a page of positions and sizes, then the
content in batches. A review that is deleted in between is left out.
"""

from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from signoff.forms.versions import FormVersion, get_form_version
from signoff.memory.export.cursor import Position
from signoff.memory.export.query_params import Export
from signoff.memory.responses import suggested_values
from signoff.platform.db import Executor, Row
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.sql import Sql

PAGE = 500
PORTION_REVIEWS, PORTION_BYTES = 100, 256 * 1024
"""Bytes as stored, which are compressed for large values."""


@dataclass(frozen=True, slots=True)
class _Place:
    responded_at: datetime
    review_id: str
    size: int


@cache
def _select_places(condition: Sql[Row]) -> Sql[_Place]:
    return Sql(
        """
        select r.responded_at, r.review_id,
               pg_column_size(v.data) + coalesce(pg_column_size(v.config), 0) + coalesce(pg_column_size(v.meta), 0)
               + pg_column_size(x.response_values) as size
        from reviews r
        join review_revisions v using (account_id, review_id, revision)
        join review_results x using (account_id, review_id)
        where {condition}
          and (r.responded_at, r.review_id) > (:after_at, :after_id)
          and (r.responded_at, r.review_id) <= (:until_at, :until_id)
        order by r.responded_at, r.review_id limit {page}
        """,
        _Place,
        condition=condition,
        page=PAGE,
    )


SELECT_REVIEWS = Sql(
    """
    select r.review_id, r.session_id, r.form_id, r.form_version, r.revision, r.created_at, r.responded_at, r.response,
           r.auto_approved, v.data, v.config, v.meta, x.response_values
    from reviews r
    join review_revisions v using (account_id, review_id, revision)
    join review_results x using (account_id, review_id)
    where r.account_id = :account_id and r.review_id = any(:review_ids::text[]) order by r.responded_at, r.review_id
    """
)


@dataclass(frozen=True, slots=True)
class DecidedReview:
    """A decided review."""

    position: Position
    session_id: str
    revision: int
    created_at: datetime
    response: str | None
    """None for a trigger form."""
    auto_approved: bool
    form: FormVersion
    suggested: JsonObject
    """By field ID, for every field that the review showed."""
    entries: JsonObject
    """The `responseValues`."""
    meta: "JsonObject | None"

    @property
    def review_id(self) -> str:
        return self.position.review_id

    def approved(self, field_id: str) -> Json:
        """Return a field's approved value; None if it's hidden or empty, and always for a rejected review."""
        entry = self.entries.get(field_id) if self.response != "rejected" else None
        return entry["value"] if isinstance(entry, dict) else None


async def read_decided(db: Executor, export: Export) -> AsyncGenerator[list[DecidedReview]]:
    after = export.after
    while places := await _read_places(db, export, after):
        for portion in _split(places):
            yield await read_reviews(db, export.account_id, portion)
        after = Position(places[-1].responded_at, places[-1].review_id)


async def _read_places(db: Executor, export: Export, after: Position) -> list[_Place]:
    return await _select_places(export.condition).fetch(
        db,
        account_id=export.account_id,
        form_id=export.form_id,
        after_at=after.responded_at,
        after_id=after.review_id,
        until_at=export.until.responded_at,
        until_id=export.until.review_id,
    )


def _split(places: Sequence[_Place]) -> Iterator[list[str]]:
    portion: list[str] = []
    size = 0
    for place in places:
        if portion and (len(portion) == PORTION_REVIEWS or size + place.size > PORTION_BYTES):
            yield portion
            portion, size = [], 0
        portion.append(place.review_id)
        size += place.size
    yield portion


async def read_reviews(db: Executor, account_id: str, review_ids: Sequence[str]) -> list[DecidedReview]:
    """Return the reviews sorted by decision time."""
    rows = await SELECT_REVIEWS.fetch(db, account_id=account_id, review_ids=review_ids)
    return [_to_decided_review(row, await get_form_version(db, row["form_id"], row["form_version"])) for row in rows]


def _to_decided_review(row: Row, form: FormVersion) -> DecidedReview:
    return DecidedReview(
        position=Position(row["responded_at"], row["review_id"]),
        session_id=row["session_id"],
        revision=row["revision"],
        created_at=row["created_at"],
        response=row["response"],
        auto_approved=row["auto_approved"],
        form=form,
        suggested=suggested_values(form, row["review_id"], row["data"], row["config"]),
        entries=row["response_values"],
        meta=row["meta"],
    )
