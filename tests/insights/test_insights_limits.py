"""A query that takes too long ends with an error and leaves the connection unchanged."""

import time
from collections import Counter
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insights.fake_history import percentile
from signoff.insights.coverage import NOTHING
from signoff.insights.decisions import MAX_EXACT
from signoff.insights.deliveries import median
from signoff.insights.errors import InsightsTooSlow
from signoff.insights.period import parse_period
from signoff.insights.query import SELECTED, InsightsQuery
from signoff.platform.clock import now
from signoff.platform.db import Database
from signoff.platform.sql import Sql

SLOW = Sql("select pg_sleep(600) from reviews right join (select 1) as one on {selected}", selected=SELECTED)


def question(db: Database, seconds: float) -> InsightsQuery:
    period = parse_period(None, None, ZoneInfo("UTC"), now())
    return InsightsQuery(
        db, "acc_nobody", period, now(), None, None, NOTHING, MAX_EXACT, until=time.monotonic() + seconds
    )


async def test_slow_statement(db: Database) -> None:
    with pytest.raises(InsightsTooSlow) as trouble:
        await question(db, 0.05).fetch(SLOW)
    assert trouble.value.status == 503
    assert await db.fetchval("show statement_timeout") == "0"
    assert await db.fetchval("show plan_cache_mode") == "auto"


async def test_too_many_concurrent_queries(db: Database) -> None:
    with pytest.raises(InsightsTooSlow):
        await question(db, -1).fetch(SLOW)


@given(st.lists(st.integers(0, 50), max_size=40))
def test_median_of_counted_values(values: list[int]) -> None:
    assert median(Counter(values)) == percentile([float(value) for value in values], 0.5)
