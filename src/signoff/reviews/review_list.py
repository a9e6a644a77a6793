"""Lists of reviews: a page takes the same time among a million reviews as among a few.

Filters that one index covers are scanned along it. For others, reviews are checked one by one in batches: the page ends
when it's full, or after `MAX_SCANNED` reviews. Then it may be short or even empty, and its cursor continues where the
search ended.

Search words start the same way: common ones fill a page from the newest few reviews. If they don't, the search index is
queried for all matches, within a time limit; if there are too many even for that, reviews are checked one by one as
above.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

import asyncpg

from signoff.platform.clock import iso
from signoff.platform.db import Database, Executor, Row
from signoff.platform.json_values import JsonObject
from signoff.platform.sql import Sql
from signoff.platform.text_search import index_query
from signoff.reviews.filters import ResolvedFilters
from signoff.reviews.index_scans import (
    FilterShape,
    build_index_scan,
    conditions_without_words,
    filter_shape,
    filter_values,
)
from signoff.reviews.schemas import ReviewRow

PORTIONS: Final = (300, 2_000)
LAST_PORTION: Final = 8_000
MAX_SCANNED: Final = sum(PORTIONS) + LAST_PORTION
INDEX_TIME_MS: Final = 250
"""Time limit for the search index, in milliseconds."""

# Named like the members of `ReviewRow`. A row keeps its `due_action` after the deadline and while it's paused.
LIST_COLUMNS: Final = """
    r.review_id, r.agent_id, r.session_id, r.form_id, r.form_name, r.title, r.revision, r.state, r.retry_requested,
    r.auto_approved, nullif(r.timed_out, false) as timed_out,
    r.due_at, case when r.due_at is not null then r.due_action end as due_action, r.reminded_at,
    r.response, r.responding_user, r.responded_at, r.run_id as workflow_run_id, r.batch_id, r.created_at, r.updated_at,
    r.taken_by,
    case when r.assigned then array(
        select a.assignee_id from review_assignees a
        where a.account_id = r.account_id and a.review_id = r.review_id order by a.assignee_id
    ) else '{}' end as assignee_ids,
    r.assigned and exists (
        select from external_reviewers e
        where e.account_id = r.account_id and e.review_id = r.review_id and e.ended is null
    ) as external
"""
_MEMBERS: Final = [(name, field.alias or name) for name, field in ReviewRow.model_fields.items()]
SELECT_REVIEWS: Final = Sql(
    "select {columns} from reviews r where r.account_id = :account_id and r.review_id = any(:review_ids::text[])",
    columns=LIST_COLUMNS,
)
# A review that was found, if it meets the remaining conditions. `offset 0` prevents the planner from turning it into
# one join. For an account that it believes to be small, because it has grown a lot since its last statistics, it would
# scan the whole account for each review.
REVIEW_OF: Final = """
    select {columns} from reviews r
    where r.account_id = :account_id and r.review_id = {base}.review_id and {conditions} offset 0
