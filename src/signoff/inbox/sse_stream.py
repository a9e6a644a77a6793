"""One browser's stream: first what it missed, then what happens, until either side ends it."""

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Final

from fastapi import Request

from signoff.accounts.actors import Permission
from signoff.accounts.authentication import authenticate
from signoff.accounts.context import Caller
from signoff.inbox.account_feed import Feeds, FeedUpdate
from signoff.inbox.audit_log_tail import entries_after
from signoff.inbox.live_messages import HELLO, RESET, LiveMessage, build_messages, format_messages, presence
from signoff.platform.db import DatabaseUnavailable
from signoff.platform.errors import ApiError

KEEP_ALIVE: Final = 15.0
"""Seconds without an event before a comment shows proxies that the connection is in use."""
SIGN_IN_CHECK_INTERVAL: Final = 60.0
"""Seconds between two checks whether the person is still signed in."""


async def stream_changes(request: Request, caller: Caller, feeds: Feeds, after: str | None) -> AsyncGenerator[bytes]:
    """Yield the changes. `after` is the last ID that the browser has."""
    async with feeds.subscribe(caller.account_id) as (feed, line):
        position = feed.position
        missed = await _read_missed(caller, feeds, after)
        may_administer = caller.actor.can(Permission.ADMINISTER)
        # A feed that starts while transactions write to the log doesn't know yet where it's settled, so its position
        # can be lower than the browser's.
        known = int(after) if after is not None and _is_number(after) else None
        lowest = 0 if known is None or missed == [RESET] else known
        position = max(position, lowest)
        # The last missed message brings the browser up to date: it might not get any further.
        before = known if known is not None and missed else position
        yield HELLO.numbered(before)
        shown = [*missed, presence(feed.present)]
        yield format_messages(shown, before, position, caller.actor.id, may_administer=may_administer)
        checked_at = time.monotonic()
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE):
                    update = await line.queue.get()
            except TimeoutError:
                update = FeedUpdate([], feed.position, feed.position)
            if update is None:
                return
            if caller.actor.id in update.people or time.monotonic() - checked_at > SIGN_IN_CHECK_INTERVAL:
                still = await _still_signed_in(request, caller)
                if still is None:
                    return
                may_administer = still.actor.can(Permission.ADMINISTER)
                checked_at = time.monotonic()
            yield update.format_for(caller.actor.id, may_administer=may_administer, lowest=lowest)


async def _read_missed(caller: Caller, feeds: Feeds, after: str | None) -> list[LiveMessage]:
    if after is None:
        return []
    entries = None
    if _is_number(after):
        entries = await entries_after(caller.db, feeds.audit_log, caller.account_id, int(after))
    return [RESET] if entries is None else await build_messages(caller.db, caller.account_id, entries)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


async def _still_signed_in(request: Request, caller: Caller) -> Caller | None:
    """Return the current caller; None if they signed out, were disabled, or their session ended."""
    try:
        return await authenticate(request)
    except DatabaseUnavailable:
        return caller  # if the check fails, nobody is disconnected; the next check is soon
    except ApiError:
        return None
