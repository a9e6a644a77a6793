"""Send `NOTIFY` after the commit: the first immediately, then one for everything within the next few milliseconds.

PostgreSQL serializes the commits of transactions that notify. So no transaction does; the process notifies afterwards,
for many commits at once. If the process dies in between, or the database connection is lost, the notification is lost
too. Listeners therefore also poll, and only need notifications to be fast.
"""

import asyncio
import logging

from signoff.platform.db import DATABASE_ERRORS, Database
from signoff.platform.logs import Throttle, get_logger

not_notified = Throttle(get_logger("pg_notify"), "could not notify; listeners will poll instead", level=logging.WARNING)

PAUSE = 0.005


class NotifyBatcher:
    def __init__(self, db: Database, channel: str) -> None:
        self._db = db
        self._channel = channel
        self._unsaid: dict[str, None] = {}
        self._saying: asyncio.Task[None] | None = None

    def notify(self, payload: str = "") -> None:
        """Notify all listeners on the channel, in any process. Duplicate payloads are sent once."""
        self._unsaid[payload] = None
        if self._saying is None or self._saying.done():
            self._saying = asyncio.get_running_loop().create_task(self._notify_all())

    async def _notify_all(self) -> None:
        while self._unsaid:
            words, self._unsaid = list(self._unsaid), {}
            try:
                await self._db.execute("select pg_notify($1, word) from unnest($2::text[]) word", self._channel, words)
            except DATABASE_ERRORS as error:
                not_notified(error=str(error))
            await asyncio.sleep(PAUSE)
