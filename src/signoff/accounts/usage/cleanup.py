"""A worker's periodic jobs for usage."""

from signoff.accounts.usage.fair_use_cache import SEATS
from signoff.accounts.usage.meter import THIS_MONTH, compact_usage
from signoff.platform.db import Database


async def clean_up_usage(db: Database) -> None:
    await compact_usage(db)
    await snapshot_terms(db)


async def snapshot_terms(db: Database) -> None:
    """Save each account's plan and seats for the current month. The last saved values remain as the month's."""
    await db.execute(
        f"""
        insert into usage_terms as t (account_id, month, plan, seats)
        select a.account_id, {THIS_MONTH}, a.plan, {SEATS} from accounts a order by a.account_id
        on conflict (account_id, month) do update set plan = excluded.plan, seats = excluded.seats
            where (t.plan, t.seats) is distinct from (excluded.plan, excluded.seats)
        """  # noqa: S608
    )
