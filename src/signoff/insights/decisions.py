"""Decisions in a period, counted in several ways at once, and how long they took.

Decisions by people are always counted separately from automatic ones: `decided`, `approved`, `rejected`, `edited`, and
the times are about people only. Reviews that nobody decided in time only count as requested. A submitted trigger form
is decided, but neither approved nor rejected.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from signoff.insights.coverage import DAY, QUARTER
from signoff.insights.histograms import BIN, percentile
from signoff.insights.period import Period
from signoff.insights.query import SELECTED, InsightsQuery
from signoff.platform.db import Row
from signoff.platform.sql import Sql

MAX_EXACT: Final = 20_000
"""Up to so many decisions in a period, by all agents, percentiles are those of the decisions themselves. Above, they're
read from histograms.
"""

# How the statistics of decisions are grouped: `grouping(quarter, agent_id, person_id)`.
BY_QUARTER: Final = 0b011
BY_QUARTER_AND_FORM: Final = 0b001
BY_DAY_AND_FORM: Final = 0b101
BY_DAY_AND_PERSON: Final = 0b110
BY_DAY_FORM_AND_PERSON: Final = 0b100

_COLUMNS = Sql(
    """
    agent_id, form_id, form_version, coalesce(responding_user_id, '') as person_id, responded_at, response,
    auto_approved, auto_approved or timed_out as by_itself, edited_fields, absent_fields,
    date_bin('15 minutes', responded_at, 'epoch') as quarter, date_bin('1 day', responded_at, 'epoch') as day,
    greatest(date_part('epoch', responded_at - created_at), 0) as seconds
    """
)
_RESPONDED_IN_PERIOD = Sql(
    """
    select {columns} from reviews
    where {selected} and state = 'responded' and responded_at >= :begin and responded_at < :end
    """,
    columns=_COLUMNS,
    selected=SELECTED,
)
# `offset 0` makes the planner read each range with the index.
_RESPONDED = Sql(
    """
    select responded.* from unnest(:begins::timestamptz[], :ends::timestamptz[]) as computed (range_begin, range_end)
    cross join lateral (
        select {columns} from reviews
        where {selected} and state = 'responded' and responded_at >= range_begin and responded_at < range_end offset 0
    ) as responded
    """,
    columns=_COLUMNS,
    selected=SELECTED,
)
RESPONDED_BY_PEOPLE = Sql("select * from ({responded}) as responded where not by_itself", responded=_RESPONDED)

# Each decision as a row of statistics about one.
_COUNTED = Sql(
    """
    select *, (not by_itself)::integer as decided,
           (not by_itself and response is not distinct from 'approved')::integer as approved,
           (not by_itself and response is not distinct from 'rejected')::integer as rejected,
           (not by_itself and response is not distinct from 'approved' and edited_fields is not null)::integer
               as edited,
           auto_approved::integer as auto_approved_count, case when not by_itself then {bin} end as bin
    from ({responded}) as responded
    """,
    responded=_RESPONDED,
    bin=BIN,
)

ROLL_UP_DECISIONS = Sql(
    """
    insert into insight_decisions (account_id, start, scope, agent_id, form_id, person_id, decided, approved, rejected,
                                   edited, auto_approved, bins, bin_counts)
    select :account_id, start, scope, agent_id, form_id, person_id, sum(decided), sum(approved), sum(rejected),
           sum(edited), sum(auto_approved), array_agg(bin order by bin) filter (where bin is not null),
           array_agg(decided order by bin) filter (where bin is not null)
    from (
        select case when grouping(quarter) = 0 then quarter else day end as start,
               grouping(quarter, agent_id, person_id) as scope, coalesce(agent_id, '') as agent_id,
               coalesce(form_id, '') as form_id, coalesce(person_id, '') as person_id, bin,
               sum(decided) as decided, sum(approved) as approved, sum(rejected) as rejected, sum(edited) as edited,
               sum(auto_approved_count) as auto_approved
        from ({counted}) as counted
        group by grouping sets (
            (day, quarter, bin), (day, quarter, agent_id, form_id, bin), (day, agent_id, form_id, bin),
            (day, person_id, bin), (day, agent_id, form_id, person_id, bin)
        )
    ) as binned
    group by start, scope, agent_id, form_id, person_id
    """,
    counted=_COUNTED,
)

_STATISTICS = """
    select start, agent_id, form_id, person_id, decided, approved, rejected, edited, auto_approved{bins}
    from insight_decisions
    where {selected} and scope = :scope and start >= :covered_from and start < :covered_until
      and date_bin('1 day', start, 'epoch') <> all(:changed::timestamptz[])
    union all
    select quarter, agent_id, form_id, person_id, decided, approved, rejected, edited, auto_approved_count{own_bins}
    from ({counted}) as counted
