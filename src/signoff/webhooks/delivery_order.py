"""Deliveries that go out one after the other: those of one session to one target, by the number of their message.

Who finds an earlier one that is not settled is handed back to the queue, and what settles orders a job for the next. A
delivery that comes into being at the very moment the one before it settles may be seen by neither: so who waits looks
again by itself, the sooner the nearer it stands to the front. Nobody waits longer than the setting says.

An attempt ordered by hand is outside of the line: it waits for nobody, and nobody waits for it.
"""

from typing import Final, LiteralString

from signoff.platform.jobs.queue import enqueue_sql

RECHECK_INTERVAL = 1.0
"""Seconds, for each place that one stands behind the front."""
MAX_COUNTED = 60
"""Places further back look no less often than this one."""

MAX_RECHECK_INTERVAL = 60.0
"""Seconds, whenever the first in the line is tried again: somebody may stop it."""

_UNSETTLED: Final = "e.line_number is not null and e.status in ('pending', 'delivering', 'retrying')"
_SAME_LINE: Final = "e.account_id = d.account_id and e.session_id = d.session_id and e.target = d.target"

# Of the delivery `d`: how many stand before it, and in how many seconds the first of them has its next attempt.
# Nothing is looked up for a delivery that is not in line. Who has stood there for longer than anybody waits, $2 in
# seconds, holds up nobody any more: else one message that is refused again and again would delay each that follows.
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
    """SQL that orders a job for the next in each line; `settled` names deliveries that came to their end, as rows with
    `account_id`, `session_id`, `target` and `line_number` (null: not in line)."""
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
    """Seconds until it is worth another look; 0: it goes out now.

    `places` stand before it, the first of them is tried again in `next_attempt` seconds, and it will wait for
    `patience` more at most.
    """
    if places <= 0 or patience <= 0:
        return 0.0
    return min(max(places * RECHECK_INTERVAL, min(next_attempt, MAX_RECHECK_INTERVAL)), patience)
