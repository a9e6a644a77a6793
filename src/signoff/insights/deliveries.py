"""Webhook statistics: the current status of the deliveries of a period's events."""

from collections import Counter
from datetime import datetime

from signoff.insights.period import Period
from signoff.insights.query import SELECTED, InsightsQuery
from signoff.insights.schemas import DeliveryHealth, DeliveryPoint
from signoff.platform.clock import iso
from signoff.platform.sql import Sql
from signoff.webhooks.delivery_status import STATUS

# Everything else about a delivery is read from its message, so an index with the IDs is enough.
COUNT_DELIVERIES = Sql(
    """
    select grouping(milliseconds) as by, bucket, status, first_try, milliseconds, count(*)
    from (select width_bucket(o.created_at, :starts::timestamptz[]) as bucket, {status} as status,
                 coalesce(o.first_ok, false) as first_try, o.duration_ms as milliseconds
          from (
              select delivery_id from deliveries
              where {selected} and delivery_id >= :begin_id and delivery_id < :end_id
          ) as d join outgoing_messages o on o.message_id = d.delivery_id
          where o.created_at >= :begin and o.created_at < :end) as placed
    group by grouping sets ((bucket, status, first_try), (milliseconds))
    """,
    status=STATUS,
    selected=SELECTED,
)


async def count_deliveries(question: InsightsQuery, period: Period, starts: list[datetime]) -> DeliveryHealth:
    rows = await question.fetch(COUNT_DELIVERIES, **question.created_in("whd", period), starts=starts)
    statuses: Counter[str] = Counter()
    succeeded: Counter[int] = Counter()
    failed: Counter[int] = Counter()
    durations: Counter[int] = Counter()
    first_try = 0
    for row in rows:
        if row["by"] == 0:
            if row["milliseconds"] is not None:
                durations[row["milliseconds"]] = row["count"]
            continue
        statuses[row["status"]] += row["count"]
        if row["status"] == "succeeded":
            succeeded[row["bucket"]] += row["count"]
            first_try += row["count"] if row["first_try"] else 0
        elif row["status"] in ("retrying", "dead"):
            failed[row["bucket"]] += row["count"]
    return DeliveryHealth(
        total=statuses.total(),
        succeeded=statuses["succeeded"],
        retrying=statuses["retrying"],
        dead=statuses["dead"],
        pending=statuses["pending"] + statuses["delivering"],
        first_try=first_try,
        median_ms=median(durations),
        series=[
            DeliveryPoint(start=iso(start), succeeded=succeeded[place], failed=failed[place])
            for place, start in enumerate(starts, 1)
        ],
    )


def median(counts: Counter[int]) -> float | None:
    """Return the median of values with their number of occurrences."""
    total = counts.total()
    if not total:
        return None
    middle: list[int] = []
    passed = 0
    for value in sorted(counts):
        passed += counts[value]
        while len(middle) < 2 and passed > (total - 1 + len(middle)) // 2:
            middle.append(value)
    return sum(middle) / 2
