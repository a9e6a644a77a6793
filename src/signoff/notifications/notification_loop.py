"""The worker's notification loop: follow the log, then write the mails that are due."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final, Protocol

from signoff.notifications.log_subscriber.entries import EntryPlanner
from signoff.notifications.log_subscriber.subscriber import (
    AuditLogSubscriber,
    is_transient,
    read_position,
    try_lock,
)
from signoff.notifications.review_mails.digests import Digests
from signoff.notifications.review_mails.instant_mails import InstantMails
from signoff.platform.clock import now
from signoff.platform.db import Database
from signoff.platform.jobs.runner import DATABASE_ERRORS
from signoff.platform.logs import get_logger

log = get_logger("notifications")

PLAN_DIGESTS_EVERY: Final = timedelta(seconds=10)
MAX_CONCURRENT: Final = 20
"""Maximum number of mails written between two reads of the log."""
AFTER_FAILURE: Final = timedelta(minutes=5)


class MailSource(Protocol):
    """Mails of one type."""

    async def due(self, most: int) -> list[str]: ...
    async def tell(self, user_id: str) -> int: ...


class NotificationLoop:
    def __init__(
        self,
        db: Database,
        plans: Sequence[EntryPlanner],
        *,
        look_every: float,
        clock: Callable[[], datetime] = now,
    ) -> None:
        """`look_every` is the number of seconds between two reads of the log, or a quarter of it while something
        isn't settled.
        """
        self._look_every = look_every
        self._db = db
        self._plans = plans
        self._clock = clock
        self._digests = Digests(db, clock)
        self._sorts: Sequence[MailSource] = (InstantMails(db, clock), self._digests)
        self._digests_planned_at: datetime | None = None
        self._left_until: dict[str, datetime] = {}
        """People whose mail failed, and when to retry."""

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop`. Only one process does at a time; others wait until it's gone."""
        while not stop.is_set():
            try:
                async with self._db.own_connection() as connection:
                    await self._run_with_lock(connection, stop)
            except DATABASE_ERRORS as error:
                log.warning("cannot follow what happens; trying again", error=str(error))
            except Exception:
                # Whatever the error is, it must not stop the worker's other loops.
                log.exception("cannot tell people; trying again")
            await _pause(stop, self._look_every)

    async def _run_with_lock(self, connection: Any, stop: asyncio.Event) -> None:
        while not await try_lock(connection):
            if await _pause(stop, 2 * self._look_every):
                return
        subscriber = AuditLogSubscriber(self._db, self._plans, await read_position(connection))
        while not stop.is_set():
            # On the connection that holds the lock: without it nobody follows.
            due_at = await subscriber.poll(connection)
            busy = await subscriber.plan_next()
            if self._is_time_to_plan_digests():
                await self._digests.plan()
            if due_at is not None and due_at <= self._clock():
                busy += await self._send_due()
            if not busy:
                await _pause(stop, self._look_every / 4 if subscriber.is_behind else self._look_every)

    def _is_time_to_plan_digests(self) -> bool:
        now = self._clock()
        if self._digests_planned_at is not None and now - self._digests_planned_at < PLAN_DIGESTS_EVERY:
            return False
        self._digests_planned_at = now
        return True

    async def _send_due(self) -> int:
        count, now = 0, self._clock()
        self._left_until = {who: until for who, until in self._left_until.items() if until > now}
        for sort in self._sorts:
            waiting = await sort.due(MAX_CONCURRENT + len(self._left_until))
            for user_id in [user_id for user_id in waiting if user_id not in self._left_until][:MAX_CONCURRENT]:
                count += await self._send_one(sort, user_id)
        return count

    async def _send_one(self, sort: MailSource, user_id: str) -> int:
        try:
            await sort.tell(user_id)
        except Exception as error:
            if is_transient(error):
                raise
            log.exception("cannot write somebody's mail; trying again later", user=user_id)
            self._left_until[user_id] = self._clock() + AFTER_FAILURE
            return 0
        return 1


async def _pause(stop: asyncio.Event, seconds: float) -> bool:
    """Return whether it's time to stop."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
    return stop.is_set()
