"""Search for responses: the newest ones that meet all conditions.

Facets and the order come from indexes, so a search among a million responses takes no longer than among a few. It scans
the responses of the rarest facet, newest first, and checks the other conditions on each. If no facet narrows the
search, the scan could be as long as the history, so it stops at a limit, and the response says so.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, LiteralString

import asyncpg

from signoff.memory.filters import Facet, Parameters, build_facet, expression
from signoff.platform.db import Database, Row
from signoff.platform.operators import Condition
from signoff.platform.sql import Sql, all_of
from signoff.reviews.facets import overfull_key

FIRST_STEP, STEP = 200, 2_000
MAX_SCAN_SECONDS = 5.0
"""Seconds."""
COUNTED = 200
"""How far facets are counted to find the rarest."""

# The next responses of a scan, newest first, and for each whether it meets all conditions.
SCAN: Final = """
    select c.responded_at, c.review_id, {tests} as holds
    from (select c.responded_at, c.review_id from {scanned} and {after}
          order by c.responded_at desc, c.review_id desc limit :size::integer) as c
    {response}
    order by c.responded_at desc, c.review_id desc
"""
ALL_RESPONSES: Final = "reviews c where c.account_id = :account_id and c.form_id = :form_id and c.state = 'responded'"
WITH_FACET: Final = "response_facets c where c.facet = {key}"
AFTER: Final = "(c.responded_at, c.review_id) < (:after_at::timestamptz, :after_id::text)"
# Looked up one by one. With `exists`, the planner may first read everything in the facet into a hash.
HAS_FACET: Final = """
    coalesce((select true from response_facets f where f.facet = {key}
              and f.responded_at = c.responded_at and f.review_id = c.review_id), false)
"""
# `offset 0` prevents the cast from being repeated in every condition.
RESPONSE: Final = """
    join review_results x on x.account_id = :account_id and x.review_id = c.review_id
    cross join lateral (select x.response_values::jsonb as values offset 0) as r
"""

IS_OVERFULL: Final = Sql("select exists (select from response_facets where facet = :key)")
COUNT_FACETS: Final = Sql(
    """
    select place, (select count(*) from (
                       select from response_facets f where f.facet = k.key limit :most) as counted) as count
    from unnest(:keys::bytea[]) with ordinality as k (key, place)
    order by count, place
    """
)


@dataclass(frozen=True, slots=True)
class ResponseSearch:
    account_id: str
    form_id: str
    response: str | None
    conditions: Sequence[Condition]
    limit: int
    most_looked_at: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    review_ids: list[str]
    """Newest first."""
    looked_at: int
    complete: bool
    """False if the scan reached its limit, so there may be more."""


@dataclass(frozen=True, slots=True)
class SearchPlan:
    search: ResponseSearch
    lead: Facet | None
    others: list[Facet]
    conditions: list[Condition]
    """The conditions that aren't facets."""

    @property
    def needs_filtering(self) -> bool:
        return bool(self.others or self.conditions)

    def step(self, last: Row | None, size: int) -> tuple[Sql[Row], dict[str, Any]]:
        """Return the next `size` responses of the scan after `last`, and for each whether it meets all conditions.
        The values are those of the statement's parameters.
        """
        parameters = Parameters()
        statement = Sql(
            SCAN,
            scanned=ALL_RESPONSES if self.lead is None else Sql(WITH_FACET, key=self._bind(self.lead, parameters)),
            after="true" if last is None else AFTER,
            tests=all_of(
                [Sql(HAS_FACET, key=self._bind(facet, parameters)) for facet in self.others]
                + [Sql("({test})", test=expression(each, "r.values", parameters)) for each in self.conditions]
            ),
            response=RESPONSE if self.conditions else "",
        )
        values = parameters.values | {
            "account_id": self.search.account_id,
            "form_id": self.search.form_id,
            "size": size,
            "after_at": last and last["responded_at"],
            "after_id": last and last["review_id"],
        }
        return statement, statement.pick(values)

    def _bind(self, facet: Facet, parameters: Parameters) -> LiteralString:
        """Return the key as a subquery, so that one plan serves all keys."""
        return f"(select {parameters.bind(facet.key(self.search.account_id, self.search.form_id), 'bytea')})"


async def search_responses(db: Database, search: ResponseSearch) -> SearchResult:
    plan = await build_plan(db, search)
    if plan.needs_filtering:
        return await _scan(db, plan)
    statement, values = plan.step(None, search.limit)
    rows = await statement.fetch(db, **values)
    return SearchResult([row["review_id"] for row in rows], len(rows), complete=True)


async def build_plan(db: Database, search: ResponseSearch) -> SearchPlan:
    facets = [] if search.response is None else [Facet("response", search.response)]
    conditions: list[Condition] = []
    overfull: bool | None = None
    for condition in search.conditions:
        facet = build_facet(condition)
        if facet is not None and facet.listed and overfull is None:
            overfull = await _has_overfull(db, search)
        if facet is None or (facet.listed and overfull):
            conditions.append(condition)
        else:
            facets.append(facet)
    if len(facets) > 1:
        facets = await sort_by_rarity(db, search, facets)
    return SearchPlan(search, facets[0] if facets else None, facets[1:], conditions)


async def _has_overfull(db: Database, search: ResponseSearch) -> bool:
    return await IS_OVERFULL.fetch_value(db, key=overfull_key(search.account_id, search.form_id))


async def sort_by_rarity(db: Database, search: ResponseSearch, facets: Sequence[Facet]) -> list[Facet]:
    rows = await COUNT_FACETS.fetch(
        db,
        keys=[facet.key(search.account_id, search.form_id) for facet in facets],
        most=COUNTED,
    )
    return [facets[row["place"] - 1] for row in rows]


async def _scan(db: Database, plan: SearchPlan) -> SearchResult:
    search = plan.search
    review_ids: list[str] = []
    looked_at = 0
    last: Row | None = None
    until = time.monotonic() + MAX_SCAN_SECONDS
    while looked_at < search.most_looked_at and (left := until - time.monotonic()) > 0:
        size = min(STEP if looked_at else FIRST_STEP, search.most_looked_at - looked_at)
        try:
            rows = await _fetch_within(db, left, *plan.step(last, size))
        except asyncpg.QueryCanceledError:
            break
        looked_at += len(rows)
        review_ids += [row["review_id"] for row in rows if row["holds"]]
        if len(review_ids) >= search.limit or len(rows) < size:
            return SearchResult(review_ids[: search.limit], looked_at, complete=True)
        last = rows[-1]
    return SearchResult(review_ids, looked_at, complete=False)


async def _fetch_within(db: Database, seconds: float, statement: Sql[Row], values: dict[str, Any]) -> list[Row]:
    async with db.transaction() as tx:
        # In whole milliseconds, at least one: zero would mean no limit.
        await tx.execute("select set_config('statement_timeout', $1, true)", f"{math.ceil(seconds * 1000)}ms")
        return await statement.fetch(tx, **values)
