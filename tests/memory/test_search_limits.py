"""A scan that takes too long ends and says that it's incomplete."""

from typing import Any

import pytest
from support.in_process import Service

from signoff.memory import search
from signoff.memory.search import ResponseSearch, SearchPlan, SearchResult, search_responses
from signoff.platform.db import Database, Row
from signoff.platform.operators import Condition, Operation, parse_path
from signoff.platform.sql import Sql

SEARCH = ResponseSearch(
    account_id="acc_nobody",
    form_id="frm_none",
    response=None,
    conditions=[Condition(parse_path("score.value"), Operation.GREATER_THAN, 1)],
    limit=20,
    most_looked_at=20_000,
)


async def test_slow_search_is_aborted(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(_: SearchPlan, *__: Any) -> tuple[Sql[Row], dict[str, Any]]:
        return Sql("select pg_sleep(600)"), {}

    monkeypatch.setattr(search, "MAX_SCAN_SECONDS", 0.05)
    monkeypatch.setattr(SearchPlan, "step", slow)
    db = await Database.connect(service.dsn(), size=1)
    try:
        assert await search_responses(db, SEARCH) == SearchResult([], 0, complete=False)
        assert await db.fetchval("show statement_timeout") == "0"  # the connection is unchanged
    finally:
        await db.close()
