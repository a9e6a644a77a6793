"""Requests in a period: reviews by creation time, whatever happened to them."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from signoff.insights.coverage import QUARTER
from signoff.insights.period import Period
from signoff.insights.query import SELECTED, InsightsQuery
from signoff.platform.sql import Sql

# `offset 0` makes the planner read each range with the index.
_REQUESTED = Sql(
    """
    select requested.* from unnest(
        :begins::timestamptz[], :ends::timestamptz[], :begin_ids::text[], :end_ids::text[]
    ) as computed (range_begin, range_end, range_begin_id, range_end_id)
    cross join lateral (
        select agent_id, form_id, date_bin('15 minutes', created_at, 'epoch') as quarter from reviews
        where {selected} and review_id >= range_begin_id and review_id < range_end_id
          and created_at >= range_begin and created_at < range_end offset 0
    ) as requested
    """,
    selected=SELECTED,
)

ROLL_UP_REQUESTS = Sql(
    """
    insert into insight_requests (account_id, start, agent_id, form_id, requested)
    select :account_id, quarter, agent_id, form_id, count(*) from ({requested}) as requested
    group by quarter, agent_id, form_id
    """,
    requested=_REQUESTED,
)

_STATISTICS = Sql(
    """
    select start, agent_id, form_id, requested from insight_requests
    where {selected} and start >= :covered_from and start < :covered_until
      and date_bin('1 day', start, 'epoch') <> all(:changed::timestamptz[])
    union all
    select quarter, agent_id, form_id, 1 from ({requested}) as requested
    """,
    selected=SELECTED,
    requested=_REQUESTED,
)

COUNT_REQUESTS = Sql(
    """
    select grouping(bucket, quarter, agent_id, form_id) as by, bucket, quarter, agent_id, form_id,
           sum(requested) as count
    from (select *, width_bucket(start, :starts::timestamptz[]) as bucket, start as quarter
          from ({statistics}) as statistics) as placed
    group by grouping sets ((bucket), (quarter), (agent_id), (form_id))
    """,
    statistics=_STATISTICS,
)

COUNT_ALL_REQUESTS = Sql(
    "select coalesce(sum(requested), 0) as count from ({statistics}) as statistics", statistics=_STATISTICS
)


@dataclass(slots=True)
class Requests:
    total: int = 0
    buckets: dict[int, int] = field(default_factory=dict[int, int])
    agents: dict[str, int] = field(default_factory=dict[str, int])
    forms: dict[str, int] = field(default_factory=dict[str, int])
    quarters: dict[datetime, int] = field(default_factory=dict[datetime, int])


async def count_requests(question: InsightsQuery, period: Period) -> Requests:
    rows = await question.fetch(COUNT_REQUESTS, **_split(question, period), starts=period.starts())
    requests = Requests()
    for row in rows:
        match row["by"]:
            case 0b0111:
                requests.buckets[row["bucket"]] = row["count"]
                requests.total += row["count"]
            case 0b1011:
                requests.quarters[row["quarter"]] = row["count"]
            case 0b1101:
                requests.agents[row["agent_id"]] = row["count"]
            case _:
                requests.forms[row["form_id"]] = row["count"]
    return requests


async def count_all_requests(question: InsightsQuery, period: Period) -> int:
    rows = await question.fetch(COUNT_ALL_REQUESTS, **_split(question, period))
    return rows[0]["count"]


def _split(question: InsightsQuery, period: Period) -> dict[str, Any]:
    return question.coverage.split("requests", period.begin, period.end, QUARTER).parameters("rev")
