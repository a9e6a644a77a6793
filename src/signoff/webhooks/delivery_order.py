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

# The other unfinished deliveries of the order in which `d` is.
_SAME_ORDER: Final[LiteralString] = """
    deliveries e join outgoing_messages eo on eo.message_id = e.delivery_id and not eo.is_manual
    where e.account_id = d.account_id and e.session_id = d.session_id and e.target = d.target
      and e.line_number is not null and e.status in ('pending', 'delivering', 'retrying')
"""

EARLIER_DELIVERIES: Final = Sql(
    """
    left join lateral (
        select count(*) as places, coalesce(extract(epoch from min(due) - now()), 0)::float8 as next_attempt
        from (select e.next_retry_at as due from {same_order}
                and e.line_number < d.line_number and e.triggered_at > now() - make_interval(secs => :order_wait)
              order by e.line_number limit {max_counted}) as earlier
    ) as ahead on d.line_number is not null and not o.is_manual
    """,
    same_order=_SAME_ORDER,
    max_counted=MAX_COUNTED,
)
"""For the delivery `d` with the message `o`: how many are before it, and in how many seconds the first of them has its
next attempt. Nothing is looked up for a delivery that isn't in an order. A delivery that has waited longer than
`:order_wait` seconds no longer holds up others: otherwise one message that keeps failing would delay all that follow.
"""


def release_next(finished: LiteralString) -> Sql[Row]:
    """Release the next delivery of each order. `finished` names rows of finished deliveries, with `account_id`,
    `session_id`, `target`, and `line_number` (null: not in an order).
    """
    return release_messages(
        Sql(
            """
            select distinct next.delivery_id from {finished} d
            cross join lateral (
                select e.delivery_id from {same_order}
                    and e.line_number > d.line_number and e.status = 'pending'
                order by e.line_number limit 1
            ) as next
            where d.line_number is not null
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
