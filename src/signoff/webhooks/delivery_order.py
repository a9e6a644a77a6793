"""Deliveries in order: those of one session to one target are sent one after the other, by message number.

A delivery with an unfinished one before it is postponed, and a delivery that finishes releases the next. A delivery
that is created at the very moment the one before it finishes may be missed by both, so waiting deliveries also poll,
more often the closer they are to the front. None waits longer than the setting says.

A manual attempt is outside of the order: it doesn't wait, and nothing waits for it.
"""

from typing import Final, LiteralString

from signoff.platform.db import Row
from signoff.platform.outbox.messages import release_messages
from signoff.platform.sql import Sql

RECHECK_INTERVAL: Final = 1.0
"""Seconds, for each position behind the front."""
MAX_COUNTED: Final = 60
"""Deliveries further back poll as often as this position."""

MAX_RECHECK_INTERVAL: Final = 60.0
"""Seconds, whenever the first one has its next attempt: it may be canceled before."""

# The other unfinished messages of the order in which `o` is.
_SAME_ORDER: Final[LiteralString] = """
    outgoing_messages e
    where e.line = o.line and e.settled_at is null and not e.is_manual and not e.is_stopped
"""

EARLIER_DELIVERIES: Final = Sql(
    """
    left join lateral (
        select count(*) as places, coalesce(extract(epoch from min(due) - now()), 0)::float8 as next_attempt
        from (select case when e.attempts <> '[]' then e.due_at end as due from {same_order}
                and e.line_number < o.line_number and e.created_at > now() - make_interval(secs => :order_wait)
              order by e.line_number limit {max_counted}) as earlier
    ) as ahead on o.line is not null and not o.is_manual
    """,
    same_order=_SAME_ORDER,
    max_counted=MAX_COUNTED,
)
"""For the message `o`: how many are before it, and in how many seconds the first of them has its next attempt. Nothing
is looked up for a message that isn't in an order. One that has waited longer than `:order_wait` seconds no longer holds
up others: otherwise one message that keeps failing would delay all that follow.
"""


def release_next(finished: LiteralString) -> Sql[Row]:
    """Release the next message of each order. `finished` names rows of finished messages, with `line` (null: not in an
    order) and `line_number`.
    """
    return release_messages(
        Sql(
            """
            select distinct next.message_id from {finished} o
            cross join lateral (
                select e.message_id from {same_order} and e.line_number > o.line_number and e.attempts = '[]'
                order by e.line_number limit 1
            ) as next
            where o.line is not null
            """,
            finished=finished,
            same_order=_SAME_ORDER,
        )
    )


def ordering_delay(places: int, next_attempt: float, patience: float) -> float:
    """Return the seconds until the next poll; 0 sends it now.

    `places` deliveries are before it, the first of them has its next attempt in `next_attempt` seconds, and it waits
    for at most another `patience` seconds.
    """
    if places <= 0 or patience <= 0:
        return 0.0
    return min(max(places * RECHECK_INTERVAL, min(next_attempt, MAX_RECHECK_INTERVAL)), patience)
