"""Decisions in a period, counted in several ways at once, and how long they took.

Decisions by people are always counted separately from automatic ones: `decided`, `approved`, `rejected`, `edited`, and
the times are about people only. Reviews that nobody decided in time only count as requested. A submitted trigger form
is decided, but neither approved nor rejected.
"""

from dataclasses import dataclass, field
from datetime import datetime

from signoff.insights.period import Period
from signoff.insights.query import SELECTED, InsightsQuery
from signoff.platform.db import Row
from signoff.platform.sql import Sql

_RESPONDED = Sql(
    """
    select agent_id, form_id, form_version, responding_user_id, responded_at, response, auto_approved,
           auto_approved or timed_out as by_itself, edited_fields, absent_fields,
           greatest(date_part('epoch', responded_at - created_at), 0) as seconds
    from reviews
    where {selected} and state = 'responded' and responded_at >= :begin and responded_at < :end
    """,
    selected=SELECTED,
)
BY_PEOPLE = Sql("select * from ({responded}) as responded where not by_itself", responded=_RESPONDED)

_COUNTS = """
    count(*) filter (where not by_itself) as decided,
    count(*) filter (where not by_itself and response = 'approved') as approved,
    count(*) filter (where not by_itself and response = 'rejected') as rejected,
    count(*) filter (where not by_itself and response = 'approved' and edited_fields is not null) as edited,
    count(*) filter (where auto_approved) as auto_approved
"""

COUNT_DECISIONS = Sql(
    """
    select grouping(bucket, quarter, agent_id, form_id, responding_user_id) as by, bucket, quarter, agent_id,
           form_id, responding_user_id, {counts}
    from (select *, width_bucket(responded_at, :starts::timestamptz[]) as bucket,
                 date_bin('15 minutes', responded_at, 'epoch') as quarter
          from ({responded}) as responded) as placed
    group by grouping sets ((bucket), (quarter), (agent_id, bucket), (form_id, bucket), (responding_user_id))
    """,
    counts=_COUNTS,
    responded=_RESPONDED,
)

TIME_DECISIONS = Sql(
    """
    select grouping(bucket, agent_id, form_id, responding_user_id) as by, bucket, agent_id, form_id,
           responding_user_id, percentile_cont(array[0.5, 0.9]) within group (order by seconds) as times
    from (select *, width_bucket(responded_at, :starts::timestamptz[]) as bucket from ({by_people}) as decided)
         as placed
    group by grouping sets ((), (bucket), (agent_id), (form_id), (responding_user_id))
    having count(*) > 0
    """,
    by_people=BY_PEOPLE,
)

COUNT_TOTAL = Sql(
    """
    select {counts}, percentile_cont(array[0.5, 0.9]) within group (
               order by case when not by_itself then seconds end) as times
    from ({responded}) as responded
    """,
    counts=_COUNTS,
    responded=_RESPONDED,
)


@dataclass(slots=True)
class DecisionCounts:
    decided: int = 0
    approved: int = 0
    rejected: int = 0
    edited: int = 0
    auto_approved: int = 0
    median_seconds: float | None = None
    p90_seconds: float | None = None

    def count(self, row: Row) -> None:
        self.decided += row["decided"]
        self.approved += row["approved"]
        self.rejected += row["rejected"]
        self.edited += row["edited"]
        self.auto_approved += row["auto_approved"]

    def time(self, row: Row) -> None:
        median, p90 = row["times"]
        self.median_seconds, self.p90_seconds = round(median, 3), round(p90, 3)


@dataclass(slots=True)
class Group(DecisionCounts):
    """The decisions about one agent or review type."""

    series: dict[int, int] = field(default_factory=dict[int, int])
    """People's decisions by bucket."""


@dataclass(slots=True)
class Decisions:
    total: DecisionCounts = field(default_factory=DecisionCounts)
    buckets: dict[int, DecisionCounts] = field(default_factory=dict[int, DecisionCounts])
    """By bucket number, starting at 1. Buckets without decisions are missing, as everywhere here."""
    agents: dict[str, Group] = field(default_factory=dict[str, Group])
    forms: dict[str, Group] = field(default_factory=dict[str, Group])
    people: dict[str, DecisionCounts] = field(default_factory=dict[str, DecisionCounts])
    """By user ID, or `ext:` and the email of an external reviewer."""
    quarters: dict[datetime, int] = field(default_factory=dict[datetime, int])
    """People's decisions by quarter of an hour."""


async def count_decisions(question: InsightsQuery, period: Period) -> Decisions:
    rows = await question.fetch(COUNT_DECISIONS, begin=period.begin, end=period.end, starts=period.starts())
    decisions = Decisions()
    for row in rows:
        match row["by"]:
            case 0b01111:
                decisions.buckets.setdefault(row["bucket"], DecisionCounts()).count(row)
                decisions.total.count(row)
            case 0b10111:
                decisions.quarters[row["quarter"]] = row["decided"]
            case 0b01011:
                _count_group(decisions.agents, row["agent_id"], row)
            case 0b01101:
                _count_group(decisions.forms, row["form_id"], row)
            case _:
                if row["decided"]:
                    decisions.people.setdefault(row["responding_user_id"], DecisionCounts()).count(row)
    return decisions


def _count_group(groups: dict[str, Group], name: str, row: Row) -> None:
    group = groups.setdefault(name, Group())
    group.count(row)
    if row["decided"]:
        group.series[row["bucket"]] = row["decided"]


async def time_decisions(question: InsightsQuery, period: Period) -> list[Row]:
    """Return the median and the 90th percentile of all decisions, and of each bucket, agent, review type, and
    person.
    """
    return await question.fetch(TIME_DECISIONS, begin=period.begin, end=period.end, starts=period.starts())


def add_times(decisions: Decisions, rows: list[Row]) -> None:
    """Add the times. A group decided between the two queries may be in one and not in the other; it's left out."""
    for row in rows:
        match row["by"]:
            case 0b1111:
                timed = decisions.total
            case 0b0111:
                timed = decisions.buckets.get(row["bucket"])
            case 0b1011:
                timed = decisions.agents.get(row["agent_id"])
            case 0b1101:
                timed = decisions.forms.get(row["form_id"])
            case _:
                timed = decisions.people.get(row["responding_user_id"])
        if timed is not None:
            timed.time(row)


async def count_total(question: InsightsQuery, period: Period) -> DecisionCounts:
    """Return only the total, for the period to compare with."""
    total = DecisionCounts()
    for row in await question.fetch(COUNT_TOTAL, begin=period.begin, end=period.end):
        total.count(row)
        if total.decided:
            total.time(row)
    return total
