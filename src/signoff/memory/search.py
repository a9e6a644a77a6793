"""Search for responses: the newest ones that meet all conditions.

Facets and the order come from indexes, so a search among a million responses takes no longer than among a few. It scans
the responses of the rarest facet, newest first, and checks the other conditions on each. If no facet narrows the
search, the scan could be as long as the history, so it stops at a limit, and the response says so.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from signoff.memory.filters import Facet, Parameters, expression, facet_of
from signoff.platform.db import Database, Row, json_texts
from signoff.platform.operators import Condition

FIRST_STEP, STEP = 200, 2_000
MAX_SCAN_SECONDS = 5.0
"""Seconds."""
COUNTED = 200
"""How far facets are counted to find the rarest."""


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
    def needs_looking(self) -> bool:
        return bool(self.others or self.conditions)

    def step(self, last: Row | None, size: int) -> tuple[str, list[Any]]:
        """Return the next `size` responses of the scan after `last`, and for each whether it meets all conditions."""
        parameters = Parameters(self.search.account_id, self.search.form_id)
        if self.lead is None:
            walked = "reviews c where c.account_id = $1 and c.form_id = $2 and c.state = 'responded'"
        else:
            walked = f"response_facets c where c.facet = {self.lead.key('$1', '$2', parameters)}"
        if last is not None:
            place = parameters.bind(last["responded_at"], "timestamptz"), parameters.bind(last["review_id"], "text")
            walked += f" and (c.responded_at, c.review_id) < ({place[0]}, {place[1]})"
        # Looked up one by one. With `exists`, the planner may first read everything in the facet into a hash.
        tests = [
            f"""coalesce((select true from response_facets f where f.facet = {facet.key("$1", "$2", parameters)}
                          and f.responded_at = c.responded_at and f.review_id = c.review_id), false)"""  # noqa: S608
            for facet in self.others
        ]
        tests += [f"({expression(condition, 'r.values', parameters)})" for condition in self.conditions]
        # `offset 0` prevents the cast from being repeated in every condition.
        response = """
            join review_results x on x.account_id = $1 and x.review_id = c.review_id
            cross join lateral (select x.response_values::jsonb as values offset 0) as r"""
        statement = f"""
            select c.responded_at, c.review_id, {" and ".join(tests) or "true"} as holds
            from (select c.responded_at, c.review_id from {walked}
                  order by c.responded_at desc, c.review_id desc limit {parameters.bind(size, "integer")}) as c
            {response if self.conditions else ""}
            order by c.responded_at desc, c.review_id desc
        """  # noqa: S608
        return statement, parameters.values


async def search_responses(db: Database, search: ResponseSearch) -> SearchResult:
    plan = await build_plan(db, search)
    if plan.needs_looking:
        return await _scan(db, plan)
    statement, values = plan.step(None, search.limit)
    rows = await db.fetch(statement, *values)
    return SearchResult([row["review_id"] for row in rows], len(rows), complete=True)


async def build_plan(db: Database, search: ResponseSearch) -> SearchPlan:
    facets = [] if search.response is None else [Facet("response", search.response)]
    conditions: list[Condition] = []
    overfull: bool | None = None
    for condition in search.conditions:
        facet = facet_of(condition)
        if facet is not None and facet.listed and overfull is None:
            overfull = await _some_overfull(db, search)
        if facet is None or (facet.listed and overfull):
            conditions.append(condition)
        else:
            facets.append(facet)
    if len(facets) > 1:
        facets = await rarest_first(db, search, facets)
    return SearchPlan(search, facets[0] if facets else None, facets[1:], conditions)


async def _some_overfull(db: Database, search: ResponseSearch) -> bool:
    return await db.fetchval(
        "select exists (select from response_facets where facet = facet($1, $2, 'overfull', 'true'))",
        search.account_id,
        search.form_id,
    )


async def rarest_first(db: Database, search: ResponseSearch, facets: Sequence[Facet]) -> list[Facet]:
    rows = await db.fetch(
        """
        select place, (select count(*) from (
                           select from response_facets f where f.facet = k.key limit $5) as counted) as count
        from (select place, facet($1, $2, path, value::jsonb) as key
              from unnest($3::text[], $4::text[]) with ordinality as asked (path, value, place) offset 0) as k
        order by count, place
        """,
        search.account_id,
        search.form_id,
        [facet.path for facet in facets],
        json_texts(facet.value for facet in facets),
        COUNTED,
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


async def _fetch_within(db: Database, seconds: float, statement: str, values: Sequence[Any]) -> list[Row]:
    async with db.transaction() as tx:
        # In whole milliseconds, at least one: zero would mean no limit.
        await tx.execute("select set_config('statement_timeout', $1, true)", f"{math.ceil(seconds * 1000)}ms")
        return await tx.fetch(statement, *values)
