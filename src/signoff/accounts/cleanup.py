"""What time makes worthless is removed now and then."""

from signoff.accounts.sign_in.devices import LIFETIME as DEVICE_LIFETIME
from signoff.accounts.sign_in.throttle import WINDOW
from signoff.platform.clock import now
from signoff.platform.db import Database


async def purge_expired(db: Database) -> None:
    """Ended sessions, failures that no longer count, and links and sign-ins under way long past their use.

    A link is kept for a month after it expired, so that whoever tries it is told what is wrong with it.
    """
    async with db.transaction() as tx:
        await tx.execute("delete from sign_in_sessions where expires_at <= now()")
        await tx.execute("delete from sign_in_links where expires_at <= now() - interval '30 days'")
        await tx.execute("delete from email_changes where expires_at <= now()")
        await tx.execute("delete from oidc_logins where expires_at <= now() - interval '1 day'")
        await tx.execute("delete from password_reset_requests where created_at <= now() - interval '1 day'")
        await tx.execute("delete from known_devices where last_used_at <= now() - $1::interval", DEVICE_LIFETIME)
        await tx.execute("delete from sign_in_failures where failed_at <= $1", now() - WINDOW)
