"""Deliveries in order: those of one session to one target are sent one after the other, by message number.

A delivery with an unfinished one before it is requeued, and a delivery that finishes enqueues a job for the next. A
delivery that is created at the very moment the one before it finishes may be missed by both, so waiting deliveries also
poll, more often the closer they are to the front. None waits longer than the setting says.

A manual attempt is outside of the order: it doesn't wait, and nothing waits for it.
"""

from typing import Final, LiteralString

from signoff.platform.jobs.queue import enqueue_sql

RECHECK_INTERVAL = 1.0
"""Seconds, for each position behind the front."""
MAX_COUNTED = 60
"""Deliveries further back poll as often as this position."""

MAX_RECHECK_INTERVAL = 60.0
"""Seconds, whenever the first one has its next attempt: it may be canceled before."""

_UNSETTLED: Final = "e.line_number is not null and e.status in ('pending', 'delivering', 'retrying')"
_SAME_LINE: Final = "e.account_id = d.account_id and e.session_id = d.session_id and e.target = d.target"

# For the delivery `d`: how many are before it, and in how many seconds the first of them has its next attempt. Nothing
# is looked up for a delivery that isn't in an order. A delivery that has waited longer than the limit, $2 in seconds,
# no longer holds up others: otherwise one message that keeps failing would delay all that follow.
EARLIER_DELIVERIES_SQL = f"""
    left join lateral (
        select count(*) as places, coalesce(extract(epoch from min(due) - now()), 0)::float8 as next_attempt
        from (select e.next_retry_at as due from deliveries e
              where {_SAME_LINE} and {_UNSETTLED} and e.line_number < d.line_number
                and e.attempt_ordered is distinct from 'manual' and e.triggered_at > now() - make_interval(secs => $2)
              order by e.line_number limit {MAX_COUNTED}) as earlier
    ) as ahead on d.line_number is not null and d.attempt_ordered is distinct from 'manual'
"""  # noqa: S608


def enqueue_next_sql(settled: LiteralString) -> LiteralString:
    """Return SQL that enqueues a job for the next delivery in each order; `settled` names finished deliveries, as
    rows with `account_id`, `session_id`, `target`, and `line_number` (null: not in order).
    """
    return enqueue_sql(
        "webhooks.deliver",
        f"""
        select distinct next.delivery_id, now() from {settled} d
        cross join lateral (
            select e.delivery_id from deliveries e
            where {_SAME_LINE} and {_UNSETTLED} and e.line_number > d.line_number and e.status = 'pending'
              and e.attempt_ordered is distinct from 'manual'
            order by e.line_number limit 1
        ) as next
        where d.line_number is not null
        """,  # noqa: S608
    )


def ordering_delay(places: int, next_attempt: float, patience: float) -> float:
    """Return the seconds until the next poll; 0 sends it now.

    `places` deliveries are before it, the first of them has its next attempt in `next_attempt` seconds, and it waits
    for at most another `patience` seconds.
    """
    if places <= 0 or patience <= 0:
        return 0.0
    return min(max(places * RECHECK_INTERVAL, min(next_attempt, MAX_RECHECK_INTERVAL)), patience)
