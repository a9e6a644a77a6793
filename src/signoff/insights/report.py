"""Build the whole report from its parts."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from signoff.accounts.context import Caller
from signoff.insights import labels
from signoff.insights.coverage import read_coverage
from signoff.insights.decisions import (
    MAX_EXACT,
    DecisionCounts,
    Decisions,
    Group,
    add_people,
    add_times,
    count_decisions,
    count_people,
    count_total,
    time_decisions,
)
from signoff.insights.deliveries import count_deliveries
from signoff.insights.fields import count_edits
from signoff.insights.open_reviews import count_open
from signoff.insights.period import Period
from signoff.insights.query import InsightsQuery
from signoff.insights.requests import Requests, count_all_requests, count_requests
from signoff.insights.schemas import AgentInsights, Counted, FormInsights, Insights, PersonInsights, Point, Totals
from signoff.platform.clock import iso, now

MAX_LISTED = 100
"""Agents, review types, and people: those with the most decisions."""
EXTERNAL = "ext:"
"""The prefix of an external reviewer's ID, before their email."""

Counts = TypeVar("Counts", bound=DecisionCounts)


async def get_insights(caller: Caller, period: Period, agent_id: str | None, form_id: str | None) -> Insights:
    await labels.ensure_filters_exist(caller.db, caller.account_id, agent_id, form_id)
    coverage = await read_coverage(caller.db, caller.account_id)
    question = InsightsQuery(caller.db, caller.account_id, period, now(), agent_id, form_id, coverage, MAX_EXACT)
    starts = period.starts()
    try:
        # The slowest first, because they run in turns.
        async with asyncio.TaskGroup() as reading:
            timing = reading.create_task(time_decisions(question, period))
            deciding = reading.create_task(count_decisions(question, period))
            ranking = reading.create_task(count_people(question, period))
            opening = reading.create_task(count_open(question))
            editing = reading.create_task(count_edits(question, period))
            requesting = reading.create_task(count_requests(question, period))
            before = reading.create_task(count_total(question, period.previous))
            requested_before = reading.create_task(count_all_requests(question, period.previous))
            delivering = reading.create_task(count_deliveries(question, period, starts))
    except ExceptionGroup as troubles:
        raise troubles.exceptions[0] from None  # the others, if any, were canceled because of it
    decisions, requests = deciding.result(), requesting.result()
    add_people(decisions, ranking.result())
    add_times(decisions, timing.result())
    return Insights(
        from_=period.first,
        to=period.last,
        time_zone=period.zone.key,
        bucket=period.bucket,
        open=opening.result(),
        totals=Totals(
            **_to_counts(requests.total, decisions.total),
            auto_approved=decisions.total.auto_approved,
            previous=Counted(**_to_counts(requested_before.result(), before.result())),
        ),
        series=[_point(start, place, decisions, requests) for place, start in enumerate(starts, 1)],
        agents=await _agents(question, decisions, requests, len(starts)),
        forms=await _forms(question, decisions, requests, len(starts)),
        fields=editing.result(),
        people=await _people(question, decisions),
        hours=_by_hour(decisions.quarters, period.zone),
        requested_hours=_by_hour(requests.quarters, period.zone),
        deliveries=delivering.result(),
    )


def _to_counts(requested: int, tally: DecisionCounts) -> dict[str, Any]:
    return {
        "requested": requested,
        "decided": tally.decided,
        "approved": tally.approved,
        "rejected": tally.rejected,
        "edited": tally.edited,
        "median_seconds": tally.median_seconds,
        "p90_seconds": tally.p90_seconds,
    }


def _point(start: datetime, place: int, decisions: Decisions, requests: Requests) -> Point:
    tally = decisions.buckets.get(place, DecisionCounts())
    return Point(
        start=iso(start),
        requested=requests.buckets.get(place, 0),
        approved=tally.approved,
        rejected=tally.rejected,
        auto_approved=tally.auto_approved,
        edited=tally.edited,
        median_seconds=tally.median_seconds,
        p90_seconds=tally.p90_seconds,
    )


def _group(requested: int, group: Group, buckets: int) -> dict[str, Any]:
    series = [group.series.get(place, 0) for place in range(1, buckets + 1)]
    return {**_to_counts(requested, group), "auto_approved": group.auto_approved, "series": series}


def _rank_by_decisions(counted: Mapping[str, Counts], requested: Mapping[str, int]) -> list[str]:
    def rank(name: str) -> tuple[int, int, str]:
        return -counted[name].decided if name in counted else 0, -requested.get(name, 0), name

    return sorted({*counted, *requested}, key=rank)[:MAX_LISTED]


async def _agents(
    question: InsightsQuery, decisions: Decisions, requests: Requests, buckets: int
) -> list[AgentInsights]:
    shown = _rank_by_decisions(decisions.agents, requests.agents)
    known = await labels.agents(question.db, question.account_id, shown)
    return [
        AgentInsights(
            agent_id=agent_id,
            name=known[agent_id]["name"],
            **_group(requests.agents.get(agent_id, 0), decisions.agents.get(agent_id, Group()), buckets),
        )
        for agent_id in shown
    ]


async def _forms(question: InsightsQuery, decisions: Decisions, requests: Requests, buckets: int) -> list[FormInsights]:
    shown = _rank_by_decisions(decisions.forms, requests.forms)
    known = await labels.forms(question.db, question.account_id, shown)
    return [
        FormInsights(
            form_id=form_id,
            name=known[form_id]["name"],
            agent_id=known[form_id]["agent_id"],
            **_group(requests.forms.get(form_id, 0), decisions.forms.get(form_id, Group()), buckets),
        )
        for form_id in shown
    ]


async def _people(question: InsightsQuery, decisions: Decisions) -> list[PersonInsights]:
    shown = _rank_by_decisions(decisions.people, {})
    known = await labels.users(question.db, question.account_id, shown)
    people: list[PersonInsights] = []
    for person_id in shown:
        person, user = decisions.people[person_id], known.get(person_id)
        people.append(
            PersonInsights(
                user_id=None if user is None else user["user_id"],
                name=person_id.removeprefix(EXTERNAL) if user is None else user["name"],
                decided=person.decided,
                approved=person.approved,
                rejected=person.rejected,
                median_seconds=person.median_seconds,
            )
        )
    return people


def _by_hour(quarters: Mapping[datetime, int], zone: ZoneInfo) -> list[list[int]]:
    hours = [[0] * 24 for _ in range(7)]
    for quarter, count in quarters.items():
        local = quarter.astimezone(zone)
        hours[local.weekday()][local.hour] += count
    return hours
