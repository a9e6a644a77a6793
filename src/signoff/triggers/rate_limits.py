"""Limits on submissions per hour through a public form, counted in the database that all processes share."""

import math
from datetime import datetime, timedelta
from typing import Literal

from signoff.platform.clock import now
from signoff.platform.db import Executor
from signoff.platform.rate_limits import Rate, RateLimiter
from signoff.triggers.errors import TooManySubmissions

WINDOW = timedelta(hours=1)
CALLS = Rate(per_second=2, burst=60)
"""All calls from one network: reading the form costs something too, and so do refused submissions."""
LINK_LOCK = 0x5160_003  # arbitrary but unique, and the same in every process


async def enforce_call_rate(rates: RateLimiter, client: str | None) -> None:
    outcome = await rates.take(f"public:{client}", CALLS)
    if not outcome.allowed:
        raise TooManySubmissions("address", outcome.seconds_to_next)


async def count_submissions(db: Executor, form_id: str, now: datetime) -> int:
    return await db.fetchval(
        "select count(*) from public_submissions where form_id = $1 and at > $2", form_id, now - WINDOW
    )


async def reserve_submission(
    tx: Executor, form_id: str, client: str | None, *, per_hour: int, per_client: int, now: datetime
) -> None:
    """Count a submission, or refuse it. One at a time per form, so that concurrent ones are counted separately."""
    await tx.execute("select pg_advisory_xact_lock($1, hashtext($2))", LINK_LOCK, form_id)
    # Submissions that have left the window are no longer needed.
    await tx.execute("delete from public_submissions where form_id = $1 and at <= $2", form_id, now - WINDOW)
    await _ensure_room(tx, form_id, None, per_hour, now, "link")
    if client is not None:
        await _ensure_room(tx, form_id, client, per_client, now, "address")
    await tx.execute("insert into public_submissions (form_id, client, at) values ($1, $2, $3)", form_id, client, now)


async def _ensure_room(
    tx: Executor, form_id: str, client: str | None, allowed: int, now: datetime, scope: Literal["link", "address"]
) -> None:
    """Refuse a submission. `client` None means the limit of the whole form."""
    # The submission that must leave the window before another one is possible.
    full_since: datetime | None = await tx.fetchval(
        """
        select at from public_submissions where form_id = $1 and ($2::text is null or client = $2)
        order by at desc offset $3 limit 1
        """,
        form_id,
        client,
        allowed - 1,
    )
    if full_since is not None:
        raise TooManySubmissions(scope, max(1, math.ceil((full_since + WINDOW - now).total_seconds())))


async def delete_old_submissions(db: Executor) -> None:
    """Delete client addresses after about an hour, also those of forms that nobody uses anymore."""
    await db.execute("delete from public_submissions where at <= $1", now() - WINDOW)
