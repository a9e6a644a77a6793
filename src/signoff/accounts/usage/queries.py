from datetime import date
from typing import cast

from signoff.accounts.context import Caller
from signoff.accounts.plans import PLANS, Plan, PlanName
from signoff.accounts.usage.fair_use_cache import SEATS
from signoff.accounts.usage.months import add_months, format_month, month_end, month_start, parse_month
from signoff.accounts.usage.schemas import Limits, Metered, MonthlyUsage, RateLimits, Usage
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor
from signoff.platform.sql import Sql

MONTHS_SHOWN = 12


async def get_usage(caller: Caller, month_text: str | None) -> Usage:
    """Return a month's usage, measured against the plan and seats at its end; for the current month, today's."""
    month = parse_month(month_text) if month_text else month_start(now())
    plan, seats = await _read_terms(caller.db, caller.account_id, month)
    sent = await _count_by_month(caller.db, caller.account_id, month)
    requests, size = sent.get(month, (0, 0))
    fair_use = plan.fair_use
    return Usage(
        plan=plan.name,
        month=format_month(month),
        billable_seats=seats,
        review_requests=_to_metered(requests, fair_use and seats * fair_use.requests),
        data_bytes=_to_metered(size, fair_use and seats * fair_use.bytes),
        enforced=fair_use is not None and caller.settings.fair_use == "refuse",
        resets_at=iso(month_end(month)),
        limits=Limits(
            rate=plan.rate and RateLimits(per_second=plan.rate.per_second, burst=plan.rate.burst),
            memory_ceiling=plan.memory_ceiling,
        ),
        history=[
            MonthlyUsage(month=format_month(each), review_requests=requests, data_bytes=size)
            for each in (add_months(month, -back) for back in range(MONTHS_SHOWN))
            for requests, size in [sent.get(each, (0, 0))]
        ],
    )


def _to_metered(used: int, included: int | None) -> Metered:
    return Metered(used=used, included=included, overage=None if included is None else max(0, used - included))


SELECT_TERMS = Sql(
    """
    select coalesce(t.plan, a.plan) as plan, coalesce(t.seats, {seats}) as seats from accounts a
    left join usage_terms t on t.account_id = a.account_id and t.month = :month and t.month < :this_month
    where a.account_id = :account_id
    """,
    seats=SEATS,
)


async def _read_terms(db: Executor, account_id: str, month: date) -> tuple[Plan, int]:
    """Return the plan and seats of a month. For a past month these are the last saved ones, if any were saved."""
    row = await SELECT_TERMS.fetch_one(db, account_id=account_id, month=month, this_month=month_start(now()))
    assert row is not None
    return PLANS[cast(PlanName, row["plan"])], row["seats"]


async def _count_by_month(db: Executor, account_id: str, until: date) -> dict[date, tuple[int, int]]:
    rows = await db.fetch(
        """
        select month, sum(requests)::bigint as requests, sum(bytes)::bigint as bytes from usage_counts
        where account_id = $1 and month > $2 and month <= $3 group by month
        """,
        account_id,
        add_months(until, -MONTHS_SHOWN),
        until,
    )
    return {row["month"]: (row["requests"], row["bytes"]) for row in rows}
