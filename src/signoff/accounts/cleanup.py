"""Periodic cleanup of expired data."""

from signoff.accounts.sign_in.devices import LIFETIME as DEVICE_LIFETIME
from signoff.accounts.sign_in.throttle import WINDOW
from signoff.accounts.usage.fair_use_cache import SEATS
from signoff.accounts.usage.meter import THIS_MONTH, compact_usage
from signoff.platform.clock import now
from signoff.platform.db import Database
from signoff.platform.sql import Sql


async def delete_expired(db: Database) -> None:
    """Delete ended sessions, outdated failed attempts, and sign-in links and pending sign-ins long after they expired.

    A link is kept for a month after it expires, so that anyone who tries it learns what's wrong.
    """
    async with db.transaction() as tx:
        await tx.execute("delete from sign_in_sessions where expires_at <= now()")
        await tx.execute("delete from sign_in_links where expires_at <= now() - interval '30 days'")
        await tx.execute("delete from email_changes where expires_at <= now()")
        await tx.execute("delete from oidc_logins where expires_at <= now() - interval '1 day'")
        await tx.execute("delete from password_reset_requests where created_at <= now() - interval '1 day'")
        await tx.execute("delete from known_devices where last_used_at <= now() - $1::interval", DEVICE_LIFETIME)
        await tx.execute("delete from sign_in_failures where failed_at <= $1", now() - WINDOW)


async def clean_up_usage(db: Database) -> None:
    await compact_usage(db)
    await snapshot_terms(db)


SNAPSHOT_TERMS = Sql(
    """
    insert into usage_terms as t (account_id, month, plan, seats)
    select a.account_id, {this_month}, a.plan, {seats} from accounts a order by a.account_id
    on conflict (account_id, month) do update set plan = excluded.plan, seats = excluded.seats
        where (t.plan, t.seats) is distinct from (excluded.plan, excluded.seats)
    """,
    this_month=THIS_MONTH,
    seats=SEATS,
)


async def snapshot_terms(db: Database) -> None:
    """Save each account's plan and seats for the current month. The last saved values remain as the month's."""
    await SNAPSHOT_TERMS.execute(db)
