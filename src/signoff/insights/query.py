"""What is asked, and how an answer's parts are read: several statements at once, each with an end to its patience."""

import asyncio
import math
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import asyncpg

from signoff.insights.errors import InsightsTooSlow
from signoff.insights.period import Period
from signoff.platform.db import Database, Row
from signoff.platform.ids import id_at
from signoff.platform.messages import msgs

TIME_LIMIT = 15.0
"""Seconds until an answer is given up."""
MAX_CONCURRENT = 4
"""Statements that run at the same moment in one process, whoever asked. The rest of the pool is for those who work."""
WORK_MEMORY = "32MB"
"""Enough to sort a month of a busy account without going to disk. For hashes eight times as much may be planned: the
planner takes buckets for many more than they are, and would sort each way of grouping instead."""
SKEW = 3600.0
"""Seconds by which the clocks that made an ID and a row may differ."""

_turns = asyncio.Semaphore(MAX_CONCURRENT)


@dataclass(frozen=True, slots=True)
class InsightsQuery:
    db: Database
    account_id: str
    period: Period
    now: datetime
    agent_id: str | None
    form_id: str | None
    until: float = field(default_factory=lambda: time.monotonic() + TIME_LIMIT)

    @property
    def about(self) -> tuple[str, str | None, str | None]:
        """The first three parameters of every statement; null stands for all."""
        return self.account_id, self.agent_id, self.form_id

    def ids(self, prefix: str, period: Period) -> tuple[str, str]:
        """Between which the IDs of all that was made in the period lie, and of a little more. IDs are in the order of
        their making, so this finds them by the primary key; no index has to be kept for it.
        """
        return id_at(prefix, period.begin, -SKEW), id_at(prefix, period.end, SKEW)

    async def fetch(self, statement: str, *values: Any) -> list[Row]:
        """A day and a year, one agent and all of them, are better read in different ways: each call is planned anew."""
        async with _turns:
            left = self.until - time.monotonic()
            if left <= 0:
                raise _too_slow()
            try:
                async with self.db.transaction() as tx:
                    await tx.execute(
                        """
                        select set_config('statement_timeout', $1, true), set_config('work_mem', $2, true),
                               set_config('hash_mem_multiplier', '8', true),
                               set_config('plan_cache_mode', 'force_custom_plan', true)
                        """,
                        f"{math.ceil(left * 1000)}ms",
                        WORK_MEMORY,
                    )
                    return await tx.fetch(statement, *self.about, *values)
            except asyncpg.QueryCanceledError as error:
                raise _too_slow() from error


def _too_slow() -> InsightsTooSlow:
    return InsightsTooSlow(
        msgs(
            "This took longer than {count} second. Choose a shorter period or a single agent.",
            "This took longer than {count} seconds. Choose a shorter period or a single agent.",
            count=round(TIME_LIMIT),
        )
    )
