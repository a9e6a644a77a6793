"""Roll up the statistics of days that are over, so that insights don't have to read each of their reviews.

A day is rolled up once, an hour after it's over, and nothing is added on the path of a decision. If a row that's older
than an hour is changed, a trigger notes its day, which is read from its rows until it's rolled up again
(docs/decisions/0044).
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, LiteralString

from signoff.insights.coverage import DAY, EPOCH, Part, Split
from signoff.insights.decisions import ROLL_UP_DECISIONS
from signoff.insights.deliveries import ROLL_UP_DELIVERIES, ROLL_UP_DURATIONS
from signoff.insights.fields import ROLL_UP_EDITS
from signoff.insights.requests import ROLL_UP_REQUESTS
from signoff.platform.db import DATABASE_ERRORS, Database, Executor, Row
from signoff.platform.ids import id_at
from signoff.platform.logs import get_logger
from signoff.platform.sql import Sql

log = get_logger("insights")

INTERVAL: Final = 600.0
MARGIN: Final = timedelta(hours=1)
"""As in the triggers: changes of rows that are older are noted."""
DAYS_AT_ONCE: Final = 31
MAX_AT_ONCE: Final = 20_000
"""Several days are rolled up together if there are fewer requests than this."""
MAX_CHANGED: Final = 1_000
"""Changed days of an account that are rolled up again at a time."""

_PARTS: Final[dict[Part, Sequence[tuple[Sql[Row], str | None]]]] = {
    "decisions": ((ROLL_UP_DECISIONS, None), (ROLL_UP_EDITS, None)),
    "deliveries": ((ROLL_UP_DELIVERIES, "whd"), (ROLL_UP_DURATIONS, "whd")),
    "requests": ((ROLL_UP_REQUESTS, "rev"),),
}
"""What's written for each part, and the prefix of the IDs that it's read by."""
_TABLES: Final[dict[Sql[Row], LiteralString]] = {
    ROLL_UP_DECISIONS: "insight_decisions",
    ROLL_UP_EDITS: "insight_edits",
    ROLL_UP_DELIVERIES: "insight_deliveries",
    ROLL_UP_DURATIONS: "insight_durations",
    ROLL_UP_REQUESTS: "insight_requests",
}
_DELETE: Final = {
    statement: Sql(
        "delete from {table} where account_id = :account_id and start >= :begin and start < :end", table=table
    )
    for statement, table in _TABLES.items()
}

# A transaction may have changed a row without noting it, if the row wasn't an hour old yet. No day is rolled up before
# all transactions are over that began within an hour after it.
_NOW = Sql(
    """
    select clock_timestamp() as now, coalesce(min(xact_start), clock_timestamp()) as settled
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_xid is not null
    """
)
_FIND_DUE = Sql(
    """
    select account_id from accounts a left join insight_days d using (account_id)
    where d.next_day is null or d.next_day < :end
       or exists (select from insight_changes c where c.account_id = a.account_id)
    order by account_id
    """
)
_START = Sql(
    """
    insert into insight_days (account_id, first_day, next_day)
    select account_id, first_day, first_day
    from (
        select account_id, date_bin('1 day', least(
                   created_at,
                   (select r.created_at from reviews r where r.account_id = a.account_id order by review_id limit 1),
                   (select r.responded_at from reviews r where r.account_id = a.account_id and state = 'responded'
                    order by responded_at limit 1)
               ), 'epoch') as first_day
        from accounts a where account_id = :account_id
    ) as found
    on conflict (account_id) do nothing
    """
)
_LOCK = Sql("select first_day, next_day from insight_days where account_id = :account_id for update skip locked")
_COUNT_WORK = Sql(
    """
    select count(*) from (
        select from reviews where account_id = :account_id and review_id >= :begin_id and review_id < :end_id
        order by review_id limit {most}
    ) as requested
    """,
    most=MAX_AT_ONCE,
)
_MOVE = Sql("update insight_days set next_day = :next_day where account_id = :account_id")
_FIND_CHANGED = Sql(
    """
    select distinct c.part, c.day from insight_changes c join insight_days d using (account_id)
    where account_id = :account_id and c.day < d.next_day
    order by c.day desc limit {most}
    """,
    most=MAX_CHANGED,
)
_CHANGES = Sql(
    """
    select coalesce(array_agg(change_id), '{}') as change_ids from insight_changes
    where account_id = :account_id and part = :part and day >= :begin and day < :end
    """
)
_DELETE_CHANGES = Sql("delete from insight_changes where change_id = any(:change_ids::bigint[])")
_SETTINGS: Final = """
    select set_config('work_mem', '32MB', true), set_config('hash_mem_multiplier', '8', true),
           set_config('plan_cache_mode', 'force_custom_plan', true)