"""
_COUNTS_ONLY = Sql(_STATISTICS, selected=SELECTED, counted=_COUNTED, bins="", own_bins="")
_WITH_BINS = Sql(
    _STATISTICS,
    selected=SELECTED,
    counted=_COUNTED,
    bins=", bins, bin_counts",
    own_bins=", array[bin]::smallint[], array[decided]",
)
_SUMS = """
    sum(decided) as decided, sum(approved) as approved, sum(rejected) as rejected, sum(edited) as edited,
    sum(auto_approved) as auto_approved
"""

COUNT_DECISIONS = Sql(
    """
    select grouping(bucket, quarter, agent_id, form_id) as by, bucket, quarter, agent_id, form_id, {sums}
    from (select *, width_bucket(start, :starts::timestamptz[]) as bucket, start as quarter
          from ({statistics}) as statistics) as placed
    group by grouping sets ((bucket), (quarter), (agent_id, bucket), (form_id, bucket))
    """,
    sums=_SUMS,
    statistics=_COUNTS_ONLY,
)
COUNT_PEOPLE = Sql(
    "select person_id, {sums} from ({statistics}) as statistics group by person_id having sum(decided) > 0",
    sums=_SUMS,
    statistics=_COUNTS_ONLY,
)
COUNT_TOTAL = Sql("select {sums} from ({statistics}) as statistics", sums=_SUMS, statistics=_COUNTS_ONLY)

# Of all agents and review types: the index has no others.
COUNT_UP_TO = Sql(
    """
    select count(*) from (
        select from reviews
        where account_id = :account_id and state = 'responded' and responded_at >= :begin and responded_at < :end
        order by responded_at limit :most
    ) as responded
    """
)

TIME_DECISIONS = Sql(
    """
    select grouping(bucket, agent_id, form_id, person_id) as by, bucket, agent_id, form_id, person_id,
           percentile_cont(array[0.5, 0.9]) within group (order by seconds) as times
    from (select *, width_bucket(responded_at, :starts::timestamptz[]) as bucket
          from ({responded}) as responded where not by_itself) as placed
    group by grouping sets ((), (bucket), (agent_id), (form_id), (person_id))
    having count(*) > 0
    """,
    responded=_RESPONDED_IN_PERIOD,
)
TIME_TOTAL = Sql(
    """
    select percentile_cont(array[0.5, 0.9]) within group (order by seconds) as times
    from ({responded}) as responded where not by_itself
    """,
    responded=_RESPONDED_IN_PERIOD,
)

# One histogram for each group. Its name in `by` is that of `TIME_DECISIONS`.
_HISTOGRAMS = """
    select by, bucket, agent_id, form_id, person_id, array_agg(bin order by bin) as bins,
           array_agg(decided order by bin) as bin_counts
    from (
        select {by} as by, {names}, bin, sum(bin_count) as decided
        from (select *, width_bucket(start, :starts::timestamptz[]) as bucket from ({statistics}) as statistics)
             as placed
        cross join unnest(bins, bin_counts) as binned (bin, bin_count)
        where bin is not null
        group by grouping sets ({sets})
    ) as summed
    group by by, bucket, agent_id, form_id, person_id
