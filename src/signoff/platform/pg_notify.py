"""Send `NOTIFY` after the commit: the first immediately, then one for everything within the next few milliseconds.

PostgreSQL serializes the commits of transactions that notify. So no transaction does; the process notifies afterwards,
for many commits at once. If the process dies in between, or the database connection is lost, the notification is lost
too. Listeners therefore also poll, and only need notifications to be fast.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

Notification = tuple[str, str]
"""The channel and the payload."""

PAUSE = 0.005


class NotifyBatcher:
    def __init__(self, send: Callable[[Sequence[Notification]], Awaitable[None]]) -> None:
        self._send = send
        self._unsent: dict[Notification, None] = {}
        self._sending: asyncio.Task[None] | None = None

    def notify(self, channel: str, payload: str = "") -> None:
        """Notify all listeners on the channel, in any process. Duplicates are sent once."""
        self._unsent[channel, payload] = None
        if self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._send_all())

    async def flush(self) -> None:
        """Wait until everything is sent, or couldn't be."""
        if self._sending is not None:
            await asyncio.wait({self._sending})

    async def _send_all(self) -> None:
        while self._unsent:
            notifications, self._unsent = list(self._unsent), {}
            await self._send(notifications)
            await asyncio.sleep(PAUSE)
