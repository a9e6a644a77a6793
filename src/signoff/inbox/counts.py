"""The inbox's numbers: pending reviews of each view, and chats with unread messages.

Every number stops at a limit, so counting is bounded.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from signoff.accounts.context import Caller
from signoff.inbox.saved_views import read_view_filters
from signoff.inbox.schemas import ChatCounts, Counts, ViewCounts
from signoff.platform.db import Database, Executor, Row
from signoff.platform.sql import Sql
from signoff.reviews.filters import (
    PENDING,
    ResolvedFilters,
    ReviewFilters,
    covered_group_ids,
    covered_user_ids,
    resolve_filters,
)
from signoff.reviews.index_scans import FilterShape, build_index_scan, filter_shape, filter_values
from signoff.sessions.read_markers import count_unread

CEILING: Final = 1_000
MAX_CHECKED: Final = 2_000
"""For a saved view with filters that no single index covers: only this many of its first reviews are checked."""

ASSIGNED: Final = """
    select distinct found.review_id from unnest({assignees}::text[]) as asked (assignee_id)
    cross join lateral (
        select a.review_id from review_assignees a
        where a.account_id = :account_id and a.assignee_id = asked.assignee_id and a.phase = 'open'
        order by a.review_id limit {ceiling}
    ) as found limit {ceiling}
"""


# One branch after the other, and only until there are enough. The order guarantees a scan of one index: without it, the
# planner may expect to find enough rows faster in the table.
COUNT_PHASE: Final = """
    select count(*) from (
        (select from reviews r where r.account_id = :account_id and {condition}
            and r.phase = {phase} and not r.assigned order by r.review_id limit {ceiling})
        union all
        (select from reviews r where r.account_id = :account_id and {condition}
            and r.phase = {phase} and r.assigned order by r.review_id limit {ceiling})
        limit {ceiling}
    ) as counted
"""


@dataclass(frozen=True, slots=True)
class _ViewCounts:
    mine: int
    my_groups: int
    unassigned: int
    all: int
    waiting: int


COUNT_VIEWS: Final = Sql(
    """
    select (select count(*) from ({mine}) as counted) as mine,
           (select count(*) from ({my_groups}) as counted) as my_groups,
           (select count(*) from (select from reviews where account_id = :account_id
                and phase = 'open' and not assigned order by review_id limit {ceiling}) as r) as unassigned,
           ({all}) as all,
           ({waiting}) as waiting
    """,
    _ViewCounts,
    mine=Sql(ASSIGNED, assignees=":user_ids", ceiling=CEILING),
    my_groups=Sql(ASSIGNED, assignees=":group_ids", ceiling=CEILING),
    all=Sql(COUNT_PHASE, condition="true", phase="'open'", ceiling=CEILING),
    waiting=Sql(COUNT_PHASE, condition="true", phase="'waiting'", ceiling=CEILING),
    ceiling=CEILING,
)

# The open reviews of each agent, or of each review type.
COUNT_EACH: Final = """
    select each.{column} as id, ({open}) as count from {table} each where each.account_id = :account_id
"""
COUNT_AGENTS: Final = Sql(
    COUNT_EACH,
    table="agents",
    column="agent_id",
    open=Sql(COUNT_PHASE, condition="r.agent_id = each.agent_id", phase="'open'", ceiling=CEILING),
)
COUNT_FORMS: Final = Sql(
    COUNT_EACH,
    table="forms",
    column="form_id",
    open=Sql(COUNT_PHASE, condition="r.form_id = each.form_id", phase="'open'", ceiling=CEILING),
)


async def count_inbox(caller: Caller) -> Counts:
    db, account_id = caller.db, caller.account_id
    groups = await covered_group_ids(db, caller.actor)
    views = await COUNT_VIEWS.fetch_one(
        db, account_id=account_id, user_ids=await covered_user_ids(db, caller.actor), group_ids=groups
    )
    assert views is not None
    saved = {
        view_id: await _count_selection(db, account_id, await _pending(caller, filters))
        for view_id, filters in (await read_view_filters(caller)).items()
    }
    return Counts(
        views=ViewCounts(
            mine=views.mine,
            my_groups=views.my_groups,
            unassigned=views.unassigned,
            all=views.all,
            waiting=views.waiting,
        ),
        **await db.batched(_count_for_account(account_id), None),
        saved={view_id: each.count for view_id, each in saved.items()},
        incomplete=[view_id for view_id, each in saved.items() if not each.is_complete],
        ceiling=CEILING,
        chat=ChatCounts(unread=await count_unread(caller)),
    )


@lru_cache(maxsize=1_000)
def _count_for_account(
    account_id: str,
) -> Callable[[Database, Sequence[None]], Awaitable[list[dict[str, dict[str, int]]]]]:
    """Return the numbers that are the same for everyone. Only one count runs at a time; callers that arrive in the
    meantime share the next.
    """

    async def run(db: Database, asking: Sequence[None]) -> list[dict[str, dict[str, int]]]:
        counted = {
            "agents": _nonzero(await COUNT_AGENTS.fetch(db, account_id=account_id)),
            "forms": _nonzero(await COUNT_FORMS.fetch(db, account_id=account_id)),
        }
        return [counted] * len(asking)

    return run


def _nonzero(counts: Sequence[Row]) -> dict[str, int]:
    return {row["id"]: row["count"] for row in counts if row["count"]}


async def _pending(caller: Caller, filters: ReviewFilters) -> ResolvedFilters:
    """Return the counted part of a saved view: pending reviews that don't wait for the agent, unless the view is
    about those.
    """
    selection = await resolve_filters(caller.db, caller.actor, filters)
    counted = PENDING if filters.retry_requested else ("open",)
    return replace(selection, phases=tuple(phase for phase in selection.phases if phase in counted))


@dataclass(frozen=True, slots=True)
class _SelectionCount:
    count: int
    checked: int

    @property
    def is_complete(self) -> bool:
        return self.checked < MAX_CHECKED


async def _count_selection(db: Executor, account_id: str, selection: ResolvedFilters) -> _SelectionCount:
    if selection.is_empty:
        return _SelectionCount(0, 0)
    shape = filter_shape(selection, None)
    statement = _count_statement(shape)
    most = CEILING if build_index_scan(shape).rest is None else MAX_CHECKED
    values = filter_values(account_id, selection, None) | {"most": most}
    counted = await statement.fetch_one(db, **statement.pick(values))
    assert counted is not None
    return counted


@lru_cache(maxsize=1_000)
def _count_statement(shape: FilterShape) -> Sql[_SelectionCount]:
    scan = build_index_scan(shape)
    if scan.rest is None:
        return Sql(
            "select count(*) as count, count(*) as checked from ({scan}) as scanned", _SelectionCount, scan=scan.sql
        )
    return Sql(
        """
        with scanned as materialized ({scan})
        select least({ceiling}, count(kept.found)) as count, count(*) as checked
        from scanned s left join lateral (
            select true as found from reviews r
            where r.account_id = :account_id and r.review_id = s.review_id and {rest} offset 0
        ) as kept on true
        """,
        _SelectionCount,
        scan=scan.sql,
        rest=scan.rest,
        ceiling=CEILING,
    )