"""
BUCKET_HISTOGRAMS = Sql(
    _HISTOGRAMS,
    by="case when grouping(bucket) = 1 then 15 else 7 end",
    names="bucket, '' as agent_id, '' as form_id, '' as person_id",
    sets="(bin), (bucket, bin)",
    statistics=_WITH_BINS,
)
FORM_HISTOGRAMS = Sql(
    _HISTOGRAMS,
    by="case when grouping(agent_id) = 1 then 13 else 11 end",
    names="0 as bucket, agent_id, form_id, '' as person_id",
    sets="(agent_id, bin), (form_id, bin)",
    statistics=_WITH_BINS,
)
PERSON_HISTOGRAMS = Sql(
    _HISTOGRAMS,
    by="14",
    names="0 as bucket, '' as agent_id, '' as form_id, person_id",
    sets="(person_id, bin)",
    statistics=_WITH_BINS,
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

    def time(self, times: Sequence[float]) -> None:
        median, p90 = times
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


@dataclass(frozen=True, slots=True)
class Timed:
    group: Row
    times: Sequence[float]
    """The median and the 90th percentile, in seconds."""


async def count_decisions(question: InsightsQuery, period: Period) -> Decisions:
    rows = await question.fetch(
        COUNT_DECISIONS, scope=BY_QUARTER_AND_FORM, starts=period.starts(), **_split(question, period, QUARTER)
    )
    decisions = Decisions()
    for row in rows:
        match row["by"]:
            case 0b0111:
                decisions.buckets.setdefault(row["bucket"], DecisionCounts()).count(row)
                decisions.total.count(row)
            case 0b1011:
                decisions.quarters[row["quarter"]] = row["decided"]
            case 0b0101:
                _count_group(decisions.agents, row["agent_id"], row)
            case _:
                _count_group(decisions.forms, row["form_id"], row)
    return decisions


async def count_people(question: InsightsQuery, period: Period) -> list[Row]:
    scope = BY_DAY_FORM_AND_PERSON if question.is_filtered else BY_DAY_AND_PERSON
    return await question.fetch(COUNT_PEOPLE, scope=scope, **_split(question, period, DAY))


def add_people(decisions: Decisions, rows: list[Row]) -> None:
    for row in rows:
        decisions.people.setdefault(row["person_id"], DecisionCounts()).count(row)


def _count_group(groups: dict[str, Group], name: str, row: Row) -> None:
    group = groups.setdefault(name, Group())
    group.count(row)
    if row["decided"]:
        group.series[row["bucket"]] = row["decided"]


async def time_decisions(question: InsightsQuery, period: Period) -> list[Timed]:
    """Return the median and the 90th percentile of all decisions, and of each bucket, agent, review type, and
    person. If there are many, they're off by up to 1%.
    """
    starts = period.starts()
    if await _is_small(question, period):
        rows = await question.fetch(TIME_DECISIONS, begin=period.begin, end=period.end, starts=starts)
        return [Timed(row, row["times"]) for row in rows]
    by_quarter, by_day = _split(question, period, QUARTER), _split(question, period, DAY)
    buckets = BY_QUARTER_AND_FORM if question.is_filtered else BY_QUARTER
    people = BY_DAY_FORM_AND_PERSON if question.is_filtered else BY_DAY_AND_PERSON
    found = await asyncio.gather(
        question.fetch(BUCKET_HISTOGRAMS, scope=buckets, starts=starts, **by_quarter),
        question.fetch(FORM_HISTOGRAMS, scope=BY_DAY_AND_FORM, starts=starts, **by_day),
        question.fetch(PERSON_HISTOGRAMS, scope=people, starts=starts, **by_day),
    )
    return [Timed(row, _times(row)) for rows in found for row in rows]


def add_times(decisions: Decisions, times: list[Timed]) -> None:
    """Add the times. A group decided between the two queries may be in one and not in the other; it's left out."""
    for each in times:
        row = each.group
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
                timed = decisions.people.get(row["person_id"])
        if timed is not None:
            timed.time(each.times)


async def count_total(question: InsightsQuery, period: Period) -> DecisionCounts:
    """Return only the total, for the period to compare with."""
    scope = BY_QUARTER_AND_FORM if question.is_filtered else BY_QUARTER
    split = _split(question, period, QUARTER)
    total = DecisionCounts()
    for row in await question.fetch(COUNT_TOTAL, scope=scope, **split):
        if row["decided"] is not None:
            total.count(row)
    if not total.decided:
        return total
    if await _is_small(question, period):
        for row in await question.fetch(TIME_TOTAL, begin=period.begin, end=period.end):
            if row["times"] is not None:
                total.time(row["times"])
        return total
    for row in await question.fetch(BUCKET_HISTOGRAMS, scope=scope, starts=[period.begin], **split):
        total.time(_times(row))
    return total


async def _is_small(question: InsightsQuery, period: Period) -> bool:
    """Whether the decisions themselves are few enough to read."""
    count = await COUNT_UP_TO.fetch_value(
        question.db,
        account_id=question.account_id,
        begin=period.begin,
        end=period.end,
        most=question.max_exact + 1,
    )
    return count <= question.max_exact


def _split(question: InsightsQuery, period: Period, unit: timedelta) -> dict[str, Any]:
    return question.coverage.split("decisions", period.begin, period.end, unit).parameters()


def _times(histogram: Row) -> list[float]:
    return [percentile(histogram["bins"], histogram["bin_counts"], part) for part in (0.5, 0.9)]
