"""Events for agents that have no public address: pulled in order, without a gap, as soon as there are any.

An event gets its position when it is read for the first time, from one reader of the account at a time: by then it is
committed, and whatever commits later stands later. Positions given when events are written would not do: transactions
commit in another order than they take numbers, and a reader would go past one that shows up late.
"""

import time
from dataclasses import dataclass

from signoff.accounts.access import Caller
from signoff.platform.db import Database
from signoff.webhooks.event_text import render_event, sign_event_urls

SCAN_BATCH, MAX_SCANNED = 1_000, 50_000
"""How many events are looked at in one go, and in one call, when only one agent's are wanted."""
NUMBERED = 1_000


@dataclass(frozen=True, slots=True)
class EventBatch:
    events: list[str]
    """JSON text each."""
    cursor: int
    """Go on after this position."""


async def read_events(caller: Caller, after: int | None, agent_id: str | None, limit: int, wait: float) -> EventBatch:
    """What comes after the position, at once if there is anything, else as soon as something comes within `wait`.

    `after` None: after everything there is now.
    """
    until = time.monotonic() + wait
    looked_at = 0
    with caller.service.live.subscribe(caller.account_id) as follower:
        position = await _latest(caller.db, caller.account_id) if after is None else after
        while True:
            pulled = await _read(caller.db, caller.account_id, position, agent_id, limit)
            left = until - time.monotonic()
            at_the_end = pulled.cursor == position
            looked_at += SCAN_BATCH
            if pulled.events or (left <= 0 and (at_the_end or looked_at >= MAX_SCANNED)):
                events = [sign_event_urls(caller.settings, caller.account_id, event) for event in pulled.events]
                return EventBatch(events, pulled.cursor)
            # Where it is not the end, these were other agents', and more may be there already.
            if at_the_end and not await follower.wait(left):
                return pulled
            position = pulled.cursor


async def _read(db: Database, account_id: str, after: int, agent_id: str | None, limit: int) -> EventBatch:
    await _number(db, account_id)
    rows = await db.fetch(
        """
        select position, wanted, delivery_id,
               case when wanted then payload::text end as payload, tool_result::text
        from (select *, count(*) filter (where wanted) over (order by position) as wanted_so_far
              from (select *, $3::text is null or agent_id = $3 as wanted
                    from events where account_id = $1 and position > $2 order by position limit $4) as looked_at) as e
        where wanted_so_far <= $5
        order by position
        """,
        account_id,
        after,
        agent_id,
        limit if agent_id is None else SCAN_BATCH,
        limit,
    )
    events = [render_event(row["payload"], row["delivery_id"], row["tool_result"]) for row in rows if row["wanted"]]
    return EventBatch(events, rows[-1]["position"] if rows else after)


async def _latest(db: Database, account_id: str) -> int:
    while await _number(db, account_id) == NUMBERED:
        pass
    return await db.fetchval("select coalesce(max(position), 0) from events where account_id = $1", account_id)


async def _number(db: Database, account_id: str) -> int:
    """Give the next events their positions, in the order they were written; answers how many they were."""
    # Always by the order they were written in, which the index of those without a position has: asked whether there
    # is any at all, the planner may read the whole history for the answer that there is none.
    ready = """select event_id from events where account_id = $1 and position is null and waits_for is null
               and media_until is null order by seq"""
    if await db.fetchval(f"{ready} limit 1", account_id) is None:
        return 0
    async with db.transaction() as tx:
        await tx.execute("select pg_advisory_xact_lock(hashtextextended('signoff.events ' || $1, 0))", account_id)
        # Materialized: a plan may join these to each event in turn, and would give out positions anew for each.
        done = await tx.execute(
            f"""
            with numbered as materialized (
                select event_id, nextval('event_positions') as position from ({ready} limit $2) as ready
            )
            update events e set position = n.position from numbered n
            where e.account_id = $1 and e.event_id = n.event_id
            """,  # noqa: S608
            account_id,
            NUMBERED,
        )
    return int(done.split()[-1])
