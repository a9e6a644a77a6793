"""The event log for agents without a public URL: they pull events in order, without gaps, as soon as there are any.

An event gets its position when it's first read, by only one reader of the account at a time: by then it's committed,
and whatever commits later gets a later position. Assigning positions when events are written wouldn't work:
transactions don't commit in the order in which they take numbers, so a reader would pass one that shows up late.
"""

import time
from dataclasses import dataclass

from signoff.accounts.context import Caller
from signoff.platform.db import Database
from signoff.webhooks.events import render_event, sign_event_urls

SCAN_BATCH, MAX_SCANNED = 1_000, 50_000
"""How many events are searched per query, and per call, if only one agent's are wanted."""
NUMBERED = 1_000


@dataclass(frozen=True, slots=True)
class EventBatch:
    events: list[str]
    """Each as JSON text."""
    cursor: int
    """The position to continue after."""


async def read_events(caller: Caller, after: int | None, agent_id: str | None, limit: int, wait: float) -> EventBatch:
    """Return the events after the position, immediately if there are any, otherwise as soon as one arrives within
    `wait`.

    `after` None means after everything that exists now.
    """
    until = time.monotonic() + wait
    looked_at = 0
    with caller.context.pubsub.subscribe(caller.account_id) as subscription:
        position = await _latest(caller.db, caller.account_id) if after is None else after
        while True:
            pulled = await _read(caller.db, caller.account_id, position, agent_id, limit)
            left = until - time.monotonic()
            at_the_end = pulled.cursor == position
            looked_at += SCAN_BATCH
            if pulled.events or (left <= 0 and (at_the_end or looked_at >= MAX_SCANNED)):
                events = [sign_event_urls(caller.settings, caller.account_id, event) for event in pulled.events]
                return EventBatch(events, pulled.cursor)
            # If this isn't the end, the events were other agents', and more may already be there.
            if at_the_end and not await subscription.wait(left):
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
    """Assign positions to the next events, in the order they were written. Returns how many there were."""
    # Always in the order they were written, which the index of events without a position has: for a check whether any
    # exist, the planner might read the whole history to find that there are none.
    ready = """select event_id from events where account_id = $1 and position is null and waits_for is null
               and media_until is null order by seq"""
    if await db.fetchval(f"{ready} limit 1", account_id) is None:
        return 0
    async with db.transaction() as tx:
        await tx.execute("select pg_advisory_xact_lock(hashtextextended('signoff.events ' || $1, 0))", account_id)
        # Materialized: otherwise a plan may join these to each event in turn, and assign new positions for each.
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
