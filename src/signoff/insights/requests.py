"""Requests in a period: reviews by creation time, whatever happened to them."""

from dataclasses import dataclass, field
from datetime import datetime

from signoff.insights.period import Period
from signoff.insights.query import InsightsQuery

_REQUESTED = """
    select agent_id, form_id, created_at from reviews
    where account_id = $1 and ($2::text is null or agent_id = $2) and ($3::text is null or form_id = $3)
      and review_id >= $4 and review_id < $5 and created_at >= $6 and created_at < $7
"""


@dataclass(slots=True)
class Requests:
    total: int = 0
    buckets: dict[int, int] = field(default_factory=dict[int, int])
    agents: dict[str, int] = field(default_factory=dict[str, int])
    forms: dict[str, int] = field(default_factory=dict[str, int])
    quarters: dict[datetime, int] = field(default_factory=dict[datetime, int])


async def count_requests(question: InsightsQuery, period: Period) -> Requests:
    rows = await question.fetch(
        f"""
        select grouping(bucket, quarter, agent_id, form_id) as by, bucket, quarter, agent_id, form_id, count(*)
        from (select agent_id, form_id, width_bucket(created_at, $8::timestamptz[]) as bucket,
                     date_bin('15 minutes', created_at, 'epoch') as quarter
              from ({_REQUESTED}) as requested) as placed
        group by grouping sets ((bucket), (quarter), (agent_id), (form_id))
        """,  # noqa: S608
        *question.ids("rev", period),
        period.begin,
        period.end,
        period.starts(),
    )
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


async def number_of_requests(question: InsightsQuery, period: Period) -> int:
    rows = await question.fetch(
        f"select count(*) from ({_REQUESTED}) as requested",  # noqa: S608
        *question.ids("rev", period),
        period.begin,
        period.end,
    )
    return rows[0]["count"]