"""


@dataclass(frozen=True, slots=True)
class ReviewPage:
    items: list[JsonObject]
    """Each as a `ReviewRow` is sent."""
    next_cursor: str | None


async def list_reviews(
    db: Database, account_id: str, selection: ResolvedFilters, after: str | None, limit: int
) -> ReviewPage:
    """List reviews by ID, which is by creation time."""
    if selection.is_empty:
        return _page([], limit, None)
    rows: list[Row] = []
    for portion in PORTIONS:
        next_rows, after, at_the_end = await _read_portion(
            db, account_id, selection, after, limit + 1 - len(rows), portion
        )
        rows += next_rows
        if len(rows) > limit or at_the_end:
            return _page(rows, limit, None)
    if selection.words is not None and after is not None:
        next_rows = await _query_index(db, account_id, selection, after, limit + 1 - len(rows))
        if next_rows is not None:
            return _page([*rows, *next_rows], limit, None)
    next_rows, after, at_the_end = await _read_portion(
        db, account_id, selection, after, limit + 1 - len(rows), LAST_PORTION
    )
    return _page([*rows, *next_rows], limit, None if at_the_end else after)


async def review_rows(db: Executor, account_id: str, review_ids: Sequence[str]) -> dict[str, JsonObject]:
    """Return existing reviews by ID, each as a `ReviewRow` is sent."""
    rows = await SELECT_REVIEWS.fetch(db, account_id=account_id, review_ids=review_ids)
    return {row["review_id"]: _to_json(row) for row in rows}


async def _read_portion(
    db: Executor, account_id: str, selection: ResolvedFilters, after: str | None, wanted: int, portion: int
) -> tuple[list[Row], str | None, bool]:
    """Check the next `portion` reviews, or `wanted` ones if the scan covers all filters. Returns the matches, where
    the search ended, and whether that is the end of all.
    """
    shape = filter_shape(selection, after)
    statement = _portion_statement(shape)
    most = wanted if build_index_scan(shape).rest is None else portion
    values = filter_values(account_id, selection, after) | {"most": most, "wanted": wanted}
    rows = await statement.fetch(db, **statement.pick(values))
    rows_found = [row for row in rows if row["review_id"] is not None]
    return rows_found, rows[0]["last"] or after, rows[0]["looked_at"] < most


@lru_cache(maxsize=1_000)
def _portion_statement(shape: FilterShape) -> Sql[Row]:
    scan = build_index_scan(shape)
    return Sql(
        """
        with scanned as materialized ({scan})
        select ended.looked_at, ended.last, found.*
        from (select count(*) as looked_at, {last}(review_id) as last from scanned) as ended
        left join lateral (
            select kept.* from scanned s cross join lateral ({review}) as kept
            order by s.review_id {order} limit :wanted
        ) as found on true
        order by found.review_id {order}
        """,
        scan=scan.sql,
        last="max" if shape.oldest_first else "min",
        review=Sql(REVIEW_OF, base="s", columns=LIST_COLUMNS, conditions=scan.rest or "true"),
        order=shape.order,
    )


async def _query_index(
    db: Database, account_id: str, selection: ResolvedFilters, after: str, wanted: int
) -> list[Row] | None:
    """Return the next matches among all reviews; None if that takes too long."""
    statement = _index_statement(filter_shape(selection, after), index_query(selection.words or ""))
    values = filter_values(account_id, selection, after) | {"wanted": wanted}
    try:
        async with db.transaction() as tx:
            await tx.execute(f"set local statement_timeout = {INDEX_TIME_MS}")
            return await statement.fetch(tx, **statement.pick(values))
    except asyncpg.QueryCanceledError:
        return None


@lru_cache(maxsize=1_000)
def _index_statement(shape: FilterShape, index_query: Sql[Row]) -> Sql[Row]:
    assert shape.query is not None
    return Sql(
        """
        with matching as materialized (
            select s.review_id from review_search s
            where s.account_id = :account_id and s.document @@ {index_query} and {after}
              and (s.document @@ {query}) is true
        )
        select found.* from (select review_id from matching order by review_id {order}) as m
        cross join lateral ({review}) as found
        order by m.review_id {order} limit :wanted
        """,
        index_query=index_query,
        query=shape.query,
        after=shape.after,
        review=Sql(REVIEW_OF, base="m", columns=LIST_COLUMNS, conditions=conditions_without_words(shape)),
        order=shape.order,
    )


def _page(rows: Sequence[Row], limit: int, looked_until: str | None) -> ReviewPage:
    """Build the page. `rows` has one more than `limit` if there are more."""
    items = [_to_json(row) for row in rows[:limit]]
    return ReviewPage(items, rows[limit - 1]["review_id"] if len(rows) > limit else looked_until)


def _to_json(row: Row) -> JsonObject:
    """Return the row as a `ReviewRow` is sent. The model would take several times as long."""
    return {
        alias: iso(value) if type(value) is datetime else value
        for name, alias in _MEMBERS
        if (value := row[name]) is not None
    }
