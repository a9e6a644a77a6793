"""Rollups: insights are the same with and without them, whatever happens to the rows."""

import asyncio
import math
import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.api import Workspace, assert_ok
from support.in_process import Service
from support.second_account import open_second_account

from insights.fake_history import (
    PastReview,
    id_at,
    make_deliveries,
    make_past_reviews,
    percentile,
    write_deliveries,
    write_past_reviews,
)
from signoff.insights import histograms
from signoff.insights.coverage import DAY, QUARTER, Coverage, read_coverage
from signoff.insights.decisions import count_total, time_decisions
from signoff.insights.period import Period
from signoff.insights.query import InsightsQuery
from signoff.insights.rollups import find_end, roll_up, roll_up_account
from signoff.platform.clock import now
from signoff.platform.db import Database

FIRST, DAYS = date(2025, 9, 20), 20
ZONES = ["Europe/Berlin", "Asia/Kathmandu", "America/New_York"]


async def insights(workspace: Workspace, zone: str = "UTC", **filters: str) -> dict[str, Any]:
    params = {"from": str(FIRST), "to": str(FIRST + timedelta(days=DAYS - 1)), "timeZone": zone}
    return await assert_ok(workspace.owner.get("/insights", params=params | filters))


async def roll_up_all(db: Database, account_id: str) -> Coverage:
    """Roll up an account, as the worker does."""
    await roll_up_account(db, account_id, await find_end(db))
    coverage = await read_coverage(db, account_id)
    assert not [day for days in coverage.changed.values() for day in days if day < coverage.next_day]
    return coverage


@pytest.mark.parametrize("seed", range(3))
async def test_same_as_without(service: Service, db: Database, seed: int) -> None:
    """An arbitrary history, of which some is written before it's rolled up, some after, and some is deleted."""
    chance = random.Random(seed)  # noqa: S311
    other = await open_second_account(service)
    agents = [await other.make_agent() for _ in range(2)]
    forms = [await other.make_form(agent) for agent in agents for _ in "ab"]
    places = [(form["agentId"], form["formId"]) for form in forms]
    past = make_past_reviews(chance, 300, FIRST, DAYS, places, ["usr_1", "ext:a@example.com"])
    sent = make_deliveries(chance, 100, FIRST, DAYS, places)
    await write_past_reviews(db, other.account_id, past[:200])
    await write_deliveries(db, other.account_id, sent[:60])
    coverage = await roll_up_all(db, other.account_id)
    assert coverage.first_day < datetime(2025, 9, 1, tzinfo=UTC) < coverage.next_day

    questions: list[dict[str, str]] = [
        {"zone": zone, **filters}
        for zone in ZONES
        for filters in ({}, {"agentId": places[0][0]}, {"agentId": places[3][0], "formId": places[3][1]})
    ]
    for change in ("none", "written", "deleted", "changed"):
        if change == "written":
            await write_past_reviews(db, other.account_id, past[200:])
            await write_deliveries(db, other.account_id, sent[60:])
        elif change == "deleted":
            gone = [each.review_id for each in chance.sample(past, 40)]
            await db.execute("delete from reviews where review_id = any($1)", gone)
            gone = [each.delivery_id for each in chance.sample(sent, 20)]
            await db.execute("delete from outgoing_messages where message_id = any($1)", gone)
            await db.execute("delete from deliveries where delivery_id = any($1)", gone)
        elif change == "changed":
            changed = [each.review_id for each in chance.sample(past, 20)]
            await db.execute(
                """
                update reviews set state = 'responded', response = 'rejected', responding_user_id = 'usr_2',
                    responded_at = created_at + interval '3 days', auto_approved = false, edited_fields = null
                where review_id = any($1)
                """,
                changed,
            )
            await db.execute(
                "update outgoing_messages set state = 'failed', settled_at = now()"
                " where state = 'queued' and account_id = $1",
                other.account_id,
            )
        with_changes = [await insights(other, **question) for question in questions]
        await roll_up_all(db, other.account_id)
        rolled_up = [await insights(other, **question) for question in questions]
        await db.execute("delete from insight_days where account_id = $1", other.account_id)
        direct = [await insights(other, **question) for question in questions]
        assert with_changes == rolled_up == direct
        assert direct[0]["totals"]["decided"] > 50
        await db.execute("delete from insight_days where account_id = $1", other.account_id)
        await roll_up_all(db, other.account_id)


