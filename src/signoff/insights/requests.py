"""Requests in a period: reviews by creation time, whatever happened to them."""

from dataclasses import dataclass, field
from datetime import datetime

from signoff.insights.period import Period
from signoff.insights.query import SELECTED, InsightsQuery
from signoff.platform.sql import Sql

_REQUESTED = Sql(
    """
    select agent_id, form_id, created_at from reviews
    where {selected} and review_id >= :begin_id and review_id < :end_id and created_at >= :begin and created_at < :end
    """,
    selected=SELECTED,
)

COUNT_REQUESTS = Sql(
    """
    select grouping(bucket, quarter, agent_id, form_id) as by, bucket, quarter, agent_id, form_id, count(*)
    from (select agent_id, form_id, width_bucket(created_at, :starts::timestamptz[]) as bucket,
                 date_bin('15 minutes', created_at, 'epoch') as quarter
          from ({requested}) as requested) as placed
    group by grouping sets ((bucket), (quarter), (agent_id), (form_id))
    """,
    requested=_REQUESTED,
)

COUNT_ALL_REQUESTS = Sql("select count(*) from ({requested}) as requested", requested=_REQUESTED)


@dataclass(slots=True)
class Requests:
    total: int = 0
    buckets: dict[int, int] = field(default_factory=dict[int, int])
    agents: dict[str, int] = field(default_factory=dict[str, int])
    forms: dict[str, int] = field(default_factory=dict[str, int])
    quarters: dict[datetime, int] = field(default_factory=dict[datetime, int])


async def count_requests(question: InsightsQuery, period: Period) -> Requests:
    rows = await question.fetch(COUNT_REQUESTS, **question.created_in("rev", period), starts=period.starts())
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
    rows = await question.fetch(COUNT_ALL_REQUESTS, **question.created_in("rev", period))
    return rows[0]["count"]
