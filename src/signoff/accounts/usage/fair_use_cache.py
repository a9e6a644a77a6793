"""An account's usage in the current month, cached for a few seconds, because every request checks it."""

import time
from dataclasses import dataclass
from datetime import date

from signoff.accounts.errors import FairUseExceeded
from signoff.accounts.plans import FairUse
from signoff.accounts.usage.months import month_end, month_start
from signoff.platform.clock import now
from signoff.platform.db import Database, Executor
from signoff.platform.sql import Sql

CACHE_SECONDS = 5.0
CACHE_SIZE = 10_000
MAX_CACHED_SHARE = 0.95
"""From this share of the included amount on, the cache isn't used."""

# A seat is billed for everyone who can act: enabled, with a role above viewer, and signed in at least once. An account
# has at least one.
SEATS = """(
    select greatest(1, count(*))::integer from users u
    where u.account_id = a.account_id and u.disabled_at is null and u.role <> 'viewer' and u.last_sign_in_at is not null
)"""


@dataclass(frozen=True, slots=True)
class MonthlyTotals:
    seats: int
    requests: int
    bytes: int

    def included(self, fair_use: FairUse) -> FairUse:
        return FairUse(self.seats * fair_use.requests, self.seats * fair_use.bytes)


SELECT_TOTALS = Sql(
    """
    select {seats} as seats,
           coalesce(sum(c.requests), 0)::bigint as requests, coalesce(sum(c.bytes), 0)::bigint as bytes
    from accounts a left join usage_counts c on c.account_id = a.account_id and c.month = :month
    where a.account_id = :account_id group by a.account_id
    """,
    MonthlyTotals,
    seats=SEATS,
)


async def read_monthly_totals(db: Executor, account_id: str, month: date) -> MonthlyTotals:
    row = await SELECT_TOTALS.fetch_one(db, account_id=account_id, month=month)
    assert row is not None
    return row


@dataclass(frozen=True, slots=True)
class _CachedTotals:
    totals: MonthlyTotals
    month: date
    at: float


class FairUseCache:
    """Refuses only on fresh numbers, and allows on cached ones only well below the limit.

    So an account can exceed its fair use only by what it sends at the same moment, and by what changes within a few
    seconds while it's well below: a removed seat, or a lot of data sent through other processes.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._cached: dict[str, _CachedTotals] = {}

    async def enforce(self, account_id: str, fair_use: FairUse, *, requests: int, bytes: int) -> None:  # noqa: A002
        month = month_start(now())
        cached = self._cached.get(account_id)
        if (
            cached is not None
            and cached.month == month
            and time.monotonic() - cached.at < CACHE_SECONDS
            and _is_within(cached.totals, fair_use, requests, bytes, MAX_CACHED_SHARE)
        ):
            return
        totals = await read_monthly_totals(self._db, account_id, month)
        if len(self._cached) >= CACHE_SIZE:
            self._cached.clear()
        self._cached[account_id] = _CachedTotals(totals, month, time.monotonic())
        if not _is_within(totals, fair_use, requests, bytes, 1):
            included = totals.included(fair_use)
            if requests and totals.requests + requests > included.requests:
                raise FairUseExceeded("reviewRequests", totals.requests, included.requests, month_end(month))
            raise FairUseExceeded("dataBytes", totals.bytes, included.bytes, month_end(month))


def _is_within(totals: MonthlyTotals, fair_use: FairUse, requests: int, bytes: int, share: float) -> bool:  # noqa: A002
    included = totals.included(fair_use)
    return (not requests or totals.requests + requests <= included.requests * share) and (
        not bytes or totals.bytes + bytes <= included.bytes * share
    )