async def test_times_of_many_decisions(service: Service, db: Database) -> None:
    """They're off by 1% at most."""
    chance = random.Random(1)  # noqa: S311
    other = await open_second_account(service)
    form = await other.make_form()
    place = form["agentId"], form["formId"]
    await write_past_reviews(
        db, other.account_id, make_past_reviews(chance, 500, FIRST, DAYS, [place], ["usr_1", "usr_2"])
    )
    coverage = await roll_up_all(db, other.account_id)
    period = Period(FIRST, FIRST + timedelta(days=DAYS - 1), ZoneInfo("Asia/Kathmandu"))
    for form_id in (None, form["formId"]):
        exact, binned = (
            InsightsQuery(db, other.account_id, period, now(), None, form_id, coverage, most) for most in (500, 0)
        )
        expected = {_name(each.group): each.times for each in await time_decisions(exact, period)}
        shown = {_name(each.group): each.times for each in await time_decisions(binned, period)}
        assert shown.keys() == expected.keys()
        assert len(shown) > 10
        for name, times in shown.items():
            assert times == pytest.approx(expected[name], rel=0.01, abs=0.001)
        totals = [await count_total(question, period.previous) for question in (exact, binned)]
        assert totals[0].decided == totals[1].decided > 0
        assert totals[1].median_seconds == pytest.approx(totals[0].median_seconds, rel=0.01, abs=0.002)


def _name(row: Any) -> tuple[Any, ...]:
    by = row["by"]
    names = [(0b1000, "bucket"), (0b0100, "agent_id"), (0b0010, "form_id"), (0b0001, "person_id")]
    return by, *(row[name] for bit, name in names if not by & bit)


class TestWhatIsNoted:
    async def test_todays_reviews_are_not(self, workspace: Workspace, db: Database) -> None:
        """A request and a decision cost nothing."""
        before = await db.fetchval("select count(*) from insight_changes where account_id = $1", workspace.account_id)
        review = await workspace.request(await workspace.make_form())
        await workspace.decide(review["reviewId"])
        after = await db.fetchval("select count(*) from insight_changes where account_id = $1", workspace.account_id)
        assert after == before

    async def test_once_per_transaction(self, service: Service, db: Database) -> None:
        other = await open_second_account(service)
        form = await other.make_form()
        moment = datetime(2025, 10, 1, 12, tzinfo=UTC)
        chance = random.Random(2)  # noqa: S311
        past = [
            PastReview(id_at(chance, "rev", moment), form["agentId"], form["formId"], moment, moment, "approved")
            for _ in range(50)
        ]
        await write_past_reviews(db, other.account_id, past)
        rows = await db.fetch(
            "select part, day, count(*) from insight_changes where account_id = $1 group by part, day order by part",
            other.account_id,
        )
        day = datetime(2025, 10, 1, tzinfo=UTC)
        assert [tuple(row) for row in rows] == [("decisions", day, 1), ("requests", day, 1)]

    async def test_deleted_over_the_api(self, service: Service, db: Database) -> None:
        """A deleted review is gone from the insights at once, and from what was rolled up when that's next done."""
        other = await open_second_account(service)
        review_id = (await other.request(await other.make_form()))["reviewId"]
        await other.decide(review_id)
        person = "ext:gone@example.com"
        await db.execute(
            "update reviews set responded_at = $2, responding_user_id = $3 where review_id = $1",
            review_id,
            datetime(2025, 10, 1, 12, tzinfo=UTC),
            person,
        )
        await db.execute("update insight_days set first_day = '2025-09-01Z' where account_id = $1", other.account_id)
        await roll_up_all(db, other.account_id)
        people = "select count(*) from insight_decisions where account_id = $1 and person_id = $2"
        assert (await insights(other))["totals"]["decided"] == 1
        assert await db.fetchval(people, other.account_id, person) > 0
        await assert_ok(other.owner.delete(f"/reviews/{review_id}"))
        assert (await insights(other))["totals"]["decided"] == 0
        await roll_up_all(db, other.account_id)
        assert await db.fetchval(people, other.account_id, person) == 0


