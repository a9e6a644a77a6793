"""Shared helpers of the mail tests, besides the mail server."""

import asyncio
import time
from typing import Any

import httpx
from support.api import Workspace, assert_ok

from signoff.platform.db import Database
from signoff.platform.mail_outbox import enqueue_mail


async def wait_for_mail_state(
    workspace: Workspace, to: str, *states: str, kind: str | None = None, within: float = 60.0
) -> dict[str, Any]:
    """The latest mail to the address, optionally of one type, once it has one of the states."""
    deadline = time.monotonic() + within
    while True:
        mails = (await assert_ok(workspace.owner.get("/mails", params={"limit": 200})))["items"]
        found = next((mail for mail in mails if mail["to"] == to and kind in (None, mail["kind"])), None)
        if found is not None and (not states or found["state"] in states):
            return found
        assert time.monotonic() < deadline, f"{found} does not come to {states}"
        await asyncio.sleep(0.05)


async def wait_until_gone(db: Database, query: str, *values: Any, within: float = 60.0) -> None:
    """Waits until the query finds nothing."""
    deadline = time.monotonic() + within
    while await db.fetchval(query, *values) is not None:
        assert time.monotonic() < deadline, query
        await asyncio.sleep(0.05)


async def enqueue_test_mail(db: Database, account_id: str, to: str, once: str | None = None) -> str | None:
    async with db.transaction() as tx:
        return await enqueue_mail(tx, "test", account_id=account_id, to=to, context={"asked_by": "Ann"}, once=once)


async def invite(workspace: Workspace, email: str, **members: Any) -> dict[str, Any]:
    return await assert_ok(workspace.owner.post("/users", json={"email": email, "role": "reviewer", **members}))


def get_token(link: str) -> str:
    return httpx.URL(link).params["token"]
