"""The query, and how the parts of its result are read: several statements at once, each with a time limit."""

import asyncio
import math
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeVar

import asyncpg

from signoff.insights.coverage import Coverage
from signoff.insights.errors import InsightsTooSlow
from signoff.insights.period import Period
from signoff.platform.db import Database
from signoff.platform.sql import Sql

TIME_LIMIT = 15.0
"""Seconds before a query is canceled."""
MAX_CONCURRENT = 4
"""Concurrent statements per process, for all callers. The rest of the pool is for other work."""
WORK_MEMORY = "32MB"
"""Enough to sort a month of a busy account in memory. Hashes may use eight times as much: the planner expects many
more buckets than there are, and would otherwise sort separately for each grouping.
"""
R = TypeVar("R")

SELECTED: Final = """
    account_id = :account_id and (:agent_id::text is null or agent_id = :agent_id)
    and (:form_id::text is null or form_id = :form_id)
"""


class _Slots(asyncio.Semaphore):
    def __init__(self) -> None:
        super().__init__(MAX_CONCURRENT)


@dataclass(frozen=True, slots=True)
class InsightsQuery:
    db: Database
    account_id: str
    period: Period
    now: datetime
    agent_id: str | None
    form_id: str | None
    coverage: Coverage
    max_exact: int
    """Up to so many decisions, their times are read from the decisions themselves."""
    until: float = field(default_factory=lambda: time.monotonic() + TIME_LIMIT)

    @property
    def is_filtered(self) -> bool:
        return self.agent_id is not None or self.form_id is not None

    async def fetch(self, statement: Sql[R], **parameters: Any) -> list[R]:
        """Run a statement with a fresh plan: a day and a year, or one agent and all of them, need different plans.

        `SELECTED` selects the rows of the queried account, agent, and review type.
        """
        async with self.db.shared(_Slots):
            left = self.until - time.monotonic()
            if left <= 0:
                raise InsightsTooSlow(round(TIME_LIMIT))
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
                    return await statement.fetch(
                        tx, account_id=self.account_id, agent_id=self.agent_id, form_id=self.form_id, **parameters
                    )
            except asyncpg.QueryCanceledError as error:
                raise InsightsTooSlow(round(TIME_LIMIT)) from error
