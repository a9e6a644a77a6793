"""The event log for agents without a public URL: they pull events in order, without gaps, as soon as there are any.

The database gives an event its position when it can be sent: when it's written, or once its tool webhook or its media
was waited for. Agents get events up to where the log is settled (`platform/event_log.py`), and store the cursor.
"""

import time
from dataclasses import dataclass
from typing import Final

from signoff.accounts.context import Caller
from signoff.platform.db import Database
from signoff.platform.event_log import EventLog
from signoff.platform.sql import Sql
from signoff.webhooks.events import render_event, sign_event_urls

SCAN_BATCH, MAX_SCANNED = 1_000, 50_000
"""How many events are searched per query, and per call, if only one agent's are wanted."""


def follow_events() -> EventLog:
    """Return the end of the log as this process knows it, for all its readers."""
    return EventLog("events", "event_positions")


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
        position = after
        while True:
            end = await caller.context.events.wait_until_settled(caller.db)
            if position is None:
                position = await _LATEST.fetch_value(caller.db, account_id=caller.account_id, until=end.settled)
            pulled = await _read(caller.db, caller.account_id, position, end.settled, agent_id, limit)
            left = until - time.monotonic()
            at_the_end = pulled.cursor == position
            looked_at += SCAN_BATCH
            if pulled.events or (left <= 0 and (at_the_end or looked_at >= MAX_SCANNED)):
                events = [sign_event_urls(caller.settings, caller.account_id, event) for event in pulled.events]
                return EventBatch(events, pulled.cursor)
            # If this isn't the end, the events were other agents', and more may already be there. If the log isn't
            # settled, the next one may already be written.
            if at_the_end and not await subscription.wait(left if end.is_settled else 0):
                return pulled
            position = pulled.cursor


_LATEST: Final = Sql(
    "select coalesce(max(position), 0) from events where account_id = :account_id and position <= :until"
)
_READ: Final = Sql(
    """
    select position, wanted, delivery_id,
           case when wanted then payload::text end as payload, tool_result::text
    from (select *, count(*) filter (where wanted) over (order by position) as wanted_so_far
          from (select *, :agent_id::text is null or agent_id = :agent_id as wanted
                from events where account_id = :account_id and position > :after and position <= :until
                order by position limit :scanned) as looked_at) as e
    where wanted_so_far <= :most
    order by position
    """
)


async def _read(db: Database, account_id: str, after: int, until: int, agent_id: str | None, limit: int) -> EventBatch:
    rows = await _READ.fetch(
        db,
        account_id=account_id,
        after=after,
        until=until,
        agent_id=agent_id,
        scanned=limit if agent_id is None else SCAN_BATCH,
        most=limit,
    )
    events = [render_event(row["payload"], row["delivery_id"], row["tool_result"]) for row in rows if row["wanted"]]
    return EventBatch(events, rows[-1]["position"] if rows else after)
