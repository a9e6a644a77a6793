"""How much comes in through a public form in an hour, counted in the database that all processes share."""

import math
from datetime import datetime, timedelta
from typing import Literal

from signoff.platform.clock import now
from signoff.platform.db import Executor
from signoff.platform.rate_limits import Rate, RateLimiter
from signoff.triggers.errors import TooManySubmissions

WINDOW = timedelta(hours=1)
CALLS = Rate(per_second=2, burst=60)
"""Of any kind, from one network: looking costs us something too, and so do submissions that are refused."""
LINK_LOCK = 0x5160_003  # any number that no other lock has, the same in every process


async def enforce_call_rate(rates: RateLimiter, client: str | None) -> None:
    outcome = await rates.take(f"public:{client}", CALLS)
    if not outcome.allowed:
        raise TooManySubmissions("address", outcome.seconds_to_next)


async def count_submissions(db: Executor, form_id: str, moment: datetime) -> int:
    return await db.fetchval(
        "select count(*) from public_submissions where form_id = $1 and at > $2", form_id, moment - WINDOW
    )


async def reserve_submission(
    tx: Executor, form_id: str, client: str | None, *, per_hour: int, per_client: int, moment: datetime
) -> None:
    """Count it, or refuse. One of a form at a time, so that many at one moment do not pass as one."""
    await tx.execute("select pg_advisory_xact_lock($1, hashtext($2))", LINK_LOCK, form_id)
    # What left the window is of no use any more.
    await tx.execute("delete from public_submissions where form_id = $1 and at <= $2", form_id, moment - WINDOW)
    await _ensure_room(tx, form_id, None, per_hour, moment, "link")
    if client is not None:
        await _ensure_room(tx, form_id, client, per_client, moment, "address")
    await tx.execute(
        "insert into public_submissions (form_id, client, at) values ($1, $2, $3)", form_id, client, moment
    )


async def _ensure_room(
    tx: Executor, form_id: str, client: str | None, allowed: int, moment: datetime, scope: Literal["link", "address"]
) -> None:
    """`client` None: whoever submitted."""
    # The submission that has to age out of the window before there is room for another.
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
        raise TooManySubmissions(scope, max(1, math.ceil((full_since + WINDOW - moment).total_seconds())))


async def delete_old_submissions(db: Executor) -> None:
    """An address is kept for about an hour, and not for good, also of forms that nobody uses any more."""
    await db.execute("delete from public_submissions where at <= $1", now() - WINDOW)
