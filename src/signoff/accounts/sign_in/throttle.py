"""Limits on password guessing by email and by client, counted in the database that all processes share."""

import math
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Network, ip_address

from signoff.accounts.errors import TooManySignInFailures
from signoff.accounts.sign_in.devices import find_device
from signoff.platform.clock import now
from signoff.platform.db import Database, Executor

WINDOW = timedelta(minutes=15)
EMAIL_LOCK, CLIENT_LOCK, DEVICE_LOCK = 0x5160_001, 0x5160_002, 0x5160_004  # arbitrary, but the same in every process


async def count_attempt(db: Database, allowed: int, email: str, ip: str | None, device_token: str | None) -> None:
    """Record an attempt as failed before it's checked, so that concurrent attempts don't count as one.

    `clear_attempts` removes the failure after a success. A refused attempt isn't counted: hammering an email can't lock
    its owner out for longer than the window. On a device that the member has used before, only its own failures count,
    so nobody else can lock them out there at all.
    """
    device = await find_device(db, email, device_token)
    client = client_network(ip) if device is None else None
    async with db.transaction() as tx:
        # Always lock the email first and the client second, so that these locks can't deadlock.
        if device is not None:
            await tx.execute("select pg_advisory_xact_lock($1, hashtext($2))", DEVICE_LOCK, device.hex())
        else:
            await tx.execute("select pg_advisory_xact_lock($1, hashtext($2))", EMAIL_LOCK, email)
        if client is not None:
            await tx.execute("select pg_advisory_xact_lock($1, hashtext($2))", CLIENT_LOCK, client)
        at = now()
        if device is not None:
            full_since = await _device_limit_reached_at(tx, allowed, device, at - WINDOW)
        else:
            full_since = await _limit_reached_at(tx, allowed, email, client, at - WINDOW)
        if full_since is not None:
            wait = full_since + WINDOW - at
            raise TooManySignInFailures(max(1, math.ceil(wait.total_seconds())))
        await tx.execute(
            "insert into sign_in_failures (email, ip, device, failed_at) values ($1, $2, $3, $4)",
            email,
            client,
            device,
            at,
        )


async def clear_attempts(tx: Executor, email: str) -> None:
    await tx.execute("delete from sign_in_failures where email = $1", email)


async def _limit_reached_at(
    tx: Executor, allowed: int, email: str, client: str | None, since: datetime
) -> datetime | None:
    """Return when the failure happened that must leave the window before another attempt is possible."""
    return await tx.fetchval(
        """
        select max(failed_at) from (
            (select failed_at from sign_in_failures where email = $1 and device is null and failed_at > $3
             order by failed_at desc offset $4 limit 1)
            union all
            (select failed_at from sign_in_failures where ip = $2 and failed_at > $3
             order by failed_at desc offset $4 limit 1)
        ) as full_window
        """,
        email,
        client,
        since,
        allowed - 1,
    )


async def _device_limit_reached_at(tx: Executor, allowed: int, device: bytes, since: datetime) -> datetime | None:
    return await tx.fetchval(
        """
        select failed_at from sign_in_failures where device = $1 and failed_at > $2
        order by failed_at desc offset $3 limit 1
        """,
        device,
        since,
        allowed - 1,
    )


def client_network(ip: str | None) -> str | None:
    """Return the network that counts as one client: an IPv6 client has a whole /64 to call from."""
    try:
        address = ip_address(ip or "")
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:  # how a dual-stack socket shows an IPv4 client
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), 64), strict=False))
