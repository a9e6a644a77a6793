"""`NOTIFY` after the commit: at once, then once for all that is committed in the next few milliseconds.

PostgreSQL lets only one transaction that notifies commit at a time. So nothing notifies from within a transaction:
the process says it afterwards, for many at once. Should it die in between, or the database go away, the word is lost.
Whoever listens therefore looks by itself now and then, and needs the word only to be quick.
"""

import asyncio
import logging

from signoff.platform.db import DATABASE_ERRORS, Database
from signoff.platform.logs import Throttle, get_logger

not_notified = Throttle(
    get_logger("notify"), "could not notify; those concerned look by themselves soon", level=logging.WARNING
)

PAUSE = 0.005


class NotifyBatcher:
    def __init__(self, db: Database, channel: str) -> None:
        self._db = db
        self._channel = channel
        self._unsaid: dict[str, None] = {}
        self._saying: asyncio.Task[None] | None = None

    def notify(self, word: str = "") -> None:
        """To everybody who listens on the channel, in any process. Each word is said once, however often it came."""
        self._unsaid[word] = None
        if self._saying is None or self._saying.done():
            self._saying = asyncio.get_running_loop().create_task(self._say_all())

    async def _say_all(self) -> None:
        while self._unsaid:
            words, self._unsaid = list(self._unsaid), {}
            try:
                await self._db.execute("select pg_notify($1, word) from unnest($2::text[]) word", self._channel, words)
            except DATABASE_ERRORS as error:
                not_notified(error=str(error))
            await asyncio.sleep(PAUSE)
