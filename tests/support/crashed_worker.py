"""The state that a killed worker leaves behind, for tests that don't kill one."""

import asyncio
from collections.abc import Awaitable

from signoff.platform.db import Database
from signoff.platform.outbox.sender import Channel, OutboxSender
from signoff.platform.settings import Settings


async def die_while_sending(db: Database, settings: Settings, channel: Channel, reached: Awaitable[object]) -> None:
    """A worker that claims the messages that are due, and is gone as soon as `reached`. It records nothing."""
    sender = OutboxSender(db, settings, [channel])
    await sender.start_due(lambda: None)
    await asyncio.wait_for(reached, 60)
    attempts = list(sender.attempts)
    for attempt in attempts:
        attempt.cancel()
    await asyncio.wait(attempts)
    assert all(attempt.cancelled() for attempt in attempts)