"""


async def roll_up_regularly(db: Database, stop: asyncio.Event) -> None:
    while not stop.is_set():
        try:
            await roll_up(db)
        except DATABASE_ERRORS as error:
            log.warning("couldn't roll up insights; retrying later", error=str(error))
        except Exception:
            log.exception("couldn't roll up insights; retrying later")
        try:
            await asyncio.wait_for(stop.wait(), INTERVAL)
        except TimeoutError:
            continue


async def roll_up(db: Database) -> None:
    """Roll up all days that are over, and those with changes, of all accounts."""
    end = await find_end(db)
    for row in await _FIND_DUE.fetch(db, end=end):
        account_id: str = row["account_id"]
        await roll_up_account(db, account_id, end)


async def roll_up_account(db: Database, account_id: str, end: datetime) -> None:
    await _START.execute(db, account_id=account_id)
    while await _roll_up_next_days(db, account_id, end):
        pass
    for changed in await _FIND_CHANGED.fetch(db, account_id=account_id):
        await _roll_up_again(db, account_id, changed["part"], changed["day"])


async def find_end(db: Executor) -> datetime:
    """Return the end of the last day that can be rolled up."""
    now = await _NOW.fetch_one(db)
    assert now is not None
    settled = min(now["now"], now["settled"]) - MARGIN
    return settled - (settled - EPOCH) % DAY


async def _roll_up_next_days(db: Database, account_id: str, end: datetime) -> bool:
    """Roll up an account's next days. Returns whether there were any. Only one process does this at a time."""
    async with db.transaction() as tx:
        days = await _LOCK.fetch_one(tx, account_id=account_id)
        if days is None or days["next_day"] >= end:
            return False
        begin, until = days["next_day"], min(days["next_day"] + DAYS_AT_ONCE * DAY, end)
        ids = {"begin_id": id_at("rev", begin), "end_id": id_at("rev", until)}
        if await _COUNT_WORK.fetch_value(tx, account_id=account_id, **ids) == MAX_AT_ONCE:
            until = begin + DAY
        for part in _PARTS:
            await _roll_up_days(tx, account_id, part, begin, until)
        await _MOVE.execute(tx, account_id=account_id, next_day=until)
        return True


async def _roll_up_again(db: Database, account_id: str, part: Part, day: datetime) -> None:
    async with db.transaction() as tx:
        days = await _LOCK.fetch_one(tx, account_id=account_id)
        if days is not None:
            is_covered = day >= days["first_day"]
            await _roll_up_days(tx, account_id, part, day, day + DAY if is_covered else day)


async def _roll_up_days(tx: Executor, account_id: str, part: Part, begin: datetime, end: datetime) -> None:
    """Write the statistics of the days from `begin` until `end`. If that's no day, only its changes are forgotten."""
    # Rows are read after these changes, so they're in the statistics. A change that's committed later stays noted.
    change_ids = await _CHANGES.fetch_value(
        tx, account_id=account_id, part=part, begin=begin, end=max(end, begin + DAY)
    )
    if begin < end:
        await tx.execute(_SETTINGS)
        range_values = Split((begin, begin), [], [(begin, end)])
        values = {"account_id": account_id, "agent_id": None, "form_id": None}
        for statement, prefix in _PARTS[part]:
            await _DELETE[statement].execute(tx, account_id=account_id, begin=begin, end=end)
            await statement.execute(tx, **statement.pick(values | range_values.parameters(prefix)))
    if change_ids:
        await _DELETE_CHANGES.execute(tx, change_ids=change_ids)