async def test_waits_for_transactions(service: Service, db: Database) -> None:
    """No day is rolled up while a transaction that may have changed it is open."""
    assert await find_end(db) > datetime.now(UTC) - 2 * DAY - timedelta(hours=2)
    end = await find_end(db)
    assert end == datetime.combine(end.date(), datetime.min.time(), UTC)
    writing = await Database.connect(service.dsn(), size=1)
    try:
        async with writing.transaction() as tx:
            await tx.execute("create temporary table own (n int) on commit drop")
            began = await tx.fetchval("select now()")
            assert await find_end(db) + timedelta(hours=1) <= began
    finally:
        await writing.close()


async def test_reads_no_rolled_up_row(service: Service, db: Database) -> None:
    """What's read for a month is its statistics, not its reviews."""
    other = await open_second_account(service)
    form = await other.make_form()
    places = [(form["agentId"], form["formId"])]
    chance = random.Random(4)  # noqa: S311
    past = make_past_reviews(chance, 3_000, FIRST, 1, places, ["usr_1"])
    await write_past_reviews(db, other.account_id, past)
    coverage = await roll_up_all(db, other.account_id)
    period = Period(FIRST - timedelta(days=1), FIRST + timedelta(days=1), ZoneInfo("UTC"))
    split = coverage.split("decisions", period.begin, period.end, DAY)
    assert not split.rows
    question = InsightsQuery(db, other.account_id, period, now(), None, None, coverage, 0)
    before = await _reviews_read(db)
    total = await count_total(question, period)
    assert await time_decisions(question, period)
    assert total.decided > 500
    # One index entry tells that they're too many to read one by one.
    assert await _reviews_read(db) - before <= 10


async def _reviews_read(db: Database) -> int:
    """The rows of reviews that this connection has read."""
    async with db.transaction() as tx:
        await tx.execute("select pg_stat_force_next_flush()")
    return await db.fetchval(
        """
        select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables where relname = 'reviews'
        """
    )


async def test_two_at_once(service: Service, db: Database) -> None:
    other = await open_second_account(service)
    form = await other.make_form()
    chance = random.Random(5)  # noqa: S311
    past = make_past_reviews(chance, 50, FIRST, DAYS, [(form["agentId"], form["formId"])], ["usr_1"])
    await write_past_reviews(db, other.account_id, past)
    direct = await insights(other)
    second = await Database.connect(service.dsn(), size=1)
    try:
        await asyncio.gather(roll_up(db), roll_up(second))
    finally:
        await second.close()
    assert await insights(other) == direct


MOMENTS = st.integers(0, 200).map(lambda quarters: datetime(2026, 1, 1, tzinfo=UTC) + quarters * QUARTER)
FULL_DAYS = st.integers(-1, 4).map(lambda days: datetime(2026, 1, 1, tzinfo=UTC) + days * DAY)


@given(
    MOMENTS, MOMENTS, FULL_DAYS, FULL_DAYS, st.sets(FULL_DAYS), st.sampled_from([QUARTER, DAY])
)  # fmt: skip
def test_split_covers_each_quarter_once(
    begin: datetime, end: datetime, first: datetime, upto: datetime, changed: set[datetime], unit: timedelta
) -> None:
    begin, end = min(begin, end), max(begin, end)
    coverage = Coverage(first, upto, {"decisions": sorted(changed), "deliveries": [], "requests": []})
    split = coverage.split("decisions", begin, end, unit)
    moment = begin
    while moment < end:
        day = moment - (moment - datetime(1970, 1, 1, tzinfo=UTC)) % DAY
        covered = split.covered[0] <= moment < split.covered[1] and day not in split.changed
        computed = sum(range_begin <= moment < range_end for range_begin, range_end in split.rows)
        assert covered + computed == 1
        assert not covered or (first <= day < upto and day not in changed)
        if covered and unit == DAY:
            assert begin <= day
            assert day + DAY <= end
        moment += QUARTER


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=60), st.sampled_from([0.5, 0.9]))
def test_percentile_of_a_histogram(values: list[float], part: float) -> None:
    bins = Counter(max(0, math.ceil(math.log(max(value, 0.001) * 1000) / math.log(1.02))) for value in values)
    numbers = sorted(bins)
    shown = histograms.percentile(numbers, [bins[number] for number in numbers], part)
    expected = percentile(values, part)
    assert expected is not None
    assert shown == pytest.approx(expected, rel=0.01, abs=0.001)
