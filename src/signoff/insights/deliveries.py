"""Webhook statistics: the current status of the deliveries of a period's events."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from signoff.insights.coverage import DAY, QUARTER
from signoff.insights.period import Period
from signoff.insights.query import SELECTED, InsightsQuery
from signoff.insights.schemas import DeliveryHealth, DeliveryPoint
from signoff.platform.clock import iso
from signoff.platform.sql import Sql
from signoff.webhooks.delivery_status import STATUS

# Everything else about a delivery is read from its message, so an index with the IDs is enough. `offset 0` makes the
# planner read each range with that index.
_SENT = Sql(
    """
    select sent.* from unnest(
        :begins::timestamptz[], :ends::timestamptz[], :begin_ids::text[], :end_ids::text[]
    ) as computed (range_begin, range_end, range_begin_id, range_end_id)
    cross join lateral (
        select d.agent_id, coalesce(d.form_id, '') as form_id, {status} as status,
               coalesce(o.first_ok, false) as first_try, o.duration_ms as milliseconds,
               date_bin('15 minutes', o.created_at, 'epoch') as quarter,
               date_bin('1 day', o.created_at, 'epoch') as day
        from (
            select {columns} from deliveries
            where {selected} and delivery_id >= range_begin_id and delivery_id < range_end_id
        ) as d join outgoing_messages o on o.message_id = d.delivery_id
        where o.created_at >= range_begin and o.created_at < range_end offset 0
    ) as sent
    """,
    status=STATUS,
    selected=SELECTED,
    columns="delivery_id, agent_id, form_id",
)

ROLL_UP_DELIVERIES = Sql(
    """
    insert into insight_deliveries (account_id, start, agent_id, form_id, status, first_try, count)
    select :account_id, quarter, agent_id, form_id, status, first_try, count(*) from ({sent}) as sent
    group by quarter, agent_id, form_id, status, first_try
    """,
    sent=_SENT,
)
# Of each agent and review type, and of all.
ROLL_UP_DURATIONS = Sql(
    """
    insert into insight_durations (account_id, start, agent_id, form_id, milliseconds, duration_counts)
    select :account_id, day, agent_id, form_id, array_agg(milliseconds), array_agg(count)
    from (
        select day, coalesce(agent_id, '') as agent_id, coalesce(form_id, '') as form_id, milliseconds,
               count(*) as count, grouping(agent_id) as of_all
        from ({sent}) as sent where milliseconds is not null
        group by grouping sets ((day, agent_id, form_id, milliseconds), (day, milliseconds))
    ) as counted
    group by day, of_all, agent_id, form_id
    """,
    sent=_SENT,
)

COUNT_DELIVERIES = Sql(
    """
    select width_bucket(start, :starts::timestamptz[]) as bucket, status, first_try, sum(count) as count
    from (
        select start, status, first_try, count from insight_deliveries
        where {selected} and start >= :covered_from and start < :covered_until
          and date_bin('1 day', start, 'epoch') <> all(:changed::timestamptz[])
        union all
        select quarter, status, first_try, 1 from ({sent}) as sent
    ) as statistics
    group by bucket, status, first_try
    """,
    selected=SELECTED,
    sent=_SENT,
)
COUNT_DURATIONS = Sql(
    """
    select milliseconds, sum(count) as count
    from (
        select counted.milliseconds, counted.count from insight_durations s
        cross join unnest(s.milliseconds, s.duration_counts) as counted (milliseconds, count)
        where s.account_id = :account_id and s.start >= :covered_from and s.start < :covered_until
          and s.start <> all(:changed::timestamptz[])
          and case when :agent_id::text is null and :form_id::text is null then s.agent_id = ''
                   else s.agent_id <> '' and (:agent_id::text is null or s.agent_id = :agent_id)
                        and (:form_id::text is null or s.form_id = :form_id) end
        union all
        select milliseconds, 1 from ({sent}) as sent where milliseconds is not null
    ) as statistics
    group by milliseconds
    """,
    sent=_SENT,
)


async def count_deliveries(question: InsightsQuery, period: Period, starts: list[datetime]) -> DeliveryHealth:
    rows = await question.fetch(COUNT_DELIVERIES, **_split(question, period, QUARTER), starts=starts)
    statuses: Counter[str] = Counter()
    succeeded: Counter[int] = Counter()
    failed: Counter[int] = Counter()
    first_try = 0
    for row in rows:
        statuses[row["status"]] += row["count"]
        if row["status"] == "succeeded":
            succeeded[row["bucket"]] += row["count"]
            first_try += row["count"] if row["first_try"] else 0
        elif row["status"] in ("retrying", "dead"):
            failed[row["bucket"]] += row["count"]
    durations = Counter[int]()
    for row in await question.fetch(COUNT_DURATIONS, **_split(question, period, DAY)):
        durations[row["milliseconds"]] += row["count"]
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


def _split(question: InsightsQuery, period: Period, unit: timedelta) -> dict[str, Any]:
    return question.coverage.split("deliveries", period.begin, period.end, unit).parameters("whd")


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
